"""The runtime mode, which is not the mode of the build."""

from dla_ros.errors import ConfigError

ARTIFACT_IS_NOT_RUNTIME = (
    'it must be hybrid. "Standalone" has two meanings: the file is built as a standalone loadable '
    '(trtexec --buildDLAStandalone; that is artifact.kind), and is run in hybrid mode, where CUDA '
    'streams order the work. Running standalone (NvSci, no CUDA) is not supported'
)


def check_mode(mode: str) -> None:
    """Raise ConfigError for any runtime mode but hybrid."""
    if mode == 'standalone':
        raise ConfigError(f"runtime mode is 'standalone'; {ARTIFACT_IS_NOT_RUNTIME}")
    if mode != 'hybrid':
        raise ConfigError(f"runtime mode '{mode}' is not known; use hybrid")
