"""1. Words are cut as treebanks cut them. 2. Every word stands where it says; nothing but white space is left out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.trees import words_of


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("He didn't pay Tesla's co-founder.", "He did n't pay Tesla 's co-founder ."),
        ("Mr. Baker paid $4.25 in the U.S. in 1998.", "Mr. Baker paid $ 4.25 in the U.S. in 1998 ."),
        ("(5.5 % of 1,200 companies' sales)", "( 5.5 % of 1,200 companies ' sales )"),
        ("-LRB- as `` Curtis '' -RRB-", '( as " Curtis " )'),
        ("She's here, e.g. with O'Brien", "She 's here , e.g. with O'Brien"),
        ("“It won’t”", '" It wo n\'t "'),
    ],
)
def test_words_are_cut_as_treebanks_cut_them(sentence: str, words: str) -> None:
    assert [word.text for word in words_of(sentence)] == words.split()


@given(st.text(max_size=200))
def test_words_hold_all_but_white_space(sentence: str) -> None:
    words = words_of(sentence)
    held = "".join(sentence[word.start : word.end] for word in words)
    assert "".join(held.split()) == "".join(sentence.split())
    assert all(before.end <= after.start for before, after in pairwise(words))
