"""What tells of each sentence whether it answers: one row of numbers a sentence, each about 0 to 1."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.answer.asked.question import Question
from pincite.answer.material.sentences import LEAST_WEIGHT, Sentence, SharedWords, Weights, fits, share_of_words
from pincite.answer.words.facts import folded_name, without_aside

LONG_SENTENCE = 400
"""Characters from which on length tells no more. By eye; the stored weights are fitted with it."""

FEATURES = (
    "coverage",
    "coverage with heading",
    "coverage without names",
    "chunk score",
    "followed",
    "expected kind",
    "expected kind under a named heading",
    "heading in question",
    "heading named by a sentence near the question",
    "what the naming sentence leaves open",
    "names another heading",
    "first in chunk",
    "place in chunk",
    "length",
    "table",
)


def features_of(
    question: Question, sentences: Sequence[Sentence], long: Collection[str] = (), words: SharedWords | None = None
) -> NDArray[np.float64]:
    """One row of FEATURES a sentence, each about 0 to 1; `long` are the documents whose headings name no thing;
    `words` are those that these sentences share with the question, where they are known."""
    words = words or SharedWords.of(question, sentences)
    weights: Weights = dict(zip(question.words, words.weights.tolist(), strict=True))
    is_plain = np.array([not word & question.name_roots for word in question.words], bool)
    plain = words.held[:, is_plain] @ words.weights[is_plain] / max(words.weights[is_plain].sum(), LEAST_WEIGHT)
    shared, with_heading = words.share(words.held), words.share(words.with_headings).tolist()
    asked, headings = f" {folded_name(question.text)} ", _Headings(sentences, with_heading, long)
    rows = []
    for index, sentence in enumerate(sentences):
        fits_kind = fits(question.expected, sentence.text, question.text)
        in_question = headings.title(sentence) in asked
        named = headings.named(sentence)
        place = 0.0 if sentence.passage.kind == "table" else 1 / (1 + sentence.position)
        rows.append(
            (
                shared[index],
                with_heading[index],
                plain[index],
                sentence.evidence.scores.final if sentence.evidence else 0.0,
                sentence.evidence is None,
                fits_kind,
                fits_kind * max(named, in_question),
                in_question,
                named,
                named * share_of_words(sentence.roots, headings.left_open(sentence, weights)) if named else 0.0,
                headings.names_another(sentence),
                place == 1,
                place,
                min(len(sentence.text), LONG_SENTENCE) / LONG_SENTENCE,
                sentence.passage.kind == "table",
            )
        )
    return np.array(rows, np.float64).reshape(len(rows), len(FEATURES))


class _Headings:
    """Which sentences name the heading that another chunk stands under, and how near the question they are. A heading
    of a long document names a part of it ("Requirements", "para. 11"), not a thing that another sentence speaks of."""

    def __init__(self, sentences: Sequence[Sentence], nearness: Sequence[float], long: Collection[str]) -> None:
        headings = {s.chunk.chunk_id: "" if s.chunk.source_id in long else s.heading for s in sentences}
        heads = {chunk_id: without_aside(heading) for chunk_id, heading in headings.items()}
        self._titles = {chunk_id: f" {folded_name(head)} " for chunk_id, head in heads.items()}
        titles = sorted({self._titles[chunk_id]: head for chunk_id, head in heads.items() if head}.items())
        self._naming: set[tuple[str, int]] = set()
        self._named: dict[str, tuple[float, Sentence]] = {}
        for sentence, near in zip(sentences, nearness, strict=True):
            text, own = f" {folded_name(sentence.text)} ", self.title(sentence)
            for title, head in titles:
                if title != own and title in text and (" " in title.strip() or head in sentence.text):
                    self._naming.add((sentence.chunk.chunk_id, sentence.position))
                    if near > self.nearness(title):
                        self._named[title] = near, sentence

    def title(self, sentence: Sentence) -> str:
        """The sentence's heading between spaces, or a text that stands nowhere."""
        return self._titles[sentence.chunk.chunk_id].replace("  ", "\n")

    def named(self, sentence: Sentence) -> float:
        """How near the question the nearest sentence is that names this one's heading."""
        return self.nearness(self.title(sentence))

    def nearness(self, title: str) -> float:
        """The same for a title."""
        return self._named[title][0] if title in self._named else 0.0

    def left_open(self, sentence: Sentence, weights: Weights) -> Weights:
        """The words of the question that the sentence which names this one's heading, and its heading, do not hold."""
        if self.title(sentence) not in self._named:
            return weights
        naming = self._named[self.title(sentence)][1]
        said = naming.roots | naming.context
        return {word: weight for word, weight in weights.items() if word.isdisjoint(said)}

    def names_another(self, sentence: Sentence) -> bool:
        """Whether the sentence names the heading of another chunk."""
        return (sentence.chunk.chunk_id, sentence.position) in self._naming
