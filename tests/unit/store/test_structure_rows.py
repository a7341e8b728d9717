"""Which anchors a chunk holds, as the record keeps it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Anchor
from pincite.store.structure_rows import chunk_anchor_rows
from pincite.testing.samples import sample_edition

EDITION = sample_edition("a.pdf", ["Snow is a load.", "Wind is another.", "Fire is a third one."])
LENGTH = EDITION.chunks[-1].end


@given(st.lists(st.tuples(st.integers(0, LENGTH - 1), st.integers(1, LENGTH)), max_size=8))
def test_a_chunk_holds_the_anchors_that_it_shares_a_character_with(places: list[tuple[int, int]]) -> None:
    anchors = tuple(
        Anchor(number, "table", str(number), "", 1, start, start + length)
        for number, (start, length) in enumerate(places)
    )
    edition = replace(EDITION, outline=replace(EDITION.outline, anchors=anchors))
    expected = {
        (chunk.index, anchor.ordinal)
        for chunk in edition.chunks
        for anchor in anchors
        if set(range(chunk.start, chunk.end)) & set(range(anchor.start, anchor.end))
    }
    rows = chunk_anchor_rows(edition, 1)
    assert {(row["chunk_index"], row["anchor_ordinal"]) for row in rows} == expected
    assert len(rows) == len(expected)
