"""The command ``dla_ros`` and its verbs, one module each."""

import argparse
from collections.abc import Sequence
import sys

from dla_ros.cli import detect, emulate, inspect_loadable, parameters, robot
from dla_ros.errors import DlaRosError

VERBS = {
    'emulate': emulate,
    'inspect': inspect_loadable,
    'detect': detect,
    'parameters': parameters,
    'robot': robot,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; a refusal is one sentence on stderr and exit code 1."""
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except DlaRosError as err:
        print(f'dla_ros {options.verb}: {err}', file=sys.stderr)
        return 1
    return code


def parser() -> argparse.ArgumentParser:
    """Give the parser of the whole command."""
    top = argparse.ArgumentParser(prog='dla_ros', description='Object detection on an NVIDIA DLA.')
    verbs = top.add_subparsers(dest='verb', required=True, metavar='VERB')
    for name, module in VERBS.items():
        words = module.__doc__ or ''
        verb = verbs.add_parser(name, help=words.splitlines()[0], description=words)
        module.add_arguments(verb)
        verb.set_defaults(run=module.run)
    return top


if __name__ == '__main__':
    sys.exit(main())
