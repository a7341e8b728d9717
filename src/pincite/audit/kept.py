"""An answer as plain values, and back: for receipts, for the cache, for replays.

The chunks of its evidence are kept by their ids: a chunk never changes, and the record has its text. The id of its
source stands beside, by which a receipt is found when that source is purged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pincite.records.answers import Answer
from pincite.records.chunks import ChunkRecord
from pincite.records.evidence import Evidence, Retrieval, Trace
from pincite.records.plain import from_plain, to_plain

PASSAGES = ("evidence", "beyond")
"""The fields of an answer that hold chunks."""
Plain = Mapping[str, Any]
Chunks = Callable[[Sequence[str]], list[ChunkRecord]]


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer, its bytes as they are stored, and those of what was given out of it without times and ids."""

    answer: Answer
    content: bytes
    output: bytes


def keep(answer: Answer) -> Kept:
    """The answer as it is kept."""
    return Kept(answer, packed(kept_answer(answer)), packed(answer.to_dict(stable=True)))


def restore(content: bytes, chunks: Chunks) -> Kept:
    """What was kept in these bytes."""
    answer = restored_answer(json.loads(content), chunks)
    return Kept(answer, content, packed(answer.to_dict(stable=True)))


def kept_answer(answer: Answer) -> dict[str, Any]:
    """The answer as JSON can hold it."""
    plain = {item.name: to_plain(getattr(answer, item.name)) for item in fields(answer) if item.name not in PASSAGES}
    return plain | {name: [_kept_evidence(item) for item in getattr(answer, name)] for name in PASSAGES}


def packed(value: Any) -> bytes:
    """Plain values as they are stored: JSON, in their own order."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def restored_answer(plain: Plain, chunks: Chunks) -> Answer:
    """The answer that was kept; `chunks` gives chunks by id and raises StoreError for one that is gone."""
    passages = {name: _evidence(plain.get(name, ()), chunks) for name in PASSAGES}
    return from_plain(Answer, {**plain, **passages})


def restored_retrieval(plain: Plain, chunks: Chunks) -> Retrieval:
    """What the answer that was kept was made from: the question as it was read, and all hits by their ranks."""
    beyond = _evidence(plain.get("beyond", ()), chunks)
    ids = {item.chunk.chunk_id for item in beyond}
    evidence = [item for item in _evidence(plain["evidence"], chunks) if item.chunk.chunk_id not in ids]
    ranked = tuple(sorted(evidence, key=lambda item: item.rank))
    trace = from_plain(Trace, plain["trace"])
    return from_plain(Retrieval, {"query": trace.query, "evidence": ranked, "trace": trace, "beyond": beyond})


def _evidence(items: Sequence[Plain], chunks: Chunks) -> tuple[Evidence, ...]:
    found = chunks([item["chunk_id"] for item in items])
    return tuple(from_plain(Evidence, {**item, "chunk": chunk}) for item, chunk in zip(items, found, strict=True))


def _kept_evidence(item: Evidence) -> dict[str, Any]:
    plain = {part.name: to_plain(getattr(item, part.name)) for part in fields(item) if part.name != "chunk"}
    return {"chunk_id": item.chunk.chunk_id, "source_id": item.chunk.source_id, **plain}
