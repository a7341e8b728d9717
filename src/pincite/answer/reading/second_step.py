"""The second step of a question of two ("Where was the director of X born?"): the first unit names somebody, the unit
that answers stands under that name, and is read behind the sentence that leads to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.answer.material.case import Case
from pincite.answer.material.hops import follow_names
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.material.units import Unit, path_of, units_of
from pincite.answer.reading.chances import UnitRead, chance_of
from pincite.answer.words.facts import folded_name, without_aside
from pincite.graph.network import SHORT_DOCUMENT
from pincite.ports import Readable, Reader

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
