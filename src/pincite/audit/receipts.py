"""What is kept of every question, so that it can be checked later (spec/phase3_rag.md, audit trail)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from pincite.ports import ReceiptStore
from pincite.records import Retrieval, RetrievalHit, RetrievalPolicy, RetrievalQuery, to_plain


def store_receipt(receipts: ReceiptStore, retrieval: Retrieval, policy: RetrievalPolicy, model: str) -> str:
    """Store a retrieval with all its hits and their scores; its id."""
    retrieval_id = str(uuid.uuid4())
    query = RetrievalQuery(
        retrieval_id=retrieval_id,
        run_id=None,
        query_text=retrieval.query.text,
        query_embedding_model=model,
        top_k=policy.top_k,
        filters=to_plain(retrieval.query.filter),
        policy=to_plain(policy),
        created_utc=datetime.now(UTC),
    )
    hits = [
        RetrievalHit(
            retrieval_id=retrieval_id,
            chunk_id=item.chunk.chunk_id,
            score=item.scores.final,
            rank=item.rank,
            metadata={"scores": to_plain(item.scores), "retrieved_by": list(item.retrieved_by)},
        )
        for item in retrieval.evidence
    ]
    receipts.put_retrieval(query, hits)
    return retrieval_id
