"""What has to be done, in the order of the document; which annexes bind, and what the folder does not hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.material.case import Case
from pincite.answer.material.document import WholeDocument, first_in_each
from pincite.answer.material.sentences import Sentence
from pincite.answer.plans.clauses import distinct, facts_of, lays_down, subject_is, whole_of
from pincite.answer.said.statements import locator_and_text, stated
from pincite.answer.words.lexicon import pattern_of
from pincite.records.answers import Statement

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
