"""The deterministic answer: the best sentences as quotes, pinned to their pages, or what was not found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.answer.citations import printed_summary
from pincite.answer.select import Candidate, select_passages
from pincite.answer.verify import is_supported
from pincite.ports import Embedder
from pincite.records import Answer, Citation, Missing, Query, Retrieval, RetrievalPolicy, Span, Statement
from pincite.retrieve.search import place_of
from pincite.text.tokens import tokenise

MODE = "extract"
MOST_STATEMENTS = 6
LOOKED_IN = 5
SUGGESTED = 3


def compose_answer(
    retrieval: Retrieval,
    policy: RetrievalPolicy,
    generation: str,
    embedder: Embedder | None,
    is_known: Callable[[str], bool],
) -> Answer:
    """The answer that the evidence gives by rules. `is_known` says whether a word of the question stands anywhere
    in what the asker may see; what fails verification is dropped."""
    query = retrieval.query
    candidates = select_passages(query, retrieval.evidence, embedder, MOST_STATEMENTS)
    statements = [statement for c in candidates if is_supported(statement := _statement(c), c.evidence.chunk.language)]
    missing = _missing(query, retrieval, bool(statements), is_known)
    statements += [Statement(_missing_text(item), "missing", (), confidence=0.0) for item in missing]
    return Answer(
        query=query.text,
        mode=MODE,
        summary=printed_summary(statements),
        statements=tuple(statements),
        evidence=retrieval.evidence,
        missing=tuple(missing),
        policy=policy,
        generation=generation,
        degraded=retrieval.trace.degraded,
        trace=retrieval.trace,
    )


def _statement(candidate: Candidate) -> Statement:
    passage, chunk = candidate.passage, candidate.evidence.chunk
    citations = tuple(
        _citation(candidate, span, quote) for span, quote in zip(passage.spans, passage.quotes, strict=True)
    )
    number = chunk.section_number
    shown = number if number and not passage.text.startswith(number) else None
    text = f"{shown}: {passage.text}" if shown else passage.text
    return Statement(
        text=text,
        kind="value" if passage.kind == "table" else "quote",
        citations=citations,
        locator=shown,
        also=(),
        confidence=round(min(1.0, max(0.0, candidate.score)), 4),
    )


def _citation(candidate: Candidate, span: Span, quote: str) -> Citation:
    chunk = candidate.evidence.chunk
    labels = dict(zip(chunk.pages, chunk.labels, strict=False))
    return Citation(
        filename=chunk.filename,
        source_id=chunk.source_id,
        page=span.page if chunk.paged else None,
        locator=chunk.section_number if chunk.paged else chunk.locator,
        label=labels.get(span.page),
        chunk_id=chunk.chunk_id,
        span=span,
        quote=quote,
    )


def _missing(query: Query, retrieval: Retrieval, answered: bool, is_known: Callable[[str], bool]) -> list[Missing]:  # noqa: FBT001
    looked_in = tuple(place_of(item.chunk) for item in retrieval.evidence[:LOOKED_IN])
    unknown = tuple(token for token in query.tokens if not is_known(token))
    if not answered:
        return [Missing(query.search_text, looked_in, _suggestions(query, retrieval, unknown))]
    return [Missing(word, looked_in) for word in _as_asked(query, unknown)]


def _as_asked(query: Query, tokens: Sequence[str]) -> list[str]:
    """The words of the question, as they were typed, that these tokens were made from."""
    wanted = set(tokens)
    words = [word.strip("?!.,;:()\"'“”") for word in query.search_text.split()]
    return list(dict.fromkeys(word for word in words if word and wanted & set(tokenise(word, "en"))))


def _missing_text(missing: Missing) -> str:
    places = dict.fromkeys(f"{p.filename}, p.{p.page}" if p.page else p.filename for p in missing.looked_in)
    looked_in = f" (looked in: {'; '.join(places)})" if places else ""
    return f"No information found on “{missing.aspect}”{looked_in}"


def _suggestions(query: Query, retrieval: Retrieval, unknown: Sequence[str]) -> tuple[str, ...]:
    suggestions = [f"no document holds the word “{word}”: try another" for word in _as_asked(query, unknown)]
    if query.filter != type(query.filter)():
        suggestions.append("search without the filter")
    titles = dict.fromkeys(item.chunk.section[-1] for item in retrieval.evidence if item.chunk.section)
    suggestions += [f"nearest heading: {title}" for title in list(titles)[:SUGGESTED]]
    return tuple(suggestions)
