"""What stands on a PDF page beside its own content: values of form fields, texts typed onto it, lines that strike."""

from __future__ import annotations

import ctypes
import re
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from pincite.read.glyphs import Bounds, Font, Glyphs, PageFrame, empty
from pincite.text.looks import TICKED, UNTICKED

MOST = 5_000
"""Annotations of one page that are looked at, and characters of one field."""
LETTER_WIDTH = 0.5
"""Of a letter on average, in font sizes."""
USUAL_SIZE = 12.0
LINE_HEIGHT = 1.2
PASSWORD = 1 << 13
"""The flag of a field whose value is a secret."""
_FONT_SIZE = re.compile(r"(?<![\d.])([\d.]{1,12})\s{1,12}Tf")
_FONT = Font("Form", bold=False, italic=False)


@dataclass(frozen=True, slots=True)
class Filled:
    """A text with the rectangle (left, bottom, right, top) in the page's own coordinates that it is drawn in."""

    text: str
    rectangle: Bounds
    size: float
    """Of its font, in points; 0 fits the rectangle."""


@dataclass(frozen=True, slots=True)
class Annotations:
    """`filled` is text of the page; `struck` are rectangles of what is struck out; `comments` counts what readers of
    the page wrote beside it."""

    filled: tuple[Filled, ...] = ()
    struck: tuple[Bounds, ...] = ()
    comments: int = 0


NO_ANNOTATIONS = Annotations()


def annotations_of(raw: Any, form: Any, page: Any) -> Annotations:
    """The annotations of a page that pdfium opened; `form` is its handle of the document's form, None where it has
    none."""
    filled: list[Filled] = []
    struck: list[Bounds] = []
    comments = 0
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), MOST)):
        with _opened(raw, page, index) as annotation:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if not annotation or raw.FPDFAnnot_GetFlags(annotation) & _unseen(raw):
                continue
            if kind == raw.FPDF_ANNOT_WIDGET and form:
                filled += _field(raw, form, annotation)
            elif kind == raw.FPDF_ANNOT_FREETEXT:
                filled += _filled(raw, annotation, _string(raw, annotation, b"Contents"))
            elif kind == raw.FPDF_ANNOT_STRIKEOUT:
                struck += _quads(raw, annotation)
            elif kind not in (raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_LINK):
                comments += bool(_string(raw, annotation, b"Contents").strip())
    return Annotations(tuple(filled), tuple(struck), comments)


def drawn(filled: tuple[Filled, ...], frame: PageFrame) -> Glyphs:
    """The characters of these texts where they are drawn, their widths estimated."""
    rows = [row for item in filled for row in _placed(item)]
    if not rows:
        return empty()
    table = np.asarray([row[1:] for row in rows], dtype=np.float64)
    x, y = frame.display(table[:, 0], table[:, 1])
    none = np.zeros(len(rows), dtype=np.int64)
    return Glyphs(
        text=[row[0] for row in rows],
        x=x,
        y=y,
        advance=table[:, 2],
        size=table[:, 3],
        angle=frame.display_angle(none.astype(np.float64)),
        font=none,
        colour=none,
        fonts=(_FONT,),
    )


def _placed(item: Filled) -> Iterator[tuple[str, float, float, float, float]]:
    """Each character with its origin, advance and size: lines from the top, a single one in the middle."""
    left, bottom, right, top = item.rectangle
    width, height = right - left, top - bottom
    size = max(1.0, min(item.size or min(USUAL_SIZE, 0.8 * height), height))
    fitting = max(1, int(width / (LETTER_WIDTH * size)))
    lines = [piece for line in item.text.splitlines() for piece in textwrap.wrap(line, fitting) or [""]]
    one = height < 2 * LINE_HEIGHT * size
    if one:
        lines = [" ".join(item.text.split())]
    elif len(lines) * LINE_HEIGHT * size > height:
        size = height / (LINE_HEIGHT * len(lines))
    for number, line in enumerate(lines):
        base = (bottom + top) / 2 - 0.32 * size if one else top - (number * LINE_HEIGHT + 0.9) * size
        advance = min(LETTER_WIDTH * size, width / max(1, len(line)))
        for position, character in enumerate(line):
            yield character, left + position * advance, base, advance, size


def _field(raw: Any, form: Any, annotation: Any) -> Iterator[Filled]:
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        yield from _filled(raw, annotation, TICKED if raw.FPDFAnnot_IsChecked(form, annotation) else UNTICKED)
    elif kind in (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        yield from _filled(raw, annotation, _chosen(raw, form, annotation) or _value(raw, form, annotation))
    elif kind == raw.FPDF_FORMFIELD_TEXTFIELD:
        secret = raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD
        yield from _filled(raw, annotation, "" if secret else _value(raw, form, annotation))


def _filled(raw: Any, annotation: Any, text: str) -> Iterator[Filled]:
    box = raw.FS_RECTF()
    if text.strip() and raw.FPDFAnnot_GetRect(annotation, box):
        rectangle = (box.left, min(box.bottom, box.top), box.right, max(box.bottom, box.top))
        stated = _FONT_SIZE.search(_string(raw, annotation, b"DA"))
        kept = "".join(char for char in text if char.isprintable() or char.isspace())
        yield Filled(kept, rectangle, float(stated[1].strip(".") or 0) if stated else 0.0)


def _value(raw: Any, form: Any, annotation: Any) -> str:
    return _written(raw, lambda buffer, size: raw.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size))


def _chosen(raw: Any, form: Any, annotation: Any) -> str:
    """The labels of the options that are chosen."""
    options = range(min(raw.FPDFAnnot_GetOptionCount(form, annotation), MOST))
    chosen = (index for index in options if raw.FPDFAnnot_IsOptionSelected(form, annotation, index))
    return ", ".join(_option(raw, form, annotation, index) for index in chosen)


def _option(raw: Any, form: Any, annotation: Any, index: int) -> str:
    return _written(raw, lambda buffer, size: raw.FPDFAnnot_GetOptionLabel(form, annotation, index, buffer, size))


def _string(raw: Any, annotation: Any, key: bytes) -> str:
    return _written(raw, lambda buffer, size: raw.FPDFAnnot_GetStringValue(annotation, key, buffer, size))


def _written(raw: Any, ask: Callable[[Any, int], int]) -> str:
    """What a function of the engine writes into a buffer of UTF-16, cut behind MOST characters."""
    size = ask(None, 0)
    if not 2 < size <= 1_000_000:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")[:MOST]


def _quads(raw: Any, annotation: Any) -> Iterator[Bounds]:
    quad = raw.FS_QUADPOINTSF()
    for index in range(min(raw.FPDFAnnot_CountAttachmentPoints(annotation), MOST)):
        if raw.FPDFAnnot_GetAttachmentPoints(annotation, index, quad):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            yield min(xs), min(ys), max(xs), max(ys)


def _unseen(raw: Any) -> int:
    return int(raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW)


@contextmanager
def _opened(raw: Any, page: Any, index: int) -> Iterator[Any]:
    annotation = raw.FPDFPage_GetAnnot(page, index)
    try:
        yield annotation
    finally:
        if annotation:
            raw.FPDFPage_CloseAnnot(annotation)
