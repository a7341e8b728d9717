"""Paths from what the question names to what the evidence says, one triplet a step (GeAR, Shen et al. 2024).

The steps are the triplets that the record has of the evidence's sentences; a step that has no sentence to show does
not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pincite.answer.asked.question import families_of
from pincite.answer.material.case import Case
from pincite.answer.material.sentences import Sentence
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.relations.entities import begins_in, is_readable, told_in
from pincite.answer.said.statements import citations_of
from pincite.graph.names import KEPT_NAMES, find_names, names_in, normal_name
from pincite.graph.network import EntityNetwork
from pincite.graph.ontology import Ontology
from pincite.graph.triplets import extract_all
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord
from pincite.records.citations import Citation, SupportingTriplet, TripletPath
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


READ_WORDS = 120
"""What the rules read while somebody waits, where the record has no triplets (0403). By eye, not measured."""
MOST_STEPS = 3
"""Longer paths join what has nothing to do with each other. By eye, not measured."""
MOST_PATHS = 5
"""As many as are read. By eye."""
LEAST_CONFIDENCE = 0.3
"""Triplets below are guesses of the rules; the record keeps those from .2 on (0403). By eye, not measured."""
SPOKEN_TO = 0.25
"""Least worth of the last step: it has to speak to the question. By eye, not measured."""
PER_STEP = 0.9
"""A factor: each step more may be the one that is wrong. By eye, not measured."""


@dataclass(frozen=True, slots=True)
class _Step:
    """From one name to another by what one sentence says; `worth` in 0..1."""

    source: str
    edge: str
    target: str
    worth: float
    citation: Citation


def find_paths(case: Case) -> tuple[TripletPath, ...]:
    """The best paths, at most MOST_PATHS, no two to the same end from the same start.

    A path is worth the mean of its steps, each its triplet's confidence and how far its sentence speaks to the
    question, less for each step beyond the first and for a common name on the way; its last step has to speak to the
    question. Where any ends with an edge whose label the question names ("invested_in"), only those count.
    """
    network, text = case.around.space.network, case.question.text
    concepts = {
        network.name(found.entity): network.name(found.entity) if found.misspelt else text[found.start : found.end]
        for found in case.around.concepts(text)
    }
    if not concepts:
        return ()
    steps = _steps(case, concepts)
    walked = [path for name in sorted(concepts) for path in _walked(concepts[name], name, steps)]
    asked = {label for label in {path.edges[-1] for path in walked} if _is_asked(case, label)}
    labelled = [path for path in walked if path.edges[-1] in asked]
    found = [replace(path, score=_score(network, path)) for path in labelled or walked]
    best: dict[tuple[str, str], TripletPath] = {}
    for path in sorted(found, key=lambda path: (-path.score, len(path.path), path.path)):
        best.setdefault((path.path[0], normal_name(path.path[-1])), path)
    return tuple(list(best.values())[:MOST_PATHS])


def _is_asked(case: Case, label: str) -> bool:
    """Whether the question has a word of this label, small words aside."""
    words = families_of(label.replace("_", " "), ("en",))
    return any(not word.isdisjoint(case.question.roots) for word in words)


def _score(network: EntityNetwork, path: TripletPath) -> float:
    """What a path is worth, by the mean of its steps, its length, and the most common name on its way."""
    inner = network.find([normal_name(name) for name in path.path[1:-1]])
    counts = network.chunk_counts(inner[inner >= 0])
    size = network.size
    rarity = np.log1p(size / counts.max()) / np.log1p(size) if len(counts) else 1.0
    return round(float(path.score * rarity * PER_STEP ** (len(path.edges) - 1)), 6)


def _steps(case: Case, concepts: Iterable[str]) -> list[_Step]:
    """What the evidence's sentences say of two names: as the record has it, or, where it has nothing of any of them, as
    the rules read it."""
    telling = _telling(case, concepts)
    chunks = {sentence.chunk.chunk_id: sentence.chunk for sentence, _ in telling}
    stored = case.around.triplets(list(chunks.values()))
    steps = []
    for sentence, spoken in telling:
        for triplet in told_in(sentence.passage, stored[sentence.chunk.chunk_id]):
            said = (triplet.subject, triplet.name, triplet.object, triplet.confidence)
            steps += _between_names(said, sentence, spoken, case.around.ontology)
    chosen = [] if any(stored.values()) else list(_readable(telling))
    read = extract_all([sentence.text for sentence, _ in chosen], case.around.ontology)
    for (sentence, spoken), raws in zip(chosen, read, strict=True):
        for raw in raws:
            said = (raw.subject_text, raw.name, raw.arguments[0] if raw.arguments else "", raw.confidence)
            steps += _between_names(said, sentence, spoken, case.around.ontology)
    return steps


def _between_names(
    said: tuple[str, str, str, float], sentence: Sentence, spoken: float, ontology: Ontology
) -> list[_Step]:
    """The step and, where it is known, its inverse; none where one end has no name, or both have the same."""
    subject, name, target, confidence = said
    if confidence < LEAST_CONFIDENCE or not (first := _name_in(subject)) or not (second := _name_in(target)):
        return []
    if first == second:
        return []
    citation = citations_of(sentence.passage, sentence.chunk)[0]
    worth = round(confidence * (1 + spoken) / 2, 6)
    inverse = ontology.inverse(name)
    back = [_Step(second, inverse, first, worth, citation)] if inverse else []
    return [_Step(first, name, second, worth, citation), *back]


def _telling(case: Case, concepts: Iterable[str]) -> list[tuple[Sentence, float]]:
    """The sentences, those that hold most of the question's other words first, each with the share of those."""
    named = {root for name in concepts for word in families_of(name, case.retrieval.query.languages) for root in word}
    asked = [word for word in case.question.words if word.isdisjoint(named)]
    found = [
        (sentence, sum(not word.isdisjoint(sentence.roots) for word in asked) / max(len(asked), 1))
        for sentence in sorted(case.sentences, key=lambda sentence: (sentence.rank, sentence.position))
    ]
    return sorted(found, key=lambda item: -item[1])


