"""Small office files, built by hand, and what every document must satisfy."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pincite.ports import ReadOptions
from pincite.read.registry import reader_for
from pincite.records.pages import Document, Span

OPTIONS = ReadOptions(ocr="never")
WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATION = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
SLIDE = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def read(path: Path) -> Document:
    """Read a file as pincite would, and check what holds for every document."""
    document = reader_for(path).read(path, OPTIONS)
    check(document)
    return document


def check(document: Document) -> None:
    """Blocks lie in order, do not overlap, and hold text; tables and cells lie inside their page; no form feeds."""
    for page in document.pages:
        end = 0
        assert "\f" not in page.text
        for block in page.blocks:
            assert end <= block.span.start < block.span.end <= len(page.text)
            around = " \n" if block.kind == "table" else None
            assert sliced(document, block.span).strip(around) == sliced(document, block.span)
            assert document.locators != "block" or block.locator
            end = block.span.end
        for table in page.tables:
            for cell in table.cells:
                assert table.span.start <= cell.span.start <= cell.span.end <= table.span.end <= len(page.text)
                assert 0 <= cell.row < table.row_count
                assert 0 <= cell.column < table.column_count


def sliced(document: Document, span: Span) -> str:
    """The text of a span."""
    return document.pages[span.page - 1].text[span.start : span.end]


def blocks(document: Document, kind: str) -> list[str]:
    """The texts of all blocks of a kind."""
    return [sliced(document, block.span) for page in document.pages for block in page.blocks if block.kind == kind]


def cells(document: Document) -> dict[tuple[int, int], str]:
    """The texts of the first table's cells by row and column."""
    return {(cell.row, cell.column): sliced(document, cell.span) for cell in document.pages[0].tables[0].cells}


def packed(path: Path, parts: Mapping[str, str]) -> Path:
    """A zip container with these parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


def relations(*items: tuple[str, str, str]) -> str:
    """A relations part from (id, kind, target)."""
    inner = "".join(f'<Relationship Id="{key}" Type="{TYPES}/{kind}" Target="{to}"/>' for key, kind, to in items)
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inner}</Relationships>'
    )


def docx(path: Path, body: str, *, relations_part: str = "", **parts: str) -> Path:
    """A Word file; further parts by name without suffix ("styles", "numbering", "footnotes")."""
    links = relations_part or relations(*((f"r{index}", name, f"{name}.xml") for index, name in enumerate(parts)))
    return packed(
        path,
        {
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": f"<w:document {WORD} {RELATION}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": links,
            **{f"word/{name}.xml": f"<w:{name} {WORD}>{text}</w:{name}>" for name, text in parts.items()},
        },
    )


def paragraph(text: str, *, style: str = "", settings: str = "") -> str:
    """A Word paragraph."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{settings}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def word_table(*rows: str) -> str:
    """A Word table of rows of cells."""
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"


def word_cell(text: str, settings: str = "") -> str:
    """A cell of a Word table."""
    return f"<w:tc><w:tcPr>{settings}</w:tcPr>{paragraph(text)}</w:tc>"


def xlsx(path: Path, sheets: Mapping[str, str], *, strings: str = "", styles: str = "", hidden: str = "") -> Path:
    """A workbook of sheets, each given by the inside of its worksheet element."""
    names = list(sheets)
    marks = "".join(
        f'<sheet name="{name}" sheetId="{i}" r:id="s{i}" state="{"hidden" if name == hidden else "visible"}"/>'
        for i, name in enumerate(names)
    )
    links = [(f"s{i}", "worksheet", f"worksheets/sheet{i}.xml") for i in range(len(names))]
    return packed(
        path,
        {
            "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f"<workbook {SHEET} {RELATION}><sheets>{marks}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relations(
                *links, ("t", "sharedStrings", "sharedStrings.xml"), ("y", "styles", "styles.xml")
            ),
            "xl/sharedStrings.xml": f"<sst {SHEET}>{strings}</sst>",
            "xl/styles.xml": f"<styleSheet {SHEET}>{styles}</styleSheet>",
            **{
                f"xl/worksheets/sheet{i}.xml": f"<worksheet {SHEET}>{sheets[name]}</worksheet>"
                for i, name in enumerate(names)
            },
        },
    )


