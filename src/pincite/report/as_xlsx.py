"""A report as a workbook: the rows of the sheet of questions with their answers behind them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pincite.report.replies import Reply, Report

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
    """One sheet. All cells are texts; those that look like a formula are marked as texts for who edits them, too."""
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
