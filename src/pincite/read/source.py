"""One open PDF, two engines: pdfium opens, measures and names its pages, pdf_oxide gives their characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property, partial
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Self

import numpy as np

from pincite.read.annotations import NO_ANNOTATIONS, LinkBox, PagePlace, drawn, with_struck
from pincite.read.glyphs import UNMAPPED, Floats, Glyphs, Ints, PageFrame, letter_count, line_by_line, overlapping
from pincite.read.oxide import OxideEngine
from pincite.read.pdfium import LinkFound, PdfiumEngine
from pincite.read.render import Pixels, draw
from pincite.read.scripts import has_gaps, letters_in, right_to_left, sampled_pages
from pincite.read.segments import has_small_beside_large
from pincite.read.unseen import (
    NO_FILLS,
    Fills,
    Signs,
    all_within,
    may_be_overtyped,
    may_hide,
    signs_of,
    without_boxes,
    without_overtyped,
    without_unseen,
)
from pincite.text.addresses import is_external

ENGINE_ERRORS = (RuntimeError, ValueError, OSError, IndexError, TypeError, KeyError)
"""What pdf_oxide raises for pages and files that it cannot read."""

ALL_KINDS = frozenset({"Link", "Widget"})
"""Of annotations, taken to be there where pdf_oxide cannot tell."""
POINTS = 72
"""To the inch."""
MOST_SAMPLED = 24
MISLED = 2
"""Pages."""
QUICK_FRAMES = 300
"""In longer files pdf_oxide, which walks the page tree from its start for each page, is slower than pdfium."""


class PdfSource:
    """A context manager; pages are counted from 0 here."""

    def __init__(self, path: Path, passwords: tuple[str, ...] = ()) -> None:
        self._path = path
        self._frames: dict[int, PageFrame] = {}
        self._kinds: tuple[int, frozenset[str]] = (-1, ALL_KINDS)
        self.begin()
        self.pdfium = PdfiumEngine(path, passwords)
        self._oxide = _oxide(path, self.pdfium.password, self.pdfium.page_count())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.pdfium.close()

    def begin(self) -> None:
        """As if nothing had been read of the file yet: the pages before one may tell how its letters are read."""
        self._blank_shapes: set[tuple[str, float]] = set()
        self._sampled: dict[int, Glyphs] = {}
        self._loses: bool | None = None
        self.rescued = 0
        """Pages whose letters pdf_oxide lost and pdfium kept, so far."""
        self.gapped = 0
        """Pages with words in which neither knows a letter, so far."""
        self.unseen = 0
        """Pages with characters that nobody can see, so far."""
        self.comments = 0
        """What readers wrote beside pages, so far."""

    def page_count(self) -> int:
        """Number of physical pages."""
        return self.pdfium.page_count()

    def frame(self, index: int) -> PageFrame:
        """Crop box and rotation of page `index` (from 0)."""
        if index not in self._frames:
            self._frames[index] = self._frame(index)
        return self._frames[index]

    def loses_letters(self) -> bool:
        """Whether pdf_oxide drops letters of this file that pdfium knows, by a sample of its pages.

        Asked before a whole file is read: pages of a sound one are then not compared one by one.
        """
        if self._loses is None:
            self._loses = any(self._drops_letters(index) for index in sampled_pages(self.page_count()))
        return self._loses

    def glyphs(self, index: int, frame: PageFrame) -> Glyphs:
        """The characters of page `index`, and what is filled in on it."""
        found = self._without_unseen(index, frame, self._characters(index, frame))
        annotations = NO_ANNOTATIONS
        if not self._annotation_kinds(index) <= {"Link", "Popup"}:
            annotations = self.pdfium.annotations(index)
            self.comments += annotations.comments
        marked = frame.displayed(np.asarray(annotations.struck, dtype=np.float64).reshape(-1, 4))
        return with_struck(found, self.rules(index, frame), marked).joined(drawn(annotations.filled, frame))

    def _without_unseen(self, index: int, frame: PageFrame, found: Glyphs) -> Glyphs:
        """Those of the characters that can be seen."""
        if not len(found):
            return found
        fills = self._fills(index, frame)
        seen = self._seen(index, frame, found, NO_FILLS if may_hide(fills, found) and self._fills_mislead else fills)
        self.unseen += seen is not found
        return seen

    def _seen(self, index: int, frame: PageFrame, found: Glyphs, fills: Fills) -> Glyphs:
        seen = found
        if may_be_overtyped(fills, found):
            seen = without_overtyped(self.pdfium.glyphs(index, frame), fills)
        if self._signs.no_ink and not all_within(seen, self._images(index, frame)):
            seen = without_boxes(seen, frame.displayed(self.pdfium.without_ink(index)))
        drawn = partial(draw, self.pdfium, index, POINTS)
        seen = without_unseen(seen, fills, drawn, layers_off=self._signs.layers_off)
        if seen is found or letter_count("".join(seen.text)) == letter_count("".join(found.text)):
            return found
        return seen

    def _images(self, index: int, frame: PageFrame) -> Floats:
        try:
            return self._oxide.images(index, frame) if self._oxide else np.zeros((0, 4))
        except ENGINE_ERRORS:
            return np.zeros((0, 4))

    @cached_property
    def _fills_mislead(self) -> bool:
        """Whether what is filled hides nothing on most pages of a sample where it seems to: the colours of some fills
        cannot be known."""
        misled = hiding = 0
        for index in sampled_pages(self.page_count())[:MOST_SAMPLED]:
            frame = self.frame(index)
            fills, found = self._fills(index, frame), self._characters(index, frame)
            if may_hide(fills, found):
                misled += self._seen(index, frame, found, fills) is found
                hiding += 1
        return misled >= MISLED and misled > 0.75 * hiding

    def _fills(self, index: int, frame: PageFrame) -> Fills:
        try:
            return self._oxide.fills(index, frame) if self._oxide else NO_FILLS
        except ENGINE_ERRORS:
            return NO_FILLS

    @cached_property
    def _signs(self) -> Signs:
        decrypted = self.pdfium.decrypted()
        if decrypted is not None:
            return signs_of(decrypted)
        with self._path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            return signs_of(data)

    def _characters(self, index: int, frame: PageFrame) -> Glyphs:
        """The characters of the page's own content, from the engine that reads it best."""
        found = self._try_oxide(index, frame)
        if found is not None and has_small_beside_large(found) and self._signs.rise:
            return self.pdfium.glyphs(index, frame)  # pdf_oxide leaves what rises on its line
        if found is None or not len(found) or _right_to_left(found) or _is_tangled(found):
            other = self.pdfium.glyphs(index, frame)
            return found if found is not None and (~found.blank).sum() > (~other.blank).sum() else other
        if self._loses is not False and self._lost_letters(index, found) and self.loses_letters():
            return self._rescue(index, frame)
        unmapped = np.flatnonzero(found.codes == ord(UNMAPPED))
        if not len(unmapped):
            return found
        shapes = _shapes(found, unmapped)
        if not shapes <= self._blank_shapes:
            if letter_count(self.pdfium.text(index)) > letter_count("".join(found.text)):
                return self._rescue(index, frame)
            self._blank_shapes |= shapes
        self.gapped += has_gaps("".join(found.text))
        return found.with_blanks(unmapped)

    def rules(self, index: int, frame: PageFrame) -> Floats:
        """Boxes (n, 4) of drawn lines of page `index`, none where they are not available."""
        try:
            return self._oxide.rules(index, frame) if self._oxide else np.zeros((0, 4))
        except ENGINE_ERRORS:
            return np.zeros((0, 4))

    def links(self, index: int) -> list[LinkBox]:
        """The links of page `index` that lead to a place of this file or to another file."""
        if "Link" not in self._annotation_kinds(index):
            return []
        frame = self.frame(index)
        return [link for item in self.pdfium.links(index) if (link := self._link_box(item, frame)) is not None]

    def draw(self, index: int, dpi: float) -> tuple[Pixels, float]:
        """The image of page `index` and the pixels that a point has become."""
        return draw(self.pdfium, index, dpi)

    def attached(self) -> Iterator[tuple[str, bytes]]:
        """Name and content of each attached file; none of a file with a password, where they are not accessible."""
        return iter(()) if self.pdfium.password else self.pdfium.attached()

    def _annotation_kinds(self, index: int) -> frozenset[str]:
        if self._kinds[0] != index:
            try:
                kinds = self._oxide.annotation_kinds(index) if self._oxide else ALL_KINDS
            except ENGINE_ERRORS:
                kinds = ALL_KINDS
            self._kinds = index, kinds
        return self._kinds[1]

    def _frame(self, index: int) -> PageFrame:
        size = self.pdfium.size(index)
        try:
            quick = self._oxide.frame(index, size) if self._oxide and self.page_count() <= QUICK_FRAMES else None
        except ENGINE_ERRORS:
            quick = None
        if quick and abs(quick.width - size[0]) < 0.5 and abs(quick.height - size[1]) < 0.5:
            return quick
        return self.pdfium.frame(index)

    def _link_box(self, found: LinkFound, frame: PageFrame) -> LinkBox | None:
        """The link as displayed; None where it leads out of the collection or to no page."""
        left, bottom, right, top = found.rectangle
        x, y = frame.display(np.asarray([left, right]), np.asarray([bottom, top]))
        box = (float(x.min()), float(y.min()), float(x.max()), float(y.max()))
        if found.page is None:
            return None if is_external(found.address) else LinkBox(box, found.address)
        return LinkBox(box, self._page_place(found.page, found.point)) if found.page < self.page_count() else None

    def _page_place(self, index: int, point: tuple[float | None, float | None]) -> PagePlace:
        if point[1] is None:
            return PagePlace(index + 1)
        x, y = self.frame(index).display(np.asarray([point[0] or 0.0]), np.asarray([point[1]]))
        return PagePlace(index + 1, float(x[0]), float(y[0]))

    def _rescue(self, index: int, frame: PageFrame) -> Glyphs:
        self.rescued += 1
        return self.pdfium.glyphs(index, frame)

    def _drops_letters(self, index: int) -> bool:
        found = self._try_oxide(index, self.frame(index))
        if found is None:
            return False
        self._sampled[index] = found
        return letters_in(self.pdfium.text(index)).total() > letters_in("".join(found.text)).total()

    def _lost_letters(self, index: int, found: Glyphs) -> Counter[str]:
        """The letters of page `index` that pdfium knows and that were not found."""
        return letters_in(self.pdfium.text(index)) - letters_in("".join(found.text))

    def _try_oxide(self, index: int, frame: PageFrame) -> Glyphs | None:
        if index in self._sampled:
            return self._sampled.pop(index)
        if self._oxide is None:
            return None
        try:
            return self._oxide.glyphs(index, frame)
        except ENGINE_ERRORS:
            return None


