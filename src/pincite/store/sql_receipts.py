"""Receipts of questions in `audit.sqlite`, beside the record and apart from its lock (spec/phase3_rag.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import insert, select

from pincite.records import RetrievalHit, RetrievalQuery
from pincite.store import audit_schema as schema
from pincite.store.database import open_database, transaction
from pincite.store.rows import dump


class SqlReceipts:
    """The tables `retrieval` and `retrieval_hit`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._engine = open_database(path, schema.audit)

    def put_retrieval(self, query: RetrievalQuery, hits: Sequence[RetrievalHit]) -> None:
        """Store one retrieval with its hits in a short transaction."""
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
        with transaction(self._engine, self._path) as connection:
            connection.execute(insert(schema.retrieval), row)
            if found:
                connection.execute(insert(schema.retrieval_hit), found)

    def retrievals(self, limit: int = 50) -> list[RetrievalQuery]:
        """The latest retrievals, newest first."""
        table = schema.retrieval
        statement = select(table).order_by(table.c.created_utc.desc(), table.c.retrieval_id).limit(limit)
        with transaction(self._engine, self._path) as connection:
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
        with transaction(self._engine, self._path) as connection:
            return [
                RetrievalHit(row.retrieval_id, row.chunk_id, row.score, row.rank, json.loads(row.metadata_json))
                for row in connection.execute(statement)
            ]

    def close(self) -> None:
        """Let go of the connections."""
        self._engine.dispose()
