"""The engine pdfium: page sizes, passwords, labels, outline, metadata; characters where pdf_oxide gives none."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pincite.errors import ReadError
from pincite.read.annotations import Annotations, annotations_of
from pincite.read.glyphs import Bounds, Floats, Font, Glyphs, PageFrame, empty, font_of, frame_of
from pincite.read.scripts import with_ligatures
from pincite.records.pages import OutlineEntry

MAX_OUTLINE = 20_000
MAX_OBJECTS = 2_000
DEEPEST_FORM = 15
MIN_PATHS = 40
MOST_LINKS = 2_000
"""Of one page."""
MOST_ATTACHED = 1_000
LONGEST_ADDRESS = 2_000
NO_INK = (3, 7)
"""Modes in which text is drawn."""


class LinkFound(NamedTuple):
    """A link annotation in the page's own coordinates: left, bottom, right, top; and where it leads: an address, or a
    page (from 0) with the point that is shown top left, where the file states one."""

    rectangle: tuple[float, float, float, float]
    address: str
    page: int | None
    point: tuple[float | None, float | None]


Row = tuple[float, float, float, float, float, int]
"""Origin x and y, advance, size, angle, colour of a character."""


class PdfiumEngine:
    """One open PDF; `password` is the one of the candidates that opened it."""

    name = "pdfium"

    def __init__(self, path: Path, passwords: tuple[str, ...] = ()) -> None:
        import pypdfium2

        self._module = pypdfium2
        self.password = ""
        self._page: tuple[int, Any] = (-1, None)
        self._document: Any = self._open(path, passwords)
        if self._document.get_formtype():
            self._document.init_forms()

    def close(self) -> None:
        """Let go of the file."""
        self._close_page()
        self._document.close()

    def page_count(self) -> int:
        """Number of physical pages."""
        return len(self._document)

    def frame(self, index: int) -> PageFrame:
        """Crop box and rotation of page `index` (from 0); a letter page where the file says nothing usable."""
        page = self.page(index)
        return frame_of(page.get_cropbox(), page.get_mediabox(), page.get_rotation())

    def size(self, index: int) -> tuple[float, float]:
        """Width and height of page `index` (from 0) as displayed, without reading what is on it."""
        try:
            width, height = self._document.get_page_size(index)
            return float(width), float(height)
        except self._module.PdfiumError as error:
            raise ReadError(f"page {index + 1} cannot be loaded") from error

    def glyphs(self, index: int, frame: PageFrame) -> Glyphs:
        """The characters of page `index` (from 0): slower than pdf_oxide, and at home in more encodings."""
        with closing(self.page(index).get_textpage()) as text:
            return _glyphs(self._module.raw, text, frame)

    def text(self, index: int) -> str:
        """The visible characters of page `index` (from 0) that this engine knows, without their places."""
        with closing(self.page(index).get_textpage()) as text:
            lines = text.get_text_range().replace("\r\n", "\n")
            return "".join(filter(str.isprintable, with_ligatures(lines)))

    def is_drawn_on(self, index: int) -> bool:
        """Whether page `index` (from 0) shows images, or drawings enough to be letters."""
        kinds = [item.type for item in islice(self.page(index).get_objects(max_depth=3), MAX_OBJECTS)]
        raw = self._module.raw
        return raw.FPDF_PAGEOBJ_IMAGE in kinds or kinds.count(raw.FPDF_PAGEOBJ_PATH) >= MIN_PATHS

    def picture_share(self, index: int) -> float:
        """The area of the images on page `index` (from 0) as a share of the page's."""
        page = self.page(index)
        found = islice(page.get_objects(filter=[self._module.raw.FPDF_PAGEOBJ_IMAGE], max_depth=3), MAX_OBJECTS)
        boxes = [item.get_bounds() for item in found]
        width, height = page.get_size()
        area = sum((right - left) * (top - bottom) for left, bottom, right, top in boxes)
        return float(area / (width * height))

    def without_ink(self, index: int) -> Floats:
        """Boxes (n, 4: left, bottom, right, top) of text in no ink on page `index` (from 0), not laid over an image."""
        raw = self._module.raw
        hidden: list[Bounds] = []
        images: list[Bounds] = []
        for item in islice(_objects(raw, self.page(index)), MAX_OBJECTS):
            kind = raw.FPDFPageObj_GetType(item)
            if kind == raw.FPDF_PAGEOBJ_IMAGE:
                images.append(_bounds(raw, item))
            elif kind == raw.FPDF_PAGEOBJ_TEXT and raw.FPDFTextObj_GetTextRenderMode(item) in NO_INK:
                hidden.append(_bounds(raw, item))
        boxes = [box for box in hidden if not any(_meet(box, image) for image in images)]
        return np.asarray(boxes, dtype=np.float64).reshape(-1, 4)

    def links(self, index: int) -> list[LinkFound]:
        """The link annotations of page `index` (from 0) that lead to an address or a page."""
        raw = self._module.raw
        links = islice(_link_annotations(raw, self.page(index)), MOST_LINKS)
        found = [_link(raw, self._document, link) for link in links]
        return [link for link in found if link is not None]

    def decrypted(self) -> bytes | None:
        """The file without its encryption; None where it has none."""
        if self._module.raw.FPDF_GetSecurityHandlerRevision(self._document) < 0:
            return None
        target = io.BytesIO()
        self._document.save(target, flags=self._module.raw.FPDF_REMOVE_SECURITY)
        return target.getvalue()

    def annotations(self, index: int) -> Annotations:
        """What is filled in, typed or struck out on page `index` (from 0) beside its own content."""
        return annotations_of(self._module.raw, self._document.formenv, self.page(index))

    def attached(self) -> Iterator[tuple[str, bytes]]:
        """Name and content of each attached file; equal names get a number in front. Unreadable ones are left out."""
        names: set[str] = set()
        for index in range(min(self._document.count_attachments(), MOST_ATTACHED)):
            file = self._document.get_attachment(index)
            try:
                name, content = file.get_name(), bytes(file.get_data())
            except self._module.PdfiumError:
                continue
            name = " ".join(name.replace("\\", "/").rsplit("/", 1)[-1].split()).strip(". ") or "attachment"
            name = f"{index + 1}-{name}" if name in names else name
            names.add(name)
            yield name, content

    def labels(self) -> list[str | None]:
        """The page labels that the file states, None for each page where it states none."""
        return [self._document.get_page_label(index) or None for index in range(self.page_count())]

    def outline(self) -> tuple[OutlineEntry, ...]:
        """The bookmarks in order; a loop ends after MAX_OUTLINE entries."""
        entries = []
        for mark in self._document.get_toc(max_depth=12):
            target = mark.get_dest()
            index = target.get_index() if target is not None else None
            title = " ".join(mark.get_title().split())
            entries.append(OutlineEntry(title, mark.level + 1, None if index is None else index + 1))
            if len(entries) >= MAX_OUTLINE:
                break
        return tuple(entries)

    def metadata(self) -> dict[str, str]:
        """Title, Author, Subject, Keywords, Creator, Producer, CreationDate, ModDate where they are stated."""
        found = self._document.get_metadata_dict(skip_empty=True)
        return {key: " ".join(value.split()) for key, value in found.items() if value.strip()}

    def page(self, index: int) -> Any:
        """Page `index` (from 0), open until another is asked for."""
        if self._page[0] != index:
            self._close_page()
            try:
                self._page = index, self._document[index]
            except self._module.PdfiumError as error:
                raise ReadError(f"page {index + 1} cannot be loaded") from error
        return self._page[1]

    def _close_page(self) -> None:
        number, page = self._page
        self._page = -1, None
        if number >= 0:
            page.close()

    def _open(self, path: Path, passwords: tuple[str, ...]) -> Any:
        for password in ("", *passwords):
            try:
                document = self._module.PdfDocument(_followed(path), password=password or None)
            except self._module.PdfiumError as error:
                if "password" not in str(error).lower():
                    raise ReadError(f"is not a PDF that can be opened: {_reason(error)}") from error
                continue
            except OSError as error:
                raise ReadError(f"cannot be opened: {error.strerror or 'there is no such file'}") from error
            self.password = password
            return document
        raise ReadError("is encrypted: give its password with --password-file")


