"""The deterministic answer: plans by kind of question first, then the best sentences; or what was not found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.answer.case import Case, case_of
from pincite.answer.citations import printed_summary
from pincite.answer.classes import classified
from pincite.answer.compare import compared
from pincite.answer.definitions import defined
from pincite.answer.duties import duties
from pincite.answer.lists import listed, with_items
from pincite.answer.paths import find_paths
from pincite.answer.refuse import missing_question, missing_text, missing_words, refusal
from pincite.answer.select import LONGEST_SUMMARY, Candidate, choose_sentences
from pincite.answer.statements import locator_and_text, quoted, stated
from pincite.answer.surroundings import Surroundings
from pincite.answer.tables import looked_up
from pincite.answer.values import valued
from pincite.answer.verdicts import judged
from pincite.answer.verify import is_supported
from pincite.records import Answer, Retrieval, RetrievalPolicy, Statement

MODE = "extract"
LEAD_IN_ROOM = 400

Plan = Callable[[Case], list[Statement]]

# Tried in this order; the first that finds something opens the answer.
PLANS: tuple[Plan, ...] = (duties, compared, judged, defined, classified, looked_up, valued, listed)


def compose_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that the evidence gives by rules; what fails verification is dropped."""
    case = case_of(retrieval, around)
    opening = _opening(case)
    refused = [] if opening else refusal(case)
    statements = refused or [*opening, *_quotes(case, opening)]
    accounted = any(statement.kind == "missing" for statement in opening)
    missing = [missing_question(case)] if refused or not statements else [] if accounted else missing_words(case)
    if not refused:
        statements += [Statement(missing_text(item), "missing", (), confidence=0.0) for item in missing]
    return Answer(
        query=retrieval.query.text,
        mode=MODE,
        summary=printed_summary(statements),
        statements=tuple(statements),
        evidence=retrieval.evidence,
        missing=tuple(missing),
        policy=policy,
        generation=around.generation,
        paths=find_paths(case) if "graph" in policy.channels else (),
        degraded=retrieval.trace.degraded,
        trace=retrieval.trace,
    )


def _opening(case: Case) -> list[Statement]:
    """What the first plan says that finds something which its quotes bear out."""
    for plan in PLANS:
        if statements := _supported(case, plan(case)):
            return statements
    return []


def _quotes(case: Case, opening: Sequence[Statement]) -> list[Statement]:
    """The best sentences themselves, as many as fit behind the opening, none twice; none behind a definition with its
    symbol or its use."""
    if len(opening) > 1 and opening[0].kind == "definition":
        return []
    said = {(citation.source_id, citation.span) for statement in opening for citation in statement.citations}
    room = LONGEST_SUMMARY - sum(len(statement.text) for statement in opening)
    chosen = choose_sentences(case.ranked, said, room)
    return _supported(case, [_quoted(case, item) for item in chosen])


def _quoted(case: Case, item: Candidate) -> Statement:
    """The sentence itself; one that leads into a list with the first of its items."""
    sentence = item.sentence
    if not sentence.text.endswith(":"):
        return quoted(sentence, item.coverage, case.around.chunks)
    whole, cited = with_items(case, sentence, LEAD_IN_ROOM)
    locator, text = locator_and_text(sentence.chunk.section_number, whole)
    return stated(text, "quote", cited, locator=locator)


def _supported(case: Case, statements: Sequence[Statement]) -> list[Statement]:
    languages = {sentence.chunk.chunk_id: sentence.chunk.language for sentence in case.sentences}
    return [
        statement
        for statement in statements
        if is_supported(statement, languages.get(statement.citations[0].chunk_id, "en"))
    ]
