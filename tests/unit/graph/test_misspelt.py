"""1. A name that is a letter or two off is found. 2. Nothing is guessed for a word that the documents have, for a short
word, for a number, or where two names are equally near."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.concepts import find_concepts
from pincite.graph.network import ChunkNames, EntityNetwork, NetworkBuilder
from pincite.records.chunks import Mention
from pincite.text.tokens import tokenise

NAMES = (
    *("tesla", "elon musk", "elon", "rivian", "scaringe", "solarcity", "anna berg", "anna burg", "maria", "marie"),
    *("boeing 747", "wien", "grossenwahn", "weisenheimer"),
)


def network_of(names: tuple[str, ...], text: str = "") -> EntityNetwork:
    builder = NetworkBuilder()
    builder.add(
        ChunkNames({}, [Mention("name", 0, 1, name) for name in names], tokenise(f"{' '.join(names)} {text}", "en"))
    )
    return builder.build()


NETWORK = network_of(NAMES)


def named(question: str, network: EntityNetwork = NETWORK) -> list[tuple[str, str]]:
    """What the question writes, and which entity that is."""
    return [
        (question[found.start : found.end], network.name(found.entity))
        for found in find_concepts(network, question, ("en",))
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Teslla", "tesla"),
        ("Telsa", "tesla"),
        ("Tesls", "tesla"),
        ("Rivain", "rivian"),
        ("Scaringge", "scaringe"),
        ("Solarcitty", "solarcity"),
        ("Elon Muusk", "elon musk"),
        ("Größenwahm", "grossenwahn"),
        ("Weissenheimr", "weisenheimer"),
    ],
)
def test_a_name_that_is_a_letter_or_two_off_is_found(written: str, meant: str) -> None:
    assert (written, meant) in named(f"Who founded {written} and when?")


@pytest.mark.parametrize(
    "written",
    [
        "Wein",  # too short
        "Mario",  # Maria and Marie are equally near
        "Anna Borg",  # so are Berg and Burg
        "Boeing 767",  # a number is never taken for another
        "Twxla",  # two off in five letters
        "teslla",  # not written as a name
        "Xesly",  # begins and ends with other letters
    ],
)
def test_nothing_is_guessed(written: str) -> None:
    question = f"Who founded {written} and when?"
    assert [name for text, name in named(question) if text == written] == []


def test_a_word_that_the_documents_have_is_never_taken_for_a_name() -> None:
    assert named("Who sells Teslas?") == []
    assert ("Teslla", "tesla") in named("Who sells Teslla?")
    assert named("Who sells Teslla?", network_of(NAMES, "a teslla is a fish")) == []


def test_the_first_word_of_a_question_is_no_misspelt_name() -> None:
    assert named("Solarcit what?") == []


def test_names_that_are_written_right_stay_as_they_are() -> None:
    assert named("Did Elon Musk found Tesla?") == [("Elon Musk", "elon musk"), ("Tesla", "tesla")]


def test_a_store_without_names_has_nothing_near() -> None:
    assert named("Who founded Teslla?", network_of(())) == []


@given(st.lists(st.sampled_from(NAMES), max_size=4), st.text(alphabet="abT eslla", max_size=12))
def test_a_guess_never_takes_the_place_of_a_name(wanted: list[str], noise: str) -> None:
    question = f"What of {noise} " + " ; ".join(name.title() for name in wanted)
    found = find_concepts(NETWORK, question, ("en",))
    assert [f for f in find_concepts(NETWORK, question) if not f.misspelt] == [f for f in found if not f.misspelt]
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert all(NETWORK.chunk_counts(np.array([each.entity]))[0] > 0 for each in found)
