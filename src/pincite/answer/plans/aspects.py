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
from pincite.answer.statements import stated, told
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
    found = [_looked_for(case, person, *aspect) for person in people for aspect in aspects]
    if not any(is_said for is_said, _ in found):
        return []
    return list({said.text: said for _, said in found}.values())


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


def _looked_for(case: Case, person: Person, subject: str, words: Sequence[frozenset[str]]) -> tuple[bool, Statement]:
    """Whether a sentence that names the person holds most of an aspect, with that sentence, or with what was not found
    and the place that comes nearest."""
    naming = _naming(case, person, subject)
    best = max(naming, key=lambda s: _held(s.roots, words), default=person.sentence)
    if _held(best.roots, words) >= LEAST_COVERAGE:
        return True, told(best, "fact")
    near = max(naming, key=lambda s: _held(s.roots | s.context, words), default=person.sentence)
    text = f"No information found about {person.name}: {subject}"
    return False, stated(text, "missing", [(near.passage, near.chunk)])


def _naming(case: Case, person: Person, subject: str) -> list[Sentence]:
    """The sentences of the evidence, and of what else the store holds on this, that name the person."""
    rank = len(case.retrieval.evidence) + 1
    chunks = case.around.named(f"{person.name} {subject}")
    others = [sentence for chunk in chunks for sentence in sentences_of_chunk(chunk, None, rank)]
    called = re.compile(rf"\b{re.escape(person.last_name)}\b")
    return [sentence for sentence in (*case.sentences, *others) if called.search(sentence.text)]


def _held(roots: frozenset[str], words: Sequence[frozenset[str]]) -> float:
    return sum(not word.isdisjoint(roots) for word in words) / max(1, len(words))
