"""What a browser shows of HTML beside its text: fields of forms, pictures, numbers of lists, raised and struck-out
text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pincite.read.docx_styles import format_number
from pincite.read.linked import PLAIN, Look
from pincite.read.markup import Element, attribute, descendants, local, number
from pincite.text.looks import TICKED, UNTICKED

_WITHOUT_TEXT = frozenset({"hidden", "password", "submit", "button", "image", "reset", "file", "color"})
LEAST_WORDS = 3
"""In an alternative text: shorter ones name a sign or a logo."""


def shown_field(element: Element) -> str:
    """A box, ticked or not, what was filled in or chosen; empty for what shows none of these."""
    if "hidden" in element.attrib:
        return ""
    match local(element):
        case "input":
            kind = attribute(element, "type", "text").lower()
            if kind in ("checkbox", "radio"):
                return TICKED if "checked" in element.attrib else UNTICKED
            return "" if kind in _WITHOUT_TEXT else attribute(element, "value")
        case "select":
            chosen = (item for item in descendants(element, "option") if "selected" in item.attrib)
            return ", ".join(filter(None, (" ".join("".join(item.itertext()).split()) for item in chosen)))
    return ""


def picture_text(element: Element) -> str:
    """The alternative text of a picture that has no caption."""
    if local(element) != "img":
        return ""
    words = attribute(element, "alt").split()
    figure = next((item for item in element.iterancestors() if local(item) == "figure"), None)
    has_caption = figure is not None and next(descendants(figure, "figcaption"), None) is not None
    return " ".join(words) if len(words) >= LEAST_WORDS and not has_caption else ""


_TYPES = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_STYLE = re.compile(
    r"list-style(?:-type)?\s*:[^;]{0,100}?\b(none|decimal|(?:lower|upper)-(?:alpha|latin|roman))\b", re.I
)
_STYLES = {
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
}
LARGEST = 1_000_000_000


@dataclass(slots=True)
class ListMarks:
    """The next number of a list; `step` is -1 where it counts down, 0 where its items have none."""

    next_number: int
    step: int
    style: str

    @classmethod
    def of(cls, element: Element) -> ListMarks:
        """Those of an "ol"; of any other list none."""
        if local(element) != "ol":
            return cls(0, 0, "none")
        is_reversed = "reversed" in element.attrib
        first = sum(1 for item in element if local(item) == "li") if is_reversed else 1
        named = _STYLE.search(element.get("style", ""))
        style = named[1].lower() if named else ""
        kind = _STYLES.get(style, style) or _TYPES.get(attribute(element, "type"), "decimal")
        return cls(number(attribute(element, "start"), first), -1 if is_reversed else 1, kind)

    def mark(self, item: Element) -> str:
        """What is shown in front of an item, which may state its own number."""
        if not self.step:
            return ""
        shown = number(attribute(item, "value"), self.next_number)
        self.next_number = shown + self.step
        if not 0 < shown < LARGEST:
            return f"{shown}. "
        text = format_number(shown, self.style)
        return f"{text}. " if text else ""


_ELEMENTS = {"sup": "raised", "sub": "lowered", "s": "struck", "strike": "struck", "del": "struck"}
_LOOKS = re.compile(
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
            changes += [match.lastgroup for match in _LOOKS.finditer(style) if match.lastgroup]
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
