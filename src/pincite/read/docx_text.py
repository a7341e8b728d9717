"""The shown text of one Word paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.read.markup import Element, attribute, child, descendants, local

_NOT_SHOWN = frozenset(
    (
        *("del", "moveFrom", "delText", "delInstrText", "instrText", "fldData", "pPr", "rPr", "sdtPr", "tcPr"),
        *("Fallback", "txbxContent", "rt", "commentReference", "annotationRef", "footnoteRef", "endnoteRef"),
    )
)
_MARKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,4}")
_PRIVATE_USE = range(0xD800, 0xF900)


def paragraph_text(element: Element) -> str:
    """What Word shows of a paragraph: without deleted and hidden text, field codes, comments and text boxes."""
    return "".join(_pieces(element))


def cell_text(element: Element) -> str:
    """All paragraphs of a table cell in one line, those of tables inside it too."""
    shown = (item for item in descendants(element, "p") if not _is_fallback(item))
    return " ".join(filter(None, (paragraph_text(item).strip() for item in shown)))


def text_boxes(element: Element) -> Iterator[Element]:
    """The contents of the text boxes that hang on a paragraph itself, each once."""
    for box in descendants(element, "txbxContent"):
        owner = next((item for item in box.iterancestors() if local(item) == "p"), None)
        if owner is element and not _is_fallback(box):
            yield box


def _is_fallback(element: Element) -> bool:
    """A second version of a drawing, for programs that cannot show the first."""
    return any(local(item) == "Fallback" for item in element.iterancestors())


def _pieces(element: Element) -> Iterator[str]:
    for item in element:
        name = local(item)
        if name == "t":
            yield item.text or ""
        elif name in _MARKS:
            yield _MARKS[name]
        elif name == "sym":
            yield _symbol(item)
        elif name not in _NOT_SHOWN and not _is_hidden(item):
            yield from _pieces(item)


def _is_hidden(item: Element) -> bool:
    vanish = child(item, "rPr", "vanish") if local(item) == "r" else None
    return vanish is not None and attribute(vanish, "val", "1") not in ("0", "false", "off")


def _symbol(item: Element) -> str:
    """A character by its code; those of symbol fonts (private use) have no meaning outside their font."""
    code = attribute(item, "char")
    value = int(code, 16) if _HEXADECIMAL.fullmatch(code) else 0
    return chr(value) if value >= 32 and value not in _PRIVATE_USE else ""
