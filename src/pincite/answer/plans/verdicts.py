"""Yes or no, as a rule says it: the clause with its modal verb, its conditions, and what the scope leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.material.case import Case
from pincite.answer.material.document import EXCLUDES
from pincite.answer.material.select import Candidate
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.plans.clauses import whole_of
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.records import Statement

LOOKED_AT = 4
LEAST_COVERAGE = 0.6
MOST_EXCLUSIONS = 2

_RULE = re.compile(
    r"\b(?:shall|should|must|may|need|required|permitted|allowed|included|covered|applies|applicable|apply)\b", re.I
)
_NEGATED = re.compile(
    r"\b(?:shall|should|must|may|need|is|are|be|does|do|will)\s+(?:\w+ly\s+)?not\b|\bcannot\b|\bnot (?:included|covered"
    r"|required|permitted|allowed|apply|applicable)\b",
    re.I,
)


def judged(case: Case) -> list[Statement]:
    """The verdict of the nearest rule that holds most of the question, and the exclusions of its document's scope."""
    if not case.question.yes_no or case.question.comparison == "same":
        return []
    for candidate in case.ranked[:LOOKED_AT]:
        if candidate.coverage >= LEAST_COVERAGE and _is_rule(candidate.sentence):
            return [_verdict(case, candidate), *_exclusions(case, candidate.sentence)]
    return []


def _is_rule(sentence: Sentence) -> bool:
    return bool(_RULE.search(sentence.text)) and sentence.passage.kind != "table"


def _verdict(case: Case, candidate: Candidate) -> Statement:
    """ "Yes" where the rule says so and neither it nor the question is negated, "No" where it alone is."""
    sentence = candidate.sentence
    whole, cited = whole_of(case, sentence)
    locator, text = locator_and_text(sentence.chunk.section_number, whole)
    negated = bool(_NEGATED.search(sentence.text))
    said = text if _NEGATED.search(case.question.text) else f"{'No' if negated else 'Yes'}: {text}"
    return stated(said, "verdict", cited, locator=locator)


def _exclusions(case: Case, rule: Sentence) -> list[Statement]:
    """What the scope of the rule's document leaves out."""
    found = [s for chunk in case.around.scope(rule.chunk.source_id) for s in sentences_of_chunk(chunk, None, 0)]
    leaving_out = [s for s in found if EXCLUDES.search(s.text) and s.passage.spans != rule.passage.spans]
    return [told(sentence, "fact") for sentence in _distinct(leaving_out)[:MOST_EXCLUSIONS]]


def _distinct(sentences: Sequence[Sentence]) -> list[Sentence]:
    return list({(s.chunk.source_id, s.passage.spans): s for s in sentences}.values())
