"""A question on a document's whole subject: does it apply, and what has to be done by it.

Asked as in "Do I need to apply snow loads to my structure? What steps ...?", where no single clause is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answer.asked.question import asks_steps, families_of, sentences_in
from pincite.answer.material.case import Case
from pincite.answer.material.document import topic_of, whole_document
from pincite.answer.plans.applicability import applicability
from pincite.answer.plans.clauses import first_duty
from pincite.answer.plans.steps import open_points, steps_of
from pincite.answer.words.lexicon import words_of
from pincite.records.answers import Statement

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
_SUBJECTLESS = words_of("standards", "subjectless")


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
