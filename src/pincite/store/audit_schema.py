"""The tables of the audit file (spec/phase3_rag.md; DESIGN.md section 5)."""

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

AUDIT_VERSION = 2
"""Version 1 had `retrieval` and `retrieval_hit` alone, and did not say its number."""
MIGRATIONS: dict[int, tuple[str, ...]] = {}
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
)

# The content of artifacts, zlib-compressed, by the SHA-256 of its bytes; what was purged has no row.
artifact = Table(
    "artifact",
    audit,
    Column("sha256", String(64), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
