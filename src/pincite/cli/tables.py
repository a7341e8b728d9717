"""Answers and evidence as text for a terminal or a pipe."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection, Sequence

from pincite.records.answers import Answer
from pincite.records.evidence import Evidence
from pincite.rendering import advice_lines, place_of, shared_names, state_text

_CHANNELS = 3
LEAST_TEXT = 24
NAMED_CHANNELS = 2
"""Channels of a result that are named; how many others found it is counted: the text needs the room."""


def answer_lines(answer: Answer, said: Sequence[str], *, quiet: bool) -> list[str]:
    """The answer as it is printed: its statements, what else to try where there is none, the table of evidence."""
    state = [] if quiet else [f"  {state_text(answer)}"]
    lines = [*said, *state, *advice_lines(answer)]
    return lines if quiet or not answer.evidence else [*lines, "", evidence_table(answer.evidence)]


def evidence_table(evidence: Sequence[Evidence]) -> str:
    """Number, file, page (and printed label where it differs), channels, scores, and the beginning of the text; in
    a narrow terminal without the channels, in a very narrow one without the text. A filename that two documents have
    is told apart by its path."""
    shared, judged = shared_names(evidence), is_judged(evidence)
    head = ("#", "file", "page", "found by", *(("answers",) if judged else ()), "score", "text")
    rows = [head, *(_row(number, item, shared, judged=judged) for number, item in enumerate(evidence, start=1))]
    width = shutil.get_terminal_size((110, 24)).columns
    if sys.stdout.isatty():
        rows = _narrowed(rows, width)
    widths, room = _widths(rows), max(LEAST_TEXT, _room(rows, width))
    return "\n".join(_line(row, widths, room) for row in rows)


def is_judged(evidence: Sequence[Evidence]) -> bool:
    """Whether windows of it were read, and it stands in the order of how likely these answer."""
    return any(item.scores.rerank is not None for item in evidence)


def scores_of(item: Evidence, *, judged: bool) -> tuple[str, ...]:
    """How likely it answers, where it was read and others were, and its score by the channels."""
    chance = item.scores.rerank
    return (*(("-" if chance is None else f"{chance:.3f}",) if judged else ()), f"{item.scores.final:.3f}")


def _narrowed(rows: list[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
    if _room(rows, width) < LEAST_TEXT:
        rows = [(*row[:_CHANNELS], *row[_CHANNELS + 1 :]) for row in rows]
    if _room(rows, width) < LEAST_TEXT:
        rows = [(*row[:-1], "") for row in rows]
    return rows


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]


def _room(rows: Sequence[Sequence[str]], width: int) -> int:
    """What is left of a line for the last column."""
    widths = _widths(rows)
    return width - sum(widths) - 2 * len(widths)


def _row(number: int, item: Evidence, shared: Collection[str], *, judged: bool) -> tuple[str, ...]:
    from pincite.engine.engine import printable, printed_name

    chunk = item.chunk
    snippet = " ".join(printable(chunk.content).split())
    others = len(item.retrieved_by) - NAMED_CHANNELS
    channels = "+".join(item.retrieved_by[:NAMED_CHANNELS]) + (f"+{others}" if others > 0 else "")
    name = printed_name(chunk.source_id if chunk.filename in shared else chunk.filename)
    return (str(number), name, place_of(item), channels, *scores_of(item, judged=judged), snippet)


def _line(row: tuple[str, ...], widths: Sequence[int], room: int) -> str:
    cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
    text = row[-1] if len(row[-1]) <= room else row[-1][: room - 1] + "…"
    return "  ".join([*cells, text]).rstrip()
