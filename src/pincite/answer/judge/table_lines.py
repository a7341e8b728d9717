"""A line of a table as a statement: the value under the head that is asked for, else all values with their heads."""

from __future__ import annotations

from dataclasses import replace

from pincite.answer.material.case import Case
from pincite.answer.material.columns import column_of, columns_of
from pincite.answer.material.rows import TableRow, rows_of, table_label
from pincite.answer.material.select import says_something
from pincite.answer.material.sentences import fits
from pincite.answer.material.windows import Window
from pincite.answer.plans.tables import cell
from pincite.answer.said.statements import quoted, stated
from pincite.records import Statement


def table_line(case: Case, window: Window, chance: float) -> Statement | None:
    """The line of a table that a window is; None where it has several values whose heads are not known, or values
    where a date, a place or somebody is asked."""
    row = _row(case, window)
    if row is None:
        plain = all(map(says_something, window.sentences))
        return quoted(window.sentences[0], chance, case.around.chunks) if plain else None
    expected = case.question.expected
    if expected in ("date", "place", "person", "country") and not fits(expected, window.text, case.question.text):
        return None
    column = column_of(case.question, row)
    if column is not None:
        return replace(cell(row, column), confidence=round(chance, 4))
    columns = columns_of(row)
    if len(columns) != len(row.values):
        return None
    told = "; ".join(f"{column.head} {row.values[column.index]}" for column in columns)
    heads = {line.spans: (line, chunk) for column in columns for line, chunk in column.lines}
    above = [*(row.above[:1] if row.caption else ()), *heads.values()]
    made = stated(f"{row.label}: {told}", "value", [*above, *row.lines], locator=table_label(row.caption))
    return replace(made, confidence=round(chance, 4))


def _row(case: Case, window: Window) -> TableRow | None:
    """The row of values that stands on the only sentence of a window; None where it is a line of words."""
    chunk, spans = window.chunk, window.sentences[0].passage.spans
    rows = rows_of(chunk, case.around.preceding(chunk))
    return next((row for row in rows if any(line.spans == spans for line, _ in row.lines)), None)
