"""The sentences that an answer can be made from, and which words of the question each holds."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pincite.answer.asked.question import Expected, Question, roots_of
from pincite.answer.material.passages import Passage, headings_inside, passages_of, start_of
from pincite.answer.words.facts import country_words, dates_in, has_number, has_value, names_in
from pincite.records.chunks import ChunkRecord
from pincite.records.evidence import Evidence

KEPT_CHUNKS = 2048
"""Whose sentences are kept: some 10 kB each."""
LEAST_WEIGHT = 1e-9
"""Of words together, so that no words have the share 0."""

_LEADING_NUMBER = re.compile(r"^(?:[A-Z]|[A-Z]?\.?\d[\d.]*(?:\(\w+\))*P?)(?=\s)")
_ITSELF = (
    r"(?:act|agreement|annex|appendix|article|book|chapter|clause|contract|directive|document|figure|guide|guidance|manual|"
    r"page|paper|paragraph|part|policy|regulation|report|schedule|section|standard|table)s?\b"
)
"""What a document calls itself and its parts."""
_LEANS = re.compile(
    rf"(?:he|she|it|they|his|her|its|their|this|these|those|such)\b(?!\s+{_ITSELF})"
    r"|(?:otherwise|instead|so|if so|if not|as a result|in (?:this|that|such an?|these|those) (?:case|event)s?),"
    r"|(?:to \w+|for|after|before|because of) (?:this|that|it|these|those),",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    rf"\b(?:this|these|those) (?!{_ITSELF}|(?:day|week|month|quarter|year|century|time|moment)s?\b)"
    r"(?P<verb>(?:is|are|was|were|has|have|can|may|will|should|must|means)\b)?(?P<noun>[a-z]{3,})?"
)
"""Inside of a sentence: "this file", "whether this is okay"; not "this Agreement"."""
EMPTY_IT = re.compile(
    r"it\s+(?:is|was|has|may|can|should|must|shall|will|follows|seems|appears)\b.*\b(?:that|to)\b", re.IGNORECASE
)
"""An "it" that stands for nothing ("It is required that ...")."""
_PLACE = re.compile(r"\b(?:in|at|near|from|of|to) ([A-Z\u00c0-\u00de]\w+)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A passage of the evidence. `heading` is the title that it stands under; `position` counts in its chunk from 0;
    `evidence` is None where the chunk was followed to from a name; `roots` and `context` are the word families of
    its text and of the headings above it; `below` is the heading inside its chunk that it stands under, where its
    section is not called by it, and `opens` whether it is the first below a heading."""

    passage: Passage
    chunk: ChunkRecord
    evidence: Evidence | None
    rank: int
    position: int
    heading: str
    roots: frozenset[str]
    context: frozenset[str]
    below: Passage | None
    opens: bool

    @property
    def text(self) -> str:
        """As it reads."""
        return self.passage.text

    @property
    def leans(self) -> bool:
        """Whether it opens with words for something in front of it ("It", "This field", "Otherwise,")."""
        return bool(_LEANS.match(self.text)) and not EMPTY_IT.match(self.text)

    @property
    def points_back(self) -> bool:
        """Whether it leans, or speaks of "this file" without having named one."""
        return self.leans or any(map(self._is_unnamed, _POINTS_BACK.finditer(self.text)))

    def _is_unnamed(self, pointed: re.Match[str]) -> bool:
        before = self.text[: pointed.start()].casefold()
        noun = (pointed["noun"] or "").removesuffix("s")
        return "," not in before if pointed["verb"] else bool(noun) and noun not in before


def heading_of(chunk: ChunkRecord) -> str:
    """The title that a chunk stands under, without number: that of its innermost section with a title, else of its
    document."""
    number = chunk.section_number or ""
    titled = [label for label in chunk.section if label != number]
    if not chunk.section:
        return chunk.title or ""
    if not titled:
        return chunk.section[-1]
    label = titled[-1]
    title = label.removeprefix(number) if number and label.startswith(number) else _LEADING_NUMBER.sub("", label)
    return title.strip() or label


def sentences_of(evidence: Sequence[Evidence]) -> list[Sentence]:
    """All sentences of the evidence, best chunk first."""
    return [sentence for item in evidence for sentence in sentences_of_chunk(item.chunk, item, item.rank)]


