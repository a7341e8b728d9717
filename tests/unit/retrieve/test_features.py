"""What the learned combination looks at, and the trees that it is made of."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.network import ChunkNames, EntityNetwork, NetworkBuilder
from pincite.retrieve.features import FEATURES, Pool, feature_matrix, nearness
from pincite.retrieve.profiles import ABOUT, Combination, read_trees, relevance
from pincite.store.chunk_links import Adjacency, ChunkLinks
from pincite.text.tokens import hashes_of


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


def network_of(*texts: str) -> EntityNetwork:
    builder = NetworkBuilder()
    for text in texts:
        builder.add(ChunkNames({}, [], text.split()))
    return builder.build()


def matrix_of(
    pool: Pool, links: ChunkLinks, *, follow: bool, texts: tuple[str, ...] = ("",) * 9, question: str = ""
) -> np.ndarray:
    tokens = hashes_of(question.split())
    return feature_matrix(pool, links, network_of(*texts), tokens=tokens, kin=pool.cosine, graph=None, follow=follow)


def column(matrix: np.ndarray, name: str) -> list[float]:
    return [round(value, 6) for value in matrix[:, FEATURES.index(name)].tolist()]


def test_every_candidate_has_one_row_of_all_features() -> None:
    matrix = matrix_of(pool_of({2: 0.4, 5: 0.8}), links_of(9, []), follow=True)
    assert matrix.shape == (2, len(FEATURES))
    assert column(matrix, "first score") == [0.25, 1.0]


def test_no_candidates_give_no_rows() -> None:
    assert matrix_of(pool_of({}), links_of(9, []), follow=True).shape == (0, len(FEATURES))


def test_a_reference_carries_the_score_of_the_candidate_that_refers() -> None:
    pool, links = pool_of({0: 0.8, 1: 0.2, 4: 0.4}), links_of(9, [(0, 1, 1.0), (0, 4, 0.5), (0, 3, 1.0)])
    matrix = matrix_of(pool, links, follow=True)
    assert column(matrix, "referred to by") == [0.0, 1.0, 0.5]
    assert column(matrix, "refers to")[0] == round(0.5 * float(pool.first[2]), 6)
    assert column(matrix_of(pool, links, follow=False), "referred to by") == [0.0, 0.0, 0.0]


def test_neighbours_lend_their_score_where_they_are_candidates() -> None:
    pool = pool_of({1: 0.8, 2: 0.4, 5: 0.2})
    matrix = matrix_of(pool, links_of(9, []), follow=True)
    assert column(matrix, "previous") == [0.0, 1.0, 0.0]
    assert column(matrix, "following") == [round(float(pool.first[1]), 6), 0.0, 0.0]
    assert column(matrix, "near before") == [0.0, 1.0, 0.0]


def test_the_best_sibling_is_another_candidate_of_the_document() -> None:
    pool = pool_of({1: 0.8, 2: 0.4, 5: 0.2}, [0, 0, 1])
    matrix = matrix_of(pool, links_of(9, []), follow=True)
    assert column(matrix, "sibling") == [round(float(pool.first[1]), 6), 1.0, 0.0]
    assert column(matrix, "best of document") == [1.0, 1.0, round(float(pool.first[2]), 6)]
    assert column(matrix, "near in document") == [round(float(pool.near[1]), 6), 1.0, 0.0]


@given(st.lists(st.floats(0.1, 0.9), min_size=2, max_size=9), st.floats(0.2, 2.0), st.floats(-0.1, 0.5))
def test_nearness_does_not_depend_on_the_scale_of_an_embedder(values: list[float], factor: float, shift: float) -> None:
    cosine = np.array(values)
    if cosine.std() > 1e-3:
        np.testing.assert_allclose(nearness(cosine * factor + shift), nearness(cosine), atol=1e-6)
    assert nearness(cosine).max(initial=0.0) <= 1.0


def test_ranks_are_shared_by_equals_and_a_channel_that_is_off_tells_nothing() -> None:
    matrix = matrix_of(pool_of({0: 0.5, 1: 0.5, 2: 0.1}), links_of(9, []), follow=True)
    assert column(matrix, "rank by cosine") == [1.0, 1.0, round(1 / 3, 6)]
    off = matrix_of(pool_of({0: 0.0, 1: 0.0, 2: 0.0}), links_of(9, []), follow=True)
    assert column(off, "rank by cosine") == [1.0, 1.0, 1.0]
    assert column(off, "near") == column(off, "standard cosine") == [0.0, 0.0, 0.0]


def test_the_words_of_a_question_tell_whether_words_can_be_trusted() -> None:
    texts = ("snow load roof", "wind load", "fire", *[""] * 6)
    matrix = matrix_of(pool_of({0: 0.1, 1: 0.9}), links_of(9, []), follow=True, texts=texts, question="snow balustrade")
    covered, best = column(matrix, "question covered"), column(matrix, "best covered")
    assert covered[0] > covered[1] == 0.0
    assert best == [covered[0]] * 2
    assert column(matrix, "nearest covers") == [0.0, 0.0]
    assert column(matrix, "question known") == [covered[0]] * 2


def test_a_candidate_with_the_words_that_the_nearest_share_is_told_from_one_without() -> None:
    texts = ("parapet height barrier", "barrier parapet", *["roof"] * 6, "barrier parapet")
    scores = {0: 0.9, 1: 0.8} | dict.fromkeys(range(2, 9), 0.1)
    matrix = matrix_of(pool_of(scores), links_of(9, []), follow=True, texts=texts, question="railing")
    words = column(matrix, "words of the nearest")
    assert words[8] > 0.0


@given(st.permutations(range(5)))
def test_features_do_not_depend_on_the_numbers_that_documents_have(order: list[int]) -> None:
    scores, links = {0: 0.9, 1: 0.4, 3: 0.5, 4: 0.2, 7: 0.3}, links_of(9, [(0, 3, 1.0), (4, 7, 0.5)])
    plain = matrix_of(pool_of(scores, [0, 0, 1, 2, 2]), links, follow=True)
    renamed = matrix_of(pool_of(scores, [order[number] for number in (0, 0, 1, 2, 2)]), links, follow=True)
    np.testing.assert_array_equal(plain, renamed)


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
    trees = read_trees({"features": FEATURES, "depth": 1, "trees": [tree, stump]}, FEATURES)
    rows = np.zeros((2, len(FEATURES)))
    rows[1, 1] = 0.75
    assert trees.predict(rows).tolist() == [-1.25, 2.75]


@given(st.data())
def test_trees_give_what_walking_down_each_of_them_gives(data: st.DataObject) -> None:
    rows = np.array(data.draw(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=1, max_size=5)))
    matrix = np.hstack([rows, np.zeros((len(rows), len(FEATURES) - 2))])
    trees = [grown(data) for _ in range(data.draw(st.integers(1, 4)))]
    found = read_trees({"features": FEATURES, "depth": 9, "trees": trees}, FEATURES).predict(matrix)
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
        read_trees({"features": FEATURES, "depth": 9, "trees": [chain]}, FEATURES)


def test_weights_of_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="trained on other features"):
        read_trees({"features": ["cosine"], "depth": 1, "trees": []}, FEATURES)


@pytest.mark.parametrize("combination", ["default", "hybrid", "keywords"])
def test_the_shipped_weights_give_the_better_candidate_the_higher_relevance(combination: Combination) -> None:
    cosines = {number: 0.2 + number % 7 / 50 for number in range(60)} | {20: 0.8}
    texts = tuple("fire exit door" if number == 20 else f"roof {number}" for number in range(60))
    matrix = matrix_of(
        pool_of(cosines, list(range(60))), links_of(60, []), follow=True, texts=texts, question="fire exit"
    )
    scores = relevance(matrix, combination)
    assert scores.argmax() == 20
    assert ((scores > 0) & (scores < 1)).all()


def test_what_the_shipped_weights_were_made_of_stands_beside_them() -> None:
    about = json.loads((files("pincite.retrieve") / ABOUT).read_text(encoding="utf-8"))
    assert {"data", "versions", "parameters", "figures", "left_out"} <= set(about)
    assert set(about["figures"]) == {"default", "hybrid", "keywords"}
