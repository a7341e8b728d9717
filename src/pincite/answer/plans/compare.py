"""Two things side by side: which came first, which is more, are both the same? Both values are cited."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite.answer.asked.question import Question, families_of, roots_of, speaks_of
from pincite.answer.material.case import Case, is_about
from pincite.answer.material.passages import Passaged, headings_of
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.said.statements import stated
from pincite.answer.words.facts import (
    Moment,
    country_words,
    dates_in,
    folded_name,
    may_be_one,
    names_in,
    without_aside,
)
from pincite.answer.words.vocabulary import ROLES, root
from pincite.records.answers import Statement
from pincite.text.tokens import tokenise


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


OPENING = 3
"""Sentences: what a thing is stands in the first ones on it, or is told of something else. By eye, not measured."""
_COUNTRY = re.compile(r"\bsame\s+(?:countr|nation|citizenship)", re.I)
_PLACE = re.compile(r"\bsame\s+(?P<kind>place|state|province|county|region|district|city|town|village)\b", re.I)
_BOTH = re.compile(r"\bboth\s+(?P<kind>[^,;?]+)\W*$", re.I)


# What something is said to be, up to who made it and where.
_SAYS_WHAT = re.compile(
    r"\b(?:is|was|are|were)\s(?!not\b|never\b|no\b)(?P<what>.+?)"
    r"(?=\b(?:by|who|whom|which|that|from|where|but|son|daughter|brother|sister)\b|$)"
)


@dataclass(frozen=True, slots=True)
class Value:
    """What was found for a side: as written, as it is compared, and the sentences that say so."""

    text: str
    compared: tuple[int | str, ...]
    sentences: tuple[Sentence, ...]


def compared(case: Case) -> list[Statement]:
    """One statement with both values, the verdict or the chosen side in front; none where a value is not found."""
    question = case.question
    both = _BOTH.search(question.text) if question.yes_no else None
    if both is None and (question.comparison is None or not (question.yes_no or question.has_choice)):
        return []
    sides = sides_of(case)
    if len(sides) != 2:
        return []
    if question.comparison == "same":
        return _same(case, sides)
    if both is not None:
        return _of_a_kind(case, sides, both["kind"])
    first, second = (_value(case, side, _date) for side in sides)
    return [] if first is None or second is None else _chosen(question, sides, first, second)


def _same(case: Case, sides: Sequence[Side]) -> list[Statement]:
    """Whether both are of one country, or in one place of the kind that is asked; where no such place is named, that
    they are not is said of things in two countries; of a dissolved state and one that came after it nothing."""
    place = _PLACE.search(case.question.text)
    if place is not None:
        first, second = (_value(case, side, _place_of_kind(place["kind"])) for side in sides)
        if first is not None and second is not None:
            return [_verdict(sides, first, second, holds=first.compared == second.compared)]
    elif not _COUNTRY.search(case.question.text):
        return []
    first, second = (_value(case, side, _country) for side in sides)
    if first is None or second is None:
        return []
    is_one = first.compared == second.compared
    is_open = place is not None if is_one else may_be_one(str(first.compared[0]), str(second.compared[0]))
    return [] if is_open else [_verdict(sides, first, second, holds=is_one)]


def _place_of_kind(kind: str) -> Finder:
    """Finds the first place of a kind that the opening sentences name ("Kent County", "the province of Jiangsu")."""
    name = r"(?P<{}>[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)*)"
    pattern = re.compile(rf"\b{name.format('before')}\s(?i:{kind})\b|\b(?i:{kind})\sof\s{name.format('behind')}")

    def find(question: Question, sentences: Sequence[Sentence]) -> Value | None:
        for sentence in sentences[:OPENING]:
            if match := pattern.search(after_heading(sentence)):
                found = match["before"] or match["behind"]
                return Value(found, (folded_name(found),), (sentence,))
        return None

    return find


def _of_a_kind(case: Case, sides: Sequence[Side], kind: str) -> list[Statement]:
    """Whether the opening sentences of both say that it is of this kind ("both American film directors"). That one is
    not is said where it is of other countries; what is not said is not denied."""
    asked = country_words(kind)[:1]
    for written, _ in asked:
        kind = kind.replace(written, " ")
    wanted = families_of(kind, case.retrieval.query.languages)
    homes = [_home(side, [name for _, name in asked]) for side in sides]
    first, second = homes
    if asked and (first is None or second is None):
        return []
    if first is not None and second is not None and (first.compared, second.compared) != ((1,), (1,)):
        return [_verdict(sides, first, second, holds=False)]
    first, second = (_kind(wanted, side, home) for side, home in zip(sides, homes, strict=True))
    return [] if first is None or second is None else [_verdict(sides, first, second, holds=True)]


def _home(side: Side, asked: Sequence[str]) -> Value | None:
    """Whether (1 or 0) the first opening sentence of a side that names countries has the asked one among them; none
    where one of them may be it ("Soviet" where "Russian" is asked)."""
    named = ((country_words(after_heading(sentence)), sentence) for sentence in side.sentences[:OPENING] if asked)
    found, sentence = next(((words, sentence) for words, sentence in named if words), ([], None))
    if sentence is None:
        return None
    fitting = [written for written, name in found if name in asked]
    if not fitting and any(may_be_one(name, other) for _, name in found for other in asked):
        return None
    return Value((fitting or [found[0][0]])[0], (int(bool(fitting)),), (sentence,))


def _kind(wanted: Sequence[frozenset[str]], side: Side, home: Value | None) -> Value | None:
    """The words by which an opening sentence says that a side is of the wanted kind; of its country where no other
    word is wanted."""
    if not wanted:
        return home
    for sentence in side.sentences[:OPENING]:
        said = _SAYS_WHAT.search(after_heading(sentence))
        words = re.findall(r"[^\W\d_]+", said["what"]) if said else []
        roots = {word: roots_of(word, sentence.chunk.language) for word in words}
        if all(any(not family.isdisjoint(found) for found in roots.values()) for family in wanted):
            fitting = (word for word, found in roots.items() if any(not family.isdisjoint(found) for family in wanted))
            return Value(" ".join(fitting), (), (sentence,))
    return None


def _verdict(sides: Sequence[Side], first: Value, second: Value, *, holds: bool) -> Statement:
    verdict, link = ("Yes", "also") if holds else ("No", "against")
    said = f"{verdict}: {sides[0].heading} ({first.text}), {link} {sides[1].heading} ({second.text})"
    return stated(said, "verdict", (*_named(sides[0], first), *_named(sides[1], second)))


def _named(side: Side, value: Value) -> list[Passaged]:
    """What a value stands on, the side's heading first."""
    chunk = side.sentences[0].chunk
    return [*((heading, chunk) for heading in headings_of(chunk)), *((s.passage, s.chunk) for s in value.sentences)]


