"""Answers as plain values and back, for receipts, cache and replays; and who may see what is kept. Chunks are kept by
id: a chunk never changes, and the record has its text. The source id is kept too, so that a purge finds receipts. An
answer is as closed as the documents that it came from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, TypeVar

from pincite.ports import ReceiptStore
from pincite.records.answers import Answer
from pincite.records.audit import AuditEvent, Run
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


LOOK_FURTHER = 4
_Entry = TypeVar("_Entry", Run, AuditEvent)


def latest_shown(
    latest: Callable[[int | None], Sequence[_Entry]], is_shown: Callable[[_Entry], bool], limit: int | None
) -> list[_Entry]:
    """The latest entries that may be shown, newest first; `latest` gives the last so many of all, None: all."""
    looked_at = limit
    while True:
        found = latest(looked_at)
        shown = list(islice(filter(is_shown, found), limit))
        if looked_at is None or len(found) < looked_at or len(shown) == limit:
            return shown
        looked_at *= LOOK_FURTHER


@dataclass(frozen=True, slots=True)
class Access:
    """An asker's principals, and the ids of the sources that are closed to them, of removed ones too; with those that
    were closed to them up to a revision."""

    principals: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    once_closed: tuple[tuple[str, int], ...] = ()

    def opens(self, receipts: ReceiptStore, run: Run) -> bool:
        """Whether the asker may see a run: it was asked with no principals but theirs, and nothing that is kept of it
        names a source that is closed to them, or that was closed to them then or later. What was purged of its request,
        or damaged, is closed where any source is."""
        closed = [*self.closed, *(name for name, until in self.once_closed if run.revision < until)]
        principals = _principals(receipts, run)
        if principals is None:
            return not closed
        if not principals <= set(self.principals):
            return False
        marks = [packed(source_id) for source_id in closed]
        contents = (receipts.content(digest) for digest in run.artifacts.values()) if marks else ()
        return not any(mark in content for content in contents if content is not None for mark in marks)

    def opened(self, receipts: ReceiptStore, limit: int | None = None, prefix: str = "") -> list[Run]:
        """The latest runs that the asker may see and whose ids begin with this, newest first."""
        return latest_shown(lambda most: receipts.runs(most, prefix), lambda run: self.opens(receipts, run), limit)

    def shows(self, event: AuditEvent) -> bool:
        """Whether the asker may see an event: its document is not closed to them, nor was it then."""
        acl = event.details.get("acl")
        return event.source_id not in self.closed and (not acl or bool(set(acl) & set(self.principals)))


def _principals(receipts: ReceiptStore, run: Run) -> set[str] | None:
    """The principals that a question was asked with; None where that cannot be read."""
    request = receipts.content(run.artifacts.get("request", ""))
    try:
        return None if request is None else set(json.loads(request)["filter"]["principals"])
    except (ValueError, KeyError, TypeError):
        return None