def attached_files(path: Path) -> dict[str, bytes]:
    """The files that are attached to the PDF at `path`, by name; raises ReadError where it asks for a password."""
    with closing(PdfiumEngine(path)) as engine:
        return dict(engine.attached())


def _objects(raw: Any, page: Any) -> Iterator[Any]:
    """What a page shows, forms before what they hold; pypdfium2's own objects for all this take three times as long."""
    for place in range(raw.FPDFPage_CountObjects(page)):
        yield from _with_parts(raw, raw.FPDFPage_GetObject(page, place), 1)


def _with_parts(raw: Any, item: Any, depth: int) -> Iterator[Any]:
    yield item
    if depth < DEEPEST_FORM and raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_FORM:
        for place in range(raw.FPDFFormObj_CountObjects(item)):
            yield from _with_parts(raw, raw.FPDFFormObj_GetObject(item, place), depth + 1)


def _bounds(raw: Any, item: Any) -> Bounds:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    raw.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _link_annotations(raw: Any, page: Any) -> Iterator[Any]:
    position, link = ctypes.c_int(0), raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(page, position, link):
        yield link


def _link(raw: Any, document: Any, link: Any) -> LinkFound | None:
    box = raw.FS_RECTF()
    if not raw.FPDFLink_GetAnnotRect(link, box):
        return None
    rectangle = (box.left, box.bottom, box.right, box.top)
    target = raw.FPDFLink_GetDest(document, link)
    if target:
        page = raw.FPDFDest_GetDestPageIndex(document, target)
        return LinkFound(rectangle, "", page, _point(raw, target)) if page >= 0 else None
    action = raw.FPDFLink_GetAction(link)
    kind = raw.FPDFAction_GetType(action) if action else raw.PDFACTION_UNSUPPORTED
    address = ""
    if kind == raw.PDFACTION_URI:
        address = _written(lambda buffer, size: raw.FPDFAction_GetURIPath(document, action, buffer, size))
    elif kind == raw.PDFACTION_REMOTEGOTO:
        address = _written(lambda buffer, size: raw.FPDFAction_GetFilePath(action, buffer, size))
    return LinkFound(rectangle, address, None, (None, None)) if address else None


