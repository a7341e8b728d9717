"""A store that an older pincite wrote is brought up to date when it is opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pincite.store import schema
from pincite.store.sql_record import SqlRecord
from pincite_testing.samples import sample_edition


@pytest.mark.promise
def test_a_record_of_the_first_schema_is_opened_and_written_again(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    SqlRecord(path).close()
    with sqlite3.connect(path) as old:
        old.execute("DROP INDEX ix_section_place")
        old.execute("ALTER TABLE section DROP COLUMN place")
        for table in ("document_name", "anchor", "reference", "reference_link", "chunk_anchor"):
            old.execute(f"DROP TABLE {table}")
        old.execute("UPDATE meta SET value = '1' WHERE name = 'schema_version'")
    old.close()

    record = SqlRecord(path)
    edition = sample_edition("a.pdf", ["Snow is a load.", "Wind is another."])
    record.put_edition(edition)
    assert record.setting("schema_version") == str(schema.SCHEMA_VERSION)
    assert record.outlines("a.pdf")[0].sections == edition.outline.sections
    assert record.chunks_of_sections("2") == [("a.pdf", edition.chunks[1].chunk_id)]
    record.close()
