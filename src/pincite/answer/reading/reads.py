"""What of the evidence is read, and what the reader says of it. For a question of two steps ("Where was the
director of X born?") the unit that names somebody is read first, then what stands under that name.

Trees over signals that cost little choose the units that are read; the reader says how relevant each is, and which of
its sentences are evidence. Without a reader the trees have the last word. `tools/train_reading.py` trains the trees and
what turns relevance into a chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pincite.answer.material.case import Case, follow_names
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.material.units import Unit, path_of, units_of
from pincite.answer.reading.chances import UnitRead, chance_of, log_odds, shipped_weights
from pincite.answer.reading.signals import FEATURES, signals_of
from pincite.answer.words.facts import folded_name, without_aside
from pincite.graph.network import SHORT_DOCUMENT
from pincite.ports import Readable, Reader
from pincite.records.answers import Statement
from pincite.records.evidence import Evidence, Retrieval
from pincite.retrieve.profiles import Trees, read_trees

LEADING = 6
"""Of the units that were read the likeliest, whose sentences may lead on: of 88 written questions of two steps the
answer is in the best unit for .64, .73, .77 and .80 with 1, 2, 4 and 6 of them."""
MOST_BEHIND = 12
"""Units that are read behind a sentence: .64, .75, .80 and .80 with 4, 8, 12 and 16."""
GAIN = 0.5
"""How much more relevant a unit has to be behind a sentence than the unit of that sentence by itself: .82, .80, .69
with 0, 0.5 and 1, where it is .26 without this step; of 28 questions of one step .79, .82 and .86, for .93 without."""


@dataclass(frozen=True, slots=True)
class Step:
    """From a sentence of a unit that was read to a unit of the document that the sentence names."""

    start: UnitRead
    lead: Sentence
    unit: Unit

    @property
    def readable(self) -> Readable:
        """The unit behind the sentence."""
        return Readable(path_of(self.lead.chunk), (self.lead.text, *self.unit.readable.parts))


def read_second_step(case: Case, units: Sequence[Unit], read: Sequence[UnitRead], reader: Reader) -> list[UnitRead]:
    """The same, with those units that answer better behind a sentence which leads to them."""
    best = sorted(read, key=lambda item: -item.chance)[:LEADING]
    steps = list(steps_from(case, units, best))[:MOST_BEHIND]
    readings = reader.read(case.question.text, [step.readable for step in steps], deadline=case.around.deadline)
    found = {id(item.unit): item for item in read}
    for step, reading in zip(steps, readings, strict=True):
        start, own = step.start.reading, found.get(id(step.unit))
        chance = chance_of(reading)
        if start is None or reading.relevance < start.relevance + GAIN or (own is not None and chance <= own.chance):
            continue
        found[id(step.unit)] = UnitRead(
            step.unit, chance, replace(reading, evidence=reading.evidence[1:]), lead=step.lead
        )
    return list(found.values())


def steps_from(case: Case, units: Sequence[Unit], best: Sequence[UnitRead]) -> Iterator[Step]:
    """From the likeliest units on, each document once: those that are known, and those that are looked up by name."""
    leading = [(item, sentence) for item in best for sentence in item.unit.sentences]
    followed = follow_names(
        case.question.text,
        [sentence for _, sentence in leading],
        [*case.sentences, *case.beyond],
        case.around.all_named,
    )
    rank = 1 + max((unit.sentences[0].rank for unit in units), default=0)
    new = units_of([sentence for chunk in followed for sentence in sentences_of_chunk(chunk, None, rank)])
    names = {unit.chunk.source_id: _name_of(case, unit) for unit in (*units, *new)}
    asked, seen = f" {folded_name(case.question.text)} ", set[str]()
    for start, lead in leading:
        text = f" {folded_name(lead.text)} "
        for source, name in names.items():
            if name.isspace() or source in seen or source == lead.chunk.source_id or name in asked or name not in text:
                continue
            seen.add(source)
            yield from (Step(start, lead, unit) for unit in (*units, *new) if unit.chunk.source_id == source)


def _name_of(case: Case, unit: Unit) -> str:
    """What the document of a unit is about, by its title; nothing of a long one."""
    is_short = case.around.size(unit.chunk.source_id) <= SHORT_DOCUMENT
    return f" {folded_name(without_aside(unit.chunk.title or ''))} " if is_short else " "


MOST_READ = 24
"""Units that are read: each costs about 25 ms of one core."""
FAR = 2.8
"""How much lower the log-odds of what is proposed by words may be than those of the likeliest unit: five logits of the
reader, as before it came in (0508)."""


@dataclass(frozen=True, slots=True)
class CaseRead:
    """The units of a case that may answer it, the likeliest first; ties in the order of the evidence."""

    case: Case
    units: tuple[UnitRead, ...]
    reader: Reader | None

    def chance_of(self, statements: Sequence[Statement]) -> float | None:
        """How likely statements answer the question together, by the reader; None where there is none."""
        if self.reader is None:
            return None
        cited = [citation.chunk_id for statement in statements for citation in statement.citations][:1]
        path = next(map(path_of, self.case.around.chunks(cited)), "")
        text = Readable(path, tuple(statement.text for statement in statements))
        around = self.case.around
        with around.space.watch.timing("reranker"):
            reading = self.reader.read(self.case.question.text, [text], deadline=around.deadline)[0]
        return chance_of(reading)


def read_case(case: Case) -> CaseRead:
    """What the evidence of a case says, unit by unit."""
    units = units_of([*case.sentences, *case.beyond])
    signals = signals_of(case, units)
    around, items = case.around, likeliest(units, signals)
    if around.reader is None or not items:
        return CaseRead(case, _ranked(items), None)
    with around.space.watch.timing("reranker"):
        readings = around.reader.read(
            case.question.text, [item.unit.readable for item in items], deadline=around.deadline
        )
        read = [
            replace(item, reading=reading, chance=chance_of(reading))
            for item, reading in zip(items, readings, strict=True)
        ]
        read = read_second_step(case, units, read, around.reader)
    return CaseRead(case, _ranked(read), around.reader)


def likeliest(units: Sequence[Unit], signals: NDArray[np.float64]) -> list[UnitRead]:
    """Those MOST_READ units with the highest chances by the cheap signals, in their order."""
    chances = cheap_chances(signals)
    best = np.sort(np.lexsort((np.arange(len(units)), -chances))[:MOST_READ])
    return [UnitRead(units[place], float(chances[place])) for place in best.tolist()]


def cheap_chances(signals: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely each unit answers, by the signals that cost little."""
    return np.round(1 / (1 + np.exp(-_trees().predict(signals))), 6)


