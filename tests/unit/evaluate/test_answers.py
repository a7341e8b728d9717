"""1. A gold page counts where it is in the evidence or among the cited pages. 2. Citations of `missing` statements
count only where the question says so. 3. Facts, forbidden strings and refusals are counted where they apply."""

from __future__ import annotations

import pytest

from pincite.evaluate.questions import (
    PageQuestion,
    cited_pages,
    is_its_quote,
    ranked_pages,
    score_answer,
    score_evidence,
)
from pincite.evaluate.report import Tally
from pincite.records.answers import Answer, Statement, StatementKind
from pincite.records.citations import Citation
from pincite.records.evidence import Evidence, Scores
from pincite.records.pages import Span
from pincite.records.questions import RetrievalPolicy
from pincite_testing.samples import sample_edition

GOLD = PageQuestion(
    "q", "Why?", required=((("a.pdf", 3), ("a.pdf", 4)),), accepted=frozenset({("a.pdf", 3), ("a.pdf", 4)}),
    answerable=True,
)  # fmt: skip


def cite(page: int | None, source_id: str = "a.pdf", quote: str = "It is so.") -> Citation:
    return Citation(source_id.rsplit("/", 1)[-1], source_id, page, None, None, "chunk", Span(1, 0, 9), quote)


def state(*citations: Citation, text: str = "It is so.", kind: StatementKind = "quote") -> Statement:
    return Statement(text, kind, citations)


def answer(*statements: Statement) -> Answer:
    return Answer("Why?", "extract", "", statements, (), (), RetrievalPolicy(), "generation")


def scored(question: PageQuestion, *statements: Statement) -> dict[str, float]:
    tally = Tally()
    score_answer(tally, question, answer(*statements))
    return tally.means()


def test_pages_of_the_evidence_come_once_each_best_first() -> None:
    chunks = sample_edition("folder/a.pdf", ["one", "two", "three", "four"]).chunks
    evidence = [Evidence(chunks[n], rank, Scores(), ()) for rank, n in enumerate([1, 3, 1, 2], start=1)]
    ranked = ranked_pages(evidence, GOLD)
    assert ranked == [("a.pdf", 2), ("a.pdf", 4), ("a.pdf", 3)]
    tally = Tally()
    score_evidence(tally, GOLD, ranked)
    assert tally.means() == {"page_hit@1": 0.0, "page_hit@5": 1.0, "page_hit@10": 1.0}


def test_one_cited_gold_page_is_enough_and_precision_counts_the_others() -> None:
    figures = scored(GOLD, state(cite(4), cite(7)), state(cite(4)))
    assert (figures["cited_page"], figures["cited_page_precision"], figures["cited_pages_mean"]) == (1.0, 0.5, 2.0)
    assert (figures["right_file"], figures["refused_answerable"]) == (1.0, 0.0)


def test_the_same_page_of_another_file_is_wrong() -> None:
    figures = scored(GOLD, state(cite(4, "b.pdf"), cite(3, "xa.pdf")))
    assert (figures["cited_page"], figures["right_file"]) == (0.0, 0.0)


def test_every_entry_that_must_be_cited_is_needed() -> None:
    places = ((("a.pdf", 1),), (("a.pdf", 2), ("b.pdf", 7)))
    question = PageQuestion("q", "Why?", required=places, accepted=frozenset(p for e in places for p in e))
    assert scored(question, state(cite(1), cite(7, "sub/b.pdf")))["cited_page"] == 1.0
    assert scored(question, state(cite(1)))["cited_page"] == 0.0


@pytest.mark.parametrize(("counts", "expected"), [(True, [("a.pdf", 3)]), (False, [])])
def test_citations_of_missing_statements_count_where_the_question_says_so(
    counts: bool, expected: list[tuple[str, int]]
) -> None:
    question = PageQuestion("q", "Why?", cites_in_missing=counts, accepted=GOLD.accepted)
    assert cited_pages([state(cite(3), kind="missing")], question) == expected


def test_a_refusal_is_right_where_nothing_answers_and_wrong_elsewhere() -> None:
    refusal = state(kind="missing", text="No information found")
    assert scored(PageQuestion("q", "Why?", answerable=False), refusal)["refused"] == 1.0
    assert scored(GOLD, refusal)["refused_answerable"] == 1.0
    unknown = scored(PageQuestion("q", "Why?"), refusal)
    assert "refused" not in unknown
    assert "refused_answerable" not in unknown


def test_facts_and_forbidden_strings_are_looked_for_in_all_statements() -> None:
    question = PageQuestion("q", "Why?", facts=(("0,8", "0.8"), ("windswept",)), must_not=("1,2",))
    both = (state(text="Windswept: 0,8"), state(text="normal: 1,2"))
    assert {"facts": 1.0, "must_not": 1.0}.items() <= scored(question, *both).items()
    assert {"facts": 0.0, "must_not": 0.0}.items() <= scored(question, state(text="Ce is 0,8")).items()


def test_a_citation_without_a_page_cites_no_page() -> None:
    figures = scored(GOLD, state(cite(None)))
    assert (figures["cited_page"], figures["cited_pages_mean"]) == (0.0, 0.0)
    assert "cited_page_precision" not in figures


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (state(cite(1)), True),
        (Statement("5.2: it is  so", "quote", (cite(1),), locator="5.2"), True),
        (state(cite(1), text="So it is."), False),
        (state(cite(1), cite(2, quote="And more."), text="It is so. And more."), True),
    ],
)
def test_a_statement_equals_its_quote_but_for_locator_case_and_spaces(statement: Statement, expected: bool) -> None:
    assert is_its_quote(statement) is expected
