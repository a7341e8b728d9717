"""An answer comes back from what is kept of it as it was, whatever stands in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source

from pincite.audit.kept import kept_answer, packed, restored_answer, restored_retrieval
from pincite.build.chunks import cut_chunks
from pincite.records.answers import Answer, Missing, Statement
from pincite.records.chunks import ChunkPolicy, ChunkRecord
from pincite.records.citations import TripletPath
from pincite.records.evidence import Decision, Evidence, Hop, Place, Scores, Trace
from pincite.records.plain import from_plain, to_plain
from pincite.records.questions import Filter, Query, RetrievalPolicy

CHUNKS = [cut_chunks(source(), document(f"Snow {n}."), (), ChunkPolicy(), f"v{n}")[0][0] for n in range(4)]
BY_ID = {chunk.chunk_id: chunk for chunk in CHUNKS}

numbers = st.floats(allow_nan=False, allow_infinity=False)
counts = st.dictionaries(st.text(), st.integers())
places = st.from_type(Place)
evidence = st.builds(
    Evidence,
    chunk=st.sampled_from(CHUNKS),
    scores=st.builds(Scores, vec=st.none() | numbers, bm25=st.none() | numbers, final=numbers),
    also=st.lists(places).map(tuple),
)
paths = st.builds(TripletPath, score=numbers)
traces = st.builds(
    Trace,
    query=st.from_type(Query),
    counts=counts,
    best=st.dictionaries(st.text(), numbers),
    decisions=st.lists(st.from_type(Decision)).map(tuple),
    hops=st.lists(st.from_type(Hop)).map(tuple),
    timings_ms=st.dictionaries(st.text(), numbers),
)
answers = st.builds(
    Answer,
    statements=st.lists(st.builds(Statement, confidence=numbers), max_size=3).map(tuple),
    evidence=st.lists(evidence, max_size=3).map(tuple),
    missing=st.lists(st.from_type(Missing), max_size=2).map(tuple),
    policy=st.builds(RetrievalPolicy, min_score_threshold=numbers),
    paths=st.lists(paths, max_size=2).map(tuple),
    trace=traces,
)


def chunks(chunk_ids: Sequence[str]) -> list[ChunkRecord]:
    return [BY_ID[chunk_id] for chunk_id in chunk_ids]


@given(answers)
def test_an_answer_that_is_kept_comes_back_as_it_was(answer: Answer) -> None:
    kept = packed(kept_answer(answer))
    restored = restored_answer(json.loads(kept), chunks)
    assert restored == answer
    assert packed(kept_answer(restored)) == kept
    by_rank = tuple(sorted(answer.evidence, key=lambda item: item.rank))
    assert restored_retrieval(json.loads(kept), chunks).evidence == by_rank


@given(st.from_type(Filter))
def test_a_filter_comes_back_as_it_was(given_: Filter) -> None:
    assert from_plain(Filter, json.loads(packed(to_plain(given_)))) == given_


def test_a_setting_that_is_not_known_is_not_left_out_in_silence() -> None:
    with pytest.raises(ValueError, match="unknown: pages"):
        from_plain(Filter, {**to_plain(Filter()), "pages": "odd"}, exact=True)


@given(answers, st.text())
def test_no_text_of_evidence_is_kept_but_its_id(answer: Answer, text: str) -> None:
    marked = tuple(replace(item, chunk=replace(item.chunk, content=f"{text}§§§")) for item in answer.evidence)
    assert packed(kept_answer(replace(answer, evidence=marked))) == packed(kept_answer(answer))
