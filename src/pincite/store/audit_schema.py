"""The tables of the audit file (spec/phase3_rag.md; docs/design.md section 5)."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

from pincite.store.dialect import portable

AUDIT_VERSION = 3
"""Version 1 had `retrieval` and `retrieval_hit` alone, and did not say its number; version 2 knew no events, and not
who asked."""
_RUN_OF_VERSION_2 = """
    CREATE TABLE IF NOT EXISTS run (
        number INTEGER NOT NULL PRIMARY KEY, run_id VARCHAR(36) NOT NULL UNIQUE, created_utc VARCHAR(40) NOT NULL,
        query_text TEXT NOT NULL, mode VARCHAR(16) NOT NULL, refused INTEGER NOT NULL, generation VARCHAR(64) NOT NULL,
        revision INTEGER NOT NULL, artifacts_json TEXT NOT NULL, previous_sha256 VARCHAR(64) NOT NULL,
        receipt_sha256 VARCHAR(64) NOT NULL
    )"""
MIGRATIONS: dict[int, tuple[str, ...]] = {
    2: (_RUN_OF_VERSION_2,),
    3: ("ALTER TABLE run ADD COLUMN who VARCHAR(64) NOT NULL DEFAULT ''",),
}
"""What turns a file of the version before into a version, apart from new tables, which are made anyway."""

audit = MetaData()

retrieval = Table(
    "retrieval",
    audit,
    Column("retrieval_id", String(36), primary_key=True),
    Column("run_id", String(36)),
    Column("query_text", Text, nullable=False),
    Column("query_embedding_model", String(200), nullable=False),
    Column("top_k", Integer, nullable=False),
    Column("filters_json", Text, nullable=False),
    Column("policy_json", Text, nullable=False),
    Column("created_utc", String(40), nullable=False),
)

retrieval_hit = Table(
    "retrieval_hit",
    audit,
    Column("retrieval_id", String(36), ForeignKey("retrieval.retrieval_id"), nullable=False),
    Column("rank", Integer, nullable=False),
    Column("chunk_id", String(128), nullable=False),
    Column("score", Float, nullable=False),
    Column("metadata_json", Text, nullable=False),
    PrimaryKeyConstraint("retrieval_id", "rank"),
)

run = Table(
    "run",
    audit,
    Column("number", Integer, primary_key=True),
    Column("run_id", String(36), nullable=False, unique=True),
    Column("created_utc", String(40), nullable=False),
    Column("query_text", Text, nullable=False),
    Column("mode", String(16), nullable=False),
    Column("refused", Integer, nullable=False),
    Column("generation", String(64), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("artifacts_json", Text, nullable=False),
    Column("previous_sha256", String(64), nullable=False),
    Column("receipt_sha256", String(64), nullable=False),
    Column("who", String(64), nullable=False, server_default=""),
)

# Its numbers and those of `run` are one sequence.
event = Table(
    "event",
    audit,
    Column("number", Integer, primary_key=True),
    Column("event_id", String(36), nullable=False, unique=True),
    Column("created_utc", String(40), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("who", String(64), nullable=False),
    Column("source_id", Text, nullable=False),
    Column("page", Integer),
    Column("trace_id", String(36), nullable=False),
    Column("details_json", Text, nullable=False),
    Column("previous_sha256", String(64), nullable=False),
    Column("event_sha256", String(64), nullable=False),
)

# The content of artifacts, zlib-compressed, by the SHA-256 of its bytes; what was purged has no row.
artifact = Table(
    "artifact",
    audit,
    Column("sha256", String(64), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

portable(audit)
