"""1. A plain sentence has the tree that a reader expects. 2. A sentence has the same tree alone and in any company.
3. Every tree leads to a root, whatever the words. 4. Words without sense or number are no error."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.parser import LONGEST, parse
from pincite.graph.trees import Tree, words_of

SENTENCES = (
    "Tesla was founded by Martin Eberhard in July 2003.",
    "The company, which was based in Berlin, acquired a bank.",
    "No.",
    "He said that the bank had not paid its debts, although it had been asked to by the regulator twice in 2009.",
)


def tree_of(sentence: str) -> Tree:
    return parse([words_of(sentence)])[0]


def plain(tree: Tree) -> tuple[list[str], list[int], list[str]]:
    return list(tree.tags), list(tree.heads), list(tree.relations)


def test_a_plain_sentence_has_the_tree_that_a_reader_expects() -> None:
    tree = tree_of("The bank paid its debts.")
    assert plain(tree) == (
        ["DT", "NN", "VBD", "PRP$", "NNS", "."],
        [1, 2, 2, 4, 2, 2],
        ["det", "nsubj", "ROOT", "poss", "dobj", "punct"],
    )


def test_a_sentence_has_the_same_tree_alone_and_in_company() -> None:
    alone = [plain(tree_of(sentence)) for sentence in SENTENCES]
    for order in (SENTENCES, SENTENCES[::-1], SENTENCES * 3):
        together = [plain(tree) for tree in parse([words_of(sentence) for sentence in order])]
        assert together == [alone[SENTENCES.index(sentence)] for sentence in order]


@given(st.lists(st.text("aZ9.,' (\"é", max_size=40), max_size=5))
def test_every_tree_leads_to_a_root(sentences: list[str]) -> None:
    for sentence, tree in zip(sentences, parse([words_of(each) for each in sentences]), strict=True):
        assert len(tree.words) == len(words_of(sentence))
        ends = list(range(len(tree.words)))
        for _ in tree.words:
            ends = [tree.heads[word] for word in ends]
        assert all(tree.heads[word] == word for word in ends)


def test_a_sentence_that_is_too_long_has_no_tree() -> None:
    tree = tree_of("word " * (LONGEST + 1))
    assert list(tree.heads) == list(range(LONGEST + 1))
    assert tree_of("").words == []
