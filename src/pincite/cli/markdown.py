"""An answer as Markdown (CommonMark and tables), in which nothing of a document is markup."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pincite.cli.tables import is_judged, scores_of
from pincite.printed import place_of, searched_text, shared_names
from pincite.records import Answer, Evidence, Statement

SNIPPET = 160


def markdown_lines(answer: Answer) -> list[str]:
    """The question, the statements as a list under their parts with their quotes, what is missing, the evidence."""
    from pincite.engine import ambiguous_filenames, printed_statement

    names = ambiguous_filenames(c for statement in answer.statements for c in (*statement.citations, *statement.also))
    lines = [f"# {plain_text(answer.query)}"]
    part = None
    for statement in answer.statements:
        if statement.part is not None and statement.part != part:
            lines += ["", f"## {plain_text(statement.part)}"]
        part = statement.part
        lines += ["", f"- {plain_text(printed_statement(statement, names))}", *_quotes(statement)]
    if answer.refused:
        lines += [f"- searched: {searched_text(answer)}"]
        lines += [f"- try: {plain_text(text)}" for missing in answer.missing for text in missing.suggestions]
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
    from pincite.engine import printed_name

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


def plain_text(text: str) -> str:
    """A text in one line, in which nothing is markup."""
    from pincite.engine import printable
    from pincite.report.as_markdown import escaped

    return escaped(" ".join(printable(text).split()))
