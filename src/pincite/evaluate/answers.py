"""Scoring one answer and its evidence against the gold of its question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.evaluate.questions import FilePage, PageQuestion
from pincite.evaluate.report import Tally
from pincite.evaluate.texts import fold, holds_all, holds_any
from pincite.records.answers import Answer, Statement
from pincite.records.citations import Citation
from pincite.records.evidence import Evidence

CUTS = (1, 5, 10)


def ranked_pages(evidence: Iterable[Evidence], question: PageQuestion) -> list[FilePage]:
    """The pages of the evidence, each once, best first."""
    places = (
        (_as_in_gold(item.chunk.source_id, question.files), page) for item in evidence for page in item.chunk.pages
    )
    return list(dict.fromkeys(places))


def cited_pages(statements: Iterable[Statement], question: PageQuestion) -> list[FilePage]:
    """The pages that the answer cites, each once, in order; without those of `missing` statements, as a rule."""
    citations = [
        citation
        for statement in statements
        if statement.kind != "missing" or question.cites_in_missing
        for citation in statement.citations
    ]
    places = ((_as_in_gold(c.source_id, question.files), c.page) for c in citations)
    return list(dict.fromkeys((file, page) for file, page in places if page is not None))


def score_evidence(tally: Tally, question: PageQuestion, ranked: Sequence[FilePage]) -> None:
    """`page_hit@k`, where there is gold: the required pages stand among the first k pages."""
    if question.required:
        for cut in CUTS:
            tally.add(f"page_hit@{cut}", _all_met(question, ranked[:cut]))


def score_answer(tally: Tally, question: PageQuestion, answer: Answer) -> None:
    """What is cited, said and refused."""
    if question.answerable is not None:
        tally.add("refused_answerable" if question.answerable else "refused", answer.refused)
    if question.required:
        _score_citations(tally, question, cited_pages(answer.statements, question))
    said = "\n".join(statement.text for statement in answer.statements)
    if question.facts:
        tally.add("facts", holds_all(said, question.facts))
    if question.must_not:
        tally.add("must_not", holds_any(said, question.must_not))
    tally.add("statements_mean", len(answer.statements))
    for statement in answer.statements:
        if statement.citations:
            tally.add("quote_share", is_its_quote(statement))
        for citation in statement.citations:
            tally.add("quote_chars", len(citation.quote))


def is_its_quote(statement: Statement) -> bool:
    """Whether the statement says no more and no less than its quote, its locator left aside."""
    locator = f"{statement.locator}:"
    text = statement.text.removeprefix(locator) if statement.locator else statement.text
    quote = " ".join(citation.quote for citation in statement.citations)
    return fold(text).rstrip(".") == fold(quote).rstrip(".")


def all_citations(answer: Answer) -> list[Citation]:
    """Every citation of the answer."""
    return [citation for statement in answer.statements for citation in statement.citations]


def _score_citations(tally: Tally, question: PageQuestion, cited: Sequence[FilePage]) -> None:
    tally.add("cited_page", _all_met(question, cited))
    tally.add("cited_pages_mean", len(cited))
    tally.add("right_file", any(file in question.files for file, _ in cited))
    if cited:
        tally.add("cited_page_precision", sum(place in question.accepted for place in cited) / len(cited))


def _all_met(question: PageQuestion, places: Sequence[FilePage]) -> bool:
    found = set(places)
    return all(not found.isdisjoint(entry) for entry in question.required)


def _as_in_gold(source_id: str, files: Iterable[str]) -> str:
    """The gold's name of this source where it has one (a name, or a path's last parts), else its id."""
    return next((file for file in files if source_id == file or source_id.endswith(f"/{file}")), source_id)
