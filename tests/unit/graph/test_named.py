"""1. Names are found with their kind, without articles and endings. 2. Every name is a slice of its sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.extraction import find_named


def named(sentence: str) -> set[tuple[str, str]]:
    (names,) = find_named([sentence])
    return {(sentence[name.start : name.end], name.kind) for name in names}


def test_names_are_found_with_their_kind() -> None:
    found = named("In July 2003, Martin Eberhard of the University of Illinois paid $5 million in Paris.")
    assert {("Martin Eberhard", "person"), ("Paris", "place"), ("July 2003", "date")} <= found
    assert {("University of Illinois", "organisation"), ("$5 million", "quantity")} <= found


def test_a_possessive_ending_is_no_part_of_a_name() -> None:
    assert ("Barack Obama", "person") in named("She met Barack Obama's wife.")


@given(st.lists(st.text("aZé 19.,'(s", max_size=40), max_size=4))
def test_every_name_is_a_slice_and_they_follow_each_other(sentences: list[str]) -> None:
    for sentence, names in zip(sentences, find_named(sentences), strict=True):
        places = [place for name in names for place in (name.start, name.end)]
        assert places == sorted(places)
        assert all(0 <= name.start < name.end <= len(sentence) for name in names)
