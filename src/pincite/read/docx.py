"""DOCX: paragraphs, headings, lists with the numbers that Word shows, tables and footnotes, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import (
    Archive,
    main_part,
    outside_addresses,
    properties,
    related,
    relation_id,
    relation_targets,
)
from pincite.read.docx_styles import Numbering, RunLooks, Style, Styles
from pincite.read.docx_text import bookmarks, cell_text, paragraph_text, text_boxes
from pincite.read.linked import Linked, joined
from pincite.read.markup import (
    MAX_SPAN,
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
from pincite.read.parts import PartBuilder, Places, RawCell, one_part
from pincite.read.slide_shapes import add_chart, described
from pincite.records.pages import BlockKind, Document

_PAGE_NUMBER = re.compile(
    r"\W*+(?:(?:page|seite|side|p)\b\W*+)?\d*+\W*+(?:(?:of|von|de|af)\b\W*+)?\d*+\W*+", re.IGNORECASE
)
WRAPPERS = frozenset({"sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "AlternateContent", "Choice"})

REVISED = "has tracked changes: what they insert was read, what they delete is struck out"


def read_docx(path: Path, options: ReadOptions) -> Document:
    """Word documents. Text that a revision deleted is struck out; hidden text, comments and field codes never appear;
    macros are not looked at. ReadError where the file is damaged, hostile or holds no text."""
    with Archive(path) as archive:
        part = main_part(archive, "word/document.xml")
        root = parse_xml(archive.read(part), part)
        builder = PartBuilder(1, options.max_characters)
        walk = _Walk(archive, part, builder)
        walk.body(child(root, "body"))
        walk.footnotes(archive, part)
        walk.running_lines(archive, part, root)
        title, metadata = properties(archive)
    warnings = (REVISED,) if next(root.iter("{*}ins", "{*}del", "{*}moveFrom"), None) is not None else ()
    return one_part(builder.page(), title=title or walk.title, metadata=metadata, warnings=warnings)


class _Beside(Places):
    """The place of what stands beside the text: "header"."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    def heading(self, text: str, level: int) -> str:
        """The same as of any block."""
        return self._kind

    def block(self) -> str:
        """The place of each block."""
        return self._kind


class _Walk:
    """One pass through the body, with the counters of numbered paragraphs."""

    def __init__(self, archive: Archive, part: str, builder: PartBuilder) -> None:
        name = related(archive, part, "styles")
        styles = parse_xml(archive.read(name), name) if name else None
        numbering = related(archive, part, "numbering")
        self._styles = Styles(styles)
        self._looks = RunLooks(styles)
        self._numbering = Numbering(parse_xml(archive.read(numbering), numbering) if numbering else None)
        self._addresses = outside_addresses(archive, part)
        self._archive = archive
        self._targets = relation_targets(archive, part)
        self._builder = builder
        self._places = Places()
        self._notes: list[tuple[str, str]] = []
        self.title: str | None = None

    def body(self, element: Element | None) -> None:
        """Add every paragraph and table below an element."""
        if element is None:
            raise ReadError("is damaged: it has no body")
        for item in _content(element):
            if local(item) == "p":
                self._paragraph(item)
            elif local(item) == "tbl":
                self._table(item)

    def footnotes(self, archive: Archive, part: str) -> None:
        """Add the notes that the text refers to, in the order of the references."""
        for kind in ("footnotes", "endnotes"):
            name = related(archive, part, kind)
            wanted = [key for note_kind, key in self._notes if note_kind == kind]
            if not name or not wanted:
                continue
            notes = {attribute(note, "id"): note for note in parse_xml(archive.read(name), name)}
            for count, key in enumerate(wanted, start=1):
                text = cell_text(notes[key], {}, self._looks).text.strip() if key in notes else ""
                self._builder.add("footnote", f"{count} {text}" if text else "", locator=self._places.block())

    def running_lines(self, archive: Archive, part: str, root: Element) -> None:
        """Add what stands above and below the text of each page, once."""
        found: dict[str, str] = {}
        for item in root.iter("{*}headerReference", "{*}footerReference"):
            name = self._targets.get(relation_id(item), "")
            if name in archive.names:
                found.setdefault(name, local(item).removesuffix("Reference"))
        for name, kind in found.items():
            lines = parse_xml(archive.read(name), name)
            if _PAGE_NUMBER.fullmatch(" ".join(cell_text(lines, {}, self._looks).text.split())) is None:
                self._places = _Beside(kind)
                self._addresses, self._targets = outside_addresses(archive, name), relation_targets(archive, name)
                self.body(lines)

    def _paragraph(self, element: Element) -> None:
        style = self._styles.of_paragraph(element)
        self._collect_notes(element)
        for name in bookmarks(element):
            self._builder.name_next(name)
        shown = paragraph_text(element, self._addresses, self._looks)
        if shown.text.strip():
            label = self._numbering.label(style.list_id, style.list_level)
            self._add(style, joined((Linked(label), shown), " "), numbered=bool(style.list_id))
        for box in text_boxes(element):
            self.body(box)
        for drawing in element.iter("{*}drawing"):
            self._drawing(drawing)

    def _drawing(self, drawing: Element) -> None:
        """A chart, or the alternative text of a picture."""
        mark = next(descendants(drawing, "chart"), None)
        target = self._targets.get(relation_id(mark), "")
        if target in self._archive.names:
            add_chart(parse_xml(self._archive.read(target), target), self._builder, self._places)
        settings = child(drawing, "inline", "docPr")
        settings = child(drawing, "anchor", "docPr") if settings is None else settings
        if text := described(settings):
            self._builder.add("figure", text, locator=self._places.block())

    def _add(self, style: Style, shown: Linked, *, numbered: bool) -> None:
        kind: BlockKind = "list_item" if numbered and style.kind == "paragraph" else style.kind
        if style.is_title and self.title is None:
            self.title = " ".join(shown.text.split())
        if kind == "heading" and style.level:
            locator = self._places.heading(shown.text.strip(), style.level)
        else:
            locator = self._places.block()
        self._builder.add(kind, shown.text, level=style.level, locator=locator, bold=style.bold, links=shown.links)

    def _table(self, element: Element) -> None:
        rows = [list(_row_content(row)) for row in _content(element) if local(row) == "tr"]
        if all(len(row) <= 1 for row in rows):
            for cell in (cell for row in rows for cell in row):
                self.body(cell)
            return
        self._collect_notes(element)
        headers = [child(row, "trPr", "tblHeader") is not None for row in _content(element) if local(row) == "tr"]
        skips = [_skipped(row) for row in _content(element) if local(row) == "tr"]
        self._builder.add_table(
            merged_rows(rows, headers, skips, self._addresses, self._looks), locator=self._places.block()
        )

    def _collect_notes(self, element: Element) -> None:
        for item in element.iter():
            name = local(item)
            if name in ("footnoteReference", "endnoteReference"):
                self._notes.append((name.removesuffix("Reference") + "s", attribute(item, "id")))


