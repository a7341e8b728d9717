"""The boxes and fields of Word forms as the glyphs and words that are shown in their place."""

from __future__ import annotations

import re

from pincite.read.markup import Element, attribute, child, local, number

TICKED, EMPTY = "☒", "☐"
_OFF = ("0", "false", "off")
_PRIVATE_USE = range(0xD800, 0xF900)
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,4}")
_SYMBOLS = {
    "wingdings": {0x6F: EMPTY, 0xA8: EMPTY, 0x78: TICKED, 0xFD: TICKED, 0xFE: "☑", 0xFB: "✗", 0xFC: "✓"},
    "wingdings 2": {0x2A: EMPTY, 0xA3: EMPTY, 0x52: "☑", 0x53: TICKED, 0x54: TICKED, 0x4F: "✗", 0x50: "✓"},
}
"""Of the fonts that forms take their boxes from; the codes of other signs mean nothing outside their font."""


def form_field(data: Element) -> str:
    """What the data of a legacy field show: its box, or the entry that was chosen; of a text nothing, which stands in
    the text itself."""
    box, choices = child(data, "checkBox"), child(data, "ddList")
    if box is not None:
        return TICKED if _is_on(child(box, "checked"), of_none=_is_on(child(box, "default"), of_none=False)) else EMPTY
    if choices is None:
        return ""
    chosen = next((item for name in ("result", "default") if (item := child(choices, name)) is not None), None)
    entries = [attribute(item, "val") for item in choices if local(item) == "listEntry"]
    place = number(attribute(chosen, "val")) if chosen is not None else 0
    return entries[place] if 0 <= place < len(entries) else ""


def is_unfilled(control: Element) -> bool:
    """Whether a content control shows the words that ask for its content."""
    mark = child(control, "sdtPr", "showingPlcHdr")
    return mark is not None and _is_on(mark, of_none=False)


def symbol(item: Element) -> str:
    """A character by its code; of symbol fonts (private use) boxes and ticks alone, others have no meaning outside of
    their font."""
    code = attribute(item, "char")
    value = int(code, 16) if _HEXADECIMAL.fullmatch(code) else 0
    boxes = _SYMBOLS.get(attribute(item, "font").lower(), {})
    if known := boxes.get(value & 0xFF):
        return known
    return chr(value) if value >= 32 and value not in _PRIVATE_USE else ""


def _is_on(switch: Element | None, *, of_none: bool) -> bool:
    return of_none if switch is None else attribute(switch, "val", "1") not in _OFF
