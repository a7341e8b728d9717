"""The document that a question is about as a whole ("Do I need to apply snow loads?"), its sentences by their part."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from pincite.answer.asked.question import families_of, years_in
from pincite.answer.material.case import Case
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.material.surroundings import SCOPE_TITLE
from pincite.answer.words.vocabulary import pattern_of
from pincite.records.chunks import ChunkRecord
from pincite.retrieve.named import named_sources

MOST_CHUNKS = 600
"""Chunks of a document: all their sentences are read, which is slower than to look for a word. By eye, not measured."""

DocumentPart = Literal["front", "scope", "terms", "body", "annex"]

_FRONT = pattern_of("standards", "front_title")
_TERMS = pattern_of("standards", "terms_title")
_ANNEX = re.compile(r"^(?:annex|appendix)\b|^[A-Z]\s+[A-Z]", re.IGNORECASE)
EXCLUDES = pattern_of("standards", "excludes")
"""What a sentence on the scope says of what is left out."""
_NUMBERED = re.compile(r"^\d+\b")


@dataclass(frozen=True, slots=True)
class WholeDocument:
    """The document whose name or title holds words of the question: `topic` are these words, each with its family."""

    source_id: str
    topic: tuple[frozenset[str], ...]
    sentences: tuple[Sentence, ...]

    def of(self, part: DocumentPart) -> list[Sentence]:
        """The sentences of one part, in reading order; the body begins behind the main sections that hold the scope and
        the terms."""
        found = [(sentence, part_of(sentence)) for sentence in self.sentences]
        opening = {sentence.chunk.section[0] for sentence, own in found if own in ("scope", "terms")}
        return [s for s, own in found if own == part and (own != "body" or s.chunk.section[0] not in opening)]

    def holds(self, word: frozenset[str]) -> bool:
        """Whether a word of the question stands anywhere in it."""
        return any(not word.isdisjoint(sentence.roots | sentence.context) for sentence in self.sentences)


def part_of(sentence: Sentence) -> DocumentPart:
    """Which part of its document a sentence stands in, by the headings above it."""
    path = sentence.chunk.section
    if not path or _FRONT.match(path[0]):
        return "front"
    if _ANNEX.match(path[0]) and not _NUMBERED.match(path[0]):
        return "annex"
    if any(map(SCOPE_TITLE.fullmatch, path)):
        return "scope"
    return "terms" if any(map(_TERMS.match, path)) else "body"


def topic_of(case: Case) -> tuple[str, tuple[frozenset[str], ...]] | None:
    """The document of the evidence whose name holds most words of the question, with these words; by its title where no
    name holds any; None where none does."""
    chunks = {item.chunk.source_id: item.chunk for item in reversed(case.retrieval.evidence)}
    ordered = [chunks[source] for source in dict.fromkeys(item.chunk.source_id for item in case.retrieval.evidence)]
    names = [(chunk.source_id, PurePosixPath(chunk.source_id).stem) for chunk in ordered]
    titles = [(chunk.source_id, chunk.title or "") for chunk in ordered]
    return _most_named(case, names) or _most_named(case, titles)


def _most_named(case: Case, names: Sequence[tuple[str, str]]) -> tuple[str, tuple[frozenset[str], ...]] | None:
    """The document whose name holds most words of the question, with these words, the first among equals."""
    languages = case.retrieval.query.languages
    best: tuple[str, tuple[frozenset[str], ...]] | None = None
    for source_id, name in names:
        named = frozenset().union(*families_of(re.sub(r"[\W_]+", " ", name), languages))
        words = tuple(word for word in case.question.words if not word.isdisjoint(named))
        if words and (best is None or len(words) > len(best[1])):
            best = (source_id, words)
    return best


def named_documents(case: Case) -> list[str]:
    """The documents that the question names; those with an asked year in their names come first."""
    years = years_in(case.question.text)
    named = named_sources(case.question.text, case.around.visible_sources(), case.around.space.titles())
    return sorted(named, key=lambda source: (not any(str(year) in source for year in years), source))


def document_name(chunk: ChunkRecord) -> str:
    """The words of a document's file name and title."""
    return re.sub(r"[\W_]+", " ", f"{chunk.filename} {chunk.title or ''}")


def whole_document(case: Case, source_id: str, topic: tuple[frozenset[str], ...]) -> WholeDocument:
    """All sentences of this document that the asker may see, in reading order, at most those of 600 chunks."""
    chunks = case.around.document(source_id)[:MOST_CHUNKS]
    sentences = [sentence for chunk in chunks for sentence in sentences_of_chunk(chunk, None, 0)]
    return WholeDocument(source_id, topic, tuple(sentences))


def first_in_each(
    sentences: Sequence[Sentence], group: Callable[[Sentence], str], fits: Callable[[Sentence], bool]
) -> list[Sentence]:
    """The first sentence that fits in each group, in reading order."""
    found: dict[str, Sentence] = {}
    for sentence in sentences:
        if fits(sentence):
            found.setdefault(group(sentence), sentence)
    return list(found.values())
