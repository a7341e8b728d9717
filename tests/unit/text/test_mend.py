"""A mended text reads well, and each of its characters leads back to where it was printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.mend import mend, vocabulary_of

texts = st.text(alphabet="abcDE-\u00ad\u200b \t\n\u00a0ﬁ1.", max_size=60)


def test_a_word_cut_at_a_line_end_is_joined() -> None:
    assert mend("inter-\nnational law").text == "international law"


def test_a_hyphenated_word_of_the_document_keeps_its_hyphen() -> None:
    assert mend("long-\nterm loads", {"long-term"}).text == "long-term loads"


@pytest.mark.parametrize(
    ("raw", "reads"),
    [
        ("Steam is odour-\nreducing.", "Steam is odour-reducing."),
        ("the odour-\nsteam mix", "the odour-steam mix"),
        ("it was exam-\nined", "it was examined"),
        ("a stock of kettles under-\nstanding", "a stock of kettles understanding"),
        ("kettle AX-\n4410 weighs", "kettle AX-4410 weighs"),
        ("a self-\nclosing lid of a seven-\nlitre pot", "a self-closing lid of a seven-litre pot"),
        ("self-\nishly, for seven-\nteen years, the eight-\nieth", "selfishly, for seventeen years, the eightieth"),
    ],
)
def test_a_hyphen_stays_between_words_and_before_digits(raw: str, reads: str) -> None:
    assert mend(raw, vocabulary_of(["The odours and the steam reduce, under-", raw])).text == reads


def test_a_name_after_the_hyphen_keeps_it() -> None:
    assert mend("Anglo-\nSaxon").text == "Anglo-Saxon"


def test_a_soft_hyphen_disappears() -> None:
    assert mend("thermo\u00ad\nstat").text == "thermostat"


def test_ligatures_are_unfolded_and_invisible_characters_dropped() -> None:
    assert mend("\u200bﬁre").text == "fire"


@given(texts)
def test_the_raw_span_of_the_whole_view_holds_every_visible_character(raw: str) -> None:
    view = mend(raw)
    if view.text:
        start, end = view.raw_span(0, len(view.text))
        assert 0 <= start < end <= len(raw)
        visible = [char for char in raw if char.isalnum() and char != "ﬁ"]
        assert [char for char in raw[start:end] if char.isalnum() and char != "ﬁ"] == visible


@given(texts)
def test_letters_and_digits_stand_where_the_map_says(raw: str) -> None:
    view = mend(raw)
    for offset, char in enumerate(view.text):
        if char.isdigit() or char in "abcDE":
            assert raw[view.raw_offset(offset)] == char


@given(texts)
def test_offsets_never_go_back(raw: str) -> None:
    view = mend(raw)
    offsets = [view.raw_offset(i) for i in range(len(view.text))]
    assert offsets == sorted(offsets)
