"""1. Pairs score as CaRB's matcher scores them. 2. Gold against itself is right. 3. Precision is one to one, recall
many to one. 4. The curve has a point a confidence, and its area starts at recall 0 with precision 1."""

from __future__ import annotations

import pytest

from pincite.evaluate.triplets import Tuple, read_gold, score_curve, score_pair, sentence_key, shares_at


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        (("bought", "Ann", "a bank"), ("bought", "Ann", "a bank"), (1.0, 1.0)),
        (("bought", "Ann", "a bank"), ("bought", "Ann", "a big bank"), (4 / 5, 1.0)),
        (("bought", "Ann", "a bank"), ("sold", "Ann", "a bank"), (0.0, 0.0)),
        (("is", "Ann", "rich"), ("be", "Ann", "rich"), (1.0, 1.0)),
        (("is", "Ann", "rich"), ("is be", "Ann", "rich"), (1.0, 4 / 3)),
        (("bought", "Ann", "a bank", "in 2009"), ("bought", "Ann", "a bank in 2009"), (1.0, 1.0)),
        (("bought", "Ann", "a bank"), ("bought", "Ann"), (0.0, 0.0)),
        (("left", "Ann"), ("left", "Ann", "the bank"), (1.0, 1.0)),
        (("said", "Ann", "it rains"), ("said", "it rains", "Ann"), (1.0, 1.0)),
        (("saw", "Ann", "it rains"), ("saw", "it rains", "Ann"), (1 / 4, 1 / 4)),
    ],
)
def test_pairs_score_by_shared_words(gold: tuple[str, ...], found: tuple[str, ...], score: tuple[float, float]) -> None:
    assert score_pair(Tuple(gold[0], gold[1:]), Tuple(found[0], found[1:])) == pytest.approx(score)


GOLD = read_gold(
    [
        "Ann ( a banker ) left .\tleft\tAnn\t\tC: Bo said\n",
        "Ann bought a bank .\tbought\tAnn\ta bank\n",
        "Ann bought a bank .\thas\tAnn\ta bank\n",
    ]
)


def test_context_is_left_out_and_sentences_are_joined_by_their_letters() -> None:
    assert GOLD["Ann ( a banker ) left ."] == (Tuple("left", ("Ann", "")),)
    assert sentence_key("Ann -LRB- a banker -RRB- left .") == sentence_key("Ann (a banker) left")


def test_gold_against_itself_is_right() -> None:
    curve = score_curve(GOLD, GOLD)
    assert (curve.best.precision, curve.best.recall, curve.best.f1, curve.auc) == (1.0, 1.0, 1.0, 1.0)


def test_a_point_for_each_confidence() -> None:
    found = {"Ann bought a bank .": [Tuple("bought", ("Ann", "a bank"), confidence) for confidence in (0.9, 0.4)]}
    curve = score_curve(GOLD, found)
    assert [(point.threshold, point.precision, point.recall) for point in curve.points] == [
        (0.4, 0.5, pytest.approx(1 / 3)),
        (0.9, 1.0, pytest.approx(1 / 3)),
    ]
    assert curve.best.threshold == 0.9
    assert curve.auc == pytest.approx(1 / 3)
    assert [share.found for share in shares_at(0.9, GOLD, found)] == [0, 1]


def test_without_tuples_precision_is_one_and_recall_none() -> None:
    curve = score_curve(GOLD, {})
    assert (curve.best.precision, curve.best.recall, curve.best.f1, curve.auc) == (1.0, 0.0, 0.0, 0.0)
