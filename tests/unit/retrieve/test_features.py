"""What the learned combination looks at, and the trees that it is made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.data())
def test_trees_give_what_walking_down_each_of_them_gives(data: st.DataObject) -> None:
    rows = np.array(data.draw(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=1, max_size=5)))
    matrix = np.hstack([rows, np.zeros((len(rows), len(FEATURES) - 2))])
    trees = [grown(data) for _ in range(data.draw(st.integers(1, 4)))]
    found = read_trees({"features": FEATURES, "depth": 9, "trees": trees}).predict(matrix)
    assert found.tolist() == [sum(walked_down(tree, row) for tree in trees) for row in matrix.tolist()]


def grown(data: st.DataObject) -> dict[str, list[int]]:
    """A tree whose leaves have become tests one after another, up to 7 of them, with whole numbers as values."""
    tree = {"feature": [0], "threshold": [0], "left": [0], "right": [0], "value": [data.draw(st.integers(-9, 9))]}
    for _ in range(data.draw(st.integers(0, 7))):
        leaf = data.draw(st.sampled_from([node for node, below in enumerate(tree["left"]) if below == node]))
        tree["feature"][leaf], tree["threshold"][leaf] = data.draw(st.integers(0, 1)), data.draw(st.integers(0, 3))
        for side in ("left", "right"):
            node = tree[side][leaf] = len(tree["left"])
            for name, value in (("feature", 0), ("threshold", 0), ("left", node), ("right", node)):
                tree[name].append(value)
            tree["value"].append(data.draw(st.integers(-9, 9)))
    return tree


def walked_down(tree: dict[str, list[int]], row: list[float]) -> int:
    node = 0
    while tree["left"][node] != node:
        side = "left" if row[tree["feature"][node]] <= tree["threshold"][node] else "right"
        node = tree[side][node]
    return tree["value"][node]


def test_trees_with_more_tests_than_their_answers_have_bits_are_refused() -> None:
    chain = {
        "feature": [0] * 19,
        "threshold": [0] * 19,
        "left": [*range(9, 18), *range(9, 19)],
        "right": [*range(1, 9), 18, *range(9, 19)],
        "value": [0] * 19,
    }
    with pytest.raises(ValueError, match="fewer leaves"):
        read_trees({"features": FEATURES, "depth": 9, "trees": [chain]})


def test_weights_of_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="train_combination"):
        read_trees({"features": ["cosine"], "depth": 1, "trees": []})


@pytest.mark.parametrize("combination", ["default", "hybrid", "keywords"])
def test_the_shipped_weights_give_the_better_candidate_the_higher_relevance(combination: Combination) -> None:
    matrix = matrix_of(pool_of({0: 0.2, 1: 0.8, 2: 0.3}), links_of(3, []), follow=True)
    scores = relevance(matrix, combination)
    assert scores.argmax() == 1
    assert ((scores > 0) & (scores < 1)).all()
