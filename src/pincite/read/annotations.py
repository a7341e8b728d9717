"""What a PDF holds beside its text: notes and filled-in fields, words that are struck out, links."""

from __future__ import annotations

import ctypes
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import Bounds, Floats, Font, Glyphs, PageFrame, empty, line_by_line
from pincite.read.layout import PageLayout
from pincite.read.linked import LONGEST_HREF
from pincite.records.pages import Link, PlaceName, Span
from pincite.text.looks import MARK, TICKED, UNTICKED

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


Bools = NDArray[np.bool_]
THICKEST = 0.15
"""Of the size of the letters."""
LOWEST, HIGHEST = 0.12, 0.45
"""Where above the base line a line strikes letters, in their sizes: an underline runs below, a table's rule beyond."""
LOOSE = 0.6
"""Sizes by which a line may reach over the letters that it strikes."""
LEAST = 2
"""Characters that a line strikes: one may be crossed by a drawing."""
MOST_LINES = 400


def with_struck(glyphs: Glyphs, rules: Floats, marked: Floats) -> Glyphs:
    """The characters with "~~" around those that a drawn line strikes out (`rules`), or a mark of a reader
    (`marked`); boxes (n, 4) as displayed."""
    thin = rules[rules[:, 3] - rules[:, 1] < 3.0]
    thin = thin[thin[:, 2] - thin[:, 0] > 3.0]
    thin = thin[_near_text(glyphs, (thin[:, 1] + thin[:, 3]) / 2)]
    if len(thin) > MOST_LINES or not (len(thin) or len(marked)):
        return glyphs
    order = line_by_line(np.rint(glyphs.y), glyphs.x)
    order = order[~glyphs.blank[order] & (glyphs.angle[order] == 0)]
    ordered = glyphs.take(order)
    row, reach = np.rint(ordered.y), HIGHEST * float(ordered.size.max(initial=0.0)) + 1.0
    struck = np.zeros(len(order), dtype=np.bool_)
    for line in thin.tolist():
        middle = (line[1] + line[3]) / 2
        first, last = np.searchsorted(row, [middle - 1.0, middle + reach]).tolist()
        if first < last:
            struck[first:last] |= _under(ordered.take(np.arange(first, last)), line)
    for box in marked.tolist():
        struck |= _in_mark(ordered, box)
    if not struck.any():
        return glyphs
    text = glyphs.text.copy()
    same_row = np.diff(np.rint(ordered.y)) == 0
    begins = struck & ~np.append(False, struck[:-1] & same_row)
    ends = struck & ~np.append(struck[1:] & same_row, False)
    for position in order[begins].tolist():
        text[position] = MARK + text[position]
    for position in order[ends].tolist():
        text[position] += MARK
    return glyphs.reading(text)


def _near_text(glyphs: Glyphs, heights: Floats) -> Bools:
    """Which of these heights lie where a line would strike some letters."""
    if not len(glyphs):
        return np.zeros(len(heights), dtype=np.bool_)
    bases = np.sort(glyphs.y)
    first = np.searchsorted(bases, heights + LOWEST * glyphs.size.min())
    found: Bools = first < np.searchsorted(bases, heights + HIGHEST * glyphs.size.max())
    return found


def _under(glyphs: Glyphs, line: Sequence[float]) -> Bools:
    """The characters that a line strikes; none where it reaches far over them, as the rules of tables do."""
    left, top, right, bottom = line
    middle, height = glyphs.x + 0.5 * glyphs.advance, glyphs.y - (top + bottom) / 2
    size = glyphs.size
    met = (middle > left) & (middle < right) & (bottom - top < THICKEST * size)
    met &= (height > LOWEST * size) & (height < HIGHEST * size)
    if met.sum() < LEAST:
        return np.zeros(len(glyphs), dtype=np.bool_)
    first, last = np.flatnonzero(met)[[0, -1]]
    over = max(glyphs.x[first] - left, right - glyphs.x[last] - glyphs.advance[last])
    return met if over < LOOSE * size[first] else np.zeros(len(glyphs), dtype=np.bool_)


def _in_mark(glyphs: Glyphs, box: Sequence[float]) -> Bools:
    middle, height = glyphs.x + 0.5 * glyphs.advance, glyphs.y - 0.3 * glyphs.size
    found: Bools = (middle > box[0]) & (middle < box[2]) & (height > box[1]) & (height < box[3])
    return found


