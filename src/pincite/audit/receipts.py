"""Receipts: what is kept of each question, so that it can be checked later (spec/phase3_rag.md, audit trail). Of an
answer: its `request`, `environment`, the `answer` with all hits and scores, what of it was `used`, and the `output`,
its JSON without times and ids."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from pincite.audit.chain import sealed
from pincite.audit.kept import Access, Kept, Plain, packed
from pincite.errors import NotThereError, StoreError, UsageError
from pincite.ports import ReceiptStore
from pincite.records.answers import Answer
from pincite.records.audit import RetrievalHit, RetrievalQuery, Run
from pincite.records.evidence import Evidence, Retrieval, Scores
from pincite.records.plain import to_plain
from pincite.records.questions import Filter, RetrievalPolicy

NO_MODEL = "none"
KNOWN = ("request", "environment", "answer", "used", "output")
"""The artifacts that every answer has."""
UNTELLING = ("request", "environment")
"""The artifacts that hold no words of documents; all others may."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A run with what is kept of it; None for what was purged. `others` are artifacts that only some answers have."""

    run: Run
    request: Plain | None
    environment: Plain | None
    answer: Plain | None
    used: Plain | None
    output: Plain | None
    others: Mapping[str, Plain | None] = field(default_factory=dict)


def store_retrieval(receipts: ReceiptStore, retrieval: Retrieval, policy: RetrievalPolicy, model: str) -> None:
    """Store a search with all its hits and their scores."""
    query = retrieval.query
    row = RetrievalQuery(
        retrieval_id=str(uuid.uuid4()),
        run_id=None,
        query_text=query.text,
        query_embedding_model=model,
        top_k=policy.top_k,
        filters=to_plain(query.filter),
        policy=to_plain(policy),
        created_utc=datetime.now(UTC),
    )
    receipts.put_retrieval(row, _hit_rows(row.retrieval_id, retrieval.evidence))


@dataclass(frozen=True, slots=True)
class Asked:
    """The circumstances of an answer: the filter given with the question, the revision, the environment, whether it
    came from the cache, and who asked."""

    given: Filter
    revision: int
    environment: Plain
    cached: bool
    who: str = ""


def store_answer(receipts: ReceiptStore, answer: Answer, kept: Kept, asked: Asked) -> Run:
    """Store an answer with all that is needed to make it again. Of one that was given before, `kept` may be what was
    kept then: it has the id and the time of that, and is not stored twice."""
    model = asked.environment["model"]
    row = RetrievalQuery(
        retrieval_id=str(uuid.uuid4()),
        run_id=answer.trace_id,
        query_text=answer.query,
        query_embedding_model=NO_MODEL if model is None else model["name"],
        top_k=answer.policy.top_k,
        filters=to_plain(asked.given),
        policy=to_plain(answer.policy),
        created_utc=datetime.fromisoformat(answer.timestamp),
    )
    request = {"question": answer.query, "filter": to_plain(asked.given), "policy": to_plain(answer.policy)}
    artifacts = {
        "request": packed(request),
        "environment": packed(asked.environment),
        "answer": kept.content,
        "used": packed({**_used(answer), "cached": asked.cached}),
        "output": kept.output,
    }
    run = Run(
        run_id=answer.trace_id,
        created_utc=row.created_utc,
        query_text=answer.query,
        mode=answer.mode,
        refused=answer.refused,
        generation=answer.generation,
        revision=asked.revision,
        artifacts={name: sha256(content).hexdigest() for name, content in artifacts.items()},
        who=asked.who,
    )
    return receipts.put_run(
        lambda number, previous: sealed(run, number, previous),
        list(artifacts.values()),
        row,
        _hit_rows(row.retrieval_id, answer.evidence),
    )


def find_receipt(receipts: ReceiptStore, prefix: str, access: Access) -> Receipt:
    """The visible receipt whose id begins with this; NotThereError where there is none, UsageError where there are
    several."""
    found = access.opened(receipts, 2, prefix)
    if not found:
        raise NotThereError(f"there is no receipt {prefix!r}: pincite audit list shows them")
    if len(found) > 1:
        raise UsageError(f"more than one receipt begins with {prefix!r}: give more of its id")
    (run,) = found
    contents = {name: receipts.content(digest) for name, digest in run.artifacts.items()}
    try:
        kept = {name: None if content is None else json.loads(content) for name, content in contents.items()}
    except ValueError as error:
        raise StoreError(f"the receipt {run.run_id} was changed: pincite audit verify tells what of it") from error
    others = {name: found for name, found in kept.items() if name not in KNOWN}
    return Receipt(run, **{name: kept.get(name) for name in KNOWN}, others=others)


def forget_receipts(receipts: ReceiptStore, before: datetime) -> int:
    """Forget what is kept of answers that were given before this moment; how many there were."""
    runs = receipts.runs()
    old = [run for run in runs if run.created_utc < before and any(map(receipts.content, run.artifacts.values()))]
    needed = {digest for run in runs if run.created_utc >= before for digest in run.artifacts.values()}
    receipts.purge(sorted({digest for run in old for digest in run.artifacts.values()} - needed))
    return len(old)


def purge_receipts(receipts: ReceiptStore, source_id: str) -> None:
    """Forget what is kept of answers for which this source was found; that they were given stays."""
    mark = packed(source_id)
    for run in receipts.runs():
        told = {name: digest for name, digest in run.artifacts.items() if name not in UNTELLING}
        if any(mark in (receipts.content(digest) or b"") for digest in told.values()):
            receipts.purge(told.values())


def _used(answer: Answer) -> dict[str, Any]:
    """The chunks that the answer cites, and where their sources lie (spec/llmless_retrieval.md, 12)."""
    cited = [citation for said in answer.statements for citation in (*said.citations, *said.also)]
    cited += [citation for path in answer.paths for citation in path.citations]
    places = {item.chunk.source_id: item.chunk.source_ref.get("uri") for item in answer.evidence}
    return {
        "used_chunk_ids": sorted({citation.chunk_id for citation in cited}),
        "s3_paths": {source_id: uri for source_id, uri in sorted(places.items()) if uri},
    }


def _hit_rows(retrieval_id: str, evidence: Iterable[Evidence]) -> list[RetrievalHit]:
    return [
        RetrievalHit(
            retrieval_id=retrieval_id,
            chunk_id=item.chunk.chunk_id,
            score=item.scores.final,
            rank=item.rank,
            metadata={"scores": _computed(item.scores), "retrieved_by": list(item.retrieved_by)},
        )
        for item in evidence
    ]


def _computed(scores: Scores) -> Mapping[str, float]:
    return {name: score for name, score in to_plain(scores).items() if score is not None}
