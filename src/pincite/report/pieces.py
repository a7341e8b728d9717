"""A report as running text: a title, a part for each question, at the end what was not found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pincite.report.replies import Report

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
