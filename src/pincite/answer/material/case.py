"""What every answer is made from: the question, its evidence, and what is looked up beyond it, such as the sections
under the names that the best sentences mention."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pincite.answer.asked.question import Question, understand
from pincite.answer.material.select import NEARNESS, Candidate, ranked_by, stored_weights
from pincite.answer.material.sentence_features import features_of
from pincite.answer.material.sentences import (
    Sentence,
    heading_of,
    sentences_of,
    sentences_of_chunk,
    share_of_words,
    weights_of,
)
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.words.facts import folded_name, names_in, without_aside
from pincite.graph.network import SHORT_DOCUMENT
from pincite.records.chunks import ChunkRecord
from pincite.records.evidence import Retrieval
from pincite.text.tokens import tokenise_for

MOST_NAMES = 12
"""Names are looked up all at once; the best sentences have fewer. By eye, not measured."""
MOST_FOLLOWED = 6
"""Chunks that come in beside the evidence without crowding it. By eye, not measured."""
Lookup = Callable[[Sequence[str]], Sequence[Sequence[ChunkRecord]]]


def follow_names(
    asked: str, best: Sequence[Sentence], known_sentences: Sequence[Sentence], lookup: Lookup
) -> list[ChunkRecord]:
    """The chunks that stand under a heading which the best sentences name, and the question does not, in their order;
    without those of the known sentences. `lookup` finds chunks by the words of each name.
    """
    known = {sentence.chunk.chunk_id for sentence in known_sentences}
    headings = {folded_name(without_aside(sentence.heading)) for sentence in known_sentences}
    names = [name for name in _new_names(asked, best) if folded_name(name) not in headings]
    found: dict[str, ChunkRecord] = {}
    for name, chunks in zip(names, lookup(names), strict=True):
        about = (chunk for chunk in chunks if chunk.chunk_id not in known and is_about(chunk, name))
        found |= {chunk.chunk_id: chunk for chunk in islice(about, 1)}
    return list(found.values())[:MOST_FOLLOWED]


def is_about(chunk: ChunkRecord, name: str) -> bool:
    """Whether a chunk stands under this name: the same words, those in brackets left aside. One word alone names a
    document, never a section of one ("General")."""
    is_opening = " " in name or chunk.index == 0
    return is_opening and folded_name(without_aside(heading_of(chunk))) == folded_name(name)


def _new_names(asked: str, sentences: Iterable[Sentence]) -> list[str]:
    """Names that the question does not hold, each once."""
    lower = folded_name(asked)
    names = (name for sentence in sentences for name in names_in(sentence.text))
    fresh = (name for name in names if folded_name(name) not in lower)
    return list(dict.fromkeys(fresh))[:MOST_NAMES]


BEST = 6
"""Sentences near the question whose names are followed; those behind name other things. By eye, not measured."""
MOST_OF_SECTION = 20
"""Chunks of a section that the question names; a longer one is a chapter. By eye, not measured."""
FAR_FEWER = 0.25
"""Of the words of a question, by weight, that the best sentence of a document it names lacks beside those of others."""
SECTION_UNIT = r"(?:(?:sub-?)?(?:section|clause|chapter|part|annex|appendix|article|paragraph|para\.?|schedule)s?|§+)"
"""What a part of a document is called by in front of its number."""
_SECTION = re.compile(rf"{SECTION_UNIT}\s*(?P<number>[A-Z\d][\w.]*(?:\(\w+\))*)P?", re.I)


_NAMED = re.compile(r"\b[A-Z][a-z]{2,}")
"""A word of a name that is no abbreviation."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question with all sentences that could answer it, best first; `beyond` are those of the passages behind the
    evidence."""

    question: Question
    retrieval: Retrieval
    ranked: tuple[Candidate, ...]
    around: Surroundings
    beyond: tuple[Sentence, ...] = ()

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences alone, best first."""
        return [candidate.sentence for candidate in self.ranked]

    @property
    def names_something_unknown(self) -> bool:
        """Whether the question names something that stands in no visible document."""
        named = (word for name in self.question.names for word in _NAMED.findall(name))
        return any(stands_nowhere(self, word) for word in named)


def stands_nowhere(case: Case, word: str) -> bool:
    """Whether no form of a word stands in any visible document."""
    tokens = tokenise_for(word, case.retrieval.query.languages)
    return bool(tokens) and not any(map(case.around.is_known, tokens))


