"""Which of the units that were read are said: the likeliest, and what is nearly as likely and adds to it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from pincite.answer.material.columns import names_label
from pincite.answer.material.select import is_new, says_something
from pincite.answer.material.units import Unit
from pincite.answer.reading.chances import UnitRead
from pincite.answer.reading.reads import CaseRead
from pincite.answer.said.statements import quoted, stated, told_by
from pincite.records.answers import Statement
from pincite.records.pages import Span

LONGEST_SAID = 700
"""Characters of units that are said together."""
MOST_SAID = 3
"""Units that are said together."""
NEAR = 2.0
"""How far below the likeliest unit's relevance what stands behind it may lie. Of the facts of 637 written questions one
unit states .53 in 30 words, two within 1 and 2 .61 and .64 in 39 and 49, three within 2 .66 in 60."""
LEAST_SHARE = 0.7
"""Without a reader: of the likeliest unit's chance, for what stands behind it. Of written questions' facts .45, .6, .7
and .8 stated .40, .38, .35 and .33, in 62, 54, 48 and 43 words."""
LEAST_BEHIND = 0.5
"""The chance of what stands behind the finding of a plan, which has answered already."""


def choose_units(
    read: CaseRead,
    said: Collection[tuple[str, Span]],
    room: int = LONGEST_SAID,
    fits: Callable[[Unit], bool] | None = None,
    least: float = 0.0,
) -> list[Statement]:
    """What to say in `room` characters of the units that fit, the likeliest first, each trimmed; behind what was
    `said` (source ids and spans), only what says something else; none whose chance is below `least`."""
    chosen: list[list[Statement]] = []
    texts: set[str] = set()
    best: UnitRead | None = None
    for item in _on_the_row(read, [item for item in read.units if fits is None or fits(item.unit)]):
        if item.chance < least or len(chosen) == MOST_SAID:
            break
        if best is not None and not _is_near(item, best):
            break
        statements = _with_lead(item, _statements(read, item, said, fits), read, texts)
        folded = " ".join(" ".join(statement.text for statement in statements).casefold().split())
        if not statements or folded in texts or (len(folded) > room and (chosen or said)):
            continue
        best = best or item
        texts.add(folded)
        chosen.append(statements)
        room -= len(folded) + 1
    return [statement for statements in chosen for statement in statements]


def _on_the_row(read: CaseRead, items: Sequence[UnitRead]) -> Iterator[UnitRead]:
    """The units without rows of tables of which another row has a label that the question names."""
    question = read.case.question
    rows = [(item.unit.chunk.chunk_id, item.unit.row) for item in items if item.unit.row is not None]
    named = {chunk_id for chunk_id, row in rows if names_label(question, row)}
    for item in items:
        row = item.unit.row
        if row is None or item.unit.chunk.chunk_id not in named or names_label(question, row):
            yield item


def _with_lead(item: UnitRead, statements: list[Statement], read: CaseRead, texts: Collection[str]) -> list[Statement]:
    """What a unit says behind the sentence that leads to it, unless that was said."""
    if item.lead is None or not statements or any(item.lead.text.casefold() in text for text in texts):
        return statements
    return [quoted(item.lead, item.chance, read.case.around.chunks), *statements]


def _is_near(item: UnitRead, best: UnitRead) -> bool:
    if item.reading is None or best.reading is None:
        return item.chance >= LEAST_SHARE * best.chance
    return item.reading.relevance >= best.reading.relevance - NEAR


def _statements(
    read: CaseRead, item: UnitRead, said: Collection[tuple[str, Span]], fits: Callable[[Unit], bool] | None
) -> list[Statement]:
    """What a unit says; nothing where it cannot stand alone or was said, nor of a row of values without heads."""
    unit = read.trimmed(item)
    if unit is None or not all(is_new(sentence, said) for sentence in unit.sentences):
        return []
    if unit.row is not None and not unit.row.says_what_it_counts:
        return []
    if unit.row is not None:
        made = stated(unit.text, "value", unit.quoted)
        return [replace(made, confidence=round(item.chance, 4))]
    if fits is not None and not unit.is_list:
        fitting = tuple(sentence for sentence in unit.sentences if fits(Unit((sentence,))))
        if not fitting:
            return []
        unit = Unit(fitting)
    if unit.kind == "table" and not all(map(says_something, unit.sentences)):
        return []
    return told_by(unit, item.chance, read.case.around.chunks)
