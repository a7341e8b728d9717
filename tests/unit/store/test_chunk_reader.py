"""Chunks that are asked for again are not read again, and never outlive the edition that they were read from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.records.chunks import Edition
from pincite.store import chunk_reader
from pincite.store.sql_record import SqlRecord
from pincite_testing.samples import sample_edition


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SqlRecord]:
    record = SqlRecord(tmp_path / "record.sqlite")
    yield record
    record.close()


def read_anew(edition: Edition) -> Edition:
    """The same chunks, read by a later version that found another section and title."""
    chunks = tuple(replace(chunk, section=("Scope",), title="Rules") for chunk in edition.chunks)
    document = replace(edition.document, title="Rules")
    return replace(edition, document=document, chunks=chunks, versions={"reader": "sample 2"})


def test_a_chunk_asked_for_twice_is_read_once(record: SqlRecord) -> None:
    edition = sample_edition("a.pdf", ["first", "second"])
    record.put_edition(edition)
    wanted = [chunk.chunk_id for chunk in edition.chunks]
    first, again = record.chunks(wanted), record.chunks(wanted)
    assert first == list(edition.chunks)
    assert all(one is other for one, other in zip(first, again, strict=True))


def test_a_new_edition_is_seen_at_once_by_every_process(record: SqlRecord, tmp_path: Path) -> None:
    edition = sample_edition("a.pdf", ["first", "second"])
    newer = read_anew(edition)
    wanted = [chunk.chunk_id for chunk in edition.chunks]
    record.put_edition(edition)
    other = SqlRecord(tmp_path / "record.sqlite")
    assert other.chunks(wanted) == list(edition.chunks)
    record.put_edition(newer)
    assert record.chunks(wanted) == list(newer.chunks)
    assert other.chunks(wanted) == list(newer.chunks)
    other.close()


def test_only_the_chunks_asked_for_last_are_kept(record: SqlRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_reader, "KEPT_CHUNKS", 2)
    edition = sample_edition("a.pdf", ["one", "two", "three"])
    record.put_edition(edition)
    one, two, three = (chunk.chunk_id for chunk in edition.chunks)
    before = {name: record.chunks([name])[0] for name in (one, two, one, three)}
    assert record.chunks([one])[0] is before[one]
    assert record.chunks([two])[0] is not before[two]


def test_each_edition_has_labels_of_its_own(record: SqlRecord) -> None:
    labelled = sample_edition("a.pdf", ["one", "two"])
    plain = sample_edition("b.pdf", ["one", "two"])
    pages = tuple(replace(page, label=None) for page in plain.document.pages)
    plain = replace(plain, document=replace(plain.document, pages=pages))
    for edition in (labelled, plain):
        record.put_edition(edition)
    found = record.chunks([edition.chunks[1].chunk_id for edition in (labelled, plain)])
    assert [chunk.labels for chunk in found] == [("ii",), (None,)]
