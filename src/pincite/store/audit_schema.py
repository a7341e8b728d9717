"""The tables of the audit file (spec/phase3_rag.md; DESIGN.md section 5)."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Integer, MetaData, PrimaryKeyConstraint, String, Table, Text

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
