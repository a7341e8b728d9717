"""A sheet of questions (CSV or XLSX, a question a row), what a report says of each, and asking them all: what was
answered is kept beside the report, so that a run that is cut off goes on."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.engine.engine import ambiguous_filenames, printed_citation, printed_statement
from pincite.errors import UsageError
from pincite.printing import counted, printable
from pincite.records.answers import Answer, Statement
from pincite.records.citations import Citation
from pincite.records.plain import to_plain
from pincite.rendering import state_text

HEAD = "question"
_DELIMITERS = ",;\t"
_NO_DELIMITER = "\x1f"
Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """The names of the columns and the rows that hold a question, all as wide as the head; `asked` is its column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    asked: int

    def questions(self) -> list[str]:
        """The questions in order."""
        return [row[self.asked] for row in self.rows]


def read_questions(path: Path, rows_of_workbook: Callable[[Path], Rows]) -> QuestionSheet:
    """The questions of a sheet: the column "question" if the first row has one, else the first column including its
    first row. Blank rows are skipped. UsageError where the file cannot be read or has no question."""
    if path.suffix.lower() == ".xlsx":
        rows = rows_of_workbook(path)
    elif path.suffix.lower() in (".csv", ".tsv", ".txt"):
        rows = _csv_rows(path)
    else:
        raise UsageError(f"{path} is no sheet of questions: give a .csv or an .xlsx file")
    sheet = _sheet(rows)
    if not sheet.rows:
        raise UsageError(f"{path} holds no question: write one a row, in the first column or in one called question")
    return sheet


def _sheet(rows: Rows) -> QuestionSheet:
    width = max(map(len, rows), default=1)
    even = [tuple(" ".join(cell.split()) for cell in [*row, *[""] * (width - len(row))]) for row in rows]
    asked = _question_column(rows[0]) if rows else None
    if asked is None:
        names = (HEAD, *(f"column {number}" for number in range(2, width + 1)))
        return QuestionSheet(names, tuple(row for row in even if row[0]), 0)
    return QuestionSheet(even[0], tuple(row for row in even[1:] if row[asked]), asked)


def _question_column(head: Sequence[str]) -> int | None:
    """The column that is called "question"."""
    return next((column for column, name in enumerate(head) if name.strip().casefold() == HEAD), None)


def _csv_rows(path: Path) -> Rows:
    try:
        text = _decoded(path.read_bytes())
        found = [rows for mark in _DELIMITERS if _is_table(rows := _split(text, mark))]
        rows = max(found, key=lambda rows: len(rows[0]), default=_split(text, _NO_DELIMITER))
    except OSError as error:
        raise UsageError(f"the questions {path} cannot be read: {error.strerror or error}") from error
    except csv.Error as error:
        raise UsageError(f"the questions {path} are no table: {error}") from error
    for number, row in enumerate(rows, start=1):
        if len(row) > len(rows[0]):
            raise UsageError(
                f"{path}: row {number} has {len(row)} cells, the first {len(rows[0])}: put double quotes around texts"
            )
    return rows


def _decoded(data: bytes) -> str:
    """UTF-8, UTF-16 where its mark stands in front, else what spreadsheets on Windows write."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _split(text: str, delimiter: str) -> Rows:
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(map(str.strip, row))]


def _is_table(rows: Rows) -> bool:
    """Whether this way to split gives columns: the first row names one "question", or all rows are equally wide."""
    if not rows or len(rows[0]) == 1:
        return False
    return _question_column(rows[0]) is not None or len({len(row) for row in rows}) == 1


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


class KeptReplies:
    """JSON lines in `REPORT.partial`, keyed by question, generation and the terms of asking (policy, filter).

    A last line that was cut off counts for nothing.
    """

    def __init__(self, report: Path, terms: Mapping[str, Any]) -> None:
        self._path = report.with_name(f"{report.name}.partial")
        self._terms = json.dumps(terms, sort_keys=True)
        self._replies = _loaded(self._path)

    def get(self, question: str, generation: str) -> Reply | None:
        """The reply that was kept; None where there is none on these terms."""
        return self._replies.get(self._key(question, generation))

    def put(self, question: str, generation: str, reply: Reply) -> None:
        """Keep a reply; it is in the file when this returns."""
        key = self._key(question, generation)
        self._replies[key] = reply
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "reply": to_plain(reply)}) + "\n")

    def remove(self) -> None:
        """Take the file away: the report is written."""
        self._path.unlink(missing_ok=True)

    def _key(self, question: str, generation: str) -> str:
        return hashlib.sha256("\n".join((generation, self._terms, question)).encode()).hexdigest()


def _loaded(path: Path) -> dict[str, Reply]:
    if not path.is_file():
        return {}
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"".join(line + b"\n" for line in lines[:-1]))
    found: dict[str, Reply] = {}
    for line in lines[:-1]:
        try:
            row = json.loads(line)
            found[row["key"]] = reply_from(row["reply"])
        except (ValueError, KeyError, TypeError):
            continue
    return found


Tell = Callable[[int, int, str], None]


def answer_sheet(
    sheet: QuestionSheet,
    ask: Callable[[str], Answer],
    generation: Callable[[], str],
    *,
    title: str,
    kept: KeptReplies,
    tell: Tell,
) -> Report:
    """The report of all answers, all from one generation: where another is published meanwhile, it is asked again.

    `tell` hears of each question, with its number and how many there are, before it is asked.
    """
    questions = sheet.questions()
    while True:
        current = generation()
        replies = [
            _reply(question, current, ask, kept, _numbered(tell, number, len(questions)))
            for number, question in enumerate(questions, start=1)
        ]
        if generation() == current:
            rows = tuple(zip(sheet.rows, replies, strict=True))
            return Report(title, sheet.columns, sheet.asked, rows, current)


def _reply(
    question: str, generation: str, ask: Callable[[str], Answer], kept: KeptReplies, tell: Callable[[str], None]
) -> Reply:
    reply = kept.get(question, generation)
    if reply is not None:
        return reply
    tell(question)
    try:
        answer = ask(question)
    except UsageError as error:
        return Reply((), (str(error),))
    reply = reply_of(answer)
    kept.put(question, generation, reply)
    return reply


def _numbered(tell: Tell, number: int, count: int) -> Callable[[str], None]:
    return lambda question: tell(number, count, question)