def _oxide(path: Path, password: str, page_count: int) -> OxideEngine | None:
    """None where pdf_oxide cannot open the file or counts its pages differently: then page numbers would differ."""
    try:
        engine = OxideEngine(path, password)
        return engine if engine.page_count() == page_count else None
    except ENGINE_ERRORS:
        return None


def _right_to_left(glyphs: Glyphs) -> bool:
    """Scripts whose printed forms pdfium maps back to plain letters."""
    return bool(right_to_left(glyphs.codes).any())


def _is_tangled(glyphs: Glyphs) -> bool:
    """Many characters stand on top of their neighbours: the engine did not understand the widths of a font."""
    seen = np.flatnonzero(~glyphs.blank & (glyphs.advance > 0))
    if len(seen) < 20:
        return False
    order = seen[line_by_line(np.rint(glyphs.y[seen]), glyphs.x[seen])]
    return float(overlapping(glyphs, order).sum()) > 0.2 * len(seen)


def _shapes(glyphs: Glyphs, chosen: Ints) -> set[tuple[str, float]]:
    """Font and relative width of these: characters without a letter that share both are the same."""
    columns = (glyphs.font[chosen], glyphs.advance[chosen], glyphs.size[chosen])
    kinds = set(zip(*(column.tolist() for column in columns), strict=True))
    return {(glyphs.fonts[font].name, round(advance / max(size, 0.1), 2)) for font, advance, size in kinds}
