"""The numbers that a browser shows in front of the items of HTML lists."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.read.docx_styles import format_number
from pincite.read.markup import Element, attribute, local, number

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
