"""Statements are slices of pages; what a quote does not hold is not stated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.answer.asked.question import defined_term
from pincite.answer.material.passages import passages_of
from pincite.answer.material.sentences import sentences_of_chunk
from pincite.answer.said.citations import printed_summary
from pincite.answer.said.gate import is_supported, unsupported_words
from pincite.answer.said.statements import locator_and_text, quoted
from pincite.build.chunks import cut_chunks
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkPolicy, ChunkRecord
from pincite.records.citations import Citation
from pincite.records.pages import BlockKind, Document, Span


def chunk_of(made: Document) -> ChunkRecord:
    (chunk,), _ = cut_chunks(source(), made, (), ChunkPolicy(), "v1")
    return chunk


def statement(text: str, quote: str, locator: str | None = None) -> Statement:
    citation = Citation("a.pdf", "a.pdf", 3, None, None, "c" * 64, Span(3, 0, len(quote)), quote)
    return Statement(text, "quote", (citation,), locator=locator)


def test_a_sentence_cut_by_a_page_break_is_cited_on_both_pages() -> None:
    made = document("It begins. Snow falls on the", "roof of the house. It ends.")
    passages = passages_of(chunk_of(made))
    assert [passage.text for passage in passages] == [
        "It begins.",
        "Snow falls on the roof of the house.",
        "It ends.",
    ]
    assert [span.page for span in passages[1].spans] == [1, 2]
    assert passages[1].quotes == ("Snow falls on the", "roof of the house.")


def test_a_word_cut_by_a_page_break_and_a_footnote_is_mended_in_the_sentence() -> None:
    made = document(
        [("paragraph", "The oven is old. It has to be exam-"), ("footnote", "1 Bakers know why.")],
        "ined every autumn. It smokes.",
    )
    passages = passages_of(chunk_of(made))
    assert [passage.text for passage in passages] == [
        "The oven is old.",
        "It has to be examined every autumn.",
        "It smokes.",
        "1 Bakers know why.",
    ]
    first, second = (statement("", quote).citations[0] for quote in passages[1].quotes)
    assert is_supported(replace(statement(passages[1].text, ""), citations=(first, second)))


def test_headings_are_not_quoted_and_never_run_into_a_sentence() -> None:
    made = document([("heading", "5 Snow"), ("paragraph", "It melts.")])
    assert [passage.text for passage in passages_of(chunk_of(made))] == ["It melts."]


def test_a_drawn_formula_is_not_quoted_but_a_plain_value_is() -> None:
    made = document(
        "The fire curve is given by:\nq = 660 ( 1 - 0,687 e-0,32 t _ 0,313 e-3,8 t) + 20 (3.5)\nwhere t is the time.",
        "For all other cases:\nCt = 1,0",
    )
    passages = passages_of(chunk_of(made))
    assert [passage.text for passage in passages] == [
        "The fire curve is given by:",
        "where t is the time.",
        "For all other cases: Ct = 1,0",
    ]
    for passage in passages:
        for span, quote in zip(passage.spans, passage.quotes, strict=True):
            assert made.pages[span.page - 1].text[span.start : span.end] == quote


def test_what_is_left_of_drawn_formulas_is_not_quoted() -> None:
    made = document("x ) for 0,5 < t~ax < 2 (A.11)\n8 max - 250 (t - t~ax . x ) for (A.12)", "Snow (s) falls - often.")
    assert [passage.text for passage in passages_of(chunk_of(made))] == ["Snow (s) falls - often."]


def test_a_table_is_quoted_line_by_line() -> None:
    made = document([("table", "Category\tLoad\nA\t2,0\nB\t3,0")])
    assert [passage.text for passage in passages_of(chunk_of(made))] == ["Category Load", "A 2,0", "B 3,0"]


def test_a_word_mended_in_the_statement_is_quoted_as_printed() -> None:
    (passage,) = passages_of(chunk_of(document("The inter-\nnational rule.")))
    assert (passage.text, passage.quotes) == ("The international rule.", ("The inter-\nnational rule.",))
    assert is_supported(statement(passage.text, passage.quotes[0]))


words = st.sampled_from(["Snow", "load", "inter-\nnational", "is\n1,5", "kN.", "See", "5.2.", "the", "ﬁre"])


@given(st.lists(st.lists(words, min_size=1, max_size=20).map(" ".join), min_size=1, max_size=3))
def test_every_quote_is_the_slice_that_its_span_names(texts: list[str]) -> None:
    made = document(*texts)
    for chunk in cut_chunks(source(), made, (), ChunkPolicy(chunk_size=200, overlap=30), "v1")[0]:
        for passage in passages_of(chunk):
            assert passage.quotes
            for span, quote in zip(passage.spans, passage.quotes, strict=True):
                assert made.pages[span.page - 1].text[span.start : span.end] == quote


@pytest.mark.promise
def test_words_and_numbers_must_stand_in_the_quote() -> None:
    assert is_supported(statement("Snow loads act.", "Snow load acts on the roof."))
    assert unsupported_words(statement("Wind loads act.", "Snow load acts.")) == ["wind"]
    assert not is_supported(statement("It is 1,5 kN.", "It is 1,0 kN."))
    assert is_supported(statement("It is 0.4 kN.", "It is 0,4 kN."))


@pytest.mark.promise
def test_negations_and_modal_verbs_must_be_the_same() -> None:
    assert not is_supported(statement("It shall not apply.", "It shall apply."))
    assert not is_supported(statement("It should apply.", "It shall apply."))


def test_the_locator_in_front_needs_no_quote() -> None:
    assert is_supported(statement("5.2(3)P: Snow falls.", "Snow falls.", "5.2(3)P"))


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is a fragile surface?", "fragile surface"),
        ("What is the meaning of fall edge?", "fall edge"),
        ("What does fall edge mean?", "fall edge"),
        ("Define guardrail", "guardrail"),
        ("Which loads act on a roof?", None),
    ],
)
def test_a_question_for_a_meaning_names_its_term(question: str, term: str | None) -> None:
    assert defined_term(question) == term


def test_citations_are_printed_by_kind_and_shared_names_told_apart() -> None:
    def citing(source_id: str, page: int | None, locator: str | None) -> Statement:
        name = source_id.rsplit("/", 1)[-1]
        citation = Citation(name, source_id, page, locator, None, "c" * 64, Span(1, 0, 1), "x")
        return Statement("x.", "quote", (citation,))

    told = printed_summary(
        [
            citing("one/a.pdf", 3, None),
            citing("two/a.pdf", 4, "5.2"),
            citing("notes.md", None, "lines 10-14"),
            citing("snow, p.3).txt", None, "line 1"),
        ]
    )
    assert told.splitlines() == [
        "x. (one/a.pdf, p.3)",
        "x. (two/a.pdf, p.4)",
        "x. (notes.md, lines 10-14)",
        'x. ("snow, p.3).txt", line 1)',
    ]


def test_a_locator_is_not_said_twice() -> None:
    assert locator_and_text("para. 154", "154. Development is listed.") == ("para. 154", "Development is listed.")
    assert locator_and_text("5.2(3)P", "(3)P Snow falls.") == ("5.2(3)P", "Snow falls.")
    assert locator_and_text("para. 15", "154 homes are built.") == ("para. 15", "154 homes are built.")
    assert locator_and_text(None, "Snow falls.") == (None, "Snow falls.")


def test_the_label_in_front_of_a_text_is_its_locator_also_where_it_was_misread() -> None:
    assert locator_and_text("5.2(1)P", "(l)P Snow falls.") == ("5.2(1)P", "Snow falls.")
    assert locator_and_text("1.1(10)", "~ (11) Masts are treated in EN 3.") == ("1.1(11)", "Masts are treated in EN 3.")
    assert locator_and_text("1.1(10)", "Snow (11) falls.") == ("1.1(10)", "Snow (11) falls.")


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("● The layout shows four views.", "The layout shows four views."),
        ("- The layout shows four views.", "The layout shows four views."),
        ("* The layout shows four views.", "The layout shows four views."),
        ("- 5 degrees is the least that the layout bears.", "- 5 degrees is the least that the layout bears."),
    ],
)
def test_the_sign_of_an_item_stays_out_of_what_is_said_of_it(item: str, text: str) -> None:
    chunk = chunk_of(document([("list_item", item)]))
    (said,) = (quoted(sentence, 0.5, lambda _: []) for sentence in sentences_of_chunk(chunk, None, 1))
    assert said.text == text
    assert is_supported(said)


def test_a_command_behind_a_colon_is_quoted_and_what_is_left_of_a_formula_is_not() -> None:
    made = document(
        [("paragraph", "List them by:"), ("paragraph", "ls -l")],
        [("paragraph", "It is so:"), ("paragraph", "z ≤ (4.3)")],
    )
    assert [passage.text for passage in passages_of(chunk_of(made))] == ["List them by:", "ls -l", "It is so:"]


def test_a_statement_that_ends_in_a_colon_is_told_with_the_block_right_behind_it(tmp_path: Path) -> None:
    blocks = [
        ("heading", "1 Sails"),
        ("paragraph", "A sail is a cloth that is set so:"),
        ("paragraph", "set -l\nset -a"),
    ]
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("a.pdf"), document(blocks))])  # type: ignore[list-item]
        (opening, *_) = engine.ask("What is a sail?", receipt=False).statements
    assert (opening.kind, opening.text) == ("definition", "1: A sail is a cloth that is set so: set -l set -a")
    assert opening.citations[-1].quote == "set -l\nset -a"


@pytest.mark.parametrize("place", ["heading", "paragraph"])
def test_a_verdict_is_said_behind_the_question_that_it_answers(tmp_path: Path, place: BlockKind) -> None:
    answers = document(
        [
            ("heading", "Questions and answers"),
            (place, "May I take my bicycle aboard the ferry?"),
            ("paragraph", "No, bicycles have to stay ashore. They can be locked to the railing."),
        ]
    )
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("ferry.md"), answers)])
        said = engine.ask("Do bicycles have to stay ashore?", receipt=False).statements[0]
    assert said.text.startswith("May I take my bicycle aboard the ferry? No, bicycles have to stay ashore.")
    assert "May I take my bicycle aboard the ferry?" in [citation.quote for citation in said.citations]
