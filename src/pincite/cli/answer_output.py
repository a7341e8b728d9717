"""An answer as text for a terminal or a pipe, as Markdown (in which nothing of a document is markup), and how it came
about (`pincite ask --explain`, `pincite audit show`)."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pincite.printing import listed_names, printable, printed_name
from pincite.records.answers import Answer, Statement
from pincite.records.evidence import Decision, Evidence
from pincite.records.plain import to_plain
from pincite.records.prompts import Call
from pincite.records.questions import Query
from pincite.rendering import (
    advice_items,
    advice_lines,
    place_of,
    plain_text,
    shared_names,
    state_text,
    statement_blocks,
)

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
    """Number, file, page (and printed label where it differs), channels, scores, and the beginning of the text; in a
    narrow terminal without the channels, in a very narrow one without the text. Filenames that occur twice are shown
    with their paths."""
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


SNIPPET = 160


def markdown_lines(answer: Answer) -> list[str]:
    """The question, the statements as a list under their parts with their quotes, what is missing, the evidence."""
    lines = [f"# {plain_text(answer.query)}", "", plain_text(state_text(answer))]
    for statement, block in zip(answer.statements, statement_blocks(answer), strict=True):
        lines += ["", block, *_quotes(statement)]
    lines += advice_items(answer)
    if answer.evidence:
        lines += ["", "## Evidence", "", *_markdown_table(_evidence_rows(answer.evidence))]
    return [*lines, *(f"\nNote: {plain_text(note)}" for note in (*answer.degraded, *answer.notices))]


def _quotes(statement: Statement) -> Iterator[str]:
    """The quotes of a statement inside its list item, each once."""
    for quote in dict.fromkeys(" ".join(citation.quote.split()) for citation in statement.citations):
        yield from ("", f"  > {plain_text(quote)}")


def _evidence_rows(evidence: Sequence[Evidence]) -> list[tuple[str, ...]]:
    shared, judged = shared_names(evidence), is_judged(evidence)
    head = ("#", "File", "Page", "Found by", *(("Answers",) if judged else ()), "Score", "Text")
    return [
        head,
        *(_markdown_row(number, item, shared, judged=judged) for number, item in enumerate(evidence, start=1)),
    ]


def _markdown_row(number: int, item: Evidence, shared: Collection[str], *, judged: bool) -> tuple[str, ...]:
    text = " ".join(item.chunk.content.split())
    snippet = text if len(text) <= SNIPPET else f"{text[: SNIPPET - 1]}…"
    channels = ", ".join(item.retrieved_by)
    chunk = item.chunk
    name = plain_text(printed_name(chunk.source_id if chunk.filename in shared else chunk.filename))
    place = plain_text(place_of(item))
    return (str(number), name, place, channels, *scores_of(item, judged=judged), plain_text(snippet))


def _markdown_table(rows: Sequence[Sequence[str]]) -> list[str]:
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return [head, "|" + " --- |" * len(rows[0]), *others]


LONGEST = 100
MOST_MERGED = 8


def explanation_lines(answer: Answer) -> list[str]:
    """What was searched, what each channel found, what was merged away, what the rules decided, how long it took."""
    trace = answer.trace
    rows: list[tuple[str, str]] = [] if trace.query is None else list(_query_lines(trace.query))
    rows += [("related", " ".join(trace.related))]
    rows += [("names", ", ".join(trace.names)), ("places", ", ".join(trace.places))]
    rows += [("first in", listed_names(trace.documents))]
    rows += [("found", _found(trace.counts)), ("best", _numbers(trace.best, "{:.3f}"))]
    lines = ["How this answer was made", *(f"  {name:8} {text}" for name, text in rows if text)]
    lines += _merged(answer)
    lines += ["  rules", *map(_decision, trace.decisions)] if trace.decisions else []
    lines += ["  followed", *(f"    {hop.text}" for hop in trace.hops)] if trace.hops else []
    lines += [f"  asked {answer.model}", *map(_call, answer.calls)] if answer.calls else []
    lines.append(f"  {'times':8} {_numbers(trace.timings_ms, '{:.1f} ms')}")
    return [printable(line) for line in lines]


def filter_text(filter_: Mapping[str, Any]) -> str:
    """The restrictions of a filter, those that are none left out."""
    named = {name: value for name, value in filter_.items() if value}
    return ", ".join(f"{name} {_listed(value)}" for name, value in named.items())


def _query_lines(query: Query) -> Iterator[tuple[str, str]]:
    yield "searched", query.search_text
    yield "words", " ".join(query.tokens)
    yield "filter", filter_text(to_plain(query.filter))


def _found(counts: Mapping[str, int]) -> str:
    channels = ", ".join(f"{name} {count}" for name, count in counts.items() if name != "merged")
    return f"{channels}; {counts['merged']} passages together" if channels else ""


def _merged(answer: Answer) -> list[str]:
    places = {item.chunk.chunk_id: f"rank {item.rank}" for item in answer.evidence}
    gone = list(answer.trace.merged.items())
    lines = [f"    {chunk[:8]} says the same as {into[:8]} ({places.get(into, 'not kept')})" for chunk, into in gone]
    more = [f"    and {len(gone) - MOST_MERGED} more"] if len(gone) > MOST_MERGED else []
    return ["  merged", *lines[:MOST_MERGED], *more] if gone else []


def _call(call: Call) -> str:
    if call.completion is None:
        return f"    {call.stage}: {call.failure} ({call.milliseconds:.0f} ms)"
    read, written = call.completion.prompt_tokens, call.completion.completion_tokens
    cut = ", cut off" if call.completion.ended == "length" else ""
    return f"    {call.stage}: read {read} tokens, wrote {written}{cut} ({call.milliseconds:.0f} ms)"


def _decision(decision: Decision) -> str:
    if not decision.text:
        return f"    {decision.rule}: {decision.reason}"
    text = " ".join(decision.text.split())
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    verdict = "said" if decision.kept else f"dropped ({decision.reason})"
    return f"    {decision.rule}: {verdict}: {shown}"


def _numbers(values: Mapping[str, float], form: str) -> str:
    return ", ".join(f"{name} {form.format(value)}" for name, value in values.items())


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