def case_of(retrieval: Retrieval, around: Surroundings) -> Case:
    """Read the question, rank the sentences of its evidence, follow the names of the best, rank again; of a section
    that the question names its own sentences alone, of a long document where they hold as much of it as others."""
    question = understand(retrieval.query)
    if around.reader is not None and not around.reader.knows(question.text):
        around = replace(around, reader=None)
    sentences = sentences_of(retrieval.evidence)
    long = long_documents(sentences, around)
    features = features_of(question, sentences, long)
    near = [candidate.sentence for candidate in ranked_by(features, sentences, NEARNESS, long)[:BEST]]
    followed = follow_names(question.text, near, sentences, around.all_named)
    sections = asked_sections(retrieval)
    followed += _rest_of(sections, {sentence.chunk.chunk_id for sentence in sentences}, around)
    for rank, chunk in enumerate(followed, start=len(retrieval.evidence) + 1):
        sentences += sentences_of_chunk(chunk, None, rank)
    if followed:
        long = long_documents(sentences, around)
        features = features_of(question, sentences, long)
    ranked = ranked_by(features, sentences, stored_weights(), long)
    named = _long_ones(retrieval.trace.documents, around)
    own = [candidate for candidate in ranked if _stands_in(candidate.sentence.chunk, sections)]
    own = own or _preferred(question, ranked, named)
    beyond = () if sections else tuple(sentences_of(retrieval.beyond))
    if own:
        beyond = tuple(sentence for sentence in beyond if sentence.chunk.source_id in named)
    return Case(question, retrieval, tuple(own or ranked), around, beyond)


def _preferred(question: Question, ranked: Sequence[Candidate], named: Collection[str]) -> list[Candidate]:
    """The sentences of the documents that a question names; none where they hold far fewer of its words than others,
    those of their file names with them: then a name was meant otherwise."""
    own = [candidate for candidate in ranked if candidate.sentence.chunk.source_id in named]
    if not own or len(own) == len(ranked):
        return own
    weights = weights_of(question, [candidate.sentence for candidate in ranked])
    most = max(share_of_words(_with_file_name(question, candidate.sentence), weights) for candidate in own)
    others = max(c.coverage for c in ranked if c.sentence.chunk.source_id not in named)
    return own if others - most < FAR_FEWER else []


def _with_file_name(question: Question, sentence: Sentence) -> frozenset[str]:
    """The word families of a sentence, of its headings, and those of the question that stand in its file name."""
    name = re.sub(r"[\W_]", "", sentence.chunk.filename).casefold()
    in_name = (form for word in question.words for form in word if form in name)
    return sentence.roots | sentence.context | frozenset(in_name)


def asked_sections(retrieval: Retrieval) -> list[ChunkRecord]:
    """The chunks of the evidence that open the sections which the question names itself ("in section 3")."""
    named = [re.escape(match["number"]) for place in retrieval.trace.places if (match := _SECTION.fullmatch(place))]
    if not named:
        return []
    label = re.compile(rf"(?:{SECTION_UNIT}\s*)?(?:{'|'.join(named)})(?![\w(]|\.\d)", re.I)
    found = [item.chunk for item in retrieval.evidence if "structure" in item.retrieved_by]
    return [chunk for chunk in found if chunk.section and label.match(chunk.section[-1])]


def _rest_of(openings: Sequence[ChunkRecord], known: Collection[str], around: Surroundings) -> list[ChunkRecord]:
    """The chunks of these sections that are not known yet."""
    sources = dict.fromkeys(chunk.source_id for chunk in openings)
    chunks = [chunk for source_id in sources for chunk in around.document(source_id)]
    return [chunk for chunk in chunks if chunk.chunk_id not in known and _stands_in(chunk, openings)][:MOST_OF_SECTION]


def _stands_in(chunk: ChunkRecord, openings: Sequence[ChunkRecord]) -> bool:
    """Whether a chunk stands in the section of one of these, or below it."""
    return any(
        chunk.source_id == opening.source_id and chunk.section[: len(opening.section)] == opening.section
        for opening in openings
    )


def long_documents(sentences: Sequence[Sentence], around: Surroundings) -> set[str]:
    """The documents of these sentences that are long ones."""
    sources = {sentence.chunk.source_id for sentence in sentences}
    return {source_id for source_id in sources if around.size(source_id) > SHORT_DOCUMENT}


def _long_ones(documents: Sequence[str], around: Surroundings) -> Sequence[str]:
    """The documents that a question names, where all are long ones, of which what answers it is a part ("Boeing" and
    its annual report); a short one may be no more than the first step to another."""
    is_long = all(around.size(source_id) > SHORT_DOCUMENT for source_id in documents)
    return documents if is_long else ()
