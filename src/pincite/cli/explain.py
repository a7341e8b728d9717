"""How an answer came about, as text: `pincite ask --explain` and `pincite audit show`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pincite.records.answers import Answer
from pincite.records.evidence import Decision
from pincite.records.plain import to_plain
from pincite.records.prompts import Call
from pincite.records.questions import Query

LONGEST = 100
MOST_MERGED = 8


def explanation_lines(answer: Answer) -> list[str]:
    """What was searched, what each channel found, what was merged away, what the rules decided, how long it took."""
    from pincite.engine.engine import listed_names, printable

    trace = answer.trace
    rows: list[tuple[str, str]] = [] if trace.query is None else list(_asked(trace.query))
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


def _asked(query: Query) -> Iterator[tuple[str, str]]:
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
