"""The things that a question sets side by side, each with the sentences that stand under its heading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.material.case import Case
from pincite.answer.material.sentences import Sentence
from pincite.answer.words.facts import folded_name, without_aside


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: its heading, and the sentences that describe it in order."""

    heading: str
    sentences: tuple[Sentence, ...]


def sides_of(case: Case) -> list[Side]:
    """The things under whose headings the evidence has sentences and which the question names, in its order."""
    asked = f" {folded_name(case.question.text)} "
    by_heading: dict[str, list[Sentence]] = {}
    for sentence in sorted(case.sentences, key=lambda s: (s.rank, s.position)):
        title = folded_name(without_aside(sentence.heading))
        if title and f" {title} " in asked:
            by_heading.setdefault(title, []).append(sentence)
    whole = [t for t in by_heading if not any(f" {t} " in f" {other} " and t != other for other in by_heading)]
    return [
        Side(without_aside(by_heading[title][0].heading), of_one_source(_as_asked(by_heading[title], asked)))
        for title in sorted(whole, key=lambda t: asked.index(f" {t} "))
    ]


def _as_asked(sentences: Sequence[Sentence], asked: str) -> Sequence[Sentence]:
    """Those under a heading that the question holds with what stands in its brackets, else all of them."""
    whole = [sentence for sentence in sentences if f" {folded_name(sentence.heading)} " in asked]
    return whole or sentences


def of_one_source(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Those of the best ranked document, in reading order."""
    source = sentences[0].chunk.source_id
    own = [sentence for sentence in sentences if sentence.chunk.source_id == source]
    return tuple(sorted(own, key=lambda s: (s.chunk.index, s.position)))


def after_heading(sentence: Sentence) -> str:
    """The text behind the heading's own words, in which a country may stand as a name ("Battle of Britain")."""
    head = without_aside(sentence.heading)
    return sentence.text[len(head) :] if sentence.text.startswith(head) else sentence.text
