"""The tables of the record (spec/phase3_rag.md; docs/design.md section 5)."""

from __future__ import annotations

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

record = MetaData()

meta = Table("meta", record, Column("name", String(64), primary_key=True), Column("value", Text, nullable=False))

revision = Table(
    "revision",
    record,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("change", String(32), nullable=False),
    Column("source_key", String(64), nullable=False),
    Column("created_utc", String(40), nullable=False),
)

source = Table(
    "source",
    record,
    Column("source_key", String(64), primary_key=True),
    Column("source_id", Text, nullable=False),
    Column("source_type", String(100), nullable=False),
    Column("source_ref_json", Text, nullable=False),
    Column("content_sha256", String(64), nullable=False),
    Column("size", Integer, nullable=False),
    Column("modified_ns", Integer, nullable=False),
    Column("date", String(40)),
    Column("tags_json", Text, nullable=False),
    Column("acl_json", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", Text),
    Column("versions_json", Text, nullable=False),
    Column("last_indexed_utc", String(40), nullable=False),
    Column("chunk_count", Integer, nullable=False),
)

edition = Table(
    "edition",
    record,
    Column("edition_key", Integer, primary_key=True, autoincrement=True),
    Column("edition_id", String(64), nullable=False, unique=True),
    Column("source_key", String(64), nullable=False, index=True),
    Column("content_sha256", String(64), nullable=False),
    Column("versions_json", Text, nullable=False),
    Column("title", Text),
    Column("language", String(8)),
    Column("paged", Integer, nullable=False),
    Column("locators", String(8), nullable=False),
    Column("outline_json", Text, nullable=False),
    Column("metadata_json", Text, nullable=False),
    Column("warnings_json", Text, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("chunk_count", Integer, nullable=False),
)

membership = Table(
    "membership",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("since", Integer, nullable=False),
    Column("until", Integer),
    PrimaryKeyConstraint("edition_key", "since"),
)

access = Table(
    "access",
    record,
    Column("ordinal", Integer, primary_key=True, autoincrement=True),
    Column("source_key", String(64), nullable=False, index=True),
    Column("since", Integer, nullable=False),
    Column("until", Integer),
    Column("acl_json", Text, nullable=False),
)
"""From which revision on, and up to which, a source was closed to all but who has one of these tags."""

page = Table(
    "page",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("label", Text),
    Column("section", Text),
    Column("width", Float, nullable=False),
    Column("height", Float, nullable=False),
    Column("origin", String(8), nullable=False),
    Column("text", Text, nullable=False),
    Column("tables_json", Text, nullable=False),
    PrimaryKeyConstraint("edition_key", "number"),
)

block = Table(
    "block",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("page", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("level", Integer),
    Column("locator", Text),
    Column("box_json", Text),
    PrimaryKeyConstraint("edition_key", "ordinal"),
)

masked_span = Table(
    "masked_span",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("kind", String(64), nullable=False),
    Column("page", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    PrimaryKeyConstraint("edition_key", "ordinal"),
    sqlite_with_rowid=False,
)

section = Table(
    "section",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("number", Text),
    Column("title", Text, nullable=False),
    Column("level", Integer, nullable=False),
    Column("parent", Integer),
    Column("path_json", Text, nullable=False),
    Column("first_page", Integer, nullable=False),
    Column("last_page", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("place", Text, nullable=False, index=True),
    PrimaryKeyConstraint("edition_key", "ordinal"),
)

document_name = Table(
    "document_name",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("name", Text, nullable=False),
    PrimaryKeyConstraint("edition_key", "ordinal"),
)

anchor = Table(
    "anchor",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("number", Text),
    Column("title", Text, nullable=False),
    Column("page", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("section", Integer),
    Column("box_json", Text),
    PrimaryKeyConstraint("edition_key", "ordinal"),
)

reference = Table(
    "reference",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("unit", String(16), nullable=False),
    Column("number", Text),
    Column("until", Text),
    Column("within", Integer),
    Column("document", Text),
    Column("relative", String(16)),
    PrimaryKeyConstraint("edition_key", "ordinal"),
)

hyperlink = Table(
    "hyperlink",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("file", Text, nullable=False),
    Column("place", Text),
    Column("reference", Integer),
    PrimaryKeyConstraint("edition_key", "ordinal"),
    sqlite_with_rowid=False,
)

place_name = Table(
    "place_name",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("start", Integer, nullable=False),
    PrimaryKeyConstraint("edition_key", "ordinal"),
    sqlite_with_rowid=False,
)

reference_link = Table(
    "reference_link",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("since", Integer, nullable=False),
    Column("until", Integer),
    Column("status", String(16), nullable=False),
    Column("reason", Text),
    Column("targets_json", Text, nullable=False),
    PrimaryKeyConstraint("edition_key", "ordinal", "since"),
)

chunk = Table(
    "chunk",
    record,
    Column("chunk_id", String(128), primary_key=True),
    Column("source_type", String(100), nullable=False),
    Column("source_ref_json", Text, nullable=False),
    Column("offsets_json", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("content_sha256", String(64), nullable=False, index=True),
    Column("byte_count", Integer, nullable=False),
    Column("policy_json", Text, nullable=False),
    Column("created_utc", String(40), nullable=False),
    Column("raw_content", Text, nullable=False),
    Column("source_key", String(64), nullable=False),
)

edition_chunk = Table(
    "edition_chunk",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("chunk_index", Integer, nullable=False),
    Column("chunk_id", String(128), ForeignKey("chunk.chunk_id"), nullable=False),
    Column("section_ordinal", Integer),
    Column("section_number", Text),
    Column("section_json", Text, nullable=False),
    Column("locator", Text),
    PrimaryKeyConstraint("edition_key", "chunk_index"),
    Index("edition_chunk_by_chunk", "chunk_id"),
)

chunk_anchor = Table(
    "chunk_anchor",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("chunk_index", Integer, nullable=False),
    Column("anchor_ordinal", Integer, nullable=False),
    PrimaryKeyConstraint("edition_key", "chunk_index", "anchor_ordinal"),
)

mention = Table(
    "mention",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("full", Text),
    PrimaryKeyConstraint("edition_key", "ordinal"),
    sqlite_with_rowid=False,
)

triplet = Table(
    "triplet",
    record,
    Column("edition_key", Integer, ForeignKey("edition.edition_key"), nullable=False),
    Column("page", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("subject", Text, nullable=False),
    Column("predicate", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("object", Text, nullable=False),
    Column("subject_start", Integer, nullable=False),
    Column("subject_end", Integer, nullable=False),
    Column("object_start", Integer, nullable=False),
    Column("object_end", Integer, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("extractor", String(64), nullable=False),
    Column("version", String(64), nullable=False),
    PrimaryKeyConstraint("edition_key", "page", "start", "ordinal"),
    sqlite_with_rowid=False,
)

vector = Table(
    "vector",
    record,
    Column("model_digest", String(64), nullable=False),
    Column("text_sha256", String(64), nullable=False),
    Column("window", Integer, nullable=False),
    Column("dimension", Integer, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Column("vector_sha256", String(64), nullable=False),
    Column("created_utc", String(40), nullable=False),
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
