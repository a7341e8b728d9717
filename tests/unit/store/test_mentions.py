"""The record keeps where documents name things, and the arrays of a generation come back as they were written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pincite.records.chunks import Mention
from pincite.store.inverted import load_arrays, save_arrays
from pincite.store.sql_record import SqlRecord
from pincite_testing.samples import sample_edition


def mentions(record: SqlRecord) -> dict[str, list[Mention]]:
    return {source_id: list(found) for part in record.live_parts() for source_id, found in part.mentions.items()}


def test_mentions_belong_to_the_current_edition_of_their_document(tmp_path: Path) -> None:
    record = SqlRecord(tmp_path / "record.sqlite")
    first = replace(sample_edition("a.pdf", ["Snow is a load."]), mentions=(Mention("opening", 0, 4, "snow"),))
    later = replace(
        sample_edition("a.pdf", ["Anna Berg and Berg."]),
        mentions=(Mention("name", 0, 9, "anna berg"), Mention("name", 14, 18, "berg", "anna berg")),
    )
    record.put_edition(first)
    assert mentions(record) == {"a.pdf": list(first.mentions)}
    record.put_edition(later)
    assert mentions(record) == {"a.pdf": list(later.mentions)}
    record.remove_source("a.pdf")
    assert mentions(record) == {}
    record.close()


def test_arrays_are_mapped_back_as_they_were(tmp_path: Path) -> None:
    arrays = {"starts": np.arange(4), "names": np.frombuffer(b"abc", np.uint8), "none": np.empty(0, np.uint64)}
    save_arrays(tmp_path / "graph", arrays)
    found = load_arrays(tmp_path / "graph")
    assert {name: array.tolist() for name, array in found.items()} == {n: a.tolist() for n, a in arrays.items()}