def pptx(path: Path, *slides: str, notes: str = "", chart: str = "") -> Path:
    """A presentation; `notes` and `chart` ("c0") belong to the first slide."""
    ids = "".join(f'<p:sldId id="{256 + i}" r:id="s{i}"/>' for i in range(len(slides)))
    size = '<p:sldSz cx="9144000" cy="6858000"/>'
    parts = {
        "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": (
            f"<p:presentation {SLIDE} {RELATION}><p:sldIdLst>{ids}</p:sldIdLst>{size}</p:presentation>"
        ),
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{i}", "slide", f"slides/slide{i}.xml") for i in range(len(slides)))
        ),
        **{f"ppt/slides/slide{i}.xml": _slide("sld", slide) for i, slide in enumerate(slides)},
    }
    if notes or chart:
        parts["ppt/slides/_rels/slide0.xml.rels"] = relations(
            ("n", "notesSlide", "../notesSlides/notes0.xml"), ("c0", "chart", "../charts/chart0.xml")
        )
    if notes:
        parts["ppt/notesSlides/notes0.xml"] = _slide("notes", notes)
    if chart:
        parts["ppt/charts/chart0.xml"] = chart
    return packed(path, parts)


def epub(path: Path, *chapters: str, **more: str) -> Path:
    """A book of chapters, each given by the inside of its body; further members by their whole name."""
    names = [f"chapter {index}.xhtml" for index in range(len(chapters))]
    items = "".join(
        f'<item id="c{index}" href="text/{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>'
        for index, name in enumerate(names)
    )
    order = "".join(f'<itemref idref="c{index}"/>' for index in reversed(range(len(chapters))))
    metadata = "<dc:title>Roofs</dc:title><dc:creator>A. Author</dc:creator>"
    parts = {
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        "OPS/book.opf": (
            f'<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>{metadata}</metadata>'
            f'<manifest>{items}<item id="x" href="x.png" media-type="image/png"/></manifest>'
            f'<spine><itemref idref="x"/>{order}</spine></package>'
        ),
    }
    head = '<?xml version="1.0" encoding="utf-8"?><html><head><title/><script src="x"/></head>'
    bodies = zip(names, reversed(chapters), strict=True)
    texts = {f"OPS/text/{name}": f"{head}<body>{body}</body></html>" for name, body in bodies if body}
    return packed(path, {**parts, **texts, **more})


ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"'
)


def odt(path: Path, body: str, *, meta: str = "", **more: str) -> Path:
    """An OpenDocument text of what stands inside its `office:text`; further members by their whole name."""
    content = f"<office:document-content {ODF}><office:body><office:text>{body}</office:text></office:body>"
    parts = {
        "content.xml": f"{content}</office:document-content>",
        "meta.xml": f"<office:document-meta {ODF}><office:meta>{meta}</office:meta></office:document-meta>",
    }
    return packed(path, parts | more)


def ods(path: Path, sheets: str, *, styles: str = "", **more: str) -> Path:
    """A workbook of OpenDocument of what stands inside its `office:spreadsheet`."""
    head = f'<office:document-content {ODF} xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0">'
    inside = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    body = f"<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body>"
    return packed(path, {"content.xml": f"{head}{inside}{body}</office:document-content>"} | more)


def xls(path: Path, fill: Callable[[Any], None]) -> Path:
    """A workbook of Excel 97 as `fill` writes it with xlwt."""
    import xlwt

    book = xlwt.Workbook()
    fill(book)
    book.save(str(path))
    return path


def shape(*texts: str, role: str = "") -> str:
    """A shape of a slide with paragraphs; `role` is its placeholder type."""
    mark = f'<p:ph type="{role}"/>' if role else ""
    inner = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)
    return f"<p:sp><p:nvSpPr><p:nvPr>{mark}</p:nvPr></p:nvSpPr><p:txBody>{inner}</p:txBody></p:sp>"


def _slide(kind: str, inner: str) -> str:
    return f"<p:{kind} {SLIDE}><p:cSld><p:spTree>{inner}</p:spTree></p:cSld></p:{kind}>"
