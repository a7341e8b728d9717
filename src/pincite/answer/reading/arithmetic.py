"""A difference, a sum or a percentage of two cells of one row or of one column, where a question asks for it."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from pincite.answer.asked.question import Question, roots_of
from pincite.answer.material.columns import asked_cells
from pincite.answer.material.headed_rows import Cell, HeadedRow
from pincite.answer.material.rows import is_value
from pincite.answer.reading.reads import CaseRead
from pincite.answer.reading.table_questions import said_row, tables_of
from pincite.answer.said.statements import stated
from pincite.records.answers import Statement

Operation = Literal["difference", "sum", "change in percent", "share in percent"]

_DIFFERENCE = re.compile(
    r"\bdifference\b|\bby how (?:much|many)\b"
    r"|\bhow (?:much|many)(?: \w+)? (?:more|less|fewer|higher|lower|larger|smaller|greater)\b",
    re.I,
)
_SUM = re.compile(r"\b(?:sum|together|combined|added up|altogether)\b", re.I)
_PERCENT = re.compile(r"\b(?:percent|per cent|percentage|proportion|share)\b", re.I)
_CHANGE = re.compile(
    r"\b(?:ris\w+|rose|grow\w*|grew|fall\w*|fell|chang\w+|increas\w+|decreas\w+|drop\w*|declin\w+|more|less)\b", re.I
)
_DIGITS = re.compile(r"\d[\d ,]*(?:\.\d+)?")


def asked_operation(question: str) -> Operation | None:
    """What a question asks to be computed of two numbers; None where it asks for nothing of the kind."""
    if _PERCENT.search(question):
        return "change in percent" if _CHANGE.search(question) else "share in percent"
    if _DIFFERENCE.search(question):
        return "difference"
    return "sum" if _SUM.search(question) else None


def computed_of_row(read: CaseRead, operation: Operation) -> list[Statement]:
    """What is asked of two cells of the row whose label the question names best, with both cells; nothing where the
    question names other cells than two, or does not ask for that."""
    question = read.case.question
    rows = [
        (share, item, item.unit.row)
        for item in read.units
        if item.unit.row and (share := _named_share(question, item.unit.row))
    ]
    if not rows:
        return []
    _, item, whole = max(rows, key=lambda found: found[0])
    row, language = asked_cells(question, whole), whole.whole[1].language
    cells = [cell for cell in row.cells[1:] if is_value(cell[1]) and roots_of(cell[0], language) & question.roots]
    if len(cells) != 2 or (result := _result(operation, *_in_order(question, row, cells))) is None:
        return []
    made = stated(f"Computed, {operation} {result}: {row.text}", "value", row.passages)
    return [replace(made, confidence=round(item.chance, 4))]


def computed_of_rows(read: CaseRead, operation: Operation) -> list[Statement]:
    """The difference or the sum of the asked cells of two rows that a question names, of a table of more."""
    if operation not in ("difference", "sum"):
        return []
    for table in tables_of(read, read.units):
        if not len(table.named) == 2 < len(table.rows):
            continue
        first, second = (asked_cells(read.case.question, row) for row in table.named)
        cells = [[cell for cell in row.cells[1:] if cell[0] and is_value(cell[1])] for row in (first, second)]
        if [len(of_row) for of_row in cells] != [1, 1] or cells[0][0][0] != cells[1][0][0]:
            continue
        result = _result(operation, cells[0][0][1], cells[1][0][1])
        if result is not None:
            told = said_row(table, first, f"Computed, {operation} {result}: ", beside=[second])
            return [replace(told, text=f"{told.text}; {second.text}")]
    return []


def _named_share(question: Question, row: HeadedRow) -> float:
    """The share of the words of a row's label that the question holds."""
    words = roots_of(row.cells[0][1], row.whole[1].language)
    return len(words & question.roots) / max(1, len(words))


def _in_order(question: Question, row: HeadedRow, cells: list[Cell]) -> list[str]:
    """The contents of two cells in the order in which the question names their heads."""
    words = [roots_of(word, row.whole[1].language) for word in question.text.split()]

    def place(cell: Cell) -> int:
        others = frozenset[str]().union(
            *(roots_of(head, row.whole[1].language) for head, _ in cells if head != cell[0])
        )
        own = roots_of(cell[0], row.whole[1].language) - others
        return next((index for index, word in enumerate(words) if not word.isdisjoint(own)), len(words))

    return [content for _, content in sorted(cells, key=place)]


def _result(operation: Operation, first: str, second: str) -> str | None:
    """The result as it is printed: a percentage to one decimal; a share is that of the second named in the first."""
    before, after = _number(first), _number(second)
    if before is None or after is None or ("%" in first) != ("%" in second):
        return None
    match operation:
        case "difference":
            return f"{abs(after - before):,}"
        case "sum":
            return f"{after + before:,}"
    if not before:
        return None
    part = (after - before) / abs(before) if operation == "change in percent" else after / before
    return f"{(part * 100).quantize(Decimal('0.1')):,} %"


def _number(cell: str) -> Decimal | None:
    """The number of a cell, negative in brackets or behind a minus; None where it has none or several."""
    found = _DIGITS.findall(cell)
    if len(found) != 1:
        return None
    number = Decimal(re.sub(r"[ ,]", "", found[0]))
    return -number if re.match(r"\s*[(−–-]", cell) else number
