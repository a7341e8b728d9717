"""Write the PDFs of `make demo` into a folder: python tools/make_demo_documents.py FOLDER.

The texts lie in `demo_documents/*.txt`, in a small markup; this script sets them. Blocks are parted by empty lines:

    @title, @subject, @header, @outline     settings of the document, one a line, at its top
    === roman | arabic | cover, columns=2   a new page: how it is numbered (kept until changed), its columns
    # 1 Scope                               a heading (## and ### below it), entered in the outline
    - text, a) text                         list items
    !contents                               the printed table of contents
    !ruled Caption / !plain Caption         a table with or without rules; one row a line, cells parted by |
    > text                                  a note in small type
    anything else                           a paragraph

Every page must hold what is written for it: page numbers in the texts are promises. The same texts give the same
bytes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.colors import black
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Frame, Paragraph, Spacer, Table, TableStyle

TEXTS = Path(__file__).parent / "demo_documents"
WIDTH, HEIGHT = A5
MARGIN = 44.0
GUTTER = 18.0
BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=14, spaceAfter=7)
NOTE = ParagraphStyle("note", parent=BODY, fontSize=8.5, leading=11, leftIndent=12)
ITEM = ParagraphStyle("item", parent=BODY, leftIndent=20, bulletIndent=4, spaceAfter=4)
CELL = ParagraphStyle("cell", parent=BODY, fontSize=9.5, leading=12, spaceAfter=0)
CAPTION = ParagraphStyle("caption", parent=BODY, fontName="Times-Bold", fontSize=9.5, spaceBefore=4, spaceAfter=4)
TITLE = ParagraphStyle("title", parent=BODY, fontName="Helvetica-Bold", fontSize=24, leading=30, alignment=TA_CENTER)
HEADINGS = tuple(
    ParagraphStyle(
        f"heading{level}", fontName="Helvetica-Bold", fontSize=size, leading=size + 4, spaceBefore=6, spaceAfter=6
    )
    for level, size in enumerate((15.0, 12.0, 10.5), start=1)
)
ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
LIST_ITEM = re.compile(r"(-|[a-z]\)|\d+\))\s+(.*)", re.DOTALL)


@dataclass
class PageText:
    """One page as written: its blocks, printed label (empty on a cover) and number of columns."""

    label: str
    columns: int = 1
    blocks: list[str] = field(default_factory=list)


@dataclass
class DemoDocument:
    """One document as written."""

    settings: dict[str, str]
    pages: list[PageText]

    def headings(self) -> Iterator[tuple[int, str, PageText]]:
        """Level, text and page of each heading, in order."""
        for page in self.pages:
            for block in page.blocks:
                if block.startswith("#"):
                    marks, _, text = block.partition(" ")
                    yield len(marks), text, page


def parse(text: str) -> DemoDocument:
    """Take the markup apart."""
    settings: dict[str, str] = {}
    pages: list[PageText] = []
    numbering, count = "arabic", 0
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.startswith("@"):
            settings.update(line[1:].split(" ", 1) for line in block.splitlines())
        elif block.startswith("==="):
            words = block[3:].replace(",", " ").split()
            style = next((word for word in words if "=" not in word), numbering)
            count = count + 1 if style == numbering else 1
            numbering = style
            columns = next((int(word.split("=")[1]) for word in words if word.startswith("columns=")), 1)
            pages.append(PageText(page_label(style, count), columns))
        else:
            pages[-1].blocks.append(block)
    return DemoDocument(settings, pages)


def page_label(style: str, count: int) -> str:
    """What is printed on the page."""
    return {"cover": "", "roman": ROMAN[min(count, len(ROMAN) - 1)]}.get(style, str(count))


def flow(document: DemoDocument, page: PageText, width: float) -> list[Flowable]:
    """The blocks of a page as reportlab flowables."""
    flowables: list[Flowable] = []
    for block in page.blocks:
        flowables.extend(flow_block(document, block, width))
    return flowables


def flow_block(document: DemoDocument, block: str, width: float) -> list[Flowable]:
    """One block as flowables."""
    if block == "!contents":
        return [contents_table(document, width)]
    if block.startswith("!"):
        return ruled_or_plain_table(block, width)
    if block.startswith("#"):
        marks, _, text = block.partition(" ")
        return [Paragraph(escape(text), HEADINGS[len(marks) - 1])]
    if block.startswith("^ "):
        return [Spacer(1, 100), Paragraph(escape(block[2:]), TITLE), Spacer(1, 24)]
    if block.startswith("> "):
        return [Paragraph(inline(block[2:]), NOTE)]
    item = LIST_ITEM.fullmatch(block)
    if item:
        mark = "\u2013" if item[1] == "-" else item[1]
        return [Paragraph(inline(item[2]), ITEM, bulletText=mark)]
    return [Paragraph(inline(block), BODY)]


def inline(text: str) -> str:
    """Line ends become spaces; H<sub> and <super> marks stay, all else is escaped."""
    joined = escape(" ".join(text.split()))
    return re.sub(r"&lt;(/?(?:sub|super|b|i))&gt;", r"<\1>", joined)


def ruled_or_plain_table(block: str, width: float) -> list[Flowable]:
    """A caption with a table below it; the first row is its head."""
    first, *rows = block.splitlines()
    kind, _, caption = first[1:].partition(" ")
    cells = [[Paragraph(inline(cell.strip()), CELL) for cell in row.split("|")] for row in rows]
    table = Table(cells, colWidths=[width * 0.94 / len(cells[0])] * len(cells[0]), hAlign="LEFT", spaceAfter=9)
    if kind == "ruled":
        table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.6, black), ("VALIGN", (0, 0), (-1, -1), "TOP")]))
    return [Paragraph(inline(caption), CAPTION), table]


def contents_table(document: DemoDocument, width: float) -> Flowable:
    """The printed table of contents, with dots up to the page's label."""
    rows = []
    for level, text, page in document.headings():
        if level <= 2:
            entry = "\u00a0" * 4 * (level - 1) + text
            rows.append([Paragraph(escape(entry) + " " + "." * (84 - 2 * len(entry)), CELL), page.label])
    tight = TableStyle([("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)])
    return Table(rows, colWidths=[width - 40, 34], hAlign="LEFT", style=tight)


def draw(document: DemoDocument, path: Path) -> None:
    """Write one PDF; a page whose text does not fit is an error."""
    canvas = Canvas(str(path), pagesize=A5, invariant=1, pageCompression=1)
    canvas.setTitle(document.settings["title"])
    canvas.setSubject(document.settings["subject"])
    canvas.setAuthor("the pincite project")
    for number, page in enumerate(document.pages, start=1):
        draw_outline(canvas, document, page)
        draw_furniture(canvas, document, page)
        draw_columns(canvas, document, page, f"{path.name}, p.{number}")
        canvas.showPage()
    add_page_labels(canvas, document)
    canvas.save()


def draw_outline(canvas: Canvas, document: DemoDocument, page: PageText) -> None:
    """Bookmarks for the headings of this page."""
    if document.settings["outline"] == "no":
        return
    for ordinal, (level, text, place) in enumerate(document.headings()):
        if place is page:
            canvas.bookmarkPage(f"heading{ordinal}")
            canvas.addOutlineEntry(text, f"heading{ordinal}", level - 1)


def draw_furniture(canvas: Canvas, document: DemoDocument, page: PageText) -> None:
    """Running header, footer and page number; a cover has none."""
    if not page.label:
        return
    canvas.setFont("Helvetica", 8)
    canvas.drawString(MARGIN, HEIGHT - 40, document.settings["header"])
    canvas.drawString(MARGIN, 36, document.settings["subject"])
    canvas.drawRightString(WIDTH - MARGIN, 36, page.label)


def draw_columns(canvas: Canvas, document: DemoDocument, page: PageText, where: str) -> None:
    """The text of a page, column after column."""
    width = (WIDTH - 2 * MARGIN - GUTTER * (page.columns - 1)) / page.columns
    rest = flow(document, page, width)
    for column in range(page.columns):
        left = MARGIN + column * (width + GUTTER)
        frame = Frame(left, 56, width, HEIGHT - 112, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)
        frame.addFromList(rest, canvas)
    if rest:
        raise SystemExit(f"{where}: the text does not fit on its page")


def add_page_labels(canvas: Canvas, document: DemoDocument) -> None:
    """Page labels of the PDF wherever the numbering starts anew."""
    styles = ["" if not page.label else "arabic" if page.label.isdigit() else "roman" for page in document.pages]
    for index, style in enumerate(styles):
        if index == 0 or style != styles[index - 1]:
            pdf_style = {"arabic": "ARABIC", "roman": "ROMAN_LOWER"}.get(style)
            prefix = "Cover" if not style else None
            canvas.addPageLabel(index, style=pdf_style, start=1, prefix=prefix)


def main(arguments: list[str]) -> int:
    """Write every demo document into the folder that is named."""
    if len(arguments) != 1:
        print("usage: python tools/make_demo_documents.py FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted(TEXTS.glob("*.txt")):
        draw(parse(source.read_text(encoding="utf-8")), folder / f"{source.stem}.pdf")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
