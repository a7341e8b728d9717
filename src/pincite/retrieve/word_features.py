"""Features of the question's words for the learned combination: how many the store knows, and how many each candidate
contains. They reveal a question in other words than the documents', for which BM25 is not to be trusted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pincite.graph.network import EntityNetwork
from pincite.graph.relations import positions

Column = NDArray[np.float64]
WORD_FEATURES = (
    "question covered",
    "covered over best",
    "best covered",
    "nearest covers",
    "question known",
    "question words",
    "words of the nearest",
)
NEAREST = 8
"""In meaning; words that they share are taken for the documents' own (0109). By eye; the trees are trained with it."""
SHARED_BY = 2
"""Of the nearest: a word that one alone has may be by chance."""


def word_features(
    network: EntityNetwork, tokens: NDArray[np.uint64], ordinals: NDArray[np.int64], cosine: Column
) -> NDArray[np.float64]:
    """One row of WORD_FEATURES for each candidate; `tokens` are those of the question, as `text.hashes` of them. Shares
    are of the rarity of all. Where there are no cosines, what rests on the nearest is 0."""
    weights = rarity(network, tokens)
    total = max(float(weights.sum()), 1e-9)
    covered = held_tokens(network, tokens, ordinals) @ weights / total
    known = float(weights[positions(network.vocabulary, tokens)[0]].sum()) / total
    best = float(covered.max(initial=0.0))
    nearest = float(covered[np.argmax(np.round(cosine, 6))]) if cosine.any() else 0.0
    of_question = np.array([best, nearest, known, np.log1p(len(tokens))])
    over_best = covered / best if best > 0 else covered
    same = np.broadcast_to(of_question, (len(ordinals), len(of_question)))
    of_nearest = _of_nearest(network, ordinals, cosine) if cosine.any() else np.zeros(len(ordinals))
    return np.column_stack([covered, over_best, same, of_nearest])


def words_of_nearest(
    network: EntityNetwork, ordinals: NDArray[np.int64], cosine: Column
) -> tuple[NDArray[np.uint64], Column]:
    """The words that several of the candidates nearest in meaning share, and what each is worth by its rarity and by
    how many share it: the documents' own words for what is asked (pseudo-relevance feedback; Lavrenko and Croft 2001).
    """
    nearest = ordinals[np.lexsort((ordinals, -np.round(cosine, 6)))[:NEAREST]]
    words, counts = np.unique(_tokens_of(network, nearest)[1], return_counts=True)
    words, counts = words[counts >= SHARED_BY], counts[counts >= SHARED_BY]
    return words, rarity(network, words) * (counts - 1)


def _of_nearest(network: EntityNetwork, ordinals: NDArray[np.int64], cosine: Column) -> Column:
    """How many of the words of the nearest each candidate holds, by what they are worth, over the candidate that holds
    most."""
    words, worth = words_of_nearest(network, ordinals, cosine)
    rows, held = _tokens_of(network, ordinals)
    here, places = positions(words, held)
    found = np.bincount(rows[here], worth[places], len(ordinals))
    best = found.max(initial=0.0)
    return np.asarray(found / best if best > 0 else found, np.float64)


def _tokens_of(network: EntityNetwork, ordinals: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """The tokens of these chunks, each with the place of its chunk among them."""
    starts = network.token_starts[ordinals]
    counts = network.token_starts[ordinals + 1] - starts
    rows = np.repeat(np.arange(len(ordinals)), counts)
    return rows, network.tokens[np.arange(len(rows)) + np.repeat(starts - np.cumsum(counts) + counts, counts)]


def held_tokens(network: EntityNetwork, tokens: NDArray[np.uint64], ordinals: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which candidate (row) holds which of these tokens (column)."""
    held = np.zeros((len(ordinals), len(tokens)), bool)
    rows, inside = _tokens_of(network, ordinals)
    order = np.argsort(tokens)
    here, places = positions(tokens[order], inside)
    held[rows[here], order[places]] = True
    return held


def rarity(network: EntityNetwork, tokens: NDArray[np.uint64]) -> Column:
    """log(1 + chunks / (1 + chunks with the token)) of each token."""
    here, places = positions(network.vocabulary, tokens)
    counts = np.zeros(len(tokens))
    counts[here] = network.token_counts[places]
    return np.log1p(network.size / (1 + counts))
