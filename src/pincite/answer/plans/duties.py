"""Whether a document applies to a subject, and what has to be done by it, in the order of the document, with the
annexes that bind and what the folder does not hold.

Asked as in "Do I need to apply snow loads to my structure? What steps ...?", where no single clause is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answer.asked.question import asks_steps, families_of, roots_of, sentences_in
from pincite.answer.material.case import Case
from pincite.answer.material.document import EXCLUDES, WholeDocument, first_in_each, topic_of, whole_document
from pincite.answer.material.limits import exceeds
from pincite.answer.material.sentences import Sentence
from pincite.answer.plans.clauses import distinct, facts_of, first_duty, lays_down, said_of, subject_is, whole_of
from pincite.answer.said.statements import locator_and_text, stated
from pincite.answer.words.facts import country_words, names_in
from pincite.answer.words.vocabulary import pattern_of, words_of
from pincite.records.answers import Statement

MOST_EXCLUSIONS = 4
"""Sentences of each kind of fact, so that the verdict stays in sight. By eye, not measured."""
MOST_WIDER = 3
"""The same, for rules that are not on the thing itself. By eye, not measured."""
_ANY_OBJECT = words_of("standards", "any_object")
_BUILDINGS = words_of("standards", "buildings")
_ADMITS = pattern_of("standards", "admits")
_UNCOVERED = pattern_of("standards", "uncovered")
_LOCAL = pattern_of("standards", "local")


# "(cooling towers) are treated in EN 66666": what another document of a number treats.
_ELSEWHERE = re.compile(
    r"\b(?:(?:is|are) (?:treated|covered|dealt with|specified|given|addressed|described) (?:in|by)|see)"
    r" (?:[A-Z]{2,}[\w ]* )?[A-Z]{2,}[ -]?\d"
)


def applicability(case: Case, document: WholeDocument, objects: Sequence[str], first: Sentence) -> list[Statement]:
    """The verdict for these things, with the scope of the document as it stands."""
    scope = document.of("scope")
    admits = next((s for s in scope if _ADMITS.search(s.text) and not EXCLUDES.search(s.text)), None)
    outside = [s for s in scope if EXCLUDES.search(s.text)]
    special = [name for name in objects if name.split()[-1] not in _ANY_OBJECT]
    if (excluded := _excluded(case, special, scope, admits)) is not None:
        facts = distinct([*([admits] if admits else []), *outside], excluded)
        return [said_of(case, excluded, "No: "), *facts_of(case, facts[:MOST_EXCLUSIONS])]
    if admits is None or not special or _naming(case, special, [admits]) is not None:
        facts = [s for s in (admits, *outside[:MOST_EXCLUSIONS]) if s is not None]
        return [said_of(case, first, "Yes, where this document applies: "), *facts_of(case, facts)]
    return _unsettled(case, document, special[0], admits, outside)


def _excluded(case: Case, things: Sequence[str], scope: Sequence[Sentence], admits: Sentence | None) -> Sentence | None:
    """The sentence of the scope that shuts out what is asked: by a limit that it exceeds, by its very name, or by the
    class that the admitting sentence does not name."""
    if (limit := next((s for s in scope if exceeds(case.question.text, whole_of(case, s)[0])), None)) is not None:
        return limit
    outside = [
        s for s in scope if EXCLUDES.search(s.text) or (_ELSEWHERE.search(s.text) and not _ADMITS.search(s.text))
    ]
    for thing in (thing for thing in things if " " in thing):
        named = re.compile(r"\w*\W+".join(map(re.escape, thing.split())), re.I)
        if (found := next((s for s in outside if named.search(whole_of(case, s)[0])), None)) is not None:
            return found
    if admits is not None and _naming(case, things, [admits]) is not None:
        return None
    return _naming(case, things, outside)


def _naming(case: Case, things: Sequence[str], sentences: Sequence[Sentence]) -> Sentence | None:
    """The first sentence that holds, itself or in its list, what one of these things is ("rope bridge": bridge)."""
    languages = case.retrieval.query.languages
    heads = [family for thing in things for family in families_of(_class_of(thing.split()[-1]), languages)]
    for sentence in sentences:
        held = roots_of(whole_of(case, sentence)[0], sentence.chunk.language)
        if any(not head.isdisjoint(held) for head in heads):
            return sentence
    return None


def _class_of(thing: str) -> str:
    """A thing with the class that it belongs to."""
    return f"{thing} building" if thing in _BUILDINGS else thing


def _unsettled(
    case: Case, document: WholeDocument, thing: str, admits: Sentence, outside: Sequence[Sentence]
) -> list[Statement]:
    """Neither admitted nor left out: the scope as it is, what holds for all, and what stands nowhere."""
    front = document.of("front")
    asked = case.question.roots
    shared = [s for s in outside if not asked.isdisjoint(s.roots)][:MOST_EXCLUSIONS]
    duties_for_all = [s for s in document.of("body") if lays_down(s)]
    wider = [s for s in duties_for_all if _shares(case, document, s)][:MOST_WIDER]
    uncovered = [s for s in front if _UNCOVERED.search(s.text)][:1]
    places = sorted({country for _, country in country_words(case.question.text)})
    bound = [s for s in front if any(place in s.text for place in places)][:1]
    annex = [s for s in front if _LOCAL.search(s.text)][:1] if places else []
    return [
        said_of(case, admits, f"Not settled for {'an' if thing[0] in 'aeiou' else 'a'} {thing}: "),
        *facts_of(case, distinct([*shared, *wider, *uncovered, *bound, *annex], admits)),
        *_nowhere(case, document, thing, admits),
    ]


def _shares(case: Case, document: WholeDocument, sentence: Sentence) -> bool:
    """Whether a clause speaks of the topic and, beyond it, of a further word of the question."""
    others = [word for word in case.question.words if word not in document.topic]
    has_topic = all(not word.isdisjoint(sentence.roots) for word in document.topic)
    return has_topic and any(not word.isdisjoint(sentence.roots) for word in others)


def _nowhere(case: Case, document: WholeDocument, thing: str, admits: Sentence) -> list[Statement]:
    """The thing and the names of the question that stand on no page of the document."""
    languages = case.retrieval.query.languages
    names = [name for part in sentences_in(case.question.text) for name in names_in(part) if not part.startswith(name)]
    words = dict.fromkeys(word for name in (thing, *names) for word in name.split())
    absent = [word for word in words if any(not document.holds(family) for family in families_of(word, languages))]
    if not absent:
        return []
    listed = " or ".join(f"“{word}”" for word in absent)
    place = admits.chunk.section_number or admits.heading
    text = f"No information found on {listed} in {admits.chunk.filename} (looked first in {place})"
    return [stated(text, "missing", [(admits.passage, admits.chunk)])]


MOST_STEPS = 8
"""Steps: what can be kept in mind; the document has the rest. By eye, not measured."""
MOST_SYMBOLS = 2
"""Clauses: the coefficients of one expression that have clauses of their own. By eye, not measured."""
_STANDING = pattern_of("standards", "annex_standing")
_MAIN = re.compile(r"\bas follows\b|\bby (?:expression|equation|formula)\b|:$", re.I)
_SYMBOL = pattern_of("standards", "coefficient")


def steps_of(case: Case, document: WholeDocument, said: Sequence[Statement]) -> list[Statement]:
    """In each main section the first clause on the topic that says what to do, and the coefficients of the main one."""
    used = {citation.span for statement in said for citation in statement.citations}
    duties_left = [s for s in document.of("body") if lays_down(s) and not used.intersection(s.passage.spans)]
    body = [s for s in duties_left if s.passage.kind != "table"]
    by_section = first_in_each(body, _main_section, lambda s: subject_is(document, s))
    known = {_main_section(s) for s in by_section}
    others = [s for s in body if _main_section(s) not in known and _speaks_of_topic(document, s)]
    chosen = [*by_section, *first_in_each(others, _main_section, lambda _: True)]
    main = next((s for s in by_section if _MAIN.search(s.text)), None)
    if main is not None:
        chosen += _symbols(body, main)
    ordered = sorted(distinct(chosen), key=lambda s: (s.chunk.index, s.position))
    return [_step(case, number, sentence) for number, sentence in enumerate(ordered[:MOST_STEPS], start=1)]


def _main_section(sentence: Sentence) -> str:
    return sentence.chunk.section[0]


def _speaks_of_topic(document: WholeDocument, sentence: Sentence) -> bool:
    return any(not word.isdisjoint(sentence.roots) for word in document.topic)


def _symbols(body: Sequence[Sentence], main: Sentence) -> list[Sentence]:
    """The clauses behind the main expression, in its section, that say what its coefficients are."""
    behind = [s for s in body if s.chunk.index > main.chunk.index and _main_section(s) == _main_section(main)]
    found = first_in_each(behind, lambda s: s.chunk.section_number or "", lambda s: bool(_SYMBOL.search(s.text)))
    return found[:MOST_SYMBOLS]


def _step(case: Case, number: int, sentence: Sentence) -> Statement:
    whole, cited = whole_of(case, sentence)
    locator, text = locator_and_text(sentence.chunk.section_number, whole)
    return stated(text, "step", cited, locator=f"Step {number}, {locator}" if locator else f"Step {number}")


def open_points(case: Case, document: WholeDocument, said: Sequence[Statement]) -> list[Statement]:
    """Which annexes bind, and what the cited clauses refer to that the store does not hold."""
    standing = [s for s in document.of("front") if _STANDING.search(s.text)][:1]
    cited = list(dict.fromkeys(citation.chunk_id for statement in said for citation in statement.citations))
    chunks = case.around.chunks(cited)
    absent = [(name, chunk) for chunk in chunks for name in case.around.absent(chunk.source_id, chunk)]
    names = dict.fromkeys(name for name, _ in absent)
    made = facts_of(case, standing)
    if names:
        text = f"Referred to, but not in this folder: {'; '.join(names)}"
        holders = [s for s in document.sentences if s.chunk.chunk_id in {chunk.chunk_id for _, chunk in absent}]
        first = next((s for s in holders if any(name in s.text for name in names)), None)
        made += [stated(text, "missing", [(first.passage, first.chunk)] if first else ())]
    return made


LEAST_GENERAL = 0.6
"""Of the words that ask: with less, one rule is asked for. By eye, not measured."""
_PARTS_OF_ANSWER = ("Does it apply?", "Steps, in the order of the document", "What stays open")


# Where a question goes on with another: behind a sign, or in front of "and how".
_PARTS = re.compile(r"(?<=[?.!])\s+|,?\s+and\s+(?=(?:how|what|which|do|must|should|shall|need)\b)")


# "Do I need to", "Does the code apply", "Is it required".
_ASKS_DUTY = re.compile(
    r"^(?:(?:so|and|but|then|hence)\s+)?(?:(?:do|must|should|shall|need|is it|am)\s+(?:i|we|one|necessary|required)\b"
    r"|(?:can|may|could)\s+(?:i|we|one)\s+(?:use|apply|follow)\b|does\s+\S.*\bapply\b|is\s+\S.*\bapplicable\b)",
    re.I,
)


_ASKS_PART = re.compile(r"\b(?:what|which) (?:part|clause|section|chapter)s?\b", re.I)


# The thing that it is asked for: "on my timber roof".
_OBJECT = re.compile(
    r"\b(?:design\w*|build\w*|construct\w*|plan\w*|for|of|to|onto|on|in|with)\s+(?:a|an|my|our)\s+"
    r"(?P<name>[\w-]+(?:\s+(?!in|at|on|for|of|to|with|and|or|near|by|from|that|which|is|are)[\w-]+){0,2})",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What such a question asks for: a verdict, steps or both; `objects` are the things that it is asked for."""

    verdict: bool
    steps: bool
    objects: tuple[str, ...]


