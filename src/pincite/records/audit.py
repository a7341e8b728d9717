"""What is kept of questions and of what is done beside them, in one chain of digests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class RetrievalQuery:
    """What was asked of retrieval, for the audit trail (spec/phase3_rag.md)."""

    retrieval_id: str
    run_id: str | None
    query_text: str
    query_embedding_model: str
    top_k: int
    filters: Mapping[str, Any]
    policy: Mapping[str, Any]
    created_utc: datetime


@dataclass(frozen=True, slots=True)
class RetrievalHit:
    """One result of a retrieval, for the audit trail (spec/phase3_rag.md)."""

    retrieval_id: str
    chunk_id: str
    score: float
    rank: int
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """One answered question as a link of the audit chain (spec/phase3_rag.md, audit trail).

    `run_id` is the answer's trace id; `artifacts` has the SHA-256 of each thing that is kept of it, by name; `who` is
    the name of who asked, empty where nobody had to say it. `number` counts the entries of the chain from 1,
    `previous` is the digest of the entry before (empty for the first), `digest` covers all the rest.
    """

    run_id: str
    created_utc: datetime
    query_text: str
    mode: str
    refused: bool
    generation: str
    revision: int
    artifacts: Mapping[str, str]
    number: int = 0
    previous: str = ""
    digest: str = ""
    who: str = ""


EventKind = Literal["page seen", "link opened", "uploaded", "deleted", "purged", "clicked", "access changed"]


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Something that was done beside questions, as an entry of the audit chain (spec/llmless_retrieval.md, 12).

    `who` as in `Run`; the document and its physical page, the answer (`trace_id`) that it belongs to, and what else is
    to be known of it, in plain values without fractions: `details["acl"]` are the tags of who may see the document.
    """

    event_id: str
    created_utc: datetime
    kind: EventKind
    who: str = ""
    source_id: str = ""
    page: int | None = None
    trace_id: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    number: int = 0
    previous: str = ""
    digest: str = ""


Entry = Run | AuditEvent
"""What stands in the audit chain."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How much a store forgot: what was kept of answers, and editions of documents."""

    receipts: int = 0
    editions: int = 0
