"""What is known of a document is read once, and never outlives the edition that it was read from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.store import known_document
from pincite.store.known_document import documents_of
from pincite.store.sql_record import SqlRecord
from pincite_testing.samples import sample_edition


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SqlRecord]:
    record = SqlRecord(tmp_path / "record.sqlite")
    yield record
    record.close()


def test_a_document_is_known_as_the_record_has_it_and_read_once(record: SqlRecord) -> None:
    record.put_edition(sample_edition("a.pdf", ["first", "second"]))
    record.put_edition(sample_edition("b.pdf", ["third"]))
    document = documents_of(record)
    (outline,) = record.outlines("a.pdf")
    assert tuple(document("a.pdf").sections) == outline.sections
    assert tuple(document("a.pdf").references) == outline.references
    assert document("a.pdf").links == record.links("a.pdf")
    assert document("a.pdf").places == record.chunk_places("a.pdf")
    assert document("a.pdf").places is document("a.pdf").places
    assert [place.source_id for place in document("b.pdf").places] == ["b.pdf"]


def test_a_document_that_is_not_in_the_store_has_nothing(record: SqlRecord) -> None:
    document = documents_of(record)("none.pdf")
    assert (document.sections, document.references, document.links, document.places) == ([], [], [], [])


def test_a_new_edition_is_seen_at_once(record: SqlRecord) -> None:
    edition = sample_edition("a.pdf", ["first", "second"])
    record.put_edition(edition)
    document = documents_of(record)
    before = document("a.pdf").places
    record.put_edition(replace(edition, chunks=edition.chunks[:1], versions={"reader": "sample 2"}))
    assert document("a.pdf").places == before[:1]


def test_only_the_documents_asked_for_last_are_kept(record: SqlRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_document, "KEPT_DOCUMENTS", 1)
    for name in ("a.pdf", "b.pdf"):
        record.put_edition(sample_edition(name, ["text"]))
    document = documents_of(record)
    before = document("a.pdf")
    document("b.pdf")
    assert document("a.pdf") is not before
