"""Arguments of the command, and what is wrong with them in one line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from pincite.errors import UsageError


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