def sentences_of_chunk(chunk: ChunkRecord, evidence: Evidence | None, rank: int) -> list[Sentence]:
    """The sentences of one chunk in order."""
    return [replace(sentence, evidence=evidence, rank=rank) for sentence in _sentences_alone(chunk)]


@lru_cache(maxsize=KEPT_CHUNKS)
def _sentences_alone(chunk: ChunkRecord) -> tuple[Sentence, ...]:
    """The sentences of a chunk that nobody has found; kept, since questions meet the same chunks again and again."""
    heading = heading_of(chunk)
    headings = headings_inside(chunk)
    starts = [start_of(passage) for passage, _ in headings]
    contexts = [
        roots_of(f"{inner} {heading} {chunk.title or ''}", chunk.language)
        for inner in ["", *("" if is_own else passage.text for passage, is_own in headings)]
    ]
    found: list[Sentence] = []
    last = -1
    for position, passage in enumerate(passages_of(chunk)):
        place = bisect_right(starts, start_of(passage))
        below, is_own = headings[place - 1] if place else (None, True)
        found.append(
            Sentence(
                passage,
                chunk,
                evidence=None,
                rank=0,
                position=position,
                heading=heading,
                roots=roots_of(passage.text, chunk.language),
                context=contexts[place],
                below=None if is_own else below,
                opens=position == 0 or place > last,
            )
        )
        last = max(place, last)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Which words of a question (columns) stand in which sentences (rows), and how much each word counts: the rarer
    among these sentences, the more. `with_headings`: in a sentence or in the headings above it."""

    held: NDArray[np.bool_]
    with_headings: NDArray[np.bool_]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, question: Question, sentences: Sequence[Sentence]) -> SharedWords:
        """The words that sentences share with a question."""
        words = question.words
        held = [[not word.isdisjoint(sentence.roots) for word in words] for sentence in sentences]
        contexts = {s.context: [not word.isdisjoint(s.context) for word in words] for s in sentences}
        above = [contexts[sentence.context] for sentence in sentences]
        inside = np.array(held, bool).reshape(len(sentences), len(words))
        counts = inside.sum(axis=0)
        weights = np.log1p(len(sentences) / np.where(counts, counts, 1))
        weights[counts == 0] = math.log(1 + len(sentences))
        return cls(inside, inside | np.array(above, bool).reshape(inside.shape), weights)

    def share(self, held: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The share of the question's words, by weight, of each row of such a table."""
        return np.asarray(held @ self.weights / max(float(self.weights.sum()), LEAST_WEIGHT))


def coverage_of(question: Question, sentences: Sequence[Sentence], groups: Sequence[Sequence[Sentence]]) -> list[float]:
    """For each group of sentences the share of the question's words that it and the headings above it hold."""
    weights = weights_of(question, sentences)
    return [share_of_words(frozenset().union(*(s.roots | s.context for s in group)), weights) for group in groups]


Weights = Mapping[frozenset[str], float]


def share_of_words(roots: frozenset[str], weights: Weights) -> float:
    """The share of the question's words, by weight, that stand there."""
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if not word.isdisjoint(roots)) / total if total else 0.0


def weights_of(question: Question, sentences: Sequence[Sentence]) -> Weights:
    """How much each word of the question counts: the rarer among the sentences, the more."""
    most = math.log(1 + len(sentences))
    counts = {word: sum(not word.isdisjoint(sentence.roots) for sentence in sentences) for word in question.words}
    return {word: math.log(1 + len(sentences) / count) if count else most for word, count in counts.items()}


def fits(expected: Expected, text: str, asked: str) -> bool:
    """Whether a text holds something of the expected kind that does not stand in the question."""
    lower = asked.casefold()
    match expected:
        case "date":
            return any(moment.text.casefold() not in lower for moment in dates_in(text))
        case "number":
            return has_number(text)
        case "value":
            return has_value(text)
        case "country":
            return bool(country_words(text))
        case "place":
            return any(name.group(1).casefold() not in lower for name in _PLACE.finditer(text))
        case "person":
            return any(name.casefold() not in lower for name in names_in(text)[1:])
        case _:
            return False
