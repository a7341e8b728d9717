"""PDF files to documents: pages with canonical text, blocks, tables, labels; outline and metadata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.blocks import Draft, body_font, classify, draft_blocks
from pincite.read.furniture import find_furniture
from pincite.read.labels import page_labels
from pincite.read.layout import PageLayout, TableLayout, around, lay_out, span_boxes
from pincite.read.source import PdfSource
from pincite.read.versions import stamp
from pincite.records import Block, Box, Cell, Document, Page, Span, Table

REVISION = "1"


class PdfReader:
    """Reads PDF files through pdf_oxide, and through pdfium what that cannot read."""

    name = "pdf"
    suffixes = frozenset({".pdf"})

    @property
    def version(self) -> str:
        """Changes with this reader, its engines, and OCR being installed."""
        return stamp("pdf", REVISION, "pdf_oxide", "pypdfium2", "rapidocr")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """The document; raises ReadError where it cannot be opened or has more pages than `options.max_pages`."""
        with PdfSource(path, options.passwords) as source:
            count = source.page_count()
            if count > options.max_pages:
                raise ReadError(f"has {count} pages, more than the limit of {options.max_pages}")
            layouts = list(_layouts(source, count, options))
            pages = _pages(layouts, source.labels())
            metadata = source.metadata()
            return Document(
                pages=pages,
                reader=self.version,
                title=metadata.get("Title"),
                outline=source.outline(),
                metadata=metadata,
                warnings=tuple(source.warnings),
            )


def boxes(path: Path, spans: Sequence[Span], passwords: tuple[str, ...] = ()) -> list[list[Box]]:
    """For each span its boxes, one a line, computed anew from the file; raises ReadError like reading does."""
    with PdfSource(path, passwords) as source:
        layouts: dict[int, PageLayout] = {}
        for number in sorted({span.page for span in spans}):
            layouts[number] = _layout(source, number - 1)
        return [span_boxes(layouts[span.page], [(span.start, span.end)])[0] for span in spans]


def _layouts(source: PdfSource, count: int, options: ReadOptions) -> Iterator[PageLayout]:
    characters = 0
    for index in range(count):
        layout = _layout(source, index)
        characters += len(layout.text)
        if characters > options.max_characters:
            raise ReadError(f"holds more than {options.max_characters} characters")
        yield layout


def _layout(source: PdfSource, index: int) -> PageLayout:
    frame = source.frame(index)
    return lay_out(source.glyphs(index, frame), lambda: source.rules(index, frame), frame.width, frame.height)


def _pages(layouts: Sequence[PageLayout], stated: Sequence[str | None]) -> tuple[Page, ...]:
    furniture = find_furniture(layouts)
    drafts = [draft_blocks(_without(layout, lines)) for layout, lines in zip(layouts, furniture, strict=True)]
    size, bold = body_font(draft for page in drafts for draft in page)
    running = [
        [layout.text[layout.lines[i].start : layout.lines[i].end] for i in sorted(lines)]
        for layout, lines in zip(layouts, furniture, strict=True)
    ]
    labels = page_labels(stated, running)
    return tuple(
        Page(
            number=number,
            text=layout.text,
            blocks=_blocks(number, layout, page_drafts, lines, (size, bold)),
            tables=tuple(_table(number, table) for table in layout.tables),
            label=label,
            width=round(layout.width, 2),
            height=round(layout.height, 2),
            origin="text" if layout.text else "none",
        )
        for number, (layout, page_drafts, lines, label) in enumerate(
            zip(layouts, drafts, furniture, labels, strict=True), 1
        )
    )


def _table(number: int, table: TableLayout) -> Table:
    cells = tuple(
        Cell(
            row=cell.plan.row,
            column=cell.plan.column,
            span=Span(number, cell.start, cell.end),
            box=cell.box,
            row_span=cell.plan.row_span,
            column_span=cell.plan.column_span,
            header=cell.plan.header,
        )
        for cell in table.cells
    )
    return Table(
        span=Span(number, cells[0].span.start, cells[-1].span.end),
        row_count=table.plan.rows,
        column_count=table.plan.columns,
        cells=cells,
        box=around(cell.box for cell in table.cells),
        partial=table.plan.partial,
    )


def _without(layout: PageLayout, furniture: set[int]) -> PageLayout:
    lines = tuple(line for position, line in enumerate(layout.lines) if position not in furniture)
    return replace(layout, lines=lines)


def _blocks(
    number: int, layout: PageLayout, drafts: Sequence[Draft], furniture: set[int], body: tuple[float, bool]
) -> tuple[Block, ...]:
    running = [Draft((layout.lines[i],), "", "furniture") for i in furniture]
    kinds = [classify(draft, body[0], layout.height, body_bold=body[1]) for draft in drafts]
    return tuple(
        Block(
            kind=draft.kind,
            span=Span(number, draft.start, draft.end),
            box=draft.box,
            font_size=round(draft.size, 1),
            bold=draft.bold,
        )
        for draft in sorted([*kinds, *running], key=lambda draft: draft.start)
    )