def is_outdone(read: CaseRead, chance: float) -> bool:
    """Whether the likeliest unit is far likelier than that."""
    return bool(read.units) and log_odds(read.units[0].chance) - log_odds(chance) >= FAR


def writes_beside_the_point(read: CaseRead, statements: Sequence[Statement]) -> bool:
    """Whether what a language model wrote answers far worse than the likeliest unit."""
    chance = None if any(said.kind == "missing" for said in statements) else read.chance_of(statements)
    return chance is not None and is_outdone(read, chance)


def evidence_of(retrieval: Retrieval, statements: Sequence[Statement], read: CaseRead | None) -> tuple[Evidence, ...]:
    """The hits and what these statements cite behind them, each with the chance of its best unit where the reader read
    one: the likeliest first, the others behind them in the order of their ranks."""
    cited = {citation.chunk_id for statement in statements for citation in statement.citations}
    evidence = [*retrieval.evidence, *(item for item in retrieval.beyond if item.chunk.chunk_id in cited)]
    best: dict[str, float] = {}
    for item in () if read is None else read.units:
        if item.reading is not None:
            best.setdefault(item.unit.chunk.chunk_id, item.chance)
    scored = (replace(item, scores=replace(item.scores, rerank=best.get(item.chunk.chunk_id))) for item in evidence)
    return tuple(sorted(scored, key=lambda item: (-(item.scores.rerank or 0.0), item.rank)))


def _ranked(items: Sequence[UnitRead]) -> tuple[UnitRead, ...]:
    return tuple(sorted(items, key=lambda item: -item.chance))


@lru_cache(maxsize=1)
def _trees() -> Trees:
    return read_trees(shipped_weights()["choice"], FEATURES)
