"""Profiles weigh channels as the specs say, and do without those that are off."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source

from pincite.errors import UsageError
from pincite.records.questions import Filter
from pincite.retrieve.duplicates import Groups, Hit, decisive_words
from pincite.retrieve.profiles import Columns, combine
from pincite.retrieve.query import parse_query


def columns(**given: list[float]) -> Columns:
    made = {name: np.array(values) for name, values in given.items()}
    return Columns(
        made.get("cosine"), made.get("bm25"), made.get("graph"), made.get("gear"), made.get("sources", np.array([1.0]))
    )


def test_the_profile_without_a_model_has_the_weights_of_the_spec() -> None:
    given = columns(cosine=[0.5], bm25=[10.0], graph=[0.4], sources=[3.0])
    assert combine("llmless", given)[0] == pytest.approx(0.40 * 0.75 + 0.30 * 0.4 + 0.20 * 0.5 + 0.10)


def test_the_profile_with_a_model_has_the_weights_of_the_spec() -> None:
    given = columns(cosine=[0.5], bm25=[10.0], graph=[0.4], gear=[0.2])
    assert combine("llm", given)[0] == pytest.approx(0.45 * 0.75 + 0.20 * 0.5 + 0.20 * 0.4 + 0.15 * 0.2)


def test_the_weights_of_channels_that_are_off_go_to_the_others() -> None:
    assert combine("llm", columns(bm25=[10.0]))[0] == pytest.approx(0.5)
    given = columns(cosine=[0.5], bm25=[10.0])
    assert combine("llm", given)[0] == pytest.approx((0.45 * 0.75 + 0.20 * 0.5) / 0.65)


def test_auto_gives_the_best_of_both_channels_one() -> None:
    scores = combine("auto", columns(cosine=[0.8, 0.4], bm25=[20.0, 5.0], sources=[2.0, 2.0]))
    assert scores.tolist() == pytest.approx([1.0, 0.375])


def test_an_unknown_profile_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="auto, llm, llmless"):
        combine("best", columns(bm25=[1.0]))


def hit(index: int, text: str, vector: list[float]) -> Hit:
    from pincite.build.chunks import cut_chunks
    from pincite.records.chunks import ChunkPolicy

    (chunk,), _ = cut_chunks(source(f"{index}.pdf"), document(text), (), ChunkPolicy(), "v")
    row = np.array([vector], np.float32)
    return Hit(index, chunk, row / np.linalg.norm(row))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The load shall be 1.5 kN.", "The load shall be 1.0 kN."),
        ("It shall be used.", "It should be used."),
        ("It applies here.", "It does not apply here; no."),
        ("See the letter of Anna.", "See the letter of Berta."),
    ],
)
def test_clauses_that_differ_in_what_counts_are_never_merged(first: str, second: str) -> None:
    groups = Groups(spec_rule=False, merging=True)
    groups.add(hit(0, first, [1.0, 0.0]))
    groups.add(hit(1, second, [0.99, 0.05]))
    assert [len(group) for group in groups.kept] == [1, 1]


def test_the_plain_rule_of_the_spec_merges_them() -> None:
    groups = Groups(spec_rule=True, merging=True)
    groups.add(hit(0, "It shall be used.", [1.0, 0.0]))
    groups.add(hit(1, "It should be used.", [0.99, 0.05]))
    assert [[member.index for member in group] for group in groups.kept] == [[0, 1]]


def test_the_same_text_in_two_files_is_one_result_that_names_both() -> None:
    groups = Groups(spec_rule=False, merging=True)
    groups.add(hit(0, "Snow is cold.", [1.0, 0.0]))
    groups.add(hit(1, "Snow is cold.", [1.0, 0.0]))
    assert [[member.index for member in group] for group in groups.kept] == [[0, 1]]


def says_the_same(first: Hit, second: Hit) -> bool:
    """As the specification has it, of two hits alone."""
    if first.chunk.content == second.chunk.content:
        return True
    if len(first.rows) != len(second.rows) or not len(first.rows):
        return False
    cosines = [float(a @ b) for a, b in zip(first.rows, second.rows, strict=True)]
    return min(cosines) > 0.92 and decisive_words(first.chunk.content) == decisive_words(second.chunk.content)


TEXTS = ("Snow is cold.", "Snow is not cold.", "Ice is cold.", "Snow has 4 sides.")
SLANTS = (0.0, 0.3, 0.6, 1.2)
found_hits = st.lists(
    st.tuples(st.sampled_from(TEXTS), st.lists(st.sampled_from(SLANTS), max_size=2)), min_size=1, max_size=12
)


@given(found_hits)
def test_a_hit_goes_into_the_first_group_whose_first_hit_says_the_same(found: list[tuple[str, list[float]]]) -> None:
    groups, expected = Groups(spec_rule=False, merging=True), list[list[Hit]]()
    for index, (text, slants) in enumerate(found):
        rows = np.array([[np.cos(slant), np.sin(slant)] for slant in slants], np.float32).reshape(len(slants), 2)
        new = Hit(index, hit(index, text, [1.0, 0.0]).chunk, rows)
        groups.add(new)
        group = next((group for group in expected if says_the_same(group[0], new)), None)
        if group is None:
            expected.append([new])
        else:
            group.append(new)
    assert [[item.index for item in group] for group in groups.kept] == [[i.index for i in group] for group in expected]


def test_sentence_beginnings_are_not_names() -> None:
    assert decisive_words("Snow falls. The roof holds.") == frozenset()


def test_filters_in_the_question_are_taken_out_of_it() -> None:
    query = parse_query('snow load file:"a b.pdf" tag:code after:2020 before:yesterday', ["en"], Filter(types=("pdf",)))
    assert query.search_text == "snow load before:yesterday"
    assert query.filter == Filter(sources=("a b.pdf",), types=("pdf",), tags=("code",), after="2020")


@pytest.mark.parametrize(
    ("question", "search_text", "wanted"),
    [
        ("net sales company=[Tesla|Rivian Motors]", "net sales", Filter(companies=("Tesla", "Rivian Motors"))),
        ("net sales company:Tesla?", "net sales", Filter(companies=("Tesla",))),
        ("net sales date:2022", "net sales", Filter(after="2022", before="2022")),
        ("net sales date:soon", "net sales date:soon", Filter()),
        ("snow domain:codes file=a.pdf", "snow", Filter(tags=("codes",), sources=("a.pdf",))),
        ("According to Rules.pdf, who pays?", "who pays?", Filter(sources=("x/rules.pdf",))),
        ('Who pays in the file "a [1].pdf"?', "Who pays ?", Filter(sources=("a [[]1].pdf",))),
        ("What are rules.pdf's terms?", "What are terms?", Filter(sources=("x/rules.pdf",))),
        ("Who pays by other.pdf?", "Who pays by other.pdf?", Filter()),
        ("Is it 1.5 m, i.e. 2.5 ft?", "Is it 1.5 m, i.e. 2.5 ft?", Filter()),
    ],
)
def test_what_a_question_restricts_is_a_filter(question: str, search_text: str, wanted: Filter) -> None:
    query = parse_query(question, ["en"], Filter(), lambda _: ("x/rules.pdf", "a [1].pdf"))
    assert (query.search_text, query.filter) == (search_text, wanted)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_any_question_can_be_read(text: str) -> None:
    query = parse_query(text, ["en"], Filter(), lambda _: ("a.pdf",))
    assert query.text == text