def merged_rows(
    rows: list[list[Element]],
    headers: list[bool],
    skips: list[int],
    addresses: Mapping[str, str],
    looks: RunLooks,
) -> list[list[RawCell]]:
    """Cells with vertical merges counted into the row span of the cell that they start from."""
    grid = [list(_columns(row, skip)) for row, skip in zip(rows, skips, strict=True)]
    result: list[list[RawCell]] = []
    for index, row in enumerate(grid):
        line: list[RawCell] = []
        end = 0
        for column, width, cell in row:
            if _is_continued(cell):
                continue
            height = _height(grid, index, column)
            shown, free = cell_text(cell, addresses, looks), _free(grid, index, end, column)
            line.append(
                RawCell(
                    shown.text, height, width, headers[index], free, links=shown.links, names=tuple(bookmarks(cell))
                )
            )
            end = column + width
        result.append(line)
    return result


def _columns(row: list[Element], skip: int) -> Iterator[tuple[int, int, Element]]:
    """(first column, width, cell) of each cell in a row."""
    column = skip
    for cell in row:
        width = span_of(child(cell, "tcPr", "gridSpan"), "val")
        yield column, width, cell
        column += width


def _height(grid: list[list[tuple[int, int, Element]]], index: int, column: int) -> int:
    """Rows from `index` down in which the cell at this column goes on."""
    height = 1
    for row in grid[index + 1 : index + MAX_SPAN]:
        below = next((cell for start, _, cell in row if start == column), None)
        if below is None or not _is_continued(below):
            break
        height += 1
    return height


def _free(grid: list[list[tuple[int, int, Element]]], index: int, start: int, column: int) -> int:
    """Columns between `start` and `column` that neither a cell nor a merge from above covers."""
    covered = sum(width for first, width, cell in grid[index] if start <= first < column and _is_continued(cell))
    return max(0, column - start - covered)


def _is_continued(cell: Element) -> bool:
    merge = child(cell, "tcPr", "vMerge")
    return merge is not None and attribute(merge, "val", "continue") == "continue"


def _skipped(row: Element) -> int:
    return min(number(attribute(child(row, "trPr", "gridBefore"), "val")), MAX_SPAN)


def _content(element: Element) -> Iterator[Element]:
    return see_through(element, WRAPPERS, choose=lambda item: local(item) in ("p", "tbl", "tr"))


def _row_content(row: Element) -> Iterator[Element]:
    return see_through(row, WRAPPERS, choose=lambda item: local(item) == "tc")
