"""Sections that a question asks for: by number, with what they refer to, or by the heading that names a subject
("Which section covers log files?")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.answer.asked.question import families_of
from pincite.answer.material.case import SECTION_UNIT, Case
from pincite.answer.material.passages import Passage, headings_of
from pincite.answer.material.sentences import Sentence, heading_of, sentences_of_chunk
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.answer.words.vocabulary import SECTION_WORDS
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord
from pincite.records.outlines import Reference
from pincite.structure.lookup import ANCHOR_KINDS

MOST_SENTENCES = 3
"""What a section opens with; a quote holds as many. By eye, not measured."""
MOST_TARGETS = 4
"""A section that refers to more is a list of references. By eye, not measured."""
LOOKED_THROUGH = 8
"""Chunks of a section whose references are followed. By eye, not measured."""
_UNIT = rf"(?:{SECTION_UNIT}|(?:sub-?)?rules?)"


# "the section that 5.3 refers to", "what section 5.3 refers to", "the clause referred to in 5.3".
_REFERRED = re.compile(r"\brefer(?:s|red)? to(?! (?:section|clause|\d))|\breferred to (?:in|by|from)\b", re.I)


_ASKS = re.compile(r"^(?:what|which)\b", re.I)


def recited(case: Case) -> list[Statement]:
    """The sentences of a section that point to others, each with what those say; or what a section opens with, where
    nothing else is asked of it."""
    question = case.question.text
    if not _ASKS.match(question) or not case.retrieval.trace.places:
        return []
    if _REFERRED.search(question):
        return [statement for chunk in _asked(case) for statement in _followed(case, chunk)]
    return [told(s, "fact") for chunk in _asked(case)[:1] for s in opening_of(case, chunk)] if _asks_all(case) else []


def _asks_all(case: Case) -> bool:
    """Whether a question names a section and says nothing else."""
    rest = case.question.text
    for place in case.retrieval.trace.places:
        rest = rest.replace(place, " ")
    saying = frozenset().union(*families_of(" ".join(sorted(SECTION_WORDS)), ("en",)))
    return all(not word.isdisjoint(saying) for word in families_of(rest, ("en",)))


def _asked(case: Case) -> list[ChunkRecord]:
    """The chunks that open the sections which the question names by number."""
    numbers = [re.sub(rf"^{_UNIT}\s*", "", place, flags=re.I) for place in case.retrieval.trace.places]
    named = "|".join(re.escape(number) for number in numbers if any(map(str.isdigit, number)))
    label = re.compile(rf"(?:{_UNIT}\s*)?(?:{named})(?![\w(]|\.\d)", re.I)
    found = [item.chunk for item in case.retrieval.evidence if named and "structure" in item.retrieved_by]
    return [chunk for chunk in found if chunk.section and label.match(chunk.section[-1])][:1]


def _followed(case: Case, opening: ChunkRecord) -> Iterator[Statement]:
    """For each section that this one refers to the sentence that does, and what that section opens with."""
    seen: set[str] = set()
    for chunk in _chunks_of(case, opening)[:LOOKED_THROUGH]:
        for reference, target in case.around.targets(chunk):
            is_section = reference.unit not in ANCHOR_KINDS
            if is_section and target.chunk_id not in seen and len(seen) < MOST_TARGETS and _lies_apart(target, opening):
                seen.add(target.chunk_id)
                for sentence in (*_pointing(chunk, reference), *opening_of(case, target)):
                    yield replace(told(sentence, "fact"), part=" ".join(reference.text.split()))


def _pointing(chunk: ChunkRecord, reference: Reference) -> list[Sentence]:
    """The sentence of a chunk that holds a reference as it is written."""
    written = " ".join(reference.text.split())
    return [sentence for sentence in sentences_of_chunk(chunk, None, 0) if written in sentence.text][:1]


def _lies_apart(target: ChunkRecord, opening: ChunkRecord) -> bool:
    """Whether a section is another one than that which refers to it."""
    return target.source_id != opening.source_id or target.section != opening.section


def opening_of(case: Case, chunk: ChunkRecord) -> Sequence[Sentence]:
    """The first sentences of a section, those of its parts where it has none of its own."""
    sentences = (s for part in _chunks_of(case, chunk) for s in sentences_of_chunk(part, None, 0))
    return [sentence for _, sentence in zip(range(MOST_SENTENCES), sentences, strict=False)]


def _chunks_of(case: Case, opening: ChunkRecord) -> list[ChunkRecord]:
    """The chunks of a section, from the one on that opens it."""
    path = opening.section
    document = case.around.document(opening.source_id)
    return [chunk for chunk in document if chunk.index >= opening.index and chunk.section[: len(path)] == path]


MOST_OPENING = 2
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
    opening = [told(sentence, "fact") for sentence in sentences_of_chunk(chunk, None, 0)[:MOST_OPENING]]
    return [stated(text, "fact", [(heading, chunk)], locator=locator), *opening]
