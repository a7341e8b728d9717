"""Paths of what documents say lead from the names of a question to chunks that share no word with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.unit.graph.test_network import nodes

from pincite.graph.gear import MOST_STEPS, PER_STEP, UNASKED, PredicateWorth, path_scores
from pincite.graph.network import ChunkNames, EntityNetwork, NetworkBuilder
from pincite.graph.relations import NamesTold
from pincite.records.chunks import Mention

Said = tuple[str, str, str]


def network_saying(*chunks: Sequence[Said]) -> EntityNetwork:
    """Each chunk says these triplets, all of them surely."""
    builder = NetworkBuilder()
    for said in chunks:
        names = sorted({end for subject, _, target in said for end in (subject, target)})
        told = [NamesTold((subject,), (target,), 1.0, label) for subject, label, target in said]
        builder.add(ChunkNames({}, [Mention("name", 0, 1, name) for name in names], (), told))
    return builder.build()


CHAIN = (
    [("tesla", "has_founder", "musk")],
    [("musk", "invested_in", "solarcity")],
    [("lyndon rive", "leads", "solarcity")],
    [("lyndon rive", "born_in", "pretoria")],
    [("oslo", "lies_in", "norway")],
)


def scores_from(
    network: EntityNetwork, name: str, question: str = "", allowed: Sequence[bool] | None = None
) -> list[float]:
    visible = None if allowed is None else np.array(allowed, np.bool_)
    found = path_scores(network, network.find([name]), PredicateWorth(question), visible)
    return [float(score) for score in found.of(np.arange(len(network.chunk_sums)))]


def test_paths_of_up_to_three_steps_are_scored_and_fall_with_each_step() -> None:
    scores = scores_from(network_saying(*CHAIN), "tesla")
    assert scores[0] > scores[1] > scores[2] > 0
    assert scores[3:] == [0.0, 0.0]
    assert MOST_STEPS == 3


def test_a_step_whose_predicate_the_question_names_is_worth_more() -> None:
    unasked = scores_from(network_saying(*CHAIN), "tesla")
    asked = scores_from(network_saying(*CHAIN), "tesla", "Which founders of Tesla have invested in solar energy?")
    assert unasked[0] == pytest.approx(UNASKED)
    assert asked[0] == pytest.approx(1.0)
    assert asked[1] / unasked[1] == pytest.approx(1 / UNASKED**2, rel=1e-3)


def test_a_predicate_is_named_through_its_inverse_too() -> None:
    worth = PredicateWorth("Which founders are there?", {"set_up": "has_founder"}.get)
    assert (worth.of("set_up"), worth.of("invested_in")) == (1.0, UNASKED)


def test_triplets_are_walked_against_their_direction_too() -> None:
    assert scores_from(network_saying(*CHAIN), "solarcity")[0] > 0


def test_what_may_not_be_seen_leads_nowhere() -> None:
    assert scores_from(network_saying(*CHAIN), "tesla", allowed=[True, False, True, True, True])[1:] == [0.0] * 4


def test_a_path_through_a_common_name_is_worth_less() -> None:
    rare = scores_from(network_saying([("a", "p", "b")], [("b", "p", "c")], [("x", "p", "y")]), "a")
    common = scores_from(network_saying([("a", "p", "b")], [("b", "p", "c")], [("b", "p", "y")]), "a")
    assert common[1] < rare[1]


def test_a_circle_of_triplets_ends() -> None:
    scores = scores_from(network_saying([("a", "p", "b")], [("b", "p", "a")]), "a")
    assert scores == pytest.approx([UNASKED, UNASKED])


def test_the_best_of_several_paths_counts() -> None:
    network = network_saying([("a", "p", "b")], [("b", "p", "c")], [("a", "asked", "c")])
    assert scores_from(network, "a", "asked")[1] >= 0.9 * PER_STEP * UNASKED * UNASKED


def test_a_question_that_names_nothing_has_no_paths() -> None:
    network = network_saying(*CHAIN)
    assert path_scores(network, nodes(), PredicateWorth("")).ordinals.tolist() == []


def test_a_network_of_an_older_version_has_no_paths() -> None:
    network = network_saying(*CHAIN)
    new = ("labels", "names", "name_ends", "ending", "ending_starts")
    arrays = {name: held for name, held in network.arrays().items() if name not in {f"triplets_{part}" for part in new}}
    assert scores_from(EntityNetwork.from_arrays(arrays), "tesla") == [0.0] * 5
