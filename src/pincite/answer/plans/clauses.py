"""Clauses of a document that say what has to be done, and how they are told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.asked.question import roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.document import WholeDocument
from pincite.answer.material.passages import LONGEST_QUOTE, Passaged
from pincite.answer.material.sentences import Sentence
from pincite.answer.plans.items import with_items
from pincite.answer.said.statements import locator_and_text, stated
from pincite.answer.words.amounts import as_printed
from pincite.answer.words.vocabulary import pattern_of, phrases_of
from pincite.records.answers import Statement, StatementKind

_DONE = phrases_of("standards", "done")
_DUTY = re.compile(
    rf"\b(?:shall|should|must)\b.*?\b(?:{_DONE})\b|\b(?:is|are) (?:classified|to be (?:{_DONE}))\b",
    re.I,
)
_STRONG = pattern_of("standards", "duty")
_SUBORDINATE = re.compile(r"^(?:\(\w+\)P?\s+)?(?:when|where|if|for|to|in|on|provided|unless)\b", re.I)
_ITEM = re.compile(r"^\(?[a-z][.)]\s")


def first_duty(document: WholeDocument) -> Sentence | None:
    """The first clause behind the definitions whose subject is the topic and that says what shall be done."""
    body = [s for s in document.of("body") if subject_is(document, s)]
    return next((s for s in body if _STRONG.search(s.text)), next(iter(body), None))


def subject_is(document: WholeDocument, sentence: Sentence) -> bool:
    """Whether all words of the topic stand in front of the verb of the duty."""
    text = as_printed(sentence.text)
    duty = _DUTY.search(text)
    if duty is None or sentence.passage.kind in ("table", "caption") or _ITEM.match(text):
        return False
    before = text[: duty.start()]
    before = before.rsplit(",", 1)[-1] if _SUBORDINATE.match(before) else before
    subject = roots_of(before, sentence.chunk.language)
    return all(not word.isdisjoint(subject) for word in document.topic)


def lays_down(sentence: Sentence) -> bool:
    """Whether a sentence, no item of a list, says that something has to be done."""
    return bool(_DUTY.search(as_printed(sentence.text))) and not _ITEM.match(sentence.text)


def facts_of(case: Case, sentences: Sequence[Sentence]) -> list[Statement]:
    """The sentences as facts."""
    return [said_of(case, sentence, "", "fact") for sentence in sentences]


def said_of(case: Case, sentence: Sentence, opening: str, kind: StatementKind = "verdict") -> Statement:
    """A sentence, with its items where it leads into a list."""
    whole, cited = whole_of(case, sentence)
    locator, text = locator_and_text(sentence.chunk.section_number, whole)
    return stated(f"{opening}{text}", kind, cited, locator=locator)


def whole_of(case: Case, sentence: Sentence) -> tuple[str, list[Passaged]]:
    """The text of a sentence, with its items where it leads into a list, and what it stands on."""
    return with_items(case, sentence, LONGEST_QUOTE if sentence.text.endswith(":") else 0)


def distinct(sentences: Sequence[Sentence], without: Sentence | None = None) -> list[Sentence]:
    """The sentences, each once, in their order."""
    found = {(s.chunk.chunk_id, s.position): s for s in sentences}
    if without is not None:
        found.pop((without.chunk.chunk_id, without.position), None)
    return list(found.values())
