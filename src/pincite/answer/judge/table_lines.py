"""A line of a table as a statement: the value under the head that is asked for, else all values with their heads."""

from __future__ import annotations

from dataclasses import replace

from pincite.answer.material.case import Case
from pincite.answer.material.columns import column_of, columns_of
from pincite.answer.material.rows import TableRow, rows_of, table_label
from pincite.answer.material.windows import Window
from pincite.answer.plans.tables import cell
from pincite.answer.said.statements import stated
from pincite.records import Statement


def line_with_heads(case: Case, window: Window, chance: float) -> Statement | None:
    """The line of a table that a window is; None where its heads are not known, and so what its values are."""
    row = _row(case, window)
    if row is None:
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
    """The row of a table that stands on the only sentence of a window."""
    if window.kind != "table" or len(window.sentences) > 1:
        return None
    chunk, spans = window.chunk, window.sentences[0].passage.spans
    rows = rows_of(chunk, case.around.preceding(chunk))
    return next((row for row in rows if any(line.spans == spans for line, _ in row.lines)), None)
