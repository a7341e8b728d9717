"""The tables of the record and of the audit file (spec/phase3_rag.md; docs/design.md section 5)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

from pincite.store.dialect import portable

SCHEMA_VERSION = 7
WORD, KIND, UUID, MOMENT, DIGEST, CHUNK_ID, MODEL = map(String, (8, 16, 36, 40, 64, 128, 200))
record, audit = MetaData(), MetaData()


def _needed(kind: Any, *names: str) -> list[Column[Any]]:
    return [Column(name, kind, nullable=False) for name in names]


def _optional(kind: Any, *names: str) -> list[Column[Any]]:
    return [Column(name, kind) for name in names]


def _of_edition(name: str, key: str, *columns: Column[Any] | Index, has_rowid: bool = True) -> Table:
    """A table of what hangs on an edition, by the edition and these columns of its own."""
    edition_key: Column[int] = Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False)
    primary = PrimaryKeyConstraint("edition_key", *key.split())
    return Table(name, record, edition_key, *columns, primary, sqlite_with_rowid=has_rowid)


meta = Table("meta", record, Column("name", DIGEST, primary_key=True), *_needed(Text, "value"))

revision = Table(
    "revision",
    record,
    Column("number", Integer, primary_key=True, autoincrement=True),
    *_needed(String(32), "change"),
    *_needed(DIGEST, "source_key"),
    *_needed(MOMENT, "created_utc"),
)

source = Table(
    "source",
    record,
    Column("source_key", DIGEST, primary_key=True),
    *_needed(Text, "source_id"),
    *_needed(String(100), "source_type"),
    *_needed(Text, "source_ref_json"),
    *_needed(DIGEST, "content_sha256"),
    *_needed(Integer, "size", "modified_ns"),
    *_optional(MOMENT, "date"),
    *_needed(Text, "tags_json", "acl_json"),
    *_needed(KIND, "status"),
    *_optional(Text, "reason"),
    *_needed(Text, "versions_json"),
    *_needed(MOMENT, "last_indexed_utc"),
    *_needed(Integer, "chunk_count"),
)

edition = Table(
    "edition",
    record,
    Column("edition_key", Integer, primary_key=True, autoincrement=True),
    Column("edition_id", DIGEST, nullable=False, unique=True),
    Column("source_key", DIGEST, nullable=False, index=True),
    *_needed(DIGEST, "content_sha256"),
    *_needed(Text, "versions_json"),
    *_optional(Text, "title"),
    *_optional(WORD, "language"),
    *_needed(Integer, "paged"),
    *_needed(WORD, "locators"),
    *_needed(Text, "outline_json", "metadata_json", "warnings_json"),
    *_needed(Integer, "page_count", "chunk_count"),
)

membership = _of_edition("membership", "since", *_needed(Integer, "since"), *_optional(Integer, "until"))

access = Table(
    "access",
    record,
    Column("ordinal", Integer, primary_key=True, autoincrement=True),
    Column("source_key", DIGEST, nullable=False, index=True),
    *_needed(Integer, "since"),
    *_optional(Integer, "until"),
    *_needed(Text, "acl_json"),
)
"""From which revision on, and up to which, a source was closed to everybody without one of these tags."""

page = _of_edition(
    "page",
    "number",
    *_needed(Integer, "number"),
    *_optional(Text, "label", "section"),
    *_needed(Float, "width", "height"),
    *_needed(WORD, "origin"),
    *_needed(Text, "text", "tables_json"),
)

block = _of_edition(
    "block",
    "ordinal",
    *_needed(Integer, "ordinal"),
    *_needed(KIND, "kind"),
    *_needed(Integer, "page", "start", "end"),
    *_optional(Integer, "level"),
    *_optional(Text, "locator", "box_json"),
)

masked_span = _of_edition(
    "masked_span",
    "ordinal",
    *_needed(Integer, "ordinal"),
    *_needed(DIGEST, "kind"),
    *_needed(Integer, "page", "start", "end"),
    has_rowid=False,
)

section = _of_edition(
    "section",
    "ordinal",
    *_needed(Integer, "ordinal"),
    *_optional(Text, "number"),
    *_needed(Text, "title"),
    *_needed(Integer, "level"),
    *_optional(Integer, "parent"),
    *_needed(Text, "path_json"),
    *_needed(Integer, "first_page", "last_page", "start", "end"),
    Column("place", Text, nullable=False, index=True),
)

document_name = _of_edition("document_name", "ordinal", *_needed(Integer, "ordinal"), *_needed(Text, "name"))

anchor = _of_edition(
    "anchor",
    "ordinal",
    *_needed(Integer, "ordinal"),
    *_needed(KIND, "kind"),
    *_optional(Text, "number"),
    *_needed(Text, "title"),
    *_needed(Integer, "page", "start", "end"),
    *_optional(Integer, "section"),
    *_optional(Text, "box_json"),
)

reference = _of_edition(
    "reference",
    "ordinal",
    *_needed(Integer, "ordinal"),
    *_needed(KIND, "kind"),
    *_needed(Integer, "start", "end"),
    *_needed(Text, "text"),
    *_needed(KIND, "unit"),
    *_optional(Text, "number", "until"),
    *_optional(Integer, "within"),
    *_optional(Text, "document"),
    *_optional(KIND, "relative"),
)

hyperlink = _of_edition(
    "hyperlink",
    "ordinal",
    *_needed(Integer, "ordinal"),
    *_needed(Text, "file"),
    *_optional(Text, "place"),
    *_optional(Integer, "reference"),
    has_rowid=False,
)

place_name = _of_edition(
    "place_name",
    "ordinal",
    *_needed(Integer, "ordinal"),
    *_needed(Text, "name"),
    *_needed(Integer, "start"),
    has_rowid=False,
)

reference_link = _of_edition(
    "reference_link",
    "ordinal since",
    *_needed(Integer, "ordinal", "since"),
    *_optional(Integer, "until"),
    *_needed(KIND, "status"),
    *_optional(Text, "reason"),
    *_needed(Text, "targets_json"),
)

chunk = Table(
    "chunk",
    record,
    Column("chunk_id", CHUNK_ID, primary_key=True),
    *_needed(String(100), "source_type"),
    *_needed(Text, "source_ref_json", "offsets_json", "content"),
    Column("content_sha256", DIGEST, nullable=False, index=True),
    *_needed(Integer, "byte_count"),
    *_needed(Text, "policy_json"),
    *_needed(MOMENT, "created_utc"),
    *_needed(Text, "raw_content"),
    *_needed(DIGEST, "source_key"),
)

edition_chunk = _of_edition(
    "edition_chunk",
    "chunk_index",
    *_needed(Integer, "chunk_index"),
    Column("chunk_id", CHUNK_ID, ForeignKey("chunk.chunk_id"), nullable=False),
    *_optional(Integer, "section_ordinal"),
    *_optional(Text, "section_number"),
    *_needed(Text, "section_json"),
    *_optional(Text, "locator"),
    Index("edition_chunk_by_chunk", "chunk_id"),
)

chunk_anchor = _of_edition(
    "chunk_anchor", "chunk_index anchor_ordinal", *_needed(Integer, "chunk_index", "anchor_ordinal")
)

mention = _of_edition(
    "mention",
    "ordinal",
    *_needed(Integer, "ordinal"),
    *_needed(KIND, "kind"),
    *_needed(Integer, "start", "end"),
    *_needed(Text, "name"),
    *_optional(Text, "full"),
    has_rowid=False,
)

triplet = _of_edition(
    "triplet",
    "page start ordinal",
    *_needed(Integer, "page", "start", "ordinal", "end"),
    *_needed(Text, "subject", "predicate", "name", "object"),
    *_needed(Integer, "subject_start", "subject_end", "object_start", "object_end"),
    *_needed(Float, "confidence"),
    *_needed(DIGEST, "extractor", "version"),
    has_rowid=False,
)

vector = Table(
    "vector",
    record,
    *_needed(DIGEST, "model_digest", "text_sha256"),
    *_needed(Integer, "window", "dimension"),
    *_needed(LargeBinary, "vector"),
    *_needed(DIGEST, "vector_sha256"),
    *_needed(MOMENT, "created_utc"),
    PrimaryKeyConstraint("model_digest", "text_sha256", "window"),
    sqlite_with_rowid=False,
)

portable(record)

MIGRATIONS: dict[int, tuple[str, ...]] = {
    2: (
        "ALTER TABLE section ADD COLUMN place TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX ix_section_place ON section (place)",
    ),
    3: (),
    4: (),
    5: (),
    6: (),
    7: (
        "INSERT INTO access (source_key, since, until, acl_json) "
        "SELECT source_key, 0, NULL, acl_json FROM source WHERE acl_json <> '[]'",
    ),
}
"""What turns a record of the version before into this version, apart from new tables, which are made anyway."""

VIEWS = {
    "source_registry": """
        CREATE VIEW source_registry AS
        SELECT source_key AS source_id, source_type, source_ref_json, content_sha256, last_indexed_utc, chunk_count,
               tags_json
        FROM source""",
    "embedding": """
        CREATE VIEW embedding AS
        SELECT substr(c.chunk_id, 1, 8) || '-' || substr(c.chunk_id, 9, 4) || '-5' || substr(c.chunk_id, 14, 3) || '-a'
                 || substr(v.vector_sha256, 1, 3) || '-' || substr(v.vector_sha256, 4, 12) AS embedding_id,
               c.chunk_id AS chunk_id,
               COALESCE((SELECT n.value FROM meta AS d JOIN meta AS n ON n.name = 'model_name'
                         WHERE d.name = 'model_digest' AND d.value = v.model_digest), v.model_digest)
                 AS embedding_model,
               v.dimension AS vector_dim, v.window AS window, v.vector AS vector,
               v.vector_sha256 AS vector_sha256, v.created_utc AS created_utc
        FROM chunk AS c JOIN vector AS v ON v.text_sha256 = c.content_sha256""",
}

# --- the audit file

AUDIT_VERSION = 3
"""Version 1 had only `retrieval` and `retrieval_hit`, and no version number; version 2 had no events and no askers."""
_RUN_OF_VERSION_2 = """
    CREATE TABLE IF NOT EXISTS run (
        number INTEGER NOT NULL PRIMARY KEY, run_id VARCHAR(36) NOT NULL UNIQUE, created_utc VARCHAR(40) NOT NULL,
        query_text TEXT NOT NULL, mode VARCHAR(16) NOT NULL, refused INTEGER NOT NULL, generation VARCHAR(64) NOT NULL,
        revision INTEGER NOT NULL, artifacts_json TEXT NOT NULL, previous_sha256 VARCHAR(64) NOT NULL,
        receipt_sha256 VARCHAR(64) NOT NULL
    )"""
AUDIT_MIGRATIONS: dict[int, tuple[str, ...]] = {
    2: (_RUN_OF_VERSION_2,),
    3: ("ALTER TABLE run ADD COLUMN who VARCHAR(64) NOT NULL DEFAULT ''",),
}
"""What turns a file of the version before into a version, apart from new tables, which are made anyway."""

retrieval = Table(
    "retrieval",
    audit,
    Column("retrieval_id", UUID, primary_key=True),
    *_optional(UUID, "run_id"),
    *_needed(Text, "query_text"),
    *_needed(MODEL, "query_embedding_model"),
    *_needed(Integer, "top_k"),
    *_needed(Text, "filters_json", "policy_json"),
    *_needed(MOMENT, "created_utc"),
)

retrieval_hit = Table(
    "retrieval_hit",
    audit,
    Column("retrieval_id", UUID, ForeignKey("retrieval.retrieval_id"), nullable=False),
    *_needed(Integer, "rank"),
    *_needed(CHUNK_ID, "chunk_id"),
    *_needed(Float, "score"),
    *_needed(Text, "metadata_json"),
    PrimaryKeyConstraint("retrieval_id", "rank"),
)

run = Table(
    "run",
    audit,
    Column("number", Integer, primary_key=True),
    Column("run_id", UUID, nullable=False, unique=True),
    *_needed(MOMENT, "created_utc"),
    *_needed(Text, "query_text"),
    *_needed(KIND, "mode"),
    *_needed(Integer, "refused"),
    *_needed(DIGEST, "generation"),
    *_needed(Integer, "revision"),
    *_needed(Text, "artifacts_json"),
    *_needed(DIGEST, "previous_sha256", "receipt_sha256"),
    Column("who", DIGEST, nullable=False, server_default=""),
)

# Its numbers and those of `run` are one sequence.
event = Table(
    "event",
    audit,
    Column("number", Integer, primary_key=True),
    Column("event_id", UUID, nullable=False, unique=True),
    *_needed(MOMENT, "created_utc"),
    *_needed(KIND, "kind"),
    *_needed(DIGEST, "who"),
    *_needed(Text, "source_id"),
    *_optional(Integer, "page"),
    *_needed(UUID, "trace_id"),
    *_needed(Text, "details_json"),
    *_needed(DIGEST, "previous_sha256", "event_sha256"),
)

# The content of artifacts, zlib-compressed, by the SHA-256 of its bytes; what was purged has no row.
artifact = Table("artifact", audit, Column("sha256", DIGEST, primary_key=True), *_needed(LargeBinary, "content"))

portable(audit)
