# PYTHON_ARGCOMPLETE_OK
"""The command ``dla_ros`` and its verbs, one module each."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
import os
import sys

from dla_ros.errors import DlaRosError
from dla_ros.installation.libraries import why_not_imported

# Verb: its module, which is imported for this verb alone.
VERBS = {
    'emulate': 'emulate',
    'inspect': 'inspect_loadable',
    'detect': 'detect',
    'parameters': 'parameters',
    'robot': 'robot',
}


def main(words: Sequence[str] | None = None) -> int:
    """Run one verb; a refusal is one sentence on stderr and exit code 1."""
    words = sys.argv[1:] if words is None else words
    if isinstance(sys.stdout, TextIOWrapper):
        # a name of a file need not be text
        sys.stdout.reconfigure(errors='backslashreplace')
    try:
        reader = parser(words)
        complete(reader)
        options = reader.parse_args(words)
        code: int = options.run(options)
        sys.stdout.flush()
    except DlaRosError as err:
        return refuse(words, str(err))
    except BrokenPipeError:
        return end_without_reader()
    except OSError as err:
        if err.filename is not None:
            raise
        end_without_reader()
        return refuse(words, f'the output cannot be written: {err.strerror or err}')
    except KeyboardInterrupt:
        return 130  # as a shell has it
    except ImportError as err:
        reason = why_not_imported(err)
        if not reason:
            raise
        return refuse(words, reason)
    return code


def parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of a command line; without words, of every verb."""
    top = argparse.ArgumentParser(prog='dla_ros', description='Object detection on an NVIDIA DLA.')
    add_verbs(top, words)
    return top


def add_verbs(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Give a parser the verb that the first word names, or all verbs, to be chosen from."""
    verbs = parser.add_subparsers(dest='verb', required=True, metavar='VERB')
    for name in [words[0]] if words and words[0] in VERBS else VERBS:
        module = import_module(f'dla_ros.cli.{VERBS[name]}')
        text = module.__doc__ or ''
        verb = verbs.add_parser(name, help=text.splitlines()[0], description=text)
        module.add_arguments(verb)
        verb.set_defaults(run=module.run)


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for the words that may follow, and end then."""
    try:
        from argcomplete import autocomplete
    except ImportError:
        return  # without it there is no completion
    autocomplete(parser)


def end_without_reader() -> int:
    """End quietly when nobody reads on, as behind ``| head``; return the exit code."""
    # or Python would complain when it closes its output
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def refuse(words: Sequence[str], reason: str) -> int:
    """Say why a verb was not done; return the exit code."""
    print(f'dla_ros {words[0] if words else ""}: {reason}', file=sys.stderr)
    return 1


if __name__ == '__main__':
    sys.exit(main())
