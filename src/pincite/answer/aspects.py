"""Several things asked of several people: one statement for each, or where was looked for it in vain.

"Which founders of A or B have invested in C, and what patents do they hold?" asks two aspects of each founder (spec
llmless_retrieval.md, sections 7B and 8.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.answer.case import Case
from pincite.answer.facts import folded_name, names_in
from pincite.answer.question import families_of
from pincite.answer.sentences import Sentence, sentences_of_chunk
from pincite.answer.statements import locator_and_text, stated
from pincite.answer.vocabulary import ROLES, root
from pincite.records import Statement
from pincite.text.tokens import tokenise

LEAST_COVERAGE = 0.6
MOST_PEOPLE = 6
NEAR = 12

_ASPECTS = re.compile(
    r"^(?:which|what|who)\b(?P<first>.+?),?\s+and\s+(?P<second>(?:what|which|how|when|where|who)\b.+)$", re.I | re.S
)
_THEY = re.compile(r"\b(?:they|them|their|theirs|he|she|his|her|those)\b", re.I)
_SAYS_NOTHING = "hold have has own possess make do relate regard name"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the asked role, with the sentence that says so and the word by which others call them."""

    name: str
    sentence: Sentence

    @property
    def last_name(self) -> str:
        """The last word of the name."""
        return self.name.split()[-1]


def told_apart(case: Case) -> list[Statement]:
    """For each person in the asked role and each aspect the best sentence, else what was not found and where."""
    match = _ASPECTS.match(case.question.text.strip().rstrip("?"))
    role = next((role for role in ROLES if match and role in _roots(match["first"])), None)
    if match is None or role is None or not _THEY.search(match["second"]):
        return []
    people = _people(case, role)
    aspects = [(_subject(part), _words(case, part, role)) for part in (match["first"], match["second"])]
    found = [[_best(case, person, *aspect) for aspect in aspects] for person in people]
    if not any(sentence for row in found for sentence in row):
        return []
    made: dict[tuple[str, str], Statement] = {}
    for person, row in zip(people, found, strict=True):
        for (subject, words), sentence in zip(aspects, row, strict=True):
            statement = _missing(case, person, subject, words) if sentence is None else _said(sentence)
            made.setdefault((person.name if sentence is None else "", statement.text), statement)
    return list(made.values())


def _roots(text: str) -> set[str]:
    return {root(token) for token in tokenise(text, "en")}


def _people(case: Case, role: str) -> list[Person]:
    """Who stands beside a word of the role in a sentence that names a thing of the question, best sentence first."""
    things = [folded_name(name) for name in case.question.names]
    people: dict[str, Person] = {}
    for sentence in case.sentences:
        text = f" {folded_name(sentence.text)} "
        if not any(f" {thing} " in text for thing in things):
            continue
        for name in _in_role(sentence.text, role):
            if len(name.split()) > 1 and folded_name(name) not in things:
                people.setdefault(folded_name(name), Person(name, sentence))
    return list(people.values())[:MOST_PEOPLE]


def _in_role(text: str, role: str) -> Iterator[str]:
    """The names next to a word of the role: "Ann Lee, co-founder of", "founder Ann Lee"."""
    for word in re.finditer(r"[^\W\d_]+", text):
        if role not in _roots(word.group()):
            continue
        before = [name for name in names_in(text[: word.start()]) if text.find(name) + len(name) + NEAR >= word.start()]
        after = [name for name in names_in(text[word.end() :]) if text[word.end() :].find(name) <= NEAR // 4]
        yield from (*before[-1:], *after[:1])


def _subject(part: str) -> str:
    """What an aspect asks, as it is printed: "invested in solar energy startups", "patents related to EV batteries"."""
    said = re.sub(r"^(?:what|which|how|when|where|who)\s+", "", " ".join(part.split()), flags=re.I)
    said = re.sub(r"\s+(?:do|does|did|have|has|had)\s+(?:they|he|she)\b.*$", "", said, flags=re.I)
    return re.sub(r"^.*?\b(?:have|has|had|did|do|does|is|are|was|were)\s+(?=\w)", "", said, count=1, flags=re.I)


def _words(case: Case, part: str, role: str) -> tuple[frozenset[str], ...]:
    """What an aspect asks beyond the role and the names."""
    plain = frozenset().union(*families_of(_SAYS_NOTHING, ("en",)))
    words = families_of(_THEY.sub(" ", part), case.retrieval.query.languages)
    return tuple(word for word in words if role not in word and word.isdisjoint(plain | case.question.name_roots))


def _best(case: Case, person: Person, subject: str, words: Sequence[frozenset[str]]) -> Sentence | None:
    """The sentence that names the person and holds most words of the aspect."""
    called = _naming(case, person, subject)
    scored = [(_held(sentence.roots, words), -index) for index, sentence in enumerate(called)]
    share, index = max(scored, default=(0.0, 0))
    return called[-index] if share >= LEAST_COVERAGE else None


def _naming(case: Case, person: Person, subject: str) -> list[Sentence]:
    """The sentences of the evidence, and of what else the store holds on this, that name the person."""
    rank = len(case.retrieval.evidence) + 1
    chunks = case.around.named(f"{person.name} {subject}")
    others = [sentence for chunk in chunks for sentence in sentences_of_chunk(chunk, None, rank)]
    called = re.compile(rf"\b{re.escape(person.last_name)}\b")
    return [sentence for sentence in (*case.sentences, *others) if called.search(sentence.text)]


def _held(roots: frozenset[str], words: Sequence[frozenset[str]]) -> float:
    return sum(not word.isdisjoint(roots) for word in words) / max(1, len(words))


def _said(sentence: Sentence) -> Statement:
    locator, text = locator_and_text(sentence.chunk.section_number, sentence.text)
    return stated(text, "fact", [(sentence.passage, sentence.chunk)], locator=locator)


def _missing(case: Case, person: Person, subject: str, words: Sequence[frozenset[str]]) -> Statement:
    """What was not found of a person, with the place that names them and comes nearest."""
    called = enumerate(_naming(case, person, subject))
    nearest = sorted(called, key=lambda item: (-_held(item[1].roots | item[1].context, words), item[0]))
    near = nearest[0][1] if nearest else person.sentence
    return stated(f"No information found about {person.name}: {subject}", "missing", [(near.passage, near.chunk)])
