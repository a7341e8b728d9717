"""What a report says of one question, and the report as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pincite.engine.engine import ambiguous_filenames, counted, printable, printed_citation, printed_statement
from pincite.records.answers import Answer, Statement
from pincite.records.citations import Citation
from pincite.rendering import state_text


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of a document and where they stand: "(snow.pdf, p.12)"."""

    place: str
    words: str


@dataclass(frozen=True, slots=True)
class Said:
    """One statement with its places behind it, and the quotes that bear it out."""

    text: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. `missing`: what was not found, with where was looked; `notes`: what else the reader should know."""

    said: tuple[Said, ...]
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The rows of a sheet of questions, each with its reply; `asked` is the column of the question."""

    title: str
    columns: tuple[str, ...]
    asked: int
    rows: tuple[tuple[tuple[str, ...], Reply], ...]
    generation: str

    def summary(self) -> str:
        """How many questions were answered, and from which generation of the store."""
        answered = sum(bool(reply.said) for _, reply in self.rows)
        return f"{counted(len(self.rows), 'questions')}, {answered} answered; generation {self.generation[:16]}"

    def not_found(self) -> Iterator[tuple[int, str, str]]:
        """(number of the question from 1, the question, what was not found)."""
        for number, (row, reply) in enumerate(self.rows, start=1):
            for missing in reply.missing:
                yield number, row[self.asked], missing


def reply_of(answer: Answer) -> Reply:
    """What a report says of this answer."""
    names = ambiguous_filenames(c for statement in answer.statements for c in (*statement.citations, *statement.also))

    def said(statement: Statement) -> Said:
        quotes = dict.fromkeys(_quote(citation, names) for citation in statement.citations)
        return Said(_line(printed_statement(statement, names)), tuple(quotes))

    advice = [f"try: {text}" for item in answer.missing for text in item.suggestions] if answer.refused else []
    return Reply(
        tuple(said(statement) for statement in answer.statements if statement.kind != "missing"),
        tuple(said(statement).text for statement in answer.statements if statement.kind == "missing"),
        tuple(map(_line, (state_text(answer), *advice, *answer.degraded, *answer.notices))),
    )


def reply_from(plain: Mapping[str, Any]) -> Reply:
    """The reply that `to_plain` made this of; KeyError or TypeError where it is something else."""
    said = (Said(item["text"], tuple(Quote(**quote) for quote in item["quotes"])) for item in plain["said"])
    return Reply(tuple(said), tuple(plain["missing"]), tuple(plain["notes"]))


def _quote(citation: Citation, names: Mapping[str, str]) -> Quote:
    return Quote(printed_citation(citation, names), _line(citation.quote))


def _line(text: str) -> str:
    """In one line, without characters that steer what shows it."""
    return printable(" ".join(text.split()))
