"""Receipts of questions, in `audit.sqlite` or in PostgreSQL: beside the record, and apart from its lock
(spec/phase3_rag.md)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Table, bindparam, delete, insert, select, union_all

from pincite.errors import StoreError
from pincite.records.audit import AuditEvent, RetrievalHit, RetrievalQuery, Run
from pincite.store import schema
from pincite.store.database import Place, Prepared
from pincite.store.dialect import begin_alone, listed_texts, overwrite_deleted, upsert
from pincite.store.opening import open_versioned
from pincite.store.rows import Row, record_of, row_of

QUICK = 1
_Entry = TypeVar("_Entry", Run, AuditEvent)


class SqlReceipts:
    """The tables `retrieval`, `retrieval_hit`, `run`, `event` and `artifact`."""

    def __init__(self, place: Place) -> None:
        self._database = open_versioned(place, schema.audit, schema.AUDIT_VERSION, schema.AUDIT_MIGRATIONS)

    def put_retrieval(self, query: RetrievalQuery, hits: Sequence[RetrievalHit]) -> None:
        """Store one retrieval with its hits in a short transaction."""
        with self._database.transaction() as connection:
            _insert_retrieval(connection, query, hits)

    def put_run(
        self,
        seal: Callable[[int, str], Run],
        contents: Sequence[bytes],
        query: RetrievalQuery,
        hits: Sequence[RetrievalHit],
    ) -> Run:
        """Store one run with the contents of its artifacts and its retrieval, at the end of the chain."""
        by_digest = {sha256(item).hexdigest(): item for item in contents}
        with self._database.transaction() as connection:
            run = seal(*_end_of_chain(connection))
            _INSERT_RUN.run(connection, [_run_row(run)])
            _insert_artifacts(connection, by_digest)
            _insert_retrieval(connection, query, hits)
        return run

    def put_event(self, seal: Callable[[int, str], AuditEvent]) -> AuditEvent:
        """Store one event at the end of the chain."""
        with self._database.transaction() as connection:
            event = seal(*_end_of_chain(connection))
            _INSERT_EVENT.run(connection, [_event_row(event)])
        return event

    def retrievals(self, limit: int | None = 50) -> list[RetrievalQuery]:
        """The latest retrievals, newest first."""
        table = schema.retrieval
        statement = select(table).order_by(table.c.created_utc.desc(), table.c.retrieval_id).limit(limit)
        with self._database.reading() as connection:
            return [record_of(RetrievalQuery, row) for row in connection.execute(statement).mappings()]

    def hits(self, retrieval_id: str) -> list[RetrievalHit]:
        """The hits of one retrieval, by rank."""
        table = schema.retrieval_hit
        statement = select(table).where(table.c.retrieval_id == retrieval_id).order_by(table.c.rank)
        with self._database.reading() as connection:
            return [record_of(RetrievalHit, row) for row in connection.execute(statement).mappings()]

    def runs(self, limit: int | None = None, prefix: str = "") -> list[Run]:
        """The latest runs whose ids begin with `prefix`, newest first."""
        return self._entries(schema.run, schema.run.c.run_id, _run_of, limit, prefix)

    def events(self, limit: int | None = None, prefix: str = "") -> list[AuditEvent]:
        """The latest events whose ids begin with `prefix`, newest first."""
        return self._entries(schema.event, schema.event.c.event_id, _event_of, limit, prefix)

    def content(self, sha256: str) -> bytes | None:
        """The content of an artifact; None where it was purged, empty where it was damaged."""
        table = schema.artifact.c
        with self._database.reading() as connection:
            packed = connection.scalar(select(table.content).where(table.sha256 == sha256))
        try:
            return None if packed is None else zlib.decompress(packed)
        except zlib.error:
            return b""

    def purge(self, digests: Iterable[str]) -> None:
        """Forget the content of these artifacts."""
        rows = [{"digest": digest} for digest in digests]
        if rows:
            with self._database.transaction() as connection:
                overwrite_deleted(connection)
                connection.execute(delete(schema.artifact).where(schema.artifact.c.sha256 == bindparam("digest")), rows)

    def close(self) -> None:
        """Let go of the connections."""
        self._database.close()

    def _entries(
        self, table: Table, key: Column[str], entry_of: Callable[[Any], _Entry], limit: int | None, prefix: str
    ) -> list[_Entry]:
        chosen = select(table).where(key.startswith(prefix, autoescape=True))
        with self._database.reading() as connection:
            rows = connection.execute(chosen.order_by(table.c.number.desc()).limit(limit)).mappings().all()
        try:
            return [entry_of(row) for row in rows]
        except ValueError as error:
            told = f"a receipt or an event cannot be read ({error})"
            raise StoreError(f"{self._database.name} is damaged: {told}; restore a backup") from error


def _last(table: Table, digest: Column[str]) -> Any:
    """Number and digest of the last row."""
    return select(table.c.number, digest).order_by(table.c.number.desc()).limit(1).subquery().select()


_LAST_OF_BOTH = Prepared(
    union_all(_last(schema.run, schema.run.c.receipt_sha256), _last(schema.event, schema.event.c.event_sha256))
)
_DIGESTS = select(listed_texts("digests"))
_KNOWN = Prepared(select(schema.artifact.c.sha256).where(schema.artifact.c.sha256.in_(_DIGESTS)))
_INSERT_RUN, _INSERT_EVENT = Prepared(insert(schema.run)), Prepared(insert(schema.event))
_INSERT_ARTIFACTS = Prepared(upsert(schema.artifact).on_conflict_do_nothing())
_INSERT_RETRIEVAL, _INSERT_HITS = Prepared(insert(schema.retrieval)), Prepared(insert(schema.retrieval_hit))


def _end_of_chain(connection: Connection) -> tuple[int, str]:
    """The number that comes next, which nobody else can take until the transaction ends, and the last digest."""
    begin_alone(connection, "receipts")
    number, digest = max(_LAST_OF_BOTH.rows(connection), default=(0, ""))
    return number + 1, digest


def _insert_artifacts(connection: Connection, contents: Mapping[str, bytes]) -> None:
    """Store those contents, by their digests, that are not there yet."""
    known = {name for (name,) in _KNOWN.rows(connection, digests=json.dumps(list(contents)))}
    new = [
        {"sha256": name, "content": zlib.compress(item, QUICK)} for name, item in contents.items() if name not in known
    ]
    _INSERT_ARTIFACTS.run(connection, new)


def _insert_retrieval(connection: Connection, query: RetrievalQuery, hits: Sequence[RetrievalHit]) -> None:
    _INSERT_RETRIEVAL.run(connection, [row_of(schema.retrieval, query)])
    _INSERT_HITS.run(connection, [row_of(schema.retrieval_hit, hit) for hit in hits])


def _run_row(run: Run) -> Row:
    return row_of(schema.run, run, previous_sha256=run.previous, receipt_sha256=run.digest)


def _run_of(row: Mapping[str, Any]) -> Run:
    return record_of(Run, row, previous=row["previous_sha256"], digest=row["receipt_sha256"])


def _event_row(event: AuditEvent) -> Row:
    return row_of(schema.event, event, previous_sha256=event.previous, event_sha256=event.digest)


def _event_of(row: Mapping[str, Any]) -> AuditEvent:
    return record_of(AuditEvent, row, previous=row["previous_sha256"], digest=row["event_sha256"])
