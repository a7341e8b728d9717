"""The record keeps what documents say; a new reading takes the place of the old, and a removed source says nothing."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from pincite.records.triplets import Triplet
from pincite.store import schema
from pincite.store.sql_record import SqlRecord
from pincite_testing.samples import sample_edition


def said(subject: str, target: str, page: int = 1, start: int = 0) -> Triplet:
    places = (start, start + 4), (start + 8, start + 12)
    return Triplet(page, start, start + 20, subject, "is in", "in", target, *places, 0.5, "clauses", "1")


def test_triplets_belong_to_the_current_edition_of_their_document(tmp_path: Path) -> None:
    record = SqlRecord(tmp_path / "record.sqlite")
    first = replace(sample_edition("a.pdf", ["Anna lives in Rome."]), triplets=(said("Anna", "Rome"),))
    later = replace(
        sample_edition("a.pdf", ["Otto lives in Bonn."]), triplets=(said("Otto", "Bonn"), said("Otto", "Ulm"))
    )
    other = replace(sample_edition("b.pdf", ["Ida lives in Linz."]), triplets=(said("Ida", "Linz"),))
    for edition in (first, other):
        record.put_edition(edition)
    assert record.triplets("a.pdf") == list(first.triplets)
    record.put_edition(later)
    assert record.triplets("a.pdf") == list(later.triplets)
    record.remove_source("a.pdf")
    assert record.triplets("a.pdf") == []
    assert record.triplets("b.pdf") == list(other.triplets)
    record.close()


def test_a_chunk_has_the_triplets_whose_sentence_begins_in_it(tmp_path: Path) -> None:
    record = SqlRecord(tmp_path / "record.sqlite")
    pages = ["Anna lives in Rome. Otto lives in Bonn.", "Ida lives in Linz."]
    triplets = (said("Anna", "Rome"), said("Otto", "Bonn", start=20), said("Ida", "Linz", page=2))
    edition = replace(sample_edition("a.pdf", pages), triplets=triplets)
    record.put_edition(edition)
    found = record.triplets_of_chunks(edition.chunks)
    assert [found[chunk.chunk_id] for chunk in edition.chunks] == [list(triplets[:2]), list(triplets[2:])]
    assert record.triplets_of_chunks([]) == {}
    record.close()


def test_a_record_of_the_version_before_takes_triplets(tmp_path: Path) -> None:
    SqlRecord(tmp_path / "record.sqlite").close()
    with sqlite3.connect(tmp_path / "record.sqlite") as old:
        old.execute("DROP TABLE triplet")
        old.execute("UPDATE meta SET value = '3' WHERE name = 'schema_version'")
    old.close()
    record = SqlRecord(tmp_path / "record.sqlite")
    record.put_edition(replace(sample_edition("a.pdf", ["Anna lives in Rome."]), triplets=(said("Anna", "Rome"),)))
    assert record.triplets("a.pdf") == [said("Anna", "Rome")]
    assert record.setting("schema_version") == str(schema.SCHEMA_VERSION)
    record.close()


def test_what_hangs_on_an_edition_is_purged_with_it(tmp_path: Path) -> None:
    record = SqlRecord(tmp_path / "record.sqlite")
    record.put_edition(replace(sample_edition("a.pdf", ["Anna lives in Rome."]), triplets=(said("Anna", "Rome"),)))
    record.purge_source("a.pdf")
    record.close()
    with sqlite3.connect(tmp_path / "record.sqlite") as stored:
        hanging = [name for name, table in schema.record.tables.items() if "edition_key" in table.columns]
        counts = {name: stored.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in hanging}
    stored.close()
    assert "triplet" in counts
    assert set(counts.values()) == {0}
