"""Several things asked of several people: one statement for each, or where was looked for it in vain.

"Which founders of A or B have invested in C, and what patents do they hold?" asks two aspects of each founder (spec
llmless_retrieval.md, sections 7B and 8.2).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from pincite.answer.asked.question import families_of, roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.plans.enough import MOST_WORDS
from pincite.answer.relations.entities import told_in
from pincite.answer.said.statements import stated, told
from pincite.answer.words.facts import folded_name, names_in
from pincite.answer.words.vocabulary import ROLES, root
from pincite.graph.names import normal_name
from pincite.records.answers import Statement
from pincite.text.tokens import tokenise

MOST_PEOPLE = 6
"""More are a list of people, not an answer on each. By eye, not measured."""
LONGEST_BETWEEN = 12
"""Characters between a name and its role: room for ", co-", " and " or a title, but for no clause."""

# Two questions in one: "which ..., and what ...".
_ASPECTS = re.compile(
    r"^(?:which|what|who)\b(?P<first>.+?),?\s+and\s+(?P<second>(?:what|which|how|when|where|who)\b.+)$", re.I | re.S
)
_THEY = re.compile(r"\b(?:they|them|their|theirs|he|she|his|her|those)\b", re.I)
_SAYS_NOTHING = "hold have has own possess make do relate regard name"
_JOINED = re.compile(r"\s*(?:,|,?\s+(?:and|or)|&)\s+")
_AUXILIARY = re.compile(r"^.*?\b(?:have|has|had|did|do|does|is|are|was|were)\s+(?=\w)", re.I)
# Small words between a role and the name behind it: "founded by".
_LEADS_TO_NAME = re.compile(r"\W*(?:(?:was|were|is|are|by|of|the)\b\W*){0,2}")
_SAYS_WHAT = r"\b\W+(?:is|was|are|were)\s(?:an?|the|one of)\s"


@dataclass(frozen=True)
class Person:
    """Somebody in the asked role, the thing of the question that it is a role in, and the sentence that says so."""

    name: str
    thing: str
    sentence: Sentence

    @cached_property
    def called(self) -> re.Pattern[str]:
        """The last word of the name, by which others call them."""
        return re.compile(rf"\b{re.escape(self.name.split()[-1])}\b")


@dataclass(frozen=True, slots=True)
class Aspect:
    """What is asked of each person, as it is printed ("invested in solar energy startups"), and its words, what is done
    first."""

    subject: str
    words: tuple[frozenset[str], ...]

    def held(self, roots: frozenset[str]) -> float:
        """The share of the words that stand there."""
        return sum(not word.isdisjoint(roots) for word in self.words) / max(1, len(self.words))


def told_apart(case: Case) -> list[Statement]:
    """For each person in the asked role and each aspect what is said of it, else what was not found and where; who is
    in the role is told where nothing else of the person says so."""
    match = _ASPECTS.match(case.question.text.strip().rstrip("?"))
    role = next((role for role in ROLES if match and role in _roots(match["first"])), None)
    if match is None or role is None or not _THEY.search(match["second"]):
        return []
    people = _people(case, role)
    known = _roots(" ".join((_SAYS_NOTHING, *(person.thing for person in people)))) | {role}
    subjects = (_behind_names(match["first"]), _subject(match["second"]))
    asked = [Aspect(subject, _words(case, subject, known)) for subject in subjects]
    aspects = [aspect for aspect in asked if aspect.words]
    if not aspects:
        return []
    said: list[Statement] = []
    for person in people:
        found = [_looked_for(case, person, aspect) for aspect in aspects]
        cited = {sentence.passage.spans for sentences in found for sentence in sentences}
        if person.sentence.passage.spans not in cited:
            said.append(told(person.sentence, "fact"))
        for aspect, sentences in zip(aspects, found, strict=True):
            said += [told(s, "fact") for s in sentences] or [_not_found(case, person, aspect)]
    anything = any(statement.kind != "missing" for statement in said)
    return list({statement.text: statement for statement in said}.values()) if anything else []


def _roots(text: str) -> set[str]:
    return {root(token) for token in tokenise(text, "en")}


def _people(case: Case, role: str) -> list[Person]:
    """Who stands beside a word of the role in a sentence that names a thing of the question, in the order of the
    question's things."""
    people: dict[str, Person] = {}
    things = [folded_name(name) for name in case.question.names]
    sentences = (*case.sentences, *_told_of(case, case.question.names))
    for thing in things:
        for sentence in sentences:
            if f" {thing} " in f" {folded_name(sentence.text)} ":
                for name in _in_role(sentence.text, role):
                    if len(name.split()) > 1 and folded_name(name) not in things:
                        people.setdefault(folded_name(name), Person(name, thing, sentence))
    return list(people.values())[:MOST_PEOPLE]


def _in_role(text: str, role: str) -> Iterator[str]:
    """The names next to a word of the role: "Ann Lee, co-founder of", "founder Ann Lee", "founded by Ann Lee and Bo
    Ek"."""
    for word in re.finditer(r"[^\W\d_]+", text):
        if role in _roots(word.group()):
            before, after = _runs(text[: word.start()]), _runs(text[word.end() :])
            yield from (before[-1][1] if before and before[-1][2] <= LONGEST_BETWEEN else ())
            lead = _LEADS_TO_NAME.match(text[word.end() :])
            yield from (after[0][1] if after and lead and after[0][0] == lead.end() else ())


def _runs(text: str) -> list[tuple[int, list[str], int]]:
    """Names that are joined by commas and "and", run by run: where it begins, the names, how much text is behind."""
    runs: list[tuple[int, list[str], int]] = []
    end = 0
    for name in names_in(text):
        start = text.find(name, end)
        joined = runs and _JOINED.fullmatch(text[end:start])
        end = start + len(name)
        if joined:
            runs[-1] = (runs[-1][0], [*runs[-1][1], name], len(text) - end)
        else:
            runs.append((start, [name], len(text) - end))
    return runs


