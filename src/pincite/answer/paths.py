"""Paths from what the question names to what the evidence says, one sentence a step (GeAR, Shen et al. 2024).

The steps are triplets of the evidence's sentences; a step that has no sentence to show does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pincite.answer.entities import is_readable
from pincite.answer.passages import Passage, passages_of
from pincite.answer.statements import citations_of
from pincite.graph.concepts import find_concepts
from pincite.graph.names import find_names, normal_name
from pincite.graph.network import EntityNetwork
from pincite.graph.ontology import shipped_ontology
from pincite.graph.triplets import extract_all
from pincite.records import ChunkRecord, Citation, Evidence, TripletPath
from pincite.text.tokens import tokenise

READ_WORDS = 120
MOST_STEPS = 3
MOST_PATHS = 5
LEAST_CONFIDENCE = 0.3
SPOKEN_TO = 0.25


@dataclass(frozen=True, slots=True)
class _Step:
    """From one name to another by what one sentence says; `worth` in 0..1."""

    source: str
    edge: str
    target: str
    worth: float
    citation: Citation


def find_paths(question: str, network: EntityNetwork, evidence: Sequence[Evidence]) -> tuple[TripletPath, ...]:
    """The best paths, at most MOST_PATHS, no two to the same end from the same start.

    A path is worth the mean of its steps, each its
    triplet's confidence and how far its sentence speaks to the question; its last step has to speak to it.
    """
    concepts = {
        network.name(concept.entity): question[concept.start : concept.end]
        for concept in find_concepts(network, question)
    }
    if not concepts:
        return ()
    steps = _steps(question, concepts, evidence)
    found = [path for name in sorted(concepts) for path in _walked(concepts[name], name, steps)]
    best: dict[tuple[str, str], TripletPath] = {}
    for path in sorted(found, key=lambda path: (-path.score, len(path.path), path.path)):
        best.setdefault((path.path[0], normal_name(path.path[-1])), path)
    return tuple(list(best.values())[:MOST_PATHS])


def _steps(question: str, concepts: Mapping[str, str], evidence: Sequence[Evidence]) -> list[_Step]:
    asked = set(tokenise(question, "en")) - {token for name in concepts for token in tokenise(name, "en")}
    chosen = _telling(asked, evidence)
    read = extract_all([passage.text for _, passage, _ in chosen])
    steps = []
    for (chunk, passage, spoken), triplets in zip(chosen, read, strict=True):
        citation = citations_of(passage, chunk)[0]
        for triplet in triplets:
            ends = _name_in(triplet.subject_text), _name_in(triplet.arguments[0] if triplet.arguments else "")
            if not all(ends) or triplet.confidence < LEAST_CONFIDENCE or ends[0] == ends[1]:
                continue
            worth = round(triplet.confidence * (1 + spoken) / 2, 6)
            steps.append(_Step(ends[0], triplet.name, ends[1], worth, citation))
            if inverse := shipped_ontology().inverse(triplet.name):
                steps.append(_Step(ends[1], inverse, ends[0], worth, citation))
    return steps


def _telling(asked: set[str], evidence: Sequence[Evidence]) -> list[tuple[ChunkRecord, Passage, float]]:
    """The sentences with a name in them that hold most of the question's words, with the share of those; together at
    most READ_WORDS words, which is what there is time for."""
    found = [
        (item.chunk, passage, len(asked.intersection(tokenise(passage.text, "en"))) / max(len(asked), 1))
        for item in evidence
        if is_readable(item.chunk)
        for passage in passages_of(item.chunk)
        if passage.kind != "table" and any(True for _ in find_names(passage.text))
    ]
    best = sorted(found, key=lambda item: -item[2])
    words = accumulate(len(passage.text.split()) for _, passage, _ in best)
    return [item for item, total in zip(best, words, strict=True) if total <= READ_WORDS]


def _name_in(text: str) -> str:
    """The longest name that a phrase holds; an empty string where it holds none."""
    return max((name.text for name in find_names(text)), key=len, default="")


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
