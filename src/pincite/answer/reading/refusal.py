"""Whether a question is refused, and what is said instead of an answer: what comes nearest, where its words stand."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.answer.asked.question import asked_quantity, families_of, roots_of
from pincite.answer.material.case import Case, asked_sections, stands_nowhere
from pincite.answer.material.headed_rows import rows_by_line
from pincite.answer.material.rows import is_value
from pincite.answer.material.sentences import Sentence, coverage_of, sentences_of_chunk
from pincite.answer.reading.answerable import LookedUp, is_unlikely
from pincite.answer.reading.missing import (
    LOOKED_IN,
    PARTS,
    missing_question,
    missing_text,
    not_in_store,
    words_nowhere,
)
from pincite.answer.reading.reads import CaseRead
from pincite.answer.reading.said_units import trimmed
from pincite.answer.said.statements import stated
from pincite.answer.words.amounts import of_quantity
from pincite.answer.words.facts import folded_name, has_value, without_aside
from pincite.records.answers import NEAREST, Statement
from pincite.retrieve.named import named_sources

LEAST_COVERED = 0.35
"""Of the words of a question, by weight, in one chunk: where nothing but words can tell whether it speaks of it."""
MOST_UNKNOWN = 0.5
"""Of the words of a question that stand in no document."""
MOST_WORDS = 8
"""A longer question tells by its unknown words alone: no chunk can hold most of it."""
MOST_MENTIONS = 2
"""Places where the words of a quantity without a value are shown."""
LEAST_NEAR = 0.05
"""The chance of a unit that is worth showing where nothing answers. By eye, not measured."""
WINDOW = 1
"""Sentences between the name of a quantity and its value."""
SAID_SHARE = 0.75
"""Of the words of a question in one sentence that says what is asked."""


def refusal(read: CaseRead, known: LookedUp) -> list[Statement]:
    """Nothing where the evidence is likely to answer; else what to say instead of an answer, with the nearest passage
    shown as what it is."""
    case = read.case
    if not _is_refused(read, known):
        return []
    quantity = asked_quantity(case.question)
    if quantity and not _has_value(case, quantity):
        return [_no_value(case, quantity), *_pointers(case, quantity), *_nearest(read)]
    return [stated(missing_text(missing_question(case)), "missing", ()), *_nearest(read)]


def looked_up(case: Case) -> LookedUp:
    """What only the store can tell of whether the evidence answers."""
    quantity = asked_quantity(case.question)
    nowhere = words_nowhere(case)
    named = [word for name in case.question.names for word in name.split()]
    return LookedUp(
        unknown=len(nowhere) / max(1, len(case.question.words)),
        names_unknown=len(set(named) & set(nowhere)) / max(1, len(set(named))),
        quantity_lacks_value=bool(quantity) and not _has_value(case, quantity or ""),
        anchored=_is_anchored(case),
    )


def _is_refused(read: CaseRead, known: LookedUp) -> bool:
    """Whether no unit is likely to answer. Without vectors, with which the chance was trained, whether too few words of
    the question stand together anywhere."""
    case = read.case
    if not read.units:
        return True
    if all(item.scores.vec is None for item in case.retrieval.evidence):
        return _is_far(case)
    is_foreign = read.reader is None and known.unknown > MOST_UNKNOWN
    return is_foreign or is_unlikely(read, known)


def _nearest(read: CaseRead) -> list[Statement]:
    """The likeliest unit as the nearest passage, where it is near at all."""
    for item in (item for item in read.units[:1] if item.chance >= LEAST_NEAR):
        unit = trimmed(read, item) or item.unit
        return [stated(f"{NEAREST}{unit.text}", "missing", unit.quoted)]
    return []


def is_unknown_quantity(case: Case) -> bool:
    """Whether a word of the name of the asked quantity stands in no document: then no plan can find its value. What
    part of another it is ("fraction", "share") need not be said."""
    quantity = (asked_quantity(case.question) or "").split(" of ")[0]
    return any(stands_nowhere(case, word) for word in quantity.split() if word not in PARTS)


def _is_far(case: Case) -> bool:
    """Whether too few words of the question stand together in any chunk, no sentence holds most of them, and no heading
    is named in it."""
    count = len(case.question.words)
    unknown = len(words_nowhere(case)) / max(1, count)
    if unknown >= MOST_UNKNOWN:
        return True
    covered = max(coverage_of(case.question, case.sentences, _by_chunk(case.sentences)), default=0.0) - unknown
    is_near = count > MOST_WORDS or covered >= LEAST_COVERED
    return not is_near and not _is_said(case) and not _is_anchored(case) and not _has_followed(case)


def _is_said(case: Case) -> bool:
    """Whether one sentence holds most words of the question, those of its names among them."""
    words, names = case.question.words, case.question.name_roots
    named = [word for word in words if word & names]
    return len(words) > 1 and any(
        sum(not word.isdisjoint(s.roots) for word in words) >= SAID_SHARE * len(words)
        and all(not word.isdisjoint(s.roots) for word in named)
        for s in case.sentences
    )


def _by_chunk(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    groups: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        groups.setdefault(sentence.chunk.chunk_id, []).append(sentence)
    return list(groups.values())


def _has_followed(case: Case) -> bool:
    """Whether names of the evidence led to chunks about them: a question of several steps has far words."""
    return any(sentence.evidence is None for sentence in case.sentences[:LOOKED_IN])


def _is_anchored(case: Case) -> bool:
    """Whether the question names a section or a document of the evidence, or, with a capital, a heading."""
    sources = {item.chunk.source_id for item in case.retrieval.evidence}
    if asked_sections(case.retrieval) or named_sources(case.question.text, sources, case.around.space.titles()):
        return True
    names = " | ".join(folded_name(name) for name in case.question.names)
    headings = {folded_name(without_aside(sentence.heading)) for sentence in case.sentences}
    return any(heading and f" {heading} " in f" {names} " for heading in sorted(headings))


def _has_value(case: Case, quantity: str) -> bool:
    """Whether the words of the quantity and a value stand together, at most one sentence apart, or in a row and the
    heads of its table."""
    said = " ".join(word for word in quantity.split() if word not in PARTS)
    words = families_of(said, case.retrieval.query.languages)
    ordered = sorted(case.sentences, key=lambda s: (s.rank, s.position))
    for index, sentence in enumerate(ordered):
        around = [
            other
            for other in ordered[max(0, index - WINDOW) : index + WINDOW + 1]
            if other.chunk.chunk_id == sentence.chunk.chunk_id
        ]
        held = frozenset().union(*(other.roots for other in around)) | sentence.context
        if all(not word.isdisjoint(held) for word in words) and any(
            has_value(of_quantity(other.text, quantity)) for other in around
        ):
            return True
    rows = (row for chunk in dict.fromkeys(s.chunk for s in ordered) for row in rows_by_line(chunk).values())
    return any(
        any(is_value(cell) for _, cell in row.cells[1:])
        and all(not word.isdisjoint(roots_of(f"{row.caption} {row.text}", row.whole[1].language)) for word in words)
        for row in rows
    )


def _mentions(case: Case, quantity: str) -> list[Sentence]:
    """The sentences of the whole store that hold all words of the quantity, one a document."""
    words = families_of(quantity, case.retrieval.query.languages)
    rank = len(case.retrieval.evidence) + 1
    named = [s for chunk in case.around.named(quantity) for s in sentences_of_chunk(chunk, None, rank)]
    found = [s for s in (*case.sentences, *named) if all(not word.isdisjoint(s.roots) for word in words)]
    by_source = {sentence.chunk.source_id: sentence for sentence in reversed(found)}
    return sorted(by_source.values(), key=lambda s: s.rank)[:MOST_MENTIONS]


def _no_value(case: Case, quantity: str) -> Statement:
    found = _mentions(case, quantity)
    said = f"No information found: no value of “{quantity}” stands in the evidence"
    if found:
        said = f"No information found: no value of “{quantity}”; the words stand on {len(found)} pages"
    return stated(said, "missing", [(s.passage, s.chunk) for s in found])


def _pointers(case: Case, quantity: str) -> list[Statement]:
    """Where the words do stand, and what is referred to there but is not in the store."""
    found = _mentions(case, quantity)
    made = [stated(f"The words stand here: {s.text}", "missing", [(s.passage, s.chunk)]) for s in found]
    near = [*found, *case.sentences][: MOST_MENTIONS + 2]
    if names := not_in_store(case, near):
        cited = [(s.passage, s.chunk) for s in near[:1]]
        made.append(stated(f"Referred to, but not in this folder: {'; '.join(names)}", "missing", cited))
    return made