def _point(raw: Any, target: Any) -> tuple[float | None, float | None]:
    has = [ctypes.c_int(), ctypes.c_int(), ctypes.c_int()]
    x, y, zoom = ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    if not raw.FPDFDest_GetLocationInPage(target, *has, x, y, zoom):
        return None, None
    return (x.value if has[0].value else None), (y.value if has[1].value else None)


def _meet(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _written(ask: Callable[[Any, int], int]) -> str:
    """What a function of the engine writes into a buffer; empty where it is too long for an address."""
    size = ask(None, 0)
    if not 1 < size <= LONGEST_ADDRESS:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(buffer, size)
    return buffer.value.decode("utf-8", "replace")


def _followed(path: Path) -> str | bytes:
    """The path; the bytes of a file that lies in memory alone, to which pypdfium2's own following of links is lost."""
    return path.read_bytes() if path.exists() and not path.resolve().exists() else str(path)


def _reason(error: Exception) -> str:
    text = str(error)
    return text.partition("PDFium:")[2].rstrip(").").strip().lower() or text


def _glyphs(raw: Any, text: Any, frame: PageFrame) -> Glyphs:
    chars: list[str] = []
    rows: list[Row] = []
    names: list[tuple[str, int]] = []
    for index in range(max(raw.FPDFText_CountChars(text), 0)):
        char = _char(raw, text, index)
        if raw.FPDFText_IsGenerated(text, index) == 1:
            row = _behind(rows[-1]) if rows and char == " " else None
        else:
            row = _char_row(raw, text, index) if char else None
        if row is not None:
            chars.append(char)
            rows.append(row)
            names.append(_font_name(raw, text, index) if row[2] else names[-1])
    chars = with_ligatures(chars)
    known = [position for position, char in enumerate(chars) if char >= "\xa0" or char.isprintable()]
    return _assemble(
        [chars[position] for position in known],
        [rows[position] for position in known],
        [names[position] for position in known],
        frame,
    )


def _char(raw: Any, text: Any, index: int) -> str:
    """The character, empty where there is none; the hyphen at the end of a line is one, whatever the engine makes."""
    if raw.FPDFText_IsHyphen(text, index) == 1:
        return "-"
    code = raw.FPDFText_GetUnicode(text, index)
    return chr(code) if 0 < code < 0x110000 else ""


def _behind(row: Row) -> Row | None:
    """The place of a space that the engine saw after the character of `row`, for text that is not turned."""
    x, y, advance, size, angle, colour = row
    return (x + advance, y, 0.0, size, angle, colour) if abs(angle) < 1 else None


def _char_row(raw: Any, text: Any, index: int) -> Row | None:
    """Origin x and y, advance, size, angle in degrees counter-clockwise, colour."""
    x, y, box, matrix = ctypes.c_double(), ctypes.c_double(), raw.FS_RECTF(), raw.FS_MATRIX()
    if not raw.FPDFText_GetCharOrigin(text, index, x, y) or not raw.FPDFText_GetLooseCharBox(text, index, box):
        return None
    angle = -np.degrees(raw.FPDFText_GetCharAngle(text, index))
    lying = abs(box.right - box.left), abs(box.top - box.bottom)
    advance = lying[1] if 45 < angle % 180 < 135 else lying[0]
    raw.FPDFText_GetMatrix(text, index, matrix)
    size = raw.FPDFText_GetFontSize(text, index) * float(np.hypot(matrix.c, matrix.d))
    across = lying[0] if 45 < angle % 180 < 135 else lying[1]
    if not across and size <= 1:
        return None
    inside_ligature = abs(angle) < 1 and box.left > x.value + 0.5 * advance
    return (
        box.left if inside_ligature else x.value,
        y.value,
        advance,
        size if size > 1 else max(across, 0.1),
        float(angle),
        _colour(raw, text, index),
    )


def _colour(raw: Any, text: Any, index: int) -> int:
    red, green, blue, opacity = (ctypes.c_uint() for _ in range(4))
    raw.FPDFText_GetFillColor(text, index, red, green, blue, opacity)
    return red.value << 16 | green.value << 8 | blue.value


def _font_name(raw: Any, text: Any, index: int) -> tuple[str, int]:
    buffer = ctypes.create_string_buffer(128)
    raw.FPDFText_GetFontInfo(text, index, buffer, 128, ctypes.c_int())
    return buffer.value.decode("utf-8", "replace"), raw.FPDFText_GetFontWeight(text, index)


def _side_by_side(table: Floats, chars: Sequence[str]) -> Floats:
    """The rows, with the letters of a ligature that stand in one place parted: each has its share of the width."""
    letter = np.fromiter(map(str.isalpha, chars), np.bool_, len(chars))
    joined = letter[1:] & letter[:-1] & (table[1:, :3] == table[:-1, :3]).all(axis=1) & (table[1:, 2] > 0)
    if not joined.any():
        return table
    position = np.arange(len(chars))
    first = np.maximum.accumulate(np.where(np.append(False, joined), 0, position))
    _, group, size = np.unique(first, return_inverse=True, return_counts=True)
    share = table[:, 2] / size[group]
    turn = np.radians(table[:, 4])
    behind = (position - first) * share
    placed = table.copy()
    placed[:, 0] += behind * np.cos(turn)
    placed[:, 1] += behind * np.sin(turn)
    placed[:, 2] = share
    return placed


def _up_to_next(table: Floats) -> Floats:
    """Widths that reach no further than the origin of the next character on the line: fonts may lie about them."""
    advance = table[:, 2].copy()
    step = np.diff(table[:, 0])
    level = (np.abs(np.diff(table[:, 1])) < 0.1 * table[1:, 3]) & (np.abs(table[1:, 4]) < 1)
    shorter = level & (step > 0.05 * table[1:, 3]) & (step < advance[:-1])
    advance[:-1][shorter] = step[shorter]
    return advance


def _assemble(
    chars: list[str], rows: Sequence[tuple[float, ...]], names: list[tuple[str, int]], frame: PageFrame
) -> Glyphs:
    if not chars:
        return empty()
    table = _side_by_side(np.asarray(rows, dtype=np.float64), chars)
    known = {key: position for position, key in enumerate(dict.fromkeys(names))}
    fonts: tuple[Font, ...] = tuple(font_of(name, weight) for name, weight in known)
    x, y = frame.display(table[:, 0], table[:, 1])
    return Glyphs(
        text=chars,
        x=x,
        y=y,
        advance=_up_to_next(table),
        size=table[:, 3],
        angle=frame.display_angle(table[:, 4]),
        font=np.fromiter((known[key] for key in names), np.int64, len(names)),
        colour=table[:, 5].astype(np.int64),
        fonts=fonts,
    )