def _subject(part: str) -> str:
    """What an aspect asks, as it is printed: "invested in solar energy startups", "patents related to EV batteries"."""
    said = re.sub(r"^(?:what|which|how|when|where|who)\s+", "", " ".join(part.split()), flags=re.I)
    said = re.sub(r"\s+(?:do|does|did|have|has|had)\s+(?:they|he|she)\b.*$", "", said, flags=re.I)
    return _THEY.sub("", _AUXILIARY.sub("", said, count=1)).strip()


def _behind_names(first: str) -> str:
    """What the first aspect asks: behind an auxiliary verb, or else behind the names of the things ("founders of A or B
    hold patents")."""
    runs = _runs(first)
    return _subject(first) if _AUXILIARY.match(first) or not runs else first[len(first) - runs[0][2] :].strip()


def _words(case: Case, subject: str, known: Collection[str]) -> tuple[frozenset[str], ...]:
    """What an aspect asks beyond the role and the things that it is a role in."""
    words = families_of(_THEY.sub(" ", subject), case.retrieval.query.languages)
    return tuple(word for word in words if word.isdisjoint(known))


def _looked_for(case: Case, person: Person, aspect: Aspect) -> list[Sentence]:
    """The sentence that says of the person what an aspect asks, triplets before mere words (spec/llmless_retrieval.md
    7B): one whose triplet says what is done and that holds most of the aspect, or that has beside it the sentence that
    tells of what kind its object is; else one that names the person and holds most of the words; else what is done to
    an object of which no document says what it is: whether it is of the asked kind is left to the reader."""
    naming = _naming(case, person, aspect)
    done = list(_done(case, naming, person, aspect))
    if whole := [sentence for sentence, _ in done if aspect.held(sentence.roots) >= MOST_WORDS]:
        return [max(whole, key=lambda s: aspect.held(s.roots))]
    untold: list[Sentence] = []
    for sentence, target in done:
        name = max(names_in(target), key=len, default="")
        telling = _telling(case, name, aspect) if name else []
        if kind := _of_kind(telling, aspect):
            return [sentence, *kind]
        if name and not any(re.search(re.escape(name) + _SAYS_WHAT, s.text) for s in telling):
            untold.append(sentence)
    best = max(naming, key=lambda s: aspect.held(s.roots), default=person.sentence)
    return [best] if aspect.held(best.roots) >= MOST_WORDS else untold[:1]


def _done(case: Case, naming: Sequence[Sentence], person: Person, aspect: Aspect) -> Iterator[tuple[Sentence, str]]:
    """The sentences whose triplets say of the person what the first word of the aspect says, each with the object."""
    first = aspect.words[0] if aspect.words else frozenset()
    stored = case.around.triplets(list({s.chunk.chunk_id: s.chunk for s in naming}.values()))
    for sentence in naming:
        for triplet in told_in(sentence.passage, stored[sentence.chunk.chunk_id]):
            said = roots_of(triplet.name.replace("_", " "), "en")
            if person.called.search(triplet.subject) and not first.isdisjoint(said):
                yield sentence, triplet.object


def _telling(case: Case, name: str, aspect: Aspect) -> list[Sentence]:
    """The sentences of the evidence, and of what else the store holds on this, that name a thing."""
    rank = len(case.retrieval.evidence) + 1
    named = case.around.named(f"{name} {aspect.subject}")
    sentences = [*case.sentences, *(s for chunk in named for s in sentences_of_chunk(chunk, None, rank))]
    return [s for s in sentences if f" {folded_name(name)} " in f" {folded_name(s.text)} "]


def _of_kind(telling: Sequence[Sentence], aspect: Aspect) -> list[Sentence]:
    """The sentence that says of the object of a triplet that it is of the asked kind."""
    others = Aspect(aspect.subject, aspect.words[1:])
    best = max(telling, key=lambda s: others.held(s.roots), default=None)
    return [best] if best is not None and others.held(best.roots) >= MOST_WORDS else []


def _not_found(case: Case, person: Person, aspect: Aspect) -> Statement:
    """What was not found of a person, and the place that comes nearest: by its words, headings and file name, then by
    its words alone."""

    def nearness(sentence: Sentence) -> tuple[float, float]:
        file_words = PurePosixPath(sentence.chunk.filename).stem.replace("_", " ")
        near = sentence.roots | sentence.context | roots_of(file_words, "en")
        return aspect.held(near), aspect.held(sentence.roots)

    near = max(_naming(case, person, aspect), key=nearness, default=person.sentence)
    text = f"No information found about {person.name}: {aspect.subject}"
    return stated(text, "missing", [(near.passage, near.chunk)])


def _naming(case: Case, person: Person, aspect: Aspect) -> list[Sentence]:
    """The sentences of the evidence, and of what else the store holds on this, that name the person."""
    rank = len(case.retrieval.evidence) + 1
    chunks = case.around.named(f"{person.name} {aspect.subject}")
    others = [sentence for chunk in chunks for sentence in sentences_of_chunk(chunk, None, rank)]
    told_of = _told_of(case, (person.name,))
    return [sentence for sentence in (*case.sentences, *others, *told_of) if person.called.search(sentence.text)]


def _told_of(case: Case, names: Sequence[str]) -> list[Sentence]:
    """The sentences of the chunks that say something of these names, wherever in the store, behind the evidence."""
    rank = len(case.retrieval.evidence) + 1
    chunks = case.around.telling([normal_name(name) for name in names])
    return [sentence for chunk in chunks for sentence in sentences_of_chunk(chunk, None, rank)]
