"""The boxes and fields of Word forms as the glyphs and words that are shown in their place."""

from __future__ import annotations

import re

from pincite.read.docx_styles import is_on
from pincite.read.markup import Element, attribute, child, local, number
from pincite.text.boxes import TICKED, UNTICKED

_PRIVATE_USE = range(0xD800, 0xF900)
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,4}")
_SYMBOLS = {
    "wingdings": {0x6F: UNTICKED, 0xA8: UNTICKED, 0x78: TICKED, 0xFD: TICKED, 0xFE: "☑", 0xFB: "✗", 0xFC: "✓"},
    "wingdings 2": {0x2A: UNTICKED, 0xA3: UNTICKED, 0x52: "☑", 0x53: TICKED, 0x54: TICKED, 0x4F: "✗", 0x50: "✓"},
}
"""Of the fonts that forms take their boxes from; the codes of other signs mean nothing outside their font."""


def form_field(data: Element) -> str:
    """What the data of a legacy field show: its box, or the entry that was chosen; of a text nothing, which stands in
    the text itself."""
    box, choices = child(data, "checkBox"), child(data, "ddList")
    if box is not None:
        mark = child(box, "checked")
        mark = child(box, "default") if mark is None else mark
        return TICKED if mark is not None and is_on(mark) else UNTICKED
    if choices is None:
        return ""
    chosen = next((item for name in ("result", "default") if (item := child(choices, name)) is not None), None)
    entries = [attribute(item, "val") for item in choices if local(item) == "listEntry"]
    place = number(attribute(chosen, "val")) if chosen is not None else 0
    return entries[place] if 0 <= place < len(entries) else ""


def is_unfilled(control: Element) -> bool:
    """Whether a content control shows the words that ask for its content."""
    mark = child(control, "sdtPr", "showingPlcHdr")
    return mark is not None and is_on(mark)


def symbol(item: Element) -> str:
    """A character by its code; of symbol fonts (private use) boxes and ticks alone, others have no meaning outside of
    their font."""
    code = attribute(item, "char")
    value = int(code, 16) if _HEXADECIMAL.fullmatch(code) else 0
    boxes = _SYMBOLS.get(attribute(item, "font").lower(), {})
    if known := boxes.get(value & 0xFF):
        return known
    return chr(value) if value >= 32 and value not in _PRIVATE_USE else ""
