"""What is struck out stays in the text of its page, and is no part of anything that answers are made from."""

from __future__ import annotations

import time

from tests.support.documents import document, source

from pincite.build.editions import make_edition
from pincite.records.chunks import ChunkPolicy, Edition
from pincite.text.looks import struck, without_struck


def edition(*blocks: tuple[str, str]) -> Edition:
    return make_edition(source(), document(list(blocks)), ChunkPolicy(), {})  # type: ignore[arg-type]


def test_struck_out_words_are_left_out_of_the_sentence_that_they_stand_in() -> None:
    made = edition(("paragraph", "The gate opens at ~~seven~~ nine. ~~Dogs are welcome. Cats too.~~ Bicycles are."))
    assert [chunk.content for chunk in made.chunks] == ["The gate opens at nine. Bicycles are."]
    assert "~~seven~~" in made.document.pages[0].text


def test_a_block_that_is_struck_out_is_no_chunk_and_no_section() -> None:
    made = edition(("heading", "1 Fees"), ("paragraph", "~~Entry costs 5 crowns.~~"), ("heading", "~~2 Fines~~"))
    assert "5 crowns" not in "".join(chunk.content for chunk in made.chunks)
    assert all("Fines" not in section.title for section in made.outline.sections)


def test_a_struck_out_cell_is_empty_and_the_others_keep_their_columns() -> None:
    made = edition(("table", "Pool\t~~4~~\t6\n~~Sauna~~\t~~9~~\t~~9~~"))
    assert [line.split("\t") for line in made.chunks[0].raw_content.split("\n")] == [["Pool", " " * 5, "6"]]


def test_every_offset_stays_and_quotes_are_found_on_the_page() -> None:
    made = edition(("paragraph", "The tide turns ~~at two~~ at three on Mondays."))
    span = made.chunks[0].spans[0]
    assert without_struck(made.document.pages[0].text)[span.start : span.end] == made.chunks[0].raw_content


def test_tildes_that_strike_nothing_out_are_left_as_they_are() -> None:
    for text in ("about ~~5 and ~~6", "~~~\ncode\n~~~", "`~~kept~~`", "```\nx = ~~kept~~\n```", "a~b~~", "~~ a ~~"):
        assert without_struck(text) == text


def test_a_text_is_marked_inside_of_its_white_space() -> None:
    assert struck(" 4,200 euros ") == " ~~4,200 euros~~ "
    assert struck("one\ntwo") == "~~one~~\n~~two~~"
    assert struck(" \n ") == " \n "


def test_many_marks_that_nothing_closes_are_read_in_linear_time() -> None:
    start = time.monotonic()
    for hostile in ("~~a " * 100_000, "`" * 100_000, "``x " * 50_000, "```\n" * 50_000, "~~a~ " * 50_000):
        without_struck(hostile)
    assert time.monotonic() - start < 2
