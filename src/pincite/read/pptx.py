"""PPTX: a slide is a page; its title, texts, tables and notes in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import Archive
from pincite.read.markup import (
    Element,
    attribute,
    child,
    descendants,
    local,
    number,
    parse_xml,
    see_through,
    span_of,
)
from pincite.read.package import main_part, properties, related, relation_id, relation_targets
from pincite.read.parts import PartBuilder, RawCell, fold, told_of_parts
from pincite.read.versions import stamp
from pincite.records import BlockKind, Document, Page

EMU_PER_POINT = 12_700
_SHAPES = frozenset({"sp", "graphicFrame"})
_GROUPS = frozenset({"grpSp", "AlternateContent", "Choice"})
_FURNITURE = frozenset({"sldNum", "ftr", "dt", "hdr"})
_TITLES = frozenset({"title", "ctrTitle"})


class PptxReader:
    """Presentations. The notes of a slide stand at the end of its page."""

    name = "pptx"
    suffixes = frozenset({".pptx", ".pptm", ".ppsx"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "1", "lxml")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; a damaged slide is a page without text and a warning."""
        with Archive(path) as archive:
            part = main_part(archive, "ppt/presentation.xml")
            root = parse_xml(archive.read(part), part)
            pages, failed = _pages(archive, part, root, options)
            title, metadata = properties(archive)
        if not any(page.text for page in pages):
            raise ReadError("holds no text")
        return Document(
            tuple(pages),
            self.version,
            title=title,
            paged=True,
            metadata=metadata,
            warnings=told_of_parts("slide", failed),
        )


def _pages(archive: Archive, part: str, root: Element, options: ReadOptions) -> tuple[list[Page], dict[int, ReadError]]:
    """The slides, and why some of them could not be read, by their numbers."""
    targets = relation_targets(archive, part)
    entries = child(root, "sldIdLst")
    slides = [targets.get(relation_id(item), "") for item in (entries if entries is not None else ())]
    if len(slides) > options.max_pages:
        raise ReadError(f"has {len(slides):,} slides, the limit is {options.max_pages:,}")
    size = child(root, "sldSz")
    width, height = (
        (number(attribute(size, name)) / EMU_PER_POINT for name in ("cx", "cy")) if size is not None else (0.0, 0.0)
    )
    pages: list[Page] = []
    failed: dict[int, ReadError] = {}
    left = options.max_characters
    for ordinal, slide in enumerate(slides, start=1):
        try:
            builder = PartBuilder(ordinal, left)
            _add_slide(archive, slide, builder)
        except ReadError as error:
            failed[ordinal] = error
            builder = PartBuilder(ordinal, left)
        pages.append(builder.page(width=width, height=height))
        left -= len(pages[-1].text)
    return pages, failed


def _add_slide(archive: Archive, slide: str, builder: PartBuilder) -> None:
    root = parse_xml(archive.read(slide), slide)
    shapes = list(_shapes(root))
    shapes.sort(key=lambda shape: _placeholder(shape) not in _TITLES)
    for shape in shapes:
        if local(shape) == "sp":
            _add_text(shape, builder)
        else:
            _add_frame(archive, slide, shape, builder)
    notes = related(archive, slide, "notesSlide")
    if notes:
        for shape in _shapes(parse_xml(archive.read(notes), notes)):
            if _placeholder(shape) == "body":
                for text in _paragraphs(shape):
                    builder.add("paragraph", text)


def _shapes(root: Element) -> Iterator[Element]:
    tree = child(root, "cSld", "spTree")
    return see_through(tree, _GROUPS, choose=lambda item: local(item) in _SHAPES) if tree is not None else iter(())


def _placeholder(shape: Element) -> str:
    """What the layout takes a shape for ("title", "body"), empty for a free shape."""
    mark = child(shape, "nvSpPr", "nvPr", "ph")
    return attribute(mark, "type", "body") if mark is not None else ""


def _add_text(shape: Element, builder: PartBuilder) -> None:
    role = _placeholder(shape)
    texts = [text for text in _paragraphs(shape) if fold(text)]
    if role in _TITLES:
        builder.add("heading", " ".join(texts), level=1)
        return
    kind: BlockKind = "furniture" if role in _FURNITURE else "paragraph"
    if role == "body" and len(texts) > 1:
        kind = "list_item"
    for index, text in enumerate(texts):
        builder.add(kind, text, between="\n" if index and kind == "list_item" else None)


def _add_frame(archive: Archive, slide: str, frame: Element, builder: PartBuilder) -> None:
    """A table, or the texts of a diagram."""
    table = next(descendants(frame, "tbl"), None)
    if table is not None:
        builder.add_table(list(_rows(table)))
        return
    diagram = next(descendants(frame, "relIds"), None)
    if diagram is None:
        return
    target = relation_targets(archive, slide).get(attribute(diagram, "dm"), "")
    if target in archive.names:
        for point in descendants(parse_xml(archive.read(target), target), "t"):
            for text in _paragraphs(point):
                builder.add("list_item", text, between="\n")


def _rows(table: Element) -> Iterator[list[RawCell]]:
    head = child(table, "tblPr")
    has_head = head is not None and attribute(head, "firstRow") in ("1", "true")
    rows = [row for row in table if local(row) == "tr"]
    for index, row in enumerate(rows):
        cells = [cell for cell in row if local(cell) == "tc"]
        yield [_cell(cell, header=has_head and index == 0) for cell in cells if not _is_merged_away(cell)]


def _cell(cell: Element, *, header: bool) -> RawCell:
    text = " ".join(filter(None, map(fold, _paragraphs(cell))))
    return RawCell(text, span_of(cell, "rowSpan"), span_of(cell, "gridSpan"), header=header)


def _is_merged_away(cell: Element) -> bool:
    return any(attribute(cell, name) in ("1", "true") for name in ("hMerge", "vMerge"))


def _paragraphs(shape: Element) -> Iterator[str]:
    for paragraph in descendants(shape, "p"):
        yield "".join(
            "\n" if local(item) == "br" else item.text or "" for item in paragraph.iter() if local(item) in ("t", "br")
        )