MARGIN = 1.0
"""Points by which the middle of a character may lie outside the box of its link."""


@dataclass(frozen=True, slots=True)
class PagePlace:
    """A place of a file: its page (from 1) and the point there, as displayed; None is the top left."""

    page: int
    left: float | None = None
    top: float | None = None

    @property
    def name(self) -> str:
        """What a viewer calls it behind the "#" (RFC 8118, "page=4&view=FitH,120")."""
        return f"page={self.page}" if self.top is None else f"page={self.page}&view=FitH,{round(self.top)}"


@dataclass(frozen=True, slots=True)
class LinkBox:
    """A link as it is drawn: its box as displayed (left, top, right, bottom), and where it leads: an address, or a
    place of the same file."""

    box: tuple[float, float, float, float]
    to: str | PagePlace


@dataclass(frozen=True, slots=True)
class CarriedLink:
    """A link with the words of its page that carry it."""

    start: int
    end: int
    to: str | PagePlace


def carried_links(layout: PageLayout, boxes: Sequence[LinkBox]) -> tuple[CarriedLink, ...]:
    """The links with their words, in the order of the text; one that goes on in the next line is one link."""
    middles = (layout.boxes[:, :2] + layout.boxes[:, 2:]) / 2
    carried = filter(None, (_carried(layout, middles, item) for item in boxes))
    found = sorted(carried, key=lambda item: (item.start, item.end))
    joined: list[CarriedLink] = []
    for item in found:
        last = joined[-1] if joined else None
        if last is not None and item.to == last.to and not layout.text[last.end : item.start].strip():
            joined[-1] = replace(last, end=max(last.end, item.end))
        elif last is None or item.start >= last.end:
            joined.append(item)
    return tuple(joined)


def links_of(number: int, links: Sequence[CarriedLink]) -> tuple[Link, ...]:
    """The links of page `number` as records."""
    return tuple(Link(Span(number, item.start, item.end), _address(item.to)) for item in links)


def names_of(number: int, layout: PageLayout, places: Sequence[PagePlace]) -> tuple[PlaceName, ...]:
    """What links call the places of page `number`: the page itself, and these points of it."""
    named = {place.name: _offset(layout, place) for place in places}
    return tuple(PlaceName(name, start) for name, start in ({f"page={number}": 0} | named).items())


def places_by_page(links: Iterator[CarriedLink]) -> dict[int, list[PagePlace]]:
    """The places that these links lead to, each once, by their pages."""
    found: dict[int, dict[PagePlace, None]] = {}
    for item in links:
        if isinstance(item.to, PagePlace):
            found.setdefault(item.to.page, {})[item.to] = None
    return {page: list(places) for page, places in found.items()}


def _carried(layout: PageLayout, middles: Floats, link: LinkBox) -> CarriedLink | None:
    """The longest run of characters, in the order of the text, whose middles (n, 2) lie in the box of a link."""
    low, high = np.asarray(link.box[:2]) - MARGIN, np.asarray(link.box[2:]) + MARGIN
    held = np.flatnonzero(((middles > low) & (middles < high)).all(axis=1))
    if not len(held):
        return None
    runs = np.split(held, np.flatnonzero(np.diff(held) > 1) + 1)
    run = max(runs, key=len)
    start = int(layout.starts[run[0]])
    behind = int(layout.starts[run[-1] + 1]) if run[-1] + 1 < len(layout.starts) else len(layout.text)
    end = start + len(layout.text[start:behind].rstrip())
    return CarriedLink(start, end, link.to) if start < end else None


def _address(to: str | PagePlace) -> str:
    return f"#{to.name}" if isinstance(to, PagePlace) else to[:LONGEST_HREF]


def _offset(layout: PageLayout, place: PagePlace) -> int:
    """Where the highest line begins whose middle stands below a point and that does not end left of it."""
    if place.top is None:
        return 0
    left = place.left or 0.0
    lines = (line for line in layout.lines if line.box.right > left)
    below = [line for line in lines if line.box.top + line.box.bottom > 2 * place.top]
    return min(below, key=lambda line: (line.box.top, line.start)).start if below else 0
