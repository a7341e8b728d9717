"""An answer as Markdown (CommonMark and tables), in which nothing of a document is markup."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pincite.cli.tables import is_judged, scores_of
from pincite.records.answers import Answer, Statement
from pincite.records.evidence import Evidence
from pincite.rendering import advice_items, place_of, plain_text, shared_names, state_text, statement_blocks

SNIPPET = 160


def markdown_lines(answer: Answer) -> list[str]:
    """The question, the statements as a list under their parts with their quotes, what is missing, the evidence."""
    lines = [f"# {plain_text(answer.query)}", "", plain_text(state_text(answer))]
    for statement, block in zip(answer.statements, statement_blocks(answer), strict=True):
        lines += ["", block, *_quotes(statement)]
    lines += advice_items(answer)
    if answer.evidence:
        lines += ["", "## Evidence", "", *_table(_evidence_rows(answer.evidence))]
    return [*lines, *(f"\nNote: {plain_text(note)}" for note in (*answer.degraded, *answer.notices))]


def _quotes(statement: Statement) -> Iterator[str]:
    """The quotes of a statement inside its list item, each once."""
    for quote in dict.fromkeys(" ".join(citation.quote.split()) for citation in statement.citations):
        yield from ("", f"  > {plain_text(quote)}")


def _evidence_rows(evidence: Sequence[Evidence]) -> list[tuple[str, ...]]:
    shared, judged = shared_names(evidence), is_judged(evidence)
    head = ("#", "File", "Page", "Found by", *(("Answers",) if judged else ()), "Score", "Text")
    return [head, *(_row(number, item, shared, judged=judged) for number, item in enumerate(evidence, start=1))]


def _row(number: int, item: Evidence, shared: Collection[str], *, judged: bool) -> tuple[str, ...]:
    from pincite.engine.engine import printed_name

    text = " ".join(item.chunk.content.split())
    snippet = text if len(text) <= SNIPPET else f"{text[: SNIPPET - 1]}…"
    channels = ", ".join(item.retrieved_by)
    chunk = item.chunk
    name = plain_text(printed_name(chunk.source_id if chunk.filename in shared else chunk.filename))
    place = plain_text(place_of(item))
    return (str(number), name, place, channels, *scores_of(item, judged=judged), plain_text(snippet))


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return [head, "|" + " --- |" * len(rows[0]), *others]
