"""What the graph tells of a candidate."""

from __future__ import annotations

import numpy as np

from pincite.graph.network import ChunkNames, EntityNetwork, NetworkBuilder
from pincite.graph.walk import Walked
from pincite.records.chunks import Mention
from pincite.retrieve.graph_features import GRAPH_FEATURES, QuestionInGraph, graph_features, masses_of
from pincite.text.tokens import hashes_of

CHUNKS = (
    ("prairie king", ["reeves eason", "canada"], "silent western film director"),
    ("reeves eason", [], "american director born 1886"),
    ("", ["canada"], "waterfall canada"),
    ("", ["prairie king"], "shown tent"),
)


def network() -> EntityNetwork:
    builder = NetworkBuilder()
    for title, names, text in CHUNKS:
        mentions = [Mention("name", 0, 1, name) for name in names]
        builder.add(ChunkNames({title: tuple(title.split())} if title else {}, mentions, text.split()))
    return builder.build()


def rows_of(question: str, concepts: list[str], masses: dict[int, float], first: list[float]) -> dict[str, list[float]]:
    held = network()
    walked = Walked(np.array(sorted(masses), np.int64), np.array([masses[o] for o in sorted(masses)]))
    named = [token for name in concepts for token in name.split()]
    asked = QuestionInGraph(hashes_of(question.split()), hashes_of(named), np.sort(held.find(concepts)), walked)
    matrix = graph_features(held, asked, np.arange(4), np.array(first))
    return {name: [round(v, 4) for v in matrix[:, index].tolist()] for index, name in enumerate(GRAPH_FEATURES)}


def test_mass_is_counted_over_the_best_and_is_0_where_the_walk_did_not_come() -> None:
    walked = Walked(np.array([1, 3], np.int64), np.array([0.2, 0.4]))
    assert masses_of(walked, np.array([0, 1, 3])).tolist() == [0.0, 0.5, 1.0]


def test_the_chunk_under_a_title_that_is_asked_for_is_told_from_one_that_mentions_it() -> None:
    rows = rows_of("prairie king director", ["prairie king"], {0: 0.5, 3: 0.1}, [1, 0, 0, 0])
    assert rows["titled by a concept"] == [round(0.5**0.5, 4), 0, 0, 0]
    assert rows["names concepts"] == [round(0.5**0.5, 4), 0, 0, round(0.5**0.5, 4)]


def test_who_a_strong_candidate_names_is_one_step_away() -> None:
    rows = rows_of("prairie king director", ["prairie king"], {0: 1.0}, [1, 0, 0, 0])
    assert rows["named by a strong one"][1] == 1.0
    assert rows["names a strong one"][3] == 1.0
    assert rows["named by a strong one"][0] == 0.0


def test_a_candidate_that_names_what_a_strong_one_names_is_beside_it() -> None:
    rows = rows_of("waterfall", [], {0: 1.0}, [1, 0, 0, 0])
    assert rows["shares an entity"][2] > 0
    assert rows["shares an entity"][0] < rows["shares an entity"][2]


def test_words_are_covered_by_rarity_and_those_of_concepts_left_out_of_the_rest() -> None:
    rows = rows_of("director waterfall canada", ["canada"], {2: 1.0, 0: 0.5}, [0, 0, 1, 0])
    assert rows["rest covered"][1] == rows["rest covered"][0]
    assert rows["left after first"][2] == 0.0
    assert rows["left after first"][0] > 0
    assert rows["left after second"] == [0, 0, 0, 0]


def test_a_question_that_names_nothing_has_rows_all_the_same() -> None:
    rows = rows_of("", [], {}, [0.5, 0.4, 0.3, 0.2])
    assert rows["mass over best"] == [0, 0, 0, 0]
    assert rows["concepts"] == [0, 0, 0, 0]
