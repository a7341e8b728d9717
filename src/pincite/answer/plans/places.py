"""Where a subject is treated: the section whose heading names it ("Which section covers log files?")."""

from __future__ import annotations

import re

from pincite.answer.asked.question import families_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passage, headings_of
from pincite.answer.material.sentences import heading_of, sentences_of_chunk
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

MOST_SENTENCES = 2
"""Sentences that a section opens with; its heading is the answer. By eye, not measured."""

_ASKS_PLACE = re.compile(
    r"\b(?:what|which) (?:part|clause|section|chapter|paragraph|annex|appendix|policy)\b.*?"
    r"\b(?:covers?|deals? with|describes?|treats?|speaks? of|is (?:on|about)|sets? out)\s+(?P<subject>.+)",
    re.I,
)


def located(case: Case) -> list[Statement]:
    """The heading that holds all words of the subject and the fewest others, with what its section opens with."""
    match = _ASKS_PLACE.search(case.question.text)
    if match is None:
        return []
    subject = match["subject"].rstrip("?!. ")
    words = families_of(subject, case.retrieval.query.languages)
    chunks = [*(item.chunk for item in case.retrieval.evidence), *case.around.named(subject)]
    found: list[tuple[int, int, ChunkRecord, Passage]] = []
    for chunk in {chunk.chunk_id: chunk for chunk in chunks}.values():
        held = families_of(heading_of(chunk), (chunk.language,))
        headings = headings_of(chunk)
        if words and headings and all(any(not word.isdisjoint(own) for own in held) for word in words):
            found.append((len(held), len(found), chunk, headings[-1]))
    if not found:
        return []
    _, _, chunk, heading = min(found, key=lambda item: item[:2])
    locator, text = locator_and_text(chunk.section_number, heading.text)
    opening = [told(sentence, "fact") for sentence in sentences_of_chunk(chunk, None, 0)[:MOST_SENTENCES]]
    return [stated(text, "fact", [(heading, chunk)], locator=locator), *opening]
