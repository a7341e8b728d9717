"""Write a large record from a small one: python tools/scaled_record.py RECORD TARGET CHUNKS

All documents of RECORD (SQLite) are written into TARGET again and again until it holds so many chunks: each time with a
number behind every capitalised word, so that words and names are others, and with vectors of their own, each mixed
from those of two chunks that are alike and a difference between two others. A million chunks take some 12 GB.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from pincite.ports import Vector
from pincite.store.rows import source_key
from pincite.store.sql_record import SqlRecord

ALIKE = 16
NOISE = 0.5
OF_EDITION = ("membership", "page", "section", "anchor", "place_name", "chunk_anchor")
"""Tables of which only the edition changes."""
_CAPITALISED = re.compile(r"\b[A-Z][a-z]+\b")


def numbered(turn: int, text: str | None) -> str | None:
    """The text with the number behind each capitalised word."""
    return text and _CAPITALISED.sub(lambda word: f"{word.group()}{turn}", text)


def renamed(turn: int, name: str | None) -> str | None:
    """A normal name with the number behind its words."""
    return name and " ".join(f"{word}{turn}" if word.isalpha() and len(word) > 3 else word for word in name.split())


def digest_of(turn: int, digest: str) -> str:
    """Another digest for each turn."""
    return hashlib.sha256(f"{turn} {digest}".encode()).hexdigest()


class Mixed:
    """Vectors that lie among those that are given, as those of other texts of their kind would."""

    def __init__(self, vectors: Vector, seed: int = 1) -> None:
        self._vectors = vectors
        self._random = np.random.default_rng(seed)
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -1)
        self._alike = np.argsort(-cosines, axis=1)[:, :ALIKE]

    def next(self, rows: np.ndarray[Any, np.dtype[np.int64]]) -> Vector:
        """One vector for each of these rows."""
        others, first = (self._pick(rows), self._random.integers(0, len(self._vectors), len(rows)))
        share = self._random.uniform(0.3, 0.7, (len(rows), 1))
        noise = self._vectors[first] - self._vectors[self._pick(first)]
        mixed = share * self._vectors[rows] + (1 - share) * self._vectors[others] + NOISE * noise
        return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), np.float32)

    def _pick(self, rows: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.asarray(self._alike[rows, self._random.integers(0, ALIKE, len(rows))])


class Scaler:
    """Writes the documents of one record into another, once a turn."""

    def __init__(self, record: Path, target: Path) -> None:
        SqlRecord(target).close()
        self._target = sqlite3.connect(target)
        self._target.executescript("pragma journal_mode=off; pragma synchronous=off; pragma cache_size=-1000000;")
        self._columns: dict[str, tuple[Sequence[str], Sequence[Sequence[Any]]]] = {}
        with sqlite3.connect(record) as source:
            live = "(select edition_key from membership where until is null)"
            for table in ("edition", "edition_chunk", "mention", "triplet", "reference", "document_name", *OF_EDITION):
                self._columns[table] = _read(source, f"select * from {table} where edition_key in {live}")
            keys = f"(select source_key from edition where edition_key in {live})"
            chunks = f"(select chunk_id from edition_chunk where edition_key in {live})"
            self._columns["source"] = _read(source, f"select * from source where source_key in {keys}")
            self._columns["chunk"] = _read(source, f"select * from chunk where chunk_id in {chunks}")
            texts = f"(select content_sha256 from chunk where chunk_id in {chunks})"
            self._columns["vector"] = _read(source, f"select * from vector where text_sha256 in {texts}")
            self._meta = source.execute("select name, value from meta").fetchall()
            self._columns["revision"] = _read(source, "select * from revision")
        self._mixed = Mixed(np.array([np.frombuffer(packed, "<f4") for packed in self._column("vector", "vector")]))
        self._step = 1 + max(self._column("edition", "edition_key"))
        self._names = dict(zip(self._column("source", "source_id"), self._column("source", "source_key"), strict=True))

    def write(self, chunks: int) -> None:
        """Write so many chunks, or somewhat more."""
        self._target.executemany("insert or replace into meta values (?, ?)", self._meta)
        self._insert("revision", {})
        for turn in range(1 + (chunks - 1) // len(self._column("chunk", "chunk_id"))):
            self._turn(turn)
        self._target.commit()
        self._target.close()

    def _turn(self, turn: int) -> None:
        def edition(key: int) -> int:
            return key + turn * self._step

        def source(name: str) -> str:
            return f"{turn:05d}/{name}"

        keys = {key: source_key(source(name)) for name, key in self._names.items()}
        digest, text, name = (cache(partial(change, turn)) for change in (digest_of, numbered, renamed))
        by_source = {"source_key": keys.__getitem__}
        changes: dict[str, Mapping[str, Callable[[Any], Any]]] = {
            "source": {"source_id": source, **by_source},
            "edition": {"edition_id": digest, "title": text, **by_source},
            "chunk": {"chunk_id": digest, "content_sha256": digest, "content": text, **by_source},
            "edition_chunk": {"chunk_id": digest, "section_json": text},
            "mention": {"name": name, "full": name},
            "triplet": {"subject": text, "object": text},
            "reference": {"document": text},
            "document_name": {"name": text},
            **{table: {} for table in OF_EDITION},
        }
        for table, changed in changes.items():
            self._insert(table, {"edition_key": edition, **changed})
        rows = np.arange(len(self._column("vector", "vector")))
        packed = iter(self._mixed.next(rows).astype("<f4"))
        self._insert("vector", {"text_sha256": digest, "vector": lambda _: next(packed).tobytes()})

    def _column(self, table: str, name: str) -> Sequence[Any]:
        names, held = self._columns[table]
        return held[names.index(name)]

    def _insert(self, table: str, changed: Mapping[str, Callable[[Any], Any]]) -> None:
        names, held = self._columns[table]
        made = zip(
            *(
                map(changed[name], values) if name in changed else values
                for name, values in zip(names, held, strict=True)
            ),
            strict=True,
        )
        quoted = ", ".join(f'"{name}"' for name in names)
        marks = ", ".join("?" * len(names))
        self._target.executemany(f"insert into {table} ({quoted}) values ({marks})", made)


def _read(source: sqlite3.Connection, statement: str) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """The names of the columns, and the columns."""
    found = source.execute(statement)
    return [column[0] for column in found.description], list(zip(*found.fetchall(), strict=True))


if __name__ == "__main__":
    Scaler(Path(sys.argv[1]), Path(sys.argv[2])).write(int(sys.argv[3]))
