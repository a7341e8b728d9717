"""Which anchors a chunk holds, and where hyperlinks lead, as the record keeps it."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pincite.records.outlines import Anchor, Hyperlink
from pincite.records.pages import PlaceName
from pincite.store.rows import chunk_anchor_rows
from pincite.store.sql_record import SqlRecord
from pincite_testing.samples import sample_edition

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


def test_hyperlinks_and_names_of_places_are_kept_with_their_edition_and_go_with_it(tmp_path: Path) -> None:
    links = (Hyperlink("b.html", "x", 0), Hyperlink("c.html"))
    names = (PlaceName("top", 0), PlaceName("x", 7))
    outline = replace(EDITION.outline, hyperlinks=links, place_names=names)
    record = SqlRecord(tmp_path / "record.sqlite")
    record.put_edition(replace(EDITION, outline=outline))
    (kept,) = record.outlines()
    assert (kept.hyperlinks, kept.place_names) == (links, names)
    record.purge_source("a.pdf")
    record.close()
    connection = sqlite3.connect(tmp_path / "record.sqlite")
    for table in ("hyperlink", "place_name"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    connection.close()
