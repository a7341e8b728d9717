"""A report as Word document, HTML page, Markdown or workbook: the same bytes every time, loading and running
nothing."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any, Literal

from pincite.errors import UsageError
from pincite.rendering import escaped
from pincite.report.asking import Reply, Report
from pincite.report.word import Paragraph, Run, word_document

PieceKind = Literal["title", "heading", "field", "statement", "quote", "missing", "note"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One paragraph of a report; `place` is where a quote stands."""

    kind: PieceKind
    text: str
    place: str = ""


def pieces_of(report: Report) -> Iterator[Piece]:
    """The paragraphs of a report, in order."""
    yield Piece("title", report.title)
    for number, (row, reply) in enumerate(report.rows, start=1):
        yield Piece("heading", f"{number}. {row[report.asked]}")
        for column, (name, value) in enumerate(zip(report.columns, row, strict=True)):
            if value and column != report.asked:
                yield Piece("field", f"{name}: {value}")
        for said in reply.said:
            yield Piece("statement", said.text)
            yield from (Piece("quote", quote.words, quote.place) for quote in said.quotes)
        yield from (Piece("missing", text) for text in reply.missing)
        yield from (Piece("note", text) for text in reply.notes)
    yield Piece("heading", "Not found")
    lacking = [Piece("missing", f"{number}. {question}: {text}") for number, question, text in report.not_found()]
    yield from lacking or [Piece("note", "Something was found for every question.")]
    yield Piece("note", report.summary())


_STYLES = {"title": "Title", "heading": "Heading 1", "quote": "Quote"}


def write_docx(report: Report, path: Path) -> None:
    """Write it to `path`."""
    paragraphs = (Paragraph(_STYLES.get(piece.kind, "Normal"), (Run(_text(piece)),)) for piece in pieces_of(report))
    path.write_bytes(word_document(report.title, paragraphs))


def _text(piece: Piece) -> str:
    match piece.kind:
        case "quote":
            return f"“{piece.text}” {piece.place}"
        case "missing":
            return f"Not found: {piece.text}"
        case "note":
            return f"Note: {piece.text}"
        case _:
            return piece.text


_HEAD = """\
<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }}
blockquote {{ margin: 0.5rem 0 0.5rem 1rem; padding-left: 0.8rem; border-left: 3px solid #ccc; color: #444; }}
cite, .field, .note {{ color: #666; font-style: normal; }}
.missing::before {{ content: "Not found: "; font-weight: bold; }}
</style>
</head>
<body>
"""


def write_html(report: Report, path: Path) -> None:
    """Write it to `path`."""
    body = "\n".join(map(_element, pieces_of(report)))
    page = f"{_HEAD.format(title=escape(report.title))}{body}\n</body>\n</html>\n"
    path.write_text(page, encoding="utf-8", newline="\n")


def _element(piece: Piece) -> str:
    text = escape(piece.text)
    match piece.kind:
        case "title":
            return f'<h1 dir="auto">{text}</h1>'
        case "heading":
            return f'<h2 dir="auto">{text}</h2>'
        case "quote":
            return f'<blockquote dir="auto">“{text}” <cite>{escape(piece.place)}</cite></blockquote>'
        case kind:
            return f'<p class="{kind}" dir="auto">{text}</p>'


def write_markdown(report: Report, path: Path) -> None:
    """Write it to `path`."""
    path.write_text("\n\n".join(map(_paragraph, pieces_of(report))) + "\n", encoding="utf-8", newline="\n")


def _paragraph(piece: Piece) -> str:
    text = escaped(piece.text)
    match piece.kind:
        case "title":
            return f"# {text}"
        case "heading":
            return f"## {text}"
        case "quote":
            return f"> “{text}” {escaped(piece.place)}"
        case "missing":
            return f"**Not found:** {text}"
        case "note":
            return f"*Note: {text}*"
        case _:
            return text


_ADDED = ("answer", "citations", "quotes", "not found", "notes")
_WIDTHS = (24, 60, 28, 60, 30, 30)
_MOST_CHARACTERS = 32_767
"""What a cell of a workbook may hold."""
_OPENS_FORMULAS = ("=", "+", "-", "@", "\t")


def write_xlsx(report: Report, path: Path) -> None:
    """Write it to `path`."""
    from xlsxwriter import Workbook

    packed = io.BytesIO()
    book = Workbook(packed, {"in_memory": True})
    book.set_properties({"title": report.title, "author": "pincite", "created": datetime(1980, 1, 1)})
    _fill(book, "Answers", (*report.columns, *_ADDED), _answers(report), len(report.columns))
    _fill(book, "Not found", ("row", "question", "not found"), _lacking(report), 2)
    book.close()
    path.write_bytes(packed.getvalue())


def _answers(report: Report) -> Iterator[Sequence[str]]:
    for row, reply in report.rows:
        yield (*row, *_cells(reply))
    yield (report.summary(),)


def _lacking(report: Report) -> Iterator[Sequence[str]]:
    return ((str(number), question, text) for number, question, text in report.not_found())


def _cells(reply: Reply) -> tuple[str, ...]:
    quotes = [quote for said in reply.said for quote in said.quotes]
    return (
        "\n".join(said.text for said in reply.said),
        "\n".join(dict.fromkeys(quote.place for quote in quotes)),
        "\n".join(dict.fromkeys(f"“{quote.words}” {quote.place}" for quote in quotes)),
        "\n".join(reply.missing),
        "\n".join(reply.notes),
    )


def _fill(book: Any, name: str, head: Sequence[str], rows: Iterator[Sequence[str]], narrow: int) -> None:
    """One sheet. All cells are text; those that look like a formula are marked as text for spreadsheet programs,
    too."""
    sheet = book.add_worksheet(name)
    layout = {"text_wrap": True, "valign": "top"}
    plain, marked = book.add_format(layout), book.add_format({**layout, "quote_prefix": True})
    bold = book.add_format({"bold": True})
    for column, width in enumerate([_WIDTHS[0]] * narrow + list(_WIDTHS[1:])[: len(head) - narrow]):
        sheet.set_column(column, column, width)
    sheet.freeze_panes(1, 0)
    for number, cells in enumerate([head, *rows]):
        for column, text in enumerate(cells):
            style = marked if text.startswith(_OPENS_FORMULAS) else plain if number else bold
            sheet.write_string(number, column, text[:_MOST_CHARACTERS], style)


Writer = Callable[[Report, Path], None]
WRITERS: dict[str, Writer] = {
    ".xlsx": write_xlsx,
    ".docx": write_docx,
    ".md": write_markdown,
    ".html": write_html,
}


def writer_for(path: Path) -> Writer:
    """The writer for the suffix of a report; UsageError where there is none, or where it has no folder to stand in."""
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise UsageError(f"{path} has no kind of report: give it one of the suffixes {', '.join(WRITERS)}")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"{path} cannot be written: give a file in a folder that exists")
    return writer


def write_report(report: Report, path: Path) -> None:
    """Write a report: the file is there as a whole or not at all."""
    writer = writer_for(path)
    write_whole(path, lambda aside: writer(report, aside))


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file aside and move it to its place; UsageError where that cannot be done, with nothing left behind."""
    aside = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        write(aside)
        aside.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        aside.unlink(missing_ok=True)
