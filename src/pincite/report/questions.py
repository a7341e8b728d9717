"""A sheet of questions: CSV or XLSX, a question a row."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import UsageError

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
    """The questions of a sheet: the column that is called "question" where the first row names one, else the first.

    Without such a name the first row is a question, too. Rows without a question are left out. UsageError where the
    file cannot be read or holds none.
    """
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
    asked = _asked(rows[0]) if rows else None
    if asked is None:
        names = (HEAD, *(f"column {number}" for number in range(2, width + 1)))
        return QuestionSheet(names, tuple(row for row in even if row[0]), 0)
    return QuestionSheet(even[0], tuple(row for row in even[1:] if row[asked]), asked)


def _asked(head: Sequence[str]) -> int | None:
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
    return _asked(rows[0]) is not None or len({len(row) for row in rows}) == 1
