"""Where another document says the same, or the contrary: corroboration behind a statement, conflicts side by side.

Both are found among sentences of equal words alone: those that differ in more are told one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pincite.answer.asked.question import years_in
from pincite.answer.material.case import Case
from pincite.answer.material.sentences import Sentence
from pincite.answer.relations.editions import are_editions, newest_edition
from pincite.answer.relations.entities import told_in
from pincite.answer.said.statements import citations_of, locator_and_text, quoted, stated
from pincite.answer.words.facts import values_in
from pincite.answer.words.vocabulary import MODALS, NEGATIONS, NEGATIONS_AND_MODALS, pattern_of
from pincite.graph.names import find_names, normal_name
from pincite.records.answers import Statement
from pincite.records.citations import Citation
from pincite.text.tokens import fold_number

LEAST_WORDS = 3
"""Sentences of two words agree by chance."""
LEAST_CONFIDENCE = 0.1
"""The chance of what hardly speaks to the question, which is not set against anything. By eye, not measured."""

_VERDICT = re.compile(r"^((?:[^:]+: )?)(?:Yes|No): ")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_ONCE = frozenset(("born", "die", "found"))
# What says these speaks of its own document or of who wrote it.
_OF_ITSELF = pattern_of("accounts", "itself")

Place = tuple[str, tuple[tuple[int, int, int], ...]]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a sentence says: the families of its words, its values, the numbers that are none, its negations and modal
    verbs, and all of it in order."""

    words: frozenset[str]
    values: tuple[str, ...]
    others: tuple[str, ...]
    negations: frozenset[str]
    modals: frozenset[str]
    text: str
    names_a_thing: bool


def set_beside(case: Case, statements: Sequence[Statement]) -> list[Statement]:
    """The statements, each with the places of other documents that say the same in `also`; behind one that speaks to
    the question and that another document contradicts the contrary, both as `conflict` and neither with a verdict.
    Nothing is said twice."""
    known = {_place(sentence): sentence for sentence in reversed(case.sentences)}
    said: set[Place] = set()
    made: list[Statement] = []
    for statement in statements:
        place = _place_of(statement)
        sentence = None if statement.kind == "missing" else known.get(place)
        if sentence is None:
            made.append(statement)
        elif place not in said:
            same = _agreeing(case, sentence)
            newest = newest_edition(case, sentence)
            if newest is not None and _place(newest) not in said:
                made.append(quoted(newest, statement.confidence, case.around.chunks))
                said.add(_place(newest))
            against = _contrary(case, sentence) if statement.confidence >= LEAST_CONFIDENCE else []
            made.append(_with_also(_without_verdict(statement) if against else statement, same))
            for opposite in against:
                echoes = _agreeing(case, opposite)
                made.append(_with_also(_against(opposite), echoes))
                same = [*same, opposite, *echoes]
            said.update(_place(other) for other in (sentence, *same))
    return made


def _place(sentence: Sentence) -> Place:
    return sentence.chunk.source_id, tuple((s.page, s.start, s.end) for s in sentence.passage.spans)


def _place_of(statement: Statement) -> Place:
    cited = statement.citations
    return cited[0].source_id if cited else "", tuple((c.span.page, c.span.start, c.span.end) for c in cited)


def _agreeing(case: Case, sentence: Sentence) -> list[Sentence]:
    """The sentences of other documents that say the same: in the same words, or by an equal triplet in other order."""
    own = _read(sentence)
    return [
        other
        for other, reading in _of_equal_words(case, sentence)
        if replace(reading, text="") == replace(own, text="")
        and (reading.text == own.text or not _triplets(case, other).isdisjoint(_triplets(case, sentence)))
    ]


def _contrary(case: Case, sentence: Sentence) -> list[Sentence]:
    """The sentences of other documents that deny the sentence, or give another value, one for each thing that they
    say."""
    own = _read(sentence)
    found = {
        reading.text: other
        for other, reading in reversed(list(_of_equal_words(case, sentence)))
        if not _of_other_times(sentence, other) and (_denies(own, reading) or _gives_another_value(own, reading))
    }
    return list(reversed(found.values()))


