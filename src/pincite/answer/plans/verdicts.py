"""Yes or no, as a rule says it: the clause with its modal verb, its conditions, and what the scope leaves out.

A verdict is given only where a clause decides the question: it speaks of all that is asked, of its size too, and what
it requires, permits, forbids or states settles what the question asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite.answer.asked.question import families_of, roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.document import EXCLUDES
from pincite.answer.material.limits import BEYOND, admits
from pincite.answer.material.select import Candidate
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.plans.clauses import whole_of
from pincite.answer.plans.enough import MOST_WORDS
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.answer.words.stances import NEGATIVE, STANCE_WORDS, decided, stance_asked, stance_of
from pincite.answer.words.vocabulary import NUMBER_WORDS
from pincite.records import Statement
from pincite.text.tokens import tokenise

LOOKED_AT = 4
"""Sentences, best first: a rule further behind speaks of something else. By eye, not measured."""
LEAST_HELD = 0.75
"""Of the words that are asked: one in four may stand in the headings alone. By eye, not measured."""
MOST_EXCLUSIONS = 2
"""Sentences: as many as tell what kind of thing is left out; the scope itself has the others. By eye, not measured."""

# Where one clause of a sentence ends and the next, which may say the contrary, begins.
_NEXT_CLAUSE = re.compile(
    r"\s*(?:;|,?\s\b(?:but|whereas|while|however)\b|,\s(?:and|or)\s(?=(?:\w+\s){0,4}(?:shall|must|may|should|can|is|are)\b))\s*",
    re.I,
)
# Under what condition a clause holds: its negations are not those of the clause.
_CONDITION = re.compile(
    r"\b(?:unless|except|if|where|when|provided|before|after|until)\b[^,;]*,?"
    r"|\b(?:that|which|who)\b[^,;]*?(?=[,;]|$|\b(?:shall|must|may|should|can|cannot|need)\b)",
    re.I,
)
_VERB = re.compile(r"\b(?:shall|must|may|should|can|cannot|need|is|are|was|were|has|have|does|do|did|will)\b", re.I)
# What stands behind it is what something is compared with, and not said of it.
_THAN = re.compile(r"\bthan\b", re.I)
# Small words of questions that no clause has to hold.
_SMALL = re.compile(r"\b(?:an?|any|some|i|we|you|it|there|also)\b", re.I)
_LIMITING = re.compile(r"\b(?:without|only|always|never|except|before|after|during|until)\b", re.I)
_NEGATED = re.compile(r"\b(?:not|never|cannot)\b|n[’']t\b", re.I)
# What says that a clause holds for the most part, or not in every case.
_HEDGED = re.compile(
    r"\b(?:by default|usually|normally|often|sometimes|typically|generally|mostly|partly|rarely|always|necessarily"
    r"|entirely|fully|in (?:general|most cases|some cases))\b",
    re.I,
)
# A bound that a thing may meet exactly.
_UP_TO = r"(?:at least|at most|up to|within)"


def judged(case: Case) -> list[Statement]:
    """The verdict of the nearest rule that decides the question, and the exclusions of its document's scope."""
    question = case.question
    if not question.yes_no or question.comparison == "same" or _NEGATED.search(question.text):
        return []
    for candidate in case.ranked[:LOOKED_AT]:
        if candidate.coverage >= MOST_WORDS and candidate.sentence.passage.kind != "table":
            holds = _decides(case, candidate)
            if holds is not None:
                return [_verdict(case, candidate.sentence, holds=holds), *_exclusions(case, candidate.sentence)]
    return []


