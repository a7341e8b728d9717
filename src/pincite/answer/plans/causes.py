"""Why something happened: the sentences that name its causes ("What drove the change in margins?")."""

from __future__ import annotations

import re
from dataclasses import replace

from pincite.answer.asked.question import families_of, sentences_in
from pincite.answer.material.case import Case
from pincite.answer.material.document import named_documents
from pincite.answer.material.sentences import Sentence, coverage_of, sentences_of_chunk
from pincite.answer.plans.enough import HALF_OF_WORDS, MOST_CHUNKS
from pincite.answer.said.statements import told
from pincite.records.answers import Statement

MOST_CAUSES = 3
"""More than three causes are a section, not an answer. By eye, not measured."""
LEAST_OF_CHANGE = 0.3
"""Of the question's words: what drove a figure is told in sentences with few of them. By eye, not measured."""

_ASKS_CAUSE = re.compile(
    r"\bwhy\b|\b(?:what|which)\b[^?]{0,30}\b(?:drove|driven|caused?|led to|explains?|contributed|reasons?|due to)\b",
    re.I,
)
_ASKS_WHY = re.compile(r"\bwhy\b", re.I)
_CAUSE = re.compile(
    r"\b(?:due to|driven by|because|as a result of|result(?:ed|ing) from|attribut(?:ed|able) to|caused by|owing to"
    r"|reflect(?:ed|ing|s)|impacted by|contributed to|led to|partially offset by"
    r"|since (?:it|its|he|she|they|we|there|(?:the|an?) \w+ (?:was|were|is|are|had|has|have|did|came|went)))\b",
    re.I,
)


def caused(case: Case) -> list[Statement]:
    """The sentences of the named document, else of the evidence, that give causes and hold most of the question."""
    asking = next((part for part in sentences_in(case.question.text) if _ASKS_CAUSE.search(part)), None)
    if asking is None:
        return []
    sentences = [s for s in _sentences(case) if _CAUSE.search(s.text) and s.passage.kind not in ("table", "caption")]
    words = families_of(asking, case.retrieval.query.languages)
    asked = replace(case.question, words=tuple(word for word in words if not word & case.question.name_roots))
    is_why = bool(_ASKS_WHY.search(asking))
    held = [replace(sentence, context=frozenset()) if is_why else sentence for sentence in sentences]
    coverages = coverage_of(asked, held, [[sentence] for sentence in held])
    least = HALF_OF_WORDS if is_why else LEAST_OF_CHANGE
    scored = [(round(coverage, 6), -index) for index, coverage in enumerate(coverages) if coverage >= least]
    best = [sentences[-index] for _, index in sorted(scored, reverse=True)[:MOST_CAUSES]]
    return [told(sentence, "fact") for sentence in best]


def _sentences(case: Case) -> list[Sentence]:
    named = named_documents(case)
    if not named:
        return case.sentences
    chunks = case.around.document(named[0])[:MOST_CHUNKS]
    return [s for chunk in chunks if _CAUSE.search(chunk.content) for s in sentences_of_chunk(chunk, None, 0)]
