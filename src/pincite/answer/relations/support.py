"""The triplets that the record has of the sentences which an answer cites."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.answer.material.case import Case
from pincite.answer.relations.entities import begins_in
from pincite.records import Span, Statement, SupportingTriplet


def supporting_triplets(case: Case, statements: Sequence[Statement]) -> tuple[SupportingTriplet, ...]:
    """What the cited sentences of the evidence say of two things each, in the order of the evidence, each once."""
    cited: dict[str, list[Span]] = {}
    for citation in (citation for statement in statements for citation in statement.citations):
        cited.setdefault(citation.chunk_id, []).append(citation.span)
    chunks = [item.chunk for item in case.retrieval.evidence if item.chunk.chunk_id in cited]
    stored = case.around.triplets(chunks)
    found = (
        SupportingTriplet(triplet.subject, triplet.name, triplet.object, chunk.chunk_id)
        for chunk in chunks
        for triplet in stored[chunk.chunk_id]
        if any(begins_in(triplet, span) for span in cited[chunk.chunk_id])
    )
    return tuple(dict.fromkeys(found))