def duties(case: Case) -> list[Statement]:
    """The verdict with scope and exclusions, and the steps, for a question on a document's whole subject."""
    asked = _asked(case.question.text)
    found = topic_of(case) if asked.verdict or asked.steps else None
    if found is None or not _is_general(case, asked, found[1]):
        return []
    document = whole_document(case, *found)
    first = first_duty(document)
    if first is None:
        return []
    verdict = applicability(case, document, asked.objects, first) if asked.verdict else []
    if not asked.steps:
        return verdict
    steps = steps_of(case, document, verdict)
    parts = zip(_PARTS_OF_ANSWER, (verdict, steps, open_points(case, document, [*verdict, *steps])), strict=True)
    return [replace(statement, part=heading) for heading, statements in parts for statement in statements]


def _asked(text: str) -> Asked:
    verdict = any(_ASKS_DUTY.match(part) for part in _PARTS.split(text))
    objects = dict.fromkeys(match.group("name").casefold() for match in _OBJECT.finditer(text))
    return Asked(verdict, asks_steps(text) or bool(_ASKS_PART.search(text)), tuple(objects))


def _is_general(case: Case, asked: Asked, topic: Sequence[frozenset[str]]) -> bool:
    """Whether nearly all words of the asking sentences are the subject, the thing that it is asked for, or say
    nothing of their own."""
    languages = case.retrieval.query.languages
    parts = [part for part in sentences_in(case.question.text) if part.endswith("?")] or [case.question.text]
    free = frozenset().union(
        *topic, *families_of(" ".join((*sorted(words_of("standards", "subjectless")), *asked.objects)), languages)
    )
    words = [word for part in parts for word in families_of(part, languages)]
    return bool(words) and sum(not word.isdisjoint(free) for word in words) / len(words) >= LEAST_GENERAL