def _decides(case: Case, candidate: Candidate) -> bool | None:
    """Whether it is so, as the clause of a sentence says that speaks of all that is asked; None where none does."""
    text, asked = candidate.sentence.text, case.question.text
    if any(word.casefold() not in text.casefold() for word in _LIMITING.findall(asked)):
        return None
    clause = _clause(case, candidate.sentence)
    if clause is None:
        return None
    said = stance_of(_CONDITION.sub(" ", clause))
    if _open_bounds(clause, asked, negated=said in NEGATIVE) and not admits(asked, clause):
        return None
    is_hedged = any(word.casefold() not in asked.casefold() for word in _HEDGED.findall(clause))
    if is_hedged and said in ("states", "denies"):
        return None
    wanted = stance_asked(asked)
    if wanted == "states" == said.replace("denies", "states") and not _in_order(case, _CONDITION.sub(" ", clause)):
        return None
    return decided(wanted, said)


def _clause(case: Case, sentence: Sentence) -> str | None:
    """The clause of a sentence that speaks of all that is asked, with the subject that it shares with the first; the
    headings may hold a word of it. None where two do as well and say the contrary."""
    language = sentence.chunk.language
    asked = STANCE_WORDS.sub(" ", _SMALL.sub(" ", case.question.text))
    typed = families_of(asked, (language,))
    sized = _open_bounds(sentence.text, case.question.text, negated=False) and admits(asked, sentence.text)
    words = [word for word in typed if not (sized and any(form.isdigit() for form in word))]
    subject = roots_of(_VERB.split(sentence.text, maxsplit=1)[0], language)
    held: dict[str, int] = {}
    for clause in filter(None, _NEXT_CLAUSE.split(sentence.text)):
        own = roots_of(clause, language) | subject
        if all(not word.isdisjoint(own | sentence.context) for word in words):
            held[clause] = sum(not word.isdisjoint(own) for word in words)
    most = max(held.values(), default=0)
    best = [clause for clause, count in held.items() if count == most]
    stances = {stance_of(_CONDITION.sub(" ", clause)) for clause in best}
    return best[0] if words and most / len(words) >= LEAST_HELD and len(stances) == 1 else None


def _open_bounds(clause: str, question: str, *, negated: bool) -> list[str]:
    """The numbers that bound what a clause speaks of and that the question does not say. What must be done within 30
    days must be done; what must not take more than 30 seconds may take less."""
    bound = rf"(?:{BEYOND}|{_UP_TO})" if negated else BEYOND
    found = re.findall(rf"\b{bound}\s(?:an?\s)?[$€£]?\s?(?P<number>[\w.,]+)", clause, re.I)
    asked = set(re.findall(r"[\w.,]+", question.casefold().rstrip("?")))
    numbers = [number.casefold() for number in found if number[0].isdigit() or number.casefold() in NUMBER_WORDS]
    return [number for number in numbers if number not in asked]


def _in_order(case: Case, clause: str) -> bool:
    """Whether all content words of the question stand in the clause, in their order: then it says what is asked, not
    who did it to whom the other way round, nor that somebody proposed it."""
    compared = None if _THAN.search(case.question.text) else _THAN.search(clause)
    said = tokenise(clause[: compared.start()] if compared else clause, "en")
    asked = tokenise(_SMALL.sub(" ", case.question.text), "en")
    places = [said.index(token) if token in said else -1 for token in asked]
    return -1 not in places and all(before < behind for before, behind in pairwise(places))


def _verdict(case: Case, sentence: Sentence, *, holds: bool) -> Statement:
    whole, cited = whole_of(case, sentence)
    locator, text = locator_and_text(sentence.chunk.section_number, whole)
    return stated(f"{'Yes' if holds else 'No'}: {text}", "verdict", cited, locator=locator)


def _exclusions(case: Case, rule: Sentence) -> list[Statement]:
    """What the scope of the rule's document leaves out."""
    found = [s for chunk in case.around.scope(rule.chunk.source_id) for s in sentences_of_chunk(chunk, None, 0)]
    leaving_out = [s for s in found if EXCLUDES.search(s.text) and s.passage.spans != rule.passage.spans]
    return [told(sentence, "fact") for sentence in _distinct(leaving_out)[:MOST_EXCLUSIONS]]


def _distinct(sentences: Sequence[Sentence]) -> list[Sentence]:
    return list({(s.chunk.source_id, s.passage.spans): s for s in sentences}.values())
