"""Receipts of questions in `audit.sqlite`, beside the record and apart from its lock (spec/phase3_rag.md)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, text
from sqlalchemy.dialects.sqlite import insert as upsert

from pincite.errors import StoreError
from pincite.records import RetrievalHit, RetrievalQuery, Run
from pincite.store import audit_schema as schema
from pincite.store.database import open_versioned, transaction
from pincite.store.rows import Row, dump

QUICK = 1


class SqlReceipts:
    """The tables `retrieval`, `retrieval_hit`, `run` and `artifact`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._engine = open_versioned(path, schema.audit, schema.AUDIT_VERSION, schema.MIGRATIONS)

    def put_retrieval(self, query: RetrievalQuery, hits: Sequence[RetrievalHit]) -> None:
        """Store one retrieval with its hits in a short transaction."""
        with self._begin() as connection:
            _insert_retrieval(connection, query, hits)

    def put_run(
        self,
        seal: Callable[[int, str], Run],
        contents: Sequence[bytes],
        query: RetrievalQuery,
        hits: Sequence[RetrievalHit],
    ) -> Run:
        """Store one run with the contents of its artifacts and its retrieval, behind the last run of the chain."""
        by_digest = {sha256(item).hexdigest(): item for item in contents}
        with self._begin() as connection:
            connection.execute(text("BEGIN IMMEDIATE"))
            last = connection.execute(_LAST).first()
            run = seal(1, "") if last is None else seal(last.number + 1, last.receipt_sha256)
            connection.execute(insert(schema.run), _run_row(run))
            _insert_artifacts(connection, by_digest)
            _insert_retrieval(connection, query, hits)
        return run

    def retrievals(self, limit: int | None = 50) -> list[RetrievalQuery]:
        """The latest retrievals, newest first."""
        table = schema.retrieval
        statement = select(table).order_by(table.c.created_utc.desc(), table.c.retrieval_id).limit(limit)
        with self._begin() as connection:
            return [
                RetrievalQuery(
                    retrieval_id=row.retrieval_id,
                    run_id=row.run_id,
                    query_text=row.query_text,
                    query_embedding_model=row.query_embedding_model,
                    top_k=row.top_k,
                    filters=json.loads(row.filters_json),
                    policy=json.loads(row.policy_json),
                    created_utc=datetime.fromisoformat(row.created_utc),
                )
                for row in connection.execute(statement)
            ]

    def hits(self, retrieval_id: str) -> list[RetrievalHit]:
        """The hits of one retrieval, by rank."""
        table = schema.retrieval_hit
        statement = select(table).where(table.c.retrieval_id == retrieval_id).order_by(table.c.rank)
        with self._begin() as connection:
            return [
                RetrievalHit(row.retrieval_id, row.chunk_id, row.score, row.rank, json.loads(row.metadata_json))
                for row in connection.execute(statement)
            ]

    def runs(self, limit: int | None = None, prefix: str = "") -> list[Run]:
        """The latest runs whose ids begin with `prefix`, newest first."""
        table = schema.run
        chosen = select(table).where(table.c.run_id.startswith(prefix, autoescape=True))
        with self._begin() as connection:
            rows = connection.execute(chosen.order_by(table.c.number.desc()).limit(limit)).all()
        try:
            return [_run_of(row) for row in rows]
        except ValueError as error:
            raise StoreError(
                f"{self._path} is damaged: a receipt cannot be read ({error}); restore a backup"
            ) from error

    def content(self, sha256: str) -> bytes | None:
        """The content of an artifact; None where it was purged, empty where it was damaged."""
        table = schema.artifact.c
        with self._begin() as connection:
            packed = connection.scalar(select(table.content).where(table.sha256 == sha256))
        try:
            return None if packed is None else zlib.decompress(packed)
        except zlib.error:
            return b""

    def purge(self, digests: Iterable[str]) -> None:
        """Forget the content of these artifacts."""
        rows = [{"digest": digest} for digest in digests]
        if rows:
            with self._begin() as connection:
                connection.execute(text("PRAGMA secure_delete = ON"))
                connection.execute(delete(schema.artifact).where(schema.artifact.c.sha256 == bindparam("digest")), rows)

    def close(self) -> None:
        """Let go of the connections."""
        self._engine.dispose()

    def _begin(self) -> Any:
        return transaction(self._engine, self._path)


_LAST = select(schema.run.c.number, schema.run.c.receipt_sha256).order_by(schema.run.c.number.desc()).limit(1)


def _insert_artifacts(connection: Connection, contents: Mapping[str, bytes]) -> None:
    """Store those contents, by their digests, that are not there yet."""
    digest = schema.artifact.c.sha256
    known = set(connection.scalars(select(digest).where(digest.in_(contents))))
    new = [
        {"sha256": name, "content": zlib.compress(item, QUICK)} for name, item in contents.items() if name not in known
    ]
    if new:
        connection.execute(upsert(schema.artifact).on_conflict_do_nothing(), new)


def _insert_retrieval(connection: Connection, query: RetrievalQuery, hits: Sequence[RetrievalHit]) -> None:
    row = {
        "retrieval_id": query.retrieval_id,
        "run_id": query.run_id,
        "query_text": query.query_text,
        "query_embedding_model": query.query_embedding_model,
        "top_k": query.top_k,
        "filters_json": dump(query.filters),
        "policy_json": dump(query.policy),
        "created_utc": query.created_utc.isoformat(),
    }
    found = [
        {
            "retrieval_id": hit.retrieval_id,
            "rank": hit.rank,
            "chunk_id": hit.chunk_id,
            "score": hit.score,
            "metadata_json": dump(hit.metadata),
        }
        for hit in hits
    ]
    connection.execute(insert(schema.retrieval), row)
    if found:
        connection.execute(insert(schema.retrieval_hit), found)


def _run_row(run: Run) -> Row:
    return {
        "number": run.number,
        "run_id": run.run_id,
        "created_utc": run.created_utc.isoformat(),
        "query_text": run.query_text,
        "mode": run.mode,
        "refused": int(run.refused),
        "generation": run.generation,
        "revision": run.revision,
        "artifacts_json": dump(run.artifacts),
        "previous_sha256": run.previous,
        "receipt_sha256": run.digest,
    }


def _run_of(row: Any) -> Run:
    return Run(
        run_id=row.run_id,
        created_utc=datetime.fromisoformat(row.created_utc),
        query_text=row.query_text,
        mode=row.mode,
        refused=bool(row.refused),
        generation=row.generation,
        revision=row.revision,
        artifacts=json.loads(row.artifacts_json),
        number=row.number,
        previous=row.previous_sha256,
        digest=row.receipt_sha256,
    )
