"""Does a document apply to what is asked: the first duty with the scope and what it leaves out, or "Not settled"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.asked.question import families_of, roots_of, sentences_in
from pincite.answer.material.case import Case
from pincite.answer.material.document import EXCLUDES, WholeDocument
from pincite.answer.material.limits import exceeds
from pincite.answer.material.sentences import Sentence
from pincite.answer.plans.clauses import distinct, facts_of, lays_down, said_of, whole_of
from pincite.answer.said.statements import stated
from pincite.answer.words.facts import country_words, names_in
from pincite.answer.words.lexicon import pattern_of, words_of
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
