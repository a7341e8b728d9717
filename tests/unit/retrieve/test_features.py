"""What the learned combination looks at, and the trees that it is made of."""

from __future__ import annotations

import numpy as np
import pytest

from pincite.graph.network import NetworkBuilder
from pincite.retrieve.features import FEATURES, Pool, feature_matrix
from pincite.retrieve.learned import Combination, read_trees, relevance
from pincite.store.chunk_links import Adjacency, ChunkLinks


def links_of(count: int, edges: list[tuple[int, int, float]]) -> ChunkLinks:
    none = np.full(count, -1, np.int32)
    following = np.array([*range(1, count), -1], np.int32)
    previous = np.array([-1, *range(count - 1)], np.int32)
    return ChunkLinks(
        Adjacency.of(count, edges),
        Adjacency.of(count, [(target, source, weight) for source, target, weight in edges]),
        none,
        previous,
        following,
        np.ones(count, np.int32),
        none,
        none,
    )


def pool_of(scores: dict[int, float], documents: list[int] | None = None) -> Pool:
    ordinals = np.array(sorted(scores), np.int64)
    values = np.array([scores[ordinal] for ordinal in sorted(scores)])
    numbers = np.array(documents or [0] * len(ordinals), np.int32)
    return Pool(ordinals, values, values * 10, values * 10, numbers, np.zeros(len(ordinals)))


def matrix_of(pool: Pool, links: ChunkLinks, *, follow: bool) -> np.ndarray:
    return feature_matrix(pool, links, NetworkBuilder().build(), None, follow=follow)


def column(matrix: np.ndarray, name: str) -> list[float]:
    return [round(value, 6) for value in matrix[:, FEATURES.index(name)].tolist()]


def test_every_candidate_has_one_row_of_all_features() -> None:
    matrix = matrix_of(pool_of({2: 0.4, 5: 0.8}), links_of(6, []), follow=True)
    assert matrix.shape == (2, len(FEATURES))
    assert column(matrix, "first score") == [0.5, 1.0]


def test_a_reference_carries_the_score_of_the_candidate_that_refers() -> None:
    pool, links = pool_of({0: 0.8, 1: 0.2, 4: 0.4}), links_of(6, [(0, 1, 1.0), (0, 4, 0.5), (0, 3, 1.0)])
    matrix = matrix_of(pool, links, follow=True)
    assert column(matrix, "referred to by") == [0.0, 1.0, 0.5]
    assert column(matrix, "refers to") == [0.25, 0.0, 0.0]
    assert column(matrix_of(pool, links, follow=False), "referred to by") == [0.0, 0.0, 0.0]


def test_neighbours_lend_their_score_where_they_are_candidates() -> None:
    matrix = matrix_of(pool_of({1: 0.8, 2: 0.4, 5: 0.2}), links_of(6, []), follow=True)
    assert column(matrix, "previous") == [0.0, 1.0, 0.0]
    assert column(matrix, "following") == [0.5, 0.0, 0.0]


def test_the_best_sibling_is_another_candidate_of_the_document() -> None:
    matrix = matrix_of(pool_of({1: 0.8, 2: 0.4, 5: 0.2}, [0, 0, 1]), links_of(6, []), follow=True)
    assert column(matrix, "sibling") == [0.5, 1.0, 0.0]
    assert column(matrix, "best of document") == [1.0, 1.0, 0.25]


def test_two_pools_become_one_in_order_of_ordinals() -> None:
    joined = pool_of({5: 0.5, 1: 0.1}).joined(pool_of({3: 0.3}))
    assert joined.ordinals.tolist() == [1, 3, 5]
    assert joined.cosine.tolist() == [0.1, 0.3, 0.5]


def test_trees_send_a_row_down_to_its_leaf() -> None:
    tree = {
        "feature": [1, 0, 0],
        "threshold": [0.5, 0, 0],
        "left": [1, 1, 2],
        "right": [2, 1, 2],
        "value": [0, -1.5, 2.5],
    }
    stump = {"feature": [0], "threshold": [0], "left": [0], "right": [0], "value": [0.25]}
    trees = read_trees({"features": FEATURES, "depth": 1, "trees": [tree, stump]})
    rows = np.zeros((2, len(FEATURES)))
    rows[1, 1] = 0.75
    assert trees.predict(rows).tolist() == [-1.25, 2.75]


def test_weights_of_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="train_combination"):
        read_trees({"features": ["cosine"], "depth": 1, "trees": []})


@pytest.mark.parametrize("combination", ["default", "hybrid", "keywords"])
def test_the_shipped_weights_give_the_better_candidate_the_higher_relevance(combination: Combination) -> None:
    matrix = matrix_of(pool_of({0: 0.2, 1: 0.8, 2: 0.3}), links_of(3, []), follow=True)
    scores = relevance(matrix, combination)
    assert scores.argmax() == 1
    assert ((scores > 0) & (scores < 1)).all()
