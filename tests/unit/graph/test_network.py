"""The network of chunks and entities, what a question names in it, and the walk over it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.concepts import find_concepts
from pincite.graph.network import ChunkNames, EntityNetwork, NetworkBuilder, Rows
from pincite.graph.relations import NamesTold
from pincite.graph.walk import walk
from pincite.records.chunks import Mention


def network_of(*chunks: tuple[str, str, str]) -> EntityNetwork:
    """Each chunk: its title, the names that it mentions (parted by bars), its text."""
    builder = NetworkBuilder()
    for title, mentioned, text in chunks:
        names = [name.strip() for name in mentioned.split("|") if name.strip()]
        builder.add(
            ChunkNames(
                titles={title: tuple(title.split())} if title else {},
                mentions=[Mention("name", 0, 1, name) for name in names],
                tokens=text.split(),
            )
        )
    return builder.build()


FILMS = (
    ("prairie king", "reeves eason", "a silent western by reeves eason"),
    ("reeves eason", "new york", "a director born in new york"),
    ("black market", "kinney", "a film by kinney"),
    ("", "", "the prairie king was shown in a tent"),
)


def entities_of(network: EntityNetwork, ordinal: int) -> set[str]:
    return {network.name(int(entity)) for entity in network.entities.of_nodes(np.array([ordinal]))[1]}


def test_a_chunk_has_its_title_and_what_it_mentions() -> None:
    assert entities_of(network_of(*FILMS), 0) == {"prairie king", "reeves eason"}


def test_a_title_is_found_wherever_its_words_stand() -> None:
    assert entities_of(network_of(*FILMS), 3) == {"prairie king"}


def test_titles_of_one_word_are_not_taken_from_running_text() -> None:
    network = network_of(("snow", "", "about snow"), ("", "", "the snow lies"))
    assert entities_of(network, 1) == set()


def test_a_capital_that_opens_a_sentence_counts_where_it_is_a_name_elsewhere() -> None:
    builder = NetworkBuilder()
    opening = [Mention("opening", 0, 5, "oslo"), Mention("opening", 9, 14, "steel")]
    builder.add(ChunkNames({}, opening, ()))
    builder.add(ChunkNames({}, [Mention("name", 0, 4, "oslo")], ()))
    assert entities_of(builder.build(), 0) == {"oslo"}


def test_a_store_without_chunks_has_an_empty_network() -> None:
    network = NetworkBuilder().build()
    assert find_concepts(network, "Who directed The Prairie King?") == []
    assert len(network.chunk_sums) == 0


def told_network(confidence: float) -> EntityNetwork:
    """Acme makes engines in Turin and in Oslo; with some confidence it says that it was founded in one of them."""
    builder = NetworkBuilder()
    names = [Mention("name", 0, 1, name) for name in ("acme", "turin", "oslo")]
    told = [NamesTold(("acme",), ("the year of turin", "turin"), confidence)] if confidence else []
    builder.add(ChunkNames({}, names, (), told))
    for name in ("turin", "oslo"):
        builder.add(ChunkNames({name: (name,)}, [Mention("name", 0, 1, name)], ()))
    return builder.build()


def masses_from_acme(network: EntityNetwork) -> list[float]:
    walked = walk(network, (network.find(["acme"]), np.array([1.0])), (nodes(), np.empty(0)))
    return [round(float(mass), 9) for mass in walked.masses]


def test_what_a_sentence_says_of_two_names_leads_from_one_to_the_other() -> None:
    untold, told = masses_from_acme(told_network(0.0)), masses_from_acme(told_network(0.9))
    assert untold[1] == untold[2]
    assert told[1] > told[2]
    assert sum(told) == pytest.approx(sum(untold), abs=0.05)


def test_a_reference_leads_from_chunk_to_chunk() -> None:
    network = network_of(("", "acme", ""), ("", "turin", ""), ("", "oslo", ""))
    to_oslo = Rows.of(3, np.array([0], np.int32), np.array([2], np.int32), np.array([1.0], np.float32))
    seeds = (network.find(["acme", "turin", "oslo"]), np.array([0.8, 0.1, 0.1]))
    apart, along = (walk(network, seeds, (nodes(), np.empty(0)), None, refs).masses for refs in ((), (to_oslo,)))
    assert apart[1] == apart[2]
    assert along[1] == pytest.approx(apart[1])
    assert along[2] > apart[2]


def test_an_end_that_no_name_of_the_chunk_stands_for_makes_no_triplet() -> None:
    builder = NetworkBuilder()
    told = [NamesTold(("he",), ("turin",), 0.9), NamesTold(("turin",), ("turin",), 0.9)]
    builder.add(ChunkNames({}, [Mention("name", 0, 1, "turin")], (), told))
    assert len(builder.build().triplets.subjects) == 0


def test_a_network_that_was_kept_without_triplets_is_walked_without_them() -> None:
    arrays = {name: array for name, array in told_network(0.9).arrays().items() if not name.startswith("triplets")}
    assert masses_from_acme(EntityNetwork.from_arrays(arrays)) == masses_from_acme(told_network(0.0))


def test_the_arrays_make_the_network_again() -> None:
    network = network_of(*FILMS)
    again = EntityNetwork.from_arrays(network.arrays())
    assert all(np.array_equal(array, again.arrays()[name]) for name, array in network.arrays().items())


def test_a_question_names_the_longest_entities() -> None:
    network = network_of(*FILMS, ("king", "", ""))
    question = "Who directed The Prairie King, and when was he born?"
    found = find_concepts(network, question)
    assert [(network.name(c.entity), question[c.start : c.end]) for c in found] == [
        ("prairie king", "The Prairie King")
    ]


def test_small_words_and_lower_case_words_name_nothing() -> None:
    assert find_concepts(network_of(("market", "", ""), ("the", "", "")), "Is The market open?") == []


def nodes(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, np.int64)


def test_a_walk_reaches_the_chunk_that_is_two_hops_away() -> None:
    network = network_of(*FILMS)
    seed = network.find(["prairie king"])
    walked = walk(network, (seed, np.array([1.0])), (nodes(), np.empty(0)))
    mass = dict(zip(walked.ordinals.tolist(), walked.masses.tolist(), strict=True))
    assert mass[0] > mass[1] > 0
    assert 2 not in mass


def test_a_walk_never_enters_what_the_asker_may_not_see() -> None:
    network = network_of(*FILMS)
    allowed = np.array([True, False, True, True])
    walked = walk(network, (network.find(["prairie king"]), np.array([1.0])), (nodes(), np.empty(0)), allowed)
    assert 1 not in walked.ordinals.tolist()


titles = st.sampled_from(["", "alpha beta", "gamma", "beta delta"])
mentioned = st.lists(st.sampled_from(["alpha beta", "delta", "eps of zeta", "gamma"]), max_size=3).map("|".join)
texts = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), max_size=6).map(" ".join)


@given(st.lists(st.tuples(titles, mentioned, texts), min_size=1, max_size=6))
def test_both_directions_hold_the_same_edges(chunks: list[tuple[str, str, str]]) -> None:
    network = network_of(*chunks)
    everything = np.arange(len(chunks))
    owners, targets, weights = network.entities.of_nodes(everything)
    forth = set(zip(owners.tolist(), targets.tolist(), weights.tolist(), strict=True))
    count = len(network.name_ends)
    owners, targets, weights = network.chunks.of_nodes(np.arange(count))
    assert forth == set(zip(targets.tolist(), owners.tolist(), weights.tolist(), strict=True))
    assert [network.find([network.name(entity)])[0] for entity in range(count)] == list(range(count))


@given(st.lists(st.tuples(titles, mentioned, texts), min_size=1, max_size=6), st.data())
def test_a_walk_loses_no_more_than_what_has_no_edges(chunks: list[tuple[str, str, str]], data: st.DataObject) -> None:
    network = network_of(*chunks)
    seed = data.draw(st.integers(0, len(chunks) - 1))
    walked = walk(network, (nodes(), np.empty(0)), (nodes(seed), np.array([1.0])))
    assert 0.3 - 1e-9 <= walked.masses.sum() <= 1 + 1e-6
    assert (walked.masses >= 0).all()
