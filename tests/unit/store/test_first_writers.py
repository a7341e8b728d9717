"""Several may begin the same new store at one moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from pincite.store.sql_record import SqlRecord

TOGETHER, ROUNDS = 6, 12


def test_whoever_comes_second_finds_the_tables_that_the_first_has_made(tmp_path: Path) -> None:
    start = Barrier(TOGETHER)

    def begin(path: Path) -> str | None:
        start.wait(60)
        record = SqlRecord(path)
        version = record.setting("schema_version")
        record.close()
        return version

    with ThreadPoolExecutor(TOGETHER) as pool:
        for number in range(ROUNDS):
            begun = pool.map(begin, [tmp_path / f"{number}.sqlite"] * TOGETHER)
            assert len(set(begun)) == 1
