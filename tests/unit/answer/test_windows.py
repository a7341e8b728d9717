"""Windows are the smallest pieces that can be judged: no sentence is lost, none stands in two, lists stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source

from pincite.answer.asked.question import understand
from pincite.answer.material.passages import LONGEST_QUOTE
from pincite.answer.material.select import can_answer
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.material.windows import LONGEST_PATH, LONGEST_WINDOW, MOST_SENTENCES, path_of, windows_of
from pincite.build.chunks import cut_chunks
from pincite.records import BlockKind, ChunkPolicy
from pincite.retrieve.query import parse_query

WORDS = st.text(alphabet="abcdefg ", min_size=1, max_size=120).filter(str.strip)
BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(("paragraph", "list_item", "table", "caption")),
        WORDS.map(lambda words: f"{words.strip().capitalize()} goes on."),
    ),
    min_size=1,
    max_size=12,
)


def sentences(blocks: list[tuple[BlockKind, str]]) -> list[Sentence]:
    chunks, _ = cut_chunks(source(), document(blocks), (), ChunkPolicy(), "v1")
    return [s for rank, chunk in enumerate(chunks, 1) for s in sentences_of_chunk(chunk, None, rank)]


@given(BLOCKS)
def test_every_sentence_stands_in_one_window(blocks: list[tuple[BlockKind, str]]) -> None:
    given_sentences = sentences(blocks)
    held = [s for window in windows_of(given_sentences) for s in window.sentences]
    assert [(s.chunk.chunk_id, s.position) for s in held] == [(s.chunk.chunk_id, s.position) for s in given_sentences]


@given(BLOCKS)
def test_a_window_is_short_and_lies_in_one_chunk(blocks: list[tuple[BlockKind, str]]) -> None:
    for window in windows_of(sentences(blocks)):
        assert len({s.chunk.chunk_id for s in window.sentences}) == 1
        if len(window.sentences) > 1 and not window.is_list:
            assert len(window.sentences) <= MOST_SENTENCES
            assert len(window.text) <= LONGEST_WINDOW
        if len(window.sentences) > 1:
            assert len(window.text) <= LONGEST_QUOTE
            assert all(s.passage.kind != "table" for s in window.sentences)


def test_a_lead_in_stands_with_all_its_items() -> None:
    lead_in, items = "The tenant pays for:", ["(a) water;", "(b) heating;", "(c) waste;", "(d) the lift."]
    blocks: list[tuple[BlockKind, str]] = [("paragraph", "Rent is due monthly."), ("paragraph", lead_in)]
    first, second = windows_of(sentences([*blocks, *(("list_item", item) for item in items)]))
    assert first.text == "Rent is due monthly."
    assert second.text == " ".join([lead_in, *items])
    assert second.is_list


def test_a_footnote_stands_by_itself_and_parts_no_lead_in_from_its_items() -> None:
    lead_in, items = "The tenant pays for:", ["(a) water;", "(b) heating."]
    note = "3 Rent was due yearly before 1999."
    blocks: list[tuple[BlockKind, str]] = [("paragraph", lead_in), ("footnote", note)]
    listed, noted = windows_of(sentences([*blocks, *(("list_item", item) for item in items)]))
    assert listed.text == " ".join([lead_in, *items])
    assert noted.text == note


def test_what_a_reranker_reads_names_document_and_headings() -> None:
    made = document([("heading", "4 Deposit"), ("paragraph", "It is two months' rent.")], title="Lease of a flat")
    chunks, _ = cut_chunks(source(), made, (), ChunkPolicy(), "v1")
    (window,) = windows_of(sentences_of_chunk(chunks[0], None, 1))
    assert window.reading.startswith("Lease of a flat")
    assert window.reading.endswith(": It is two months' rent.")
    assert len(path_of(chunks[0])) <= LONGEST_PATH + 2


@given(BLOCKS)
def test_each_sentence_has_its_place_in_what_is_read(blocks: list[tuple[BlockKind, str]]) -> None:
    for window in windows_of(sentences(blocks)):
        heading, places = window.places
        assert window.reading[slice(*heading)] == f"{path_of(window.chunk)}: "
        if len(window.text) <= LONGEST_WINDOW:
            for sentence in window.sentences:
                assert window.reading[slice(*places[sentence.position])] == sentence.text


@pytest.mark.parametrize(
    ("text", "asked", "can"),
    [
        ("How does a tenant end the lease?", "How do I end the lease?", False),
        ("How does a tenant end the lease?", "Which questions does the guide answer?", True),
        ("For more information on the lease, please visit the office.", "How do I end the lease?", False),
        ("See section 4 for further details.", "How do I end the lease?", False),
        ("More information can be found in https://example.org/lease.", "How do I end the lease?", False),
        ("See section 4 for further details.", "Where do I read more of the lease?", True),
        ("Visitors pay 5 crowns for more information.", "How do I end the lease?", True),
        ("See section 4.", "How do I end the lease?", True),
    ],
)
def test_a_question_and_what_only_leads_on_are_no_answers(text: str, asked: str, *, can: bool) -> None:
    (sentence,) = sentences([("paragraph", text)])
    assert can_answer(sentence, understand(parse_query(asked, ("en",)))) is can
