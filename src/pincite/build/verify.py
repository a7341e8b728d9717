"""Is the store what it claims to be? The record's integrity, and the indexes built once more to compare."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.build.publish import IndexMakers, generation_digest, keyword_fields, publish
from pincite.ports import Embedder, KeywordField, KeywordIndex, Ranked
from pincite.store.chunk_links import ChunkLinks
from pincite.store.generations import Generations, Pinned
from pincite.store.inverted import load_arrays
from pincite.store.sql_record import SqlRecord

NOT_PUBLISHED = "the current generation is older than the record: run pincite index to publish it"
"""What a run leaves that was stopped between its last document and its end."""
CHUNKS_AT_ONCE = 2_000
SAMPLE = 200
LIMIT = 20


def verify_store(
    record: SqlRecord, generations: Generations, embedder: Embedder | None, makers: IndexMakers
) -> list[str]:
    """What is wrong, one line each; empty where all is well."""
    problems = record.problems() + generations.problems()
    if problems:
        return problems
    pinned = generations.pin()
    if pinned is None:
        return ["no generation is published yet: run pincite index"]
    with pinned.held():
        if pinned.manifest["generation"] != generation_digest(record, embedder):
            return [NOT_PUBLISHED]
        return _compare_with_rebuilt(record, pinned, embedder, makers)


def _compare_with_rebuilt(
    record: SqlRecord, pinned: Pinned, embedder: Embedder | None, makers: IndexMakers
) -> list[str]:
    with tempfile.TemporaryDirectory() as scratch:
        rebuilt = Generations(Path(scratch))
        publish(record, rebuilt, embedder, makers)
        other = rebuilt.pin()
        if other is None:
            return ["the indexes could not be built again: run pincite index --mode full"]
        with other.held():
            return _differences(record, pinned, other, embedder, makers)


def _differences(
    record: SqlRecord, first: Pinned, second: Pinned, embedder: Embedder | None, makers: IndexMakers
) -> list[str]:
    if not np.array_equal(first.ordinals.chunk_ids, second.ordinals.chunk_ids):
        return ["the chunks of the current generation are not those of the record: run pincite index --mode full"]
    problems = []
    if embedder is not None:
        one, other = (makers.vectors_of(pinned.folder, pinned.manifest) for pinned in (first, second))
        everything = range(len(first.ordinals))
        parts = [everything[start : start + CHUNKS_AT_ONCE] for start in everything[::CHUNKS_AT_ONCE]]
        if not all(
            np.array_equal(a, b) for part in parts for a, b in zip(one.rows(part), other.rows(part), strict=True)
        ):
            problems.append("the vector index differs from the record: run pincite index --mode full")
    links = [ChunkLinks.load(pinned.folder / "links") for pinned in (first, second)]
    if not links[0].equals(links[1]):
        problems.append("the links between chunks differ from the record: run pincite index --mode full")
    networks = [load_arrays(pinned.folder / "graph") for pinned in (first, second)]
    if not _are_equal(*networks):
        problems.append("the graph differs from the record: run pincite index --mode full")
    keywords = [makers.keywords(pinned.folder / "keywords") for pinned in (first, second)]
    for chunk in islice(record.live_chunks(), None, None, max(1, len(first.ordinals) // SAMPLE)):
        fields = ((field, list(dict.fromkeys(words))[:LIMIT]) for field, words in keyword_fields(chunk).items())
        if any(_found(keywords[0], *asked) != _found(keywords[1], *asked) for asked in fields):
            problems.append("the keyword index differs from the record: run pincite index --mode full")
            break
    return problems


def _are_equal(first: Mapping[str, NDArray[Any]], second: Mapping[str, NDArray[Any]]) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def _found(index: KeywordIndex, field: KeywordField, tokens: list[str]) -> Ranked:
    return index.search(tokens, LIMIT, field=field)
