"""PPTX: a slide is a page; its title, texts, tables and notes in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import Archive, main_part, properties, related, relation_id, relation_targets
from pincite.read.markup import Element, attribute, child, children, descendants, local, number, parse_xml, span_of
from pincite.read.parts import PartBuilder, RawCell, fold, part_warnings, read_parts
from pincite.read.slide_shapes import TITLES, Box, Shape, add_chart, paragraphs, places_of, shapes_of
from pincite.records.pages import BlockKind, Document, Page

EMU_PER_POINT = 12_700
_FURNITURE = frozenset({"sldNum", "ftr", "dt", "hdr"})


def read_pptx(path: Path, options: ReadOptions) -> Document:
    """Presentations. The notes of a slide come at the end of its page; hidden slides and shapes are left out and
    reported; a damaged slide is a page without text and a warning. ReadError where no slide has text."""
    with Archive(path) as archive:
        part = main_part(archive, "ppt/presentation.xml")
        root = parse_xml(archive.read(part), part)
        pages, failed, left_out = _pages(archive, part, root, options)
        title, metadata = properties(archive)
    return Document(
        tuple(pages),
        title=title,
        paged=True,
        metadata=metadata,
        warnings=(*part_warnings("slide", failed), *left_out.warnings()),
    )


def _pages(
    archive: Archive, part: str, root: Element, options: ReadOptions
) -> tuple[list[Page], dict[int, ReadError], _LeftOut]:
    """The slides, why some of them could not be read, by their numbers, and what is hidden."""
    targets = relation_targets(archive, part)
    slides = [targets.get(relation_id(item), "") for item in children(root, "sldIdLst")]
    if len(slides) > options.max_pages:
        raise ReadError(f"has {len(slides):,} slides, the limit is {options.max_pages:,}")
    size = child(root, "sldSz")
    width, height = (number(attribute(size, name)) / EMU_PER_POINT for name in ("cx", "cy"))
    reading = _Slides(archive)
    pages, failed = read_parts(slides, options.max_characters, reading.add)
    return [replace(page, width=width, height=height) for page in pages], failed, reading.left_out


@dataclass(slots=True)
class _LeftOut:
    """The numbers of the slides that are hidden, and of those on which shapes are."""

    slides: list[int] = field(default_factory=list)
    shapes: list[int] = field(default_factory=list)

    def warnings(self) -> Iterator[str]:
        """A warning for each kind."""
        if self.slides:
            yield f"hidden slides were not read: {', '.join(map(str, self.slides))}"
        if self.shapes:
            yield f"hidden shapes were not read: on slide {', '.join(map(str, self.shapes))}"


class _Slides:
    """The slides of a presentation, one after the other."""

    def __init__(self, archive: Archive) -> None:
        self.left_out = _LeftOut()
        self._archive = archive
        self._places: dict[str | None, Mapping[str, Box]] = {None: {}}

    def add(self, slide: str, builder: PartBuilder) -> None:
        """Add what is shown of a slide, and its notes."""
        root = parse_xml(self._archive.read(slide), slide)
        if attribute(root, "show", "1") in ("0", "false"):
            self.left_out.slides.append(builder.number)
            return
        shapes = shapes_of(root, lambda: self._places_on(slide))
        if shapes.hidden:
            self.left_out.shapes.append(builder.number)
        for shape in shapes.shown:
            self._add(slide, shape, builder)
        notes = related(self._archive, slide, "notesSlide")
        if notes:
            for shape in shapes_of(parse_xml(self._archive.read(notes), notes), dict).shown:
                if shape.role == "body":
                    for text in filter(fold, paragraphs(shape.element)):
                        builder.add("paragraph", f"Notes: {text}")

    def _places_on(self, slide: str) -> Mapping[str, Box]:
        """Where the layout of a slide puts what fills its placeholders; a layout is read once."""
        name = related(self._archive, slide, "slideLayout")
        if name is not None and name not in self._places:
            self._places[name] = places_of(parse_xml(self._archive.read(name), name))
        return self._places[name]

    def _add(self, slide: str, shape: Shape, builder: PartBuilder) -> None:
        match local(shape.element):
            case "sp":
                _add_text(shape, builder)
            case "graphicFrame":
                self._add_frame(slide, shape.element, builder)
        if text := shape.alternative_text:
            builder.add("figure", text)

    def _add_frame(self, slide: str, frame: Element, builder: PartBuilder) -> None:
        """A table, a chart, or the texts of a diagram."""
        table = next(descendants(frame, "tbl"), None)
        mark = next((item for item in frame.iter() if local(item) in ("chart", "relIds")), None)
        if table is not None:
            builder.add_table(list(_rows(table)))
        elif mark is not None:
            is_chart = local(mark) == "chart"
            target = relation_targets(self._archive, slide).get(
                relation_id(mark) if is_chart else attribute(mark, "dm")
            )
            if target not in self._archive.names:
                return
            root = parse_xml(self._archive.read(target), target)
            if is_chart:
                add_chart(root, builder)
                return
            for point in descendants(root, "t"):
                for text in paragraphs(point):
                    builder.add("list_item", text, between="\n")


def _add_text(shape: Shape, builder: PartBuilder) -> None:
    role = shape.role
    texts = [text for text in paragraphs(shape.element) if fold(text)]
    if role in TITLES:
        builder.add("heading", " ".join(texts), level=1)
        return
    kind: BlockKind = "furniture" if role in _FURNITURE else "paragraph"
    if role == "body" and len(texts) > 1:
        kind = "list_item"
    for index, text in enumerate(texts):
        builder.add(kind, text, between="\n" if index and kind == "list_item" else None)


def _rows(table: Element) -> Iterator[list[RawCell]]:
    has_head = attribute(child(table, "tblPr"), "firstRow") in ("1", "true")
    rows = [row for row in table if local(row) == "tr"]
    for index, row in enumerate(rows):
        cells = [cell for cell in row if local(cell) == "tc"]
        yield [_cell(cell, header=has_head and index == 0) for cell in cells if not _is_merged_away(cell)]


def _cell(cell: Element, *, header: bool) -> RawCell:
    text = " ".join(filter(None, map(fold, paragraphs(cell))))
    return RawCell(text, span_of(cell, "rowSpan"), span_of(cell, "gridSpan"), header=header)


def _is_merged_away(cell: Element) -> bool:
    return any(attribute(cell, name) in ("1", "true") for name in ("hMerge", "vMerge"))
