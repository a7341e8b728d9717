"""Answers and evidence as text for a terminal or a pipe."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence

from pincite.records import Answer, Citation, Evidence

_LINK, _END = "\x1b]8;;", "\x1b\\"
_CHANNELS = 3
LEAST_TEXT = 24
NAMED_CHANNELS = 2
"""Channels of a result that are named; how many others found it is counted: the text needs the room."""


def statement_lines(answer: Answer, address_of: Callable[[Citation], str | None] = lambda _: None) -> list[str]:
    """The summary, one statement a line, below the headings of its parts; citations with an address become links that
    a terminal can open."""
    from pincite.engine import printable, printed_name

    lines = [printable(line) for line in answer.summary.split("\n")]
    if len(lines) == len(answer.statements):
        lines = _below_parts(lines, [statement.part for statement in answer.statements])
    addresses: dict[str, str] = {}
    for citation in (citation for statement in answer.statements for citation in statement.citations):
        address = address_of(citation) if citation.page is not None else None
        if address is not None:
            addresses.setdefault(f"({printed_name(citation.filename)}, p.{citation.page})", address)
    for mark, address in addresses.items():
        lines = [line.replace(mark, f"{_LINK}{address}{_END}{mark}{_LINK}{_END}") for line in lines]
    return lines


def answer_lines(answer: Answer, said: Sequence[str], *, quiet: bool) -> list[str]:
    """The answer as it is printed: its statements, what else to try where there is none, the table of evidence."""
    from pincite.engine import printable

    lines = list(said)
    if answer.refused:
        lines += [f"  searched: {searched_text(answer)}"]
        lines += [f"  try: {printable(text)}" for missing in answer.missing for text in missing.suggestions]
    return lines if quiet or not answer.evidence else [*lines, "", evidence_table(answer.evidence)]


def searched_text(answer: Answer) -> str:
    """How many passages each channel found."""
    return ", ".join(f"{channel} {count}" for channel, count in answer.searched.items())


def _below_parts(lines: Sequence[str], parts: Sequence[str | None]) -> list[str]:
    """The lines with the heading of each part in front of its first one, below an empty line."""
    from pincite.engine import printable

    written: list[str] = []
    for line, part, before in zip(lines, parts, [None, *parts[:-1]], strict=True):
        if part is not None and part != before:
            written += [*([""] if written else []), printable(part)]
        written.append(line)
    return written


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


def shared_names(evidence: Sequence[Evidence]) -> set[str]:
    """The filenames that more than one document has."""
    names = Counter({item.chunk.source_id: item.chunk.filename for item in evidence}.values())
    return {name for name, count in names.items() if count > 1}


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]


def _room(rows: Sequence[Sequence[str]], width: int) -> int:
    """What is left of a line for the last column."""
    widths = _widths(rows)
    return width - sum(widths) - 2 * len(widths)


def _row(number: int, item: Evidence, shared: Collection[str], *, judged: bool) -> tuple[str, ...]:
    from pincite.engine import printable, printed_name

    chunk = item.chunk
    snippet = " ".join(printable(chunk.content).split())
    others = len(item.retrieved_by) - NAMED_CHANNELS
    channels = "+".join(item.retrieved_by[:NAMED_CHANNELS]) + (f"+{others}" if others > 0 else "")
    name = printed_name(chunk.source_id if chunk.filename in shared else chunk.filename)
    return (str(number), name, place_of(item), channels, *scores_of(item, judged=judged), snippet)


def place_of(item: Evidence) -> str:
    """The pages of a result, with the printed labels where they differ; its locator where it has no pages."""
    chunk = item.chunk
    if not chunk.paged:
        return chunk.locator or "-"
    pages = _range(str(chunk.pages[0]), str(chunk.pages[-1]))
    ends = [label for label in (*chunk.labels[:1], *chunk.labels[-1:]) if label]
    printed = _range(ends[0], ends[1]) if len(ends) == 2 else pages
    return f"p.{pages}" if printed == pages else f"p.{pages} (printed {printed})"


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}-{last}"


def _line(row: tuple[str, ...], widths: Sequence[int], room: int) -> str:
    cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
    text = row[-1] if len(row[-1]) <= room else row[-1][: room - 1] + "…"
    return "  ".join([*cells, text]).rstrip()
