"""Whoever keeps what it read of the record is told of every commit."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.support.documents import document, source
from tests.support.engines import hashing_engine


def test_two_commits_of_one_moment_are_told_apart(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as writer, hashing_engine(tmp_path) as reader:
        writer.index_documents([(source("a.pdf"), document("Snow lies on the roof."))])
        with closing(sqlite3.connect(tmp_path / "record.sqlite")) as record:
            record.execute("PRAGMA wal_checkpoint(RESTART)")
        (state,) = writer.session().documents.sources()
        writer._parts.record.update_source(state.source)
        files = [tmp_path / "record.sqlite", tmp_path / "record.sqlite-wal"]
        sizes, times = [path.stat().st_size for path in files], [path.stat().st_mtime_ns for path in files]
        before = reader._parts.record.stamp()
        assert reader._parts.record.stamp() == before

        writer._parts.record.update_source(replace(state.source, acl=("board",)))
        for path, time in zip(files, times, strict=True):
            os.utime(path, ns=(time, time))
        assert [path.stat().st_size for path in files] == sizes
        assert reader._parts.record.stamp() != before