def _of_other_times(one: Sentence, other: Sentence) -> bool:
    """Whether their documents are editions of one, or have years in their names, and none in common: each speaks of its
    own."""
    if are_editions(one.chunk.source_id, other.chunk.source_id):
        return True
    years = [set(years_in(f"{s.chunk.filename} {s.chunk.title or ''}".replace("_", " "))) for s in (one, other)]
    return all(years) and years[0].isdisjoint(years[1])


def _denies(one: _Reading, other: _Reading) -> bool:
    numbers = (one.values, one.others) == (other.values, other.others)
    return numbers and bool(one.negations) != bool(other.negations)


def _gives_another_value(one: _Reading, other: _Reading) -> bool:
    """Another value of the same named thing; a year counts as one where the thing happens once."""
    if (one.negations, one.modals) != (other.negations, other.modals) or not one.names_a_thing:
        return False
    if one.others == other.others:
        return one.values != other.values and len(one.values) == len(other.values)
    years = [number for number in (*one.others, *other.others) if _YEAR.fullmatch(number)]
    return len(years) == 2 == len((*one.others, *other.others)) and not one.words.isdisjoint(_ONCE)


def _of_equal_words(case: Case, sentence: Sentence) -> Iterator[tuple[Sentence, _Reading]]:
    """The sentences of other documents in running text that have the same words, whatever their numbers; none for one
    that speaks of its own document."""
    words = _words(sentence.roots)
    if len(words) < LEAST_WORDS or sentence.passage.kind == "table" or _OF_ITSELF.search(sentence.text):
        return
    for other in case.sentences:
        is_elsewhere = other.chunk.source_id != sentence.chunk.source_id and other.passage.kind != "table"
        if is_elsewhere and _words(other.roots) == words:
            yield other, _read(other)


@lru_cache(maxsize=4096)
def _words(roots: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in roots if not word[0].isdigit() and word not in NEGATIONS_AND_MODALS)


def _read(sentence: Sentence) -> _Reading:
    text = sentence.text
    values = values_in(text)
    numbers = _NUMBER.findall(text)
    bare = {number for number in values if _YEAR.fullmatch(number)}
    small = {word.casefold() for word in _WORD.findall(text)}
    return _Reading(
        words=_words(sentence.roots),
        values=tuple(fold_number(number) for number in values if number not in bare),
        others=tuple(sorted(fold_number(number) for number in numbers if number not in values or number in bare)),
        negations=frozenset(small & NEGATIONS),
        modals=frozenset(small & MODALS),
        text=" ".join(_WORD.findall(text.casefold())),
        names_a_thing=any(not name.opens for name in find_names(text)),
    )


def _triplets(case: Case, sentence: Sentence) -> set[tuple[str, str, str]]:
    """What a sentence says of two things, whichever stands first."""
    found = set()
    for triplet in told_in(sentence.passage, case.around.triplets([sentence.chunk])[sentence.chunk.chunk_id]):
        ends, inverse = (normal_name(triplet.subject), normal_name(triplet.object)), case.around.ontology.inverse
        found.add((ends[0], triplet.name, ends[1]))
        if other := inverse(triplet.name):
            found.add((ends[1], other, ends[0]))
    return found


def _with_also(statement: Statement, same: Sequence[Sentence]) -> Statement:
    cited: list[Citation] = [*statement.also, *(c for other in same for c in citations_of(other.passage, other.chunk))]
    return replace(statement, also=tuple({(c.source_id, c.span): c for c in cited}.values()))


def _without_verdict(statement: Statement) -> Statement:
    return replace(statement, kind="conflict", text=_VERDICT.sub(r"\1", statement.text))


def _against(sentence: Sentence) -> Statement:
    locator, text = locator_and_text(sentence.chunk.section_number, sentence.text)
    return stated(f"Against this: {text}", "conflict", [(sentence.passage, sentence.chunk)], locator=locator)
