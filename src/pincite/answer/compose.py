"""The deterministic answer: the best sentences as quotes, pinned to their pages, or what was not found."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite.answer.citations import printed_summary
from pincite.answer.passages import Passage, passages_of
from pincite.answer.select import Candidate, select_passages
from pincite.answer.verify import is_supported
from pincite.ports import Embedder
from pincite.records import (
    Answer,
    ChunkRecord,
    Citation,
    Filter,
    Missing,
    Query,
    Retrieval,
    RetrievalPolicy,
    Statement,
)
from pincite.retrieve.search import place_of
from pincite.text.tokens import tokenise_for

MODE = "extract"
MOST_STATEMENTS = 6
LOOKED_IN = 5
SUGGESTED = 3


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What composition may look up beyond the evidence, all of it visible to the asker.

    `is_known`: does this token stand in any chunk? `chunks`: chunks by id. `unreadable`: (source id, page) of pages
    whose text could not be read.
    """

    generation: str
    embedder: Embedder | None
    is_known: Callable[[str], bool]
    chunks: Callable[[Sequence[str]], list[ChunkRecord]]
    unreadable: Callable[[], list[tuple[str, int]]]


def compose_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that the evidence gives by rules; what fails verification is dropped."""
    candidates = select_passages(retrieval.query, retrieval.evidence, around.embedder, MOST_STATEMENTS)
    made = [(_statement(candidate, around), candidate.evidence.chunk.language) for candidate in candidates]
    statements = [statement for statement, language in made if is_supported(statement, language)]
    missing = _unknown_words(retrieval, around) if statements else [_nothing_found(retrieval, around)]
    statements += [Statement(_missing_text(item), "missing", (), confidence=0.0) for item in missing]
    return Answer(
        query=retrieval.query.text,
        mode=MODE,
        summary=printed_summary(statements),
        statements=tuple(statements),
        evidence=retrieval.evidence,
        missing=tuple(missing),
        policy=policy,
        generation=around.generation,
        degraded=retrieval.trace.degraded,
        trace=retrieval.trace,
    )


def _statement(candidate: Candidate, around: Surroundings) -> Statement:
    passage, chunk = candidate.passage, candidate.evidence.chunk
    locator, text = _locator_and_text(chunk.section_number, passage.text)
    return Statement(
        text=f"{locator}: {text}" if locator else text,
        kind="value" if passage.kind == "table" else "quote",
        citations=_citations(passage, chunk),
        locator=locator,
        also=_also(candidate, around),
        confidence=round(min(1.0, max(0.0, candidate.score)), 4),
    )


def _locator_and_text(number: str | None, text: str) -> tuple[str | None, str]:
    """The section number to print in front, and the text without the number or its last part ("(2)P") at its start."""
    if not number:
        return None, text
    label = re.search(r"\([^()]*\)P?$", number)
    for start in (number, label.group() if label else number):
        if text.startswith(start) and text[len(start) :].strip():
            return number, text[len(start) :].lstrip(" .:")
    return number, text


def _citations(passage: Passage, chunk: ChunkRecord) -> tuple[Citation, ...]:
    labels = dict(zip(chunk.pages, chunk.labels, strict=False))
    return tuple(
        Citation(
            filename=chunk.filename,
            source_id=chunk.source_id,
            page=span.page if chunk.paged else None,
            locator=chunk.section_number if chunk.paged else locator,
            label=labels.get(span.page),
            chunk_id=chunk.chunk_id,
            span=span,
            quote=quote,
        )
        for span, quote, locator in zip(passage.spans, passage.quotes, passage.locators, strict=True)
    )


def _also(candidate: Candidate, around: Surroundings) -> tuple[Citation, ...]:
    """Where the very same sentence stands in the chunks that were merged into this one."""
    wanted = _folded(candidate.passage.text)
    others = around.chunks([place.chunk_id for place in candidate.evidence.also])
    return tuple(
        citation
        for chunk in others
        for passage in passages_of(chunk)
        if _folded(passage.text) == wanted
        for citation in _citations(passage, chunk)
    )


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _unknown_words(retrieval: Retrieval, around: Surroundings) -> list[Missing]:
    """The words of an answered question that stand in no document at all."""
    looked_in = tuple(place_of(item.chunk) for item in retrieval.evidence[:LOOKED_IN])
    return [Missing(word, looked_in) for word in _words_nowhere(retrieval.query, around)]


def _nothing_found(retrieval: Retrieval, around: Surroundings) -> Missing:
    query = retrieval.query
    suggestions = [f"no document holds the word “{word}”: try another" for word in _words_nowhere(query, around)]
    if query.filter != Filter():
        suggestions.append("search without the filter")
    if pages := around.unreadable():
        suggestions.append(f"{len(pages)} pages have no readable text, the first is {pages[0][0]}, p.{pages[0][1]}")
    headings = dict.fromkeys(item.chunk.section[-1] for item in retrieval.evidence if item.chunk.section)
    suggestions += [f"nearest heading: {heading}" for heading in list(headings)[:SUGGESTED]]
    looked_in = tuple(place_of(item.chunk) for item in retrieval.evidence[:LOOKED_IN])
    return Missing(query.search_text, looked_in, tuple(suggestions))


def _words_nowhere(query: Query, around: Surroundings) -> list[str]:
    """The words of the question, as they were typed, none of whose tokens stands anywhere."""
    words = [word.strip("?!.,;:()\"'“”") for word in query.search_text.split()]
    tokens = {word: tokenise_for(word, query.languages) for word in words if word}
    return [word for word, found in tokens.items() if found and not any(map(around.is_known, found))]


def _missing_text(missing: Missing) -> str:
    places = dict.fromkeys(f"{p.filename}, p.{p.page}" if p.page else p.filename for p in missing.looked_in)
    looked_in = f" (looked in: {'; '.join(places)})" if places else ""
    return f"No information found on “{missing.aspect}”{looked_in}"