def _readable(telling: Sequence[tuple[Sentence, float]]) -> Iterator[tuple[Sentence, float]]:
    """The first of them with a name that the rules can read, together at most READ_WORDS words, which is what there is
    time for."""
    words = 0
    for sentence, spoken in telling:
        if is_readable(sentence.chunk) and sentence.passage.kind != "table" and _name_in(sentence.text):
            words += len(sentence.text.split())
            if words > READ_WORDS:
                return
            yield sentence, spoken


@lru_cache(maxsize=KEPT_NAMES)
def _name_in(text: str) -> str:
    """The longest name that a phrase holds; an empty string where it holds none."""
    return "" if text.islower() else max((name.text for name in find_names(text)), key=len, default="")


def _walked(start: str, normal: str, steps: Sequence[_Step]) -> Iterator[TripletPath]:
    """All paths of up to MOST_STEPS steps from a name, through none twice, whose last step speaks to the question."""
    leaving: dict[str, list[_Step]] = {}
    for step in steps:
        leaving.setdefault(normal_name(step.source), []).append(step)
    open_paths: list[tuple[_Step, ...]] = [(step,) for step in leaving.get(normal, ())]
    while open_paths:
        path = open_paths.pop()
        if path[-1].worth >= SPOKEN_TO:
            yield TripletPath(
                path=(start, *(step.target for step in path)),
                edges=tuple(step.edge for step in path),
                citations=tuple(step.citation for step in path),
                score=round(sum(step.worth for step in path) / len(path), 6),
            )
        been = {normal, *(normal_name(step.target) for step in path)}
        if len(path) < MOST_STEPS:
            onward = leaving.get(normal_name(path[-1].target), ())
            open_paths += [(*path, step) for step in onward if normal_name(step.target) not in been]
