"""The `pincite` command: its arguments, its errors as one line each, its exit codes (docs/design.md section 11)."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from pincite.cli.common import log_of_questions
from pincite.errors import PinciteError, UsageError, comes_of_interruption
from pincite.settings import limit_threads


class Parser(argparse.ArgumentParser):
    """A parser that raises UsageError, which says what is nearest and where help is."""

    def error(self, message: str) -> NoReturn:
        """One line for the command to print."""
        raise UsageError(f"{message}: {self.prog} --help shows how")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Unlike its parent it knows of no arguments but its own."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._too_much(unknown[0], parsed))
        return parsed, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """A command or choice that there is not."""
        if action.choices is not None and value not in action.choices:
            known = list(map(str, action.choices))
            nearest = _nearest(str(value), known) or f" (there are {', '.join(known)})"
            self.error(f"{value!r} is not known{nearest}")

    def _too_much(self, given: str, parsed: argparse.Namespace) -> str:
        if not given.startswith("-"):
            folder = next((word for word in (given, *vars(parsed).values()) if _is_folder(word)), None)
            if folder is not None and "--store" in self._option_string_actions:
                return f"{folder!r} is a folder: use --store {folder} to say where the store is"
            return f"{given!r} is one word too many (put text with spaces into quotes)"
        option = given.partition("=")[0]
        return f"the option {option} is not known{_nearest(option, list(self._option_string_actions))}"


def _is_folder(word: object) -> bool:
    return isinstance(word, str) and Path(word).is_dir()


def _nearest(given: str, known: Sequence[str]) -> str:
    found = get_close_matches(given, known, 1)
    return f" (did you mean {found[0]}?)" if found else ""


INTERRUPTED = 130
BROKEN_PIPE = 141
UNEXPECTED = 70
_MODULES = {
    **dict.fromkeys(("search", "sections", "show", "graph", "status"), "show"),
    **dict.fromkeys(("verify", "access", "remove", "gc", "pull", "backup", "migrate"), "maintenance"),
    **dict.fromkeys(("serve", "token"), "serve"),
}
"""Modules that have several commands; any other command has one of its own name."""
_COMMANDS = (
    *("index", "ask", "chat", "search", "sections", "show", "graph", "status"),
    *("verify", "access", "remove", "gc", "pull", "backup", "migrate"),
    *("audit", "evaluate", "doctor", "serve", "token", "mcp"),
)
_DESCRIPTION = """\
Ask questions about a folder of documents. Every sentence of an answer names its page: (filename, p.N).
No language model is needed; nothing leaves this machine."""
_EPILOG = """\
first steps:
  pincite index reports/                            read a folder (again: only what has changed)
  pincite ask "What is the net revenue for 2022?"   ask, from inside that folder or with --store reports
  pincite status                                    see what is in the store

exit codes: 0 done; 1 nothing found, or some files refused; 2 wrong use; 3 store unusable;
            4 a needed service or model is missing; 130 interrupted"""
_INTERRUPTED = "pincite: interrupted; what was stored is kept, run the same command to go on"


def command() -> NoReturn:
    """What the `pincite` command runs. Once its work is done, an interruption changes nothing any more."""
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    _write_what_the_locale_lacks()
    limit_threads()
    try:
        parser = build_parser(given[:1] if given and given[0] in _COMMANDS else _COMMANDS)
        parsed = parser.parse_args(given)
        if parsed.run is None:
            parser.print_help()
            return 2
        with (
            log_of_questions(logging.Formatter("[%(levelname)s] %(message)s"), logging.DEBUG)
            if debug
            else nullcontext()
        ):
            return int(parsed.run(parsed))
    except PinciteError as error:
        return _fail(f"pincite: {error}", error.exit_code, debug=debug)
    except KeyboardInterrupt:
        return _fail(_INTERRUPTED, INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        return BROKEN_PIPE
    except Exception as error:  # noqa: BLE001
        if comes_of_interruption(error):
            return _fail(_INTERRUPTED, INTERRUPTED)
        text = f"pincite: unexpected {type(error).__name__}: {error}; this is a bug, --debug shows where"
        return _fail(text, UNEXPECTED, debug=debug)


def _write_what_the_locale_lacks() -> None:
    """Characters that the locale's encoding does not have are written as escapes: "\\xf6"."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fail(message: str, code: int, *, debug: bool = False) -> int:
    if debug:
        traceback.print_exc()
    print(" ".join(message.split()), file=sys.stderr)
    return code


def build_parser(names: Sequence[str] = _COMMANDS) -> argparse.ArgumentParser:
    """The parser with these commands: all of them, or the one that is given."""
    parser = Parser(
        prog="pincite",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pincite {version('pincite')}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in names:
        register = f"register_{name}" if name in _MODULES else "register"
        getattr(import_module(f"pincite.cli.{_MODULES.get(name, name)}"), register)(commands)
    return parser