def _chosen(question: Question, sides: Sequence[Side], first: Value, second: Value) -> list[Statement]:
    if first.compared == second.compared or question.comparison not in ("earlier", "later"):
        return []
    first_wins = (first.compared < second.compared) == (question.comparison == "earlier")
    winner, loser = (0, 1) if first_wins else (1, 0)
    values = (first, second)
    said = f"{sides[winner].heading}: {values[winner].text}, against {values[loser].text} ({sides[loser].heading})"
    cited = [*_named(sides[winner], values[winner]), *_named(sides[loser], values[loser])]
    return [stated(said, "comparison", cited)]


Finder = Callable[[Question, Sequence[Sentence]], Value | None]


def _value(case: Case, side: Side, find: Finder) -> Value | None:
    """The value of a side, or of who stands in the asked role to it ("the director of both films")."""
    role = next((role for role in ROLES if speaks_of(case.question, role)), None)
    if role is None:
        return find(case.question, side.sentences)
    for sentence in side.sentences:
        for name in _names_in_role(sentence, role):
            if found := find(case.question, _described(case, name)):
                return Value(found.text, found.compared, (sentence, *found.sentences))
    return None


def _names_in_role(sentence: Sentence, role: str) -> list[str]:
    """The names that follow a word of the role's family ("directed by NAME")."""
    for word in re.finditer(r"[^\W\d_]+", sentence.text):
        tokens = tokenise(word.group(), sentence.chunk.language)
        if tokens and root(tokens[0]) == role:
            return names_in(sentence.text[word.end() :])[:1]
    return []


def _described(case: Case, name: str) -> list[Sentence]:
    """The sentences under the heading of this name, from the evidence or looked up."""
    known = [sentence for sentence in case.sentences if is_about(sentence.chunk, name)]
    if known:
        return list(of_one_source(sorted(known, key=lambda s: s.rank)))
    chunk = next((chunk for chunk in case.around.named(name) if is_about(chunk, name)), None)
    return [] if chunk is None else sentences_of_chunk(chunk, None, len(case.retrieval.evidence) + 1)


def _country(question: Question, sentences: Sequence[Sentence]) -> Value | None:
    """The first country that the opening sentences name or have an adjective for."""
    for sentence in sentences[:OPENING]:
        if found := country_words(after_heading(sentence)):
            return Value(found[0][0], (found[0][1],), (sentence,))
    return None


def _date(question: Question, sentences: Sequence[Sentence]) -> Value | None:
    """When the thing of these sentences was born, died or came out, whichever the question asks."""
    wanted = "death" if speaks_of(question, "die") else "birth" if _asks_age(question) else "release"
    for sentence in sentences:
        if found := _moment(sentence, wanted):
            return Value(found.text, (found.year, found.month, found.day), (sentence,))
    return None


def _asks_age(question: Question) -> bool:
    return speaks_of(question, "born") or re.search(r"\b(?:older|younger|oldest|youngest)\b", question.text) is not None


def _moment(sentence: Sentence, wanted: str) -> Moment | None:
    """Life dates stand in the first brackets, or behind "born" and "died"; of a work, the first date counts."""
    if wanted == "release":
        return next(iter(dates_in(after_heading(sentence))), None)
    life = re.search(r"\(([^()]*)\)", sentence.text) if sentence.position == 0 else None
    inside = dates_in(life.group(1)) if life else []
    if wanted == "birth" and inside and not re.search(r"\b(?:died|d\.)", life.group(1) if life else ""):
        return inside[0]
    if wanted == "death" and len(inside) > 1:
        return inside[1]
    word = r"\bborn\b" if wanted == "birth" else r"\b(?:died|death|killed)\b"
    said = re.search(word, sentence.text)
    return next(iter(dates_in(sentence.text[said.end() :])), None) if said else None
