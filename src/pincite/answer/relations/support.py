"""The triplets that the record has of results: of what an answer cites, and of what a question names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.answer.material.case import Case
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.relations.entities import begins_in
from pincite.graph.names import names_in
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord
from pincite.records.citations import SupportingTriplet
from pincite.records.evidence import Evidence
from pincite.records.pages import Span
from pincite.records.triplets import Triplet


def supporting_triplets(case: Case, statements: Sequence[Statement]) -> tuple[SupportingTriplet, ...]:
    """What the evidence says of the names of the question, and what its cited sentences say, in the order of the
    evidence, each once."""
    cited: dict[str, list[Span]] = {}
    for citation in (citation for statement in statements for citation in statement.citations):
        cited.setdefault(citation.chunk_id, []).append(citation.span)
    return triplets_of_results(case.around, case.question.text, case.retrieval.evidence, cited)


def triplets_of_results(
    around: Surroundings, question: str, evidence: Sequence[Evidence], cited: Mapping[str, Sequence[Span]]
) -> tuple[SupportingTriplet, ...]:
    """The triplets of these results that have a name of the question as subject or object, or whose sentence begins in
    one of the `cited` places of their chunk."""
    network = around.space.network
    named = {network.name(found.entity) for found in around.concepts(question)}
    chunks = [item.chunk for item in evidence if named or item.chunk.chunk_id in cited]
    stored = around.triplets(chunks)

    def supports(triplet: Triplet, chunk: ChunkRecord) -> bool:
        if any(begins_in(triplet, span) for span in cited.get(chunk.chunk_id, ())):
            return True
        return any(not named.isdisjoint(names_in(end)) for end in (triplet.subject, triplet.object))

    found = (
        SupportingTriplet(triplet.subject, triplet.name, triplet.object, chunk.chunk_id)
        for chunk in chunks
        for triplet in stored[chunk.chunk_id]
        if supports(triplet, chunk)
    )
    return tuple(dict.fromkeys(found))
