"""How the text of an HTML page is set: raised, lowered, struck out; by its elements and their inline styles."""

from __future__ import annotations

import re
from dataclasses import replace

from pincite.read.linked import PLAIN, Look
from pincite.read.markup import Element

_ELEMENTS = {"sup": "raised", "sub": "lowered", "s": "struck", "strike": "struck", "del": "struck"}
_STYLES = re.compile(
    r"text-decoration(?:-line)?\s*:[^;]{0,100}?(?P<struck>\bline-through\b)"
    r"|vertical-align\s*:\s*(?:(?P<raised>super|text-top)|(?P<lowered>sub|text-bottom))\b",
    re.IGNORECASE,
)


class HtmlLooks:
    """The look of the text at the place that a walk through a tree has come to."""

    def __init__(self) -> None:
        self._open: list[tuple[Element, Look]] = []

    @property
    def here(self) -> Look:
        """How the text that is taken next is set."""
        return self._open[-1][1] if self._open else PLAIN

    def enter(self, element: Element, name: str) -> None:
        """Go into an element of this local name."""
        changes = [_ELEMENTS[name]] if name in _ELEMENTS else []
        if style := element.get("style"):
            changes += [match.lastgroup for match in _STYLES.finditer(style) if match.lastgroup]
        if changes:
            look = self.here
            for change in changes:
                kept = look if change == "struck" else Look(struck=look.struck)
                look = replace(kept, **{change: True})
            self._open.append((element, look))

    def leave(self, element: Element) -> None:
        """Go out of an element."""
        if self._open and self._open[-1][0] is element:
            self._open.pop()
