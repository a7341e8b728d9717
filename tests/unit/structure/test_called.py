"""A section is found by what a person calls it."""

from __future__ import annotations

import pytest

from pincite.errors import NotThereError
from pincite.records.outlines import Section
from pincite.structure.works import section_called

TREE = [
    Section(ordinal, number, title, 1, None, (), 1, 1, ordinal, ordinal + 1)
    for ordinal, (number, title) in enumerate([("1", "Annex 2"), ("B", "Drifts on roofs"), ("2", "Drifts on roofs")])
]


@pytest.mark.parametrize("asked", ["B", "Annex B", "annex b", "drifts  on roofs", "B."])
def test_case_spaces_and_the_word_before_the_number_do_not_count(asked: str) -> None:
    assert section_called(TREE, asked) == TREE[1]


def test_a_number_goes_before_a_title() -> None:
    assert section_called(TREE, "Annex 2") == TREE[2]


@pytest.mark.parametrize("asked", ["C", "", "section"])
def test_what_no_section_is_called_is_said_with_what_is_there(asked: str) -> None:
    with pytest.raises(NotThereError, match="there is no section"):
        section_called(TREE, asked)
