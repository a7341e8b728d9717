"""The shown text of one Word paragraph, with its hyperlinks, cross-references, form fields and boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pincite.read.archive import relation_id
from pincite.read.docx_styles import RunLooks, is_on
from pincite.read.linked import Linked, LinkedPieces, Look, joined
from pincite.read.markup import Element, attribute, child, descendants, local, number
from pincite.text.looks import TICKED, UNTICKED

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
    place = number(attribute(chosen, "val"))
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


_NOT_SHOWN = frozenset(
    (
        *("delInstrText", "instrText", "fldData", "pPr", "rPr", "sdtPr", "tcPr"),
        *("Fallback", "txbxContent", "rt", "commentReference", "annotationRef", "footnoteRef", "endnoteRef"),
    )
)
_MARKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_CROSS_REFERENCE = re.compile(r"\s*REF\s+(?P<place>[^\s\\\"]{1,200})(?=\s)(?:[^\\]|\\[^hnprw])*\\[hnprw]", re.I)
_LINK_FIELD = re.compile(r'\s*HYPERLINK\s+(?:"(?P<file>[^"]{1,2000})"\s*)?(?:\\l\s+"(?P<place>[^"]{1,500})")?', re.I)
LONGEST_CODE = 3_000
"""Characters of a field's code; what is longer does more than lead to a place."""


def paragraph_text(element: Element, addresses: Mapping[str, str], looks: RunLooks) -> Linked:
    """What Word shows of a paragraph, without hidden text, field codes, comments and text boxes; deleted text is struck
    out. Hyperlinks lead to bookmarks ("#_Ref1") or, by relation id, to `addresses`; cross-references are links."""
    walk = _Walk(addresses, looks, looks.of_paragraph(element))
    walk.add(element)
    return walk.pieces.take()


def cell_text(element: Element, addresses: Mapping[str, str], looks: RunLooks) -> Linked:
    """All paragraphs of a table cell in one line, those of tables inside it too."""
    shown = (item for item in descendants(element, "p") if not _is_fallback(item))
    return joined([paragraph_text(item, addresses, looks) for item in shown], " ")


def bookmarks(element: Element) -> Iterator[str]:
    """What hyperlinks call the places of a paragraph or cell."""
    names = (attribute(item, "name") for item in descendants(element, "bookmarkStart"))
    return (name for name in names if name != "_GoBack")


def text_boxes(element: Element) -> Iterator[Element]:
    """The contents of the text boxes that hang on a paragraph itself, each once."""
    for box in descendants(element, "txbxContent"):
        owner = next((item for item in box.iterancestors() if local(item) == "p"), None)
        if owner is element and not _is_fallback(box):
            yield box


def _is_fallback(element: Element) -> bool:
    """A second version of a drawing, for programs that cannot show the first."""
    return any(local(item) == "Fallback" for item in element.iterancestors())


class _Walk:
    """One pass through a paragraph, with the fields that are open: of each its code, and whether it carries a link."""

    def __init__(self, addresses: Mapping[str, str], looks: RunLooks, look: Look) -> None:
        self.pieces = LinkedPieces()
        self._addresses = addresses
        self._looks = looks
        self._around = self._look = look
        self._deleted = 0
        self._fields: list[tuple[str, bool]] = []

    def add(self, element: Element) -> None:
        """Add what is shown of an element."""
        for item in element:
            name = local(item)
            if name in ("t", "delText"):
                self.pieces.add(item.text or "", self._look)
            elif name in _MARKS:
                self.pieces.add(_MARKS[name], self._look)
            elif name == "sym":
                self.pieces.add(symbol(item), self._look)
            elif name == "fldChar":
                self._field(item)
            elif name == "instrText" and self._fields:
                code, is_link = self._fields[-1]
                self._fields[-1] = (code + (item.text or "")[: LONGEST_CODE - len(code)], is_link)
            elif name == "hyperlink":
                self._add_link(item, _address(self._addresses.get(relation_id(item), ""), attribute(item, "anchor")))
            elif name == "fldSimple":
                self._add_link(item, _field_address(attribute(item, "instr")))
            elif name == "r":
                self._add_run(item)
            elif name in ("del", "moveFrom"):
                self._deleted += 1
                self.add(item)
                self._deleted -= 1
            elif name not in _NOT_SHOWN and not (name == "sdt" and is_unfilled(item)):
                self.add(item)

    def _add_run(self, run: Element) -> None:
        settings = child(run, "rPr")
        if settings is not None and _is_hidden(settings):
            return
        look = self._looks.of_settings(settings, self._around)
        self._look = replace(look, struck=True) if self._deleted else look
        self.add(run)
        self._look = self._around

    def _add_link(self, item: Element, href: str) -> None:
        if href:
            self.pieces.open_link(href)
        self.add(item)
        if href:
            self.pieces.close_link()

    def _field(self, item: Element) -> None:
        """A field begins, its code ends and what it shows begins, or it ends."""
        sign = attribute(item, "fldCharType")
        if sign == "begin":
            self._fields.append(("", False))
            data = child(item, "ffData")
            self.pieces.add(form_field(data) if data is not None else "", self._look)
        elif sign == "separate" and self._fields:
            code, _ = self._fields[-1]
            href = _field_address(code)
            if href:
                self.pieces.open_link(href)
            self._fields[-1] = (code, bool(href))
        elif sign == "end" and self._fields and self._fields.pop()[1]:
            self.pieces.close_link()


def _field_address(code: str) -> str:
    """Where a field leads; empty where it leads nowhere."""
    if match := _CROSS_REFERENCE.match(code + " "):
        return _address("", match["place"])
    match = _LINK_FIELD.match(code)
    return _address(match["file"] or "", match["place"] or "") if match else ""


def _address(file: str, place: str) -> str:
    return f"{file}#{place}" if place else file


def _is_hidden(settings: Element) -> bool:
    vanish = child(settings, "vanish")
    return vanish is not None and attribute(vanish, "val", "1") not in ("0", "false", "off")
