"""Chunks hold whole sentences of one section, lose nothing but furniture, and have ids that never move."""

from __future__ import annotations

import itertools
import time
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, page, source

from pincite.answer.material.headed_rows import headed_rows_of
from pincite.build.chunks import cut_chunks
from pincite.records.chunks import ChunkPolicy, ChunkRecord
from pincite.records.outlines import Section
from pincite.records.pages import BlockKind, Document

SMALL = ChunkPolicy(chunk_size=200, overlap=40)
sentences = st.lists(
    st.text(alphabet="abcdef ", min_size=3, max_size=60).map(lambda s: f"A{s.strip()}b."), min_size=1, max_size=12
).map(" ".join)
pages = st.lists(st.lists(sentences, max_size=4), min_size=1, max_size=4)


def cut(made: Document, policy: ChunkPolicy = SMALL, sections: tuple[Section, ...] = ()) -> tuple[ChunkRecord, ...]:
    return cut_chunks(source(), made, sections, policy, "v1")[0]


def section(ordinal: int, start: int, end: int, number: str) -> Section:
    return Section(ordinal, number, f"title {number}", 1, None, (number,), 1, 1, start, end)


def pieces(chunk: ChunkRecord, made: Document) -> list[str]:
    return [made.pages[page - 1].text[start:end] for page, start, end, *_ in chunk.offsets["pieces"]]


@given(pages)
def test_every_word_that_is_not_furniture_is_in_a_chunk(texts: list[list[str]]) -> None:
    made = document(*[[("paragraph", text) for text in blocks] for blocks in texts])
    held = {
        (page, offset)
        for chunk in cut(made)
        for page, start, end, *_ in chunk.offsets["pieces"]
        for offset in range(start, end)
    }
    wanted = {(p.number, i) for p in made.pages for i, char in enumerate(p.text) if not char.isspace()}
    assert wanted <= held


@given(pages)
def test_raw_content_is_what_the_pieces_slice(texts: list[list[str]]) -> None:
    made = document(*[[("paragraph", text) for text in blocks] for blocks in texts])
    for chunk in cut(made):
        assert chunk.raw_content == "\n".join(pieces(chunk, made))
        assert len(chunk.content) <= SMALL.chunk_size
        assert [span.page for span in chunk.spans] == sorted({span.page for span in chunk.spans})


@given(pages)
def test_the_same_document_gives_the_same_chunks(texts: list[list[str]]) -> None:
    made = document(*[[("paragraph", text) for text in blocks] for blocks in texts])
    first, second = cut(made), cut(made)
    assert [(c.chunk_id, c.content) for c in first] == [(c.chunk_id, c.content) for c in second]
    assert len({chunk.chunk_id for chunk in first}) == len(first)


def test_furniture_stays_out_of_chunks() -> None:
    made = document([("furniture", "Page header"), ("paragraph", "Snow is cold."), ("furniture", "7")])
    assert [chunk.content for chunk in cut(made)] == ["Snow is cold."]


def test_a_chunk_never_leaves_its_section() -> None:
    made = document([("paragraph", "First part."), ("paragraph", "Second part.")])
    sections = (section(0, 0, 11, "1"), section(1, 12, 24, "2"))
    assert [(c.content, c.section_number) for c in cut(made, sections=sections)] == [
        ("First part.", "1"),
        ("Second part.", "2"),
    ]


def test_a_heading_stays_with_the_text_that_it_heads() -> None:
    made = document([("heading", "5 Loads")], [("heading", "5.1 Snow"), ("paragraph", "Snow is a load.")])
    sections = (section(0, 0, 7, "5"), section(1, 8, 32, "5.1"))
    chunks = cut(made, sections=sections)
    assert [chunk.content for chunk in chunks] == ["5 Loads\n5.1 Snow\nSnow is a load."]
    assert chunks[0].section_number == "5.1"


def _content(chunk: ChunkRecord) -> list[str]:
    return chunk.content.splitlines()


def test_each_chunk_of_a_long_table_begins_with_the_heads_of_its_columns() -> None:
    rows = [f"Valve {n}\t{n} bar\t{n} kg" for n in range(40)]
    table = "\n".join(["Part\tPressure\tMass", *rows])
    chunks = cut(document([("caption", "Table 3 Valves"), ("table", table), ("paragraph", "Prices are without tax.")]))
    assert len(chunks) > 2
    assert {tuple(_content(chunk)[:2]) for chunk in chunks} == {("Table 3 Valves", "Part Pressure Mass")}
    assert {row.caption for chunk in chunks for row in headed_rows_of(chunk)} == {"Table 3 Valves"}
    assert all(len(chunk.content) <= SMALL.chunk_size for chunk in chunks)
    assert chunks[1].spans[0].start > 0


def test_a_head_of_two_levels_is_repeated_whole() -> None:
    rows = [f"Valve {n}\t{n} bar\t{n} bar" for n in range(40)]
    head = ["\tPressure\t", "Part\tleast\tmost"]
    chunks = cut(document([("table", "\n".join([*head, *rows]))]))
    assert {tuple(_content(chunk)[:2]) for chunk in chunks} == {tuple(_content(chunks[0])[:2])}
    assert _content(chunks[-1])[1] == "Part least most"


def test_a_table_that_goes_on_after_a_page_break_keeps_its_heads() -> None:
    first = "\n".join(["Part\tPressure", *(f"Valve {n}\t{n} bar" for n in range(9))])
    second = "\n".join(f"Valve {n}\t{n} bar" for n in range(9, 30))
    chunks = cut(document([("table", first), ("furniture", "page 1")], [("furniture", "Parts"), ("table", second)]))
    assert {_content(chunk)[0] for chunk in chunks} == {"Part Pressure"}
    rows = [row for chunk in chunks for row in headed_rows_of(chunk)]
    assert {row.cells for row in rows} == {(("Part", f"Valve {n}"), ("Pressure", f"{n} bar")) for n in range(30)}


def test_a_table_with_heads_of_its_own_after_a_page_break_is_another() -> None:
    first = "\n".join(["Part\tPressure", *(f"Valve {n}\t{n} bar" for n in range(9))])
    second = "\n".join(["Part\tPrice", *(f"Pump {n}\t{n} EUR" for n in range(9))])
    rows = [row for chunk in cut(document([("table", first)], [("table", second)])) for row in headed_rows_of(chunk)]
    assert {row.cells[1][0] for row in rows} == {"Pressure", "Price"}


def test_another_table_does_not_get_the_heads_of_the_one_above() -> None:
    rows = [f"Valve {n}\t{n} bar" for n in range(12)]
    prices = [f"Pump {n}\t{n} EUR" for n in range(12)]
    made = document(
        [
            ("table", "\n".join(["Part\tPressure", *rows])),
            ("paragraph", "Prices are without tax."),
            ("table", "\n".join(["Part\tPrice", *prices])),
        ]
    )
    last = cut(made)[-1]
    assert "Price" in last.content
    assert "Pressure" not in last.content


def test_rows_of_a_corpus_are_never_joined() -> None:
    made = Document((page(1, [("heading", "Scope")], "1"), page(2, [("paragraph", "It applies.")], "1.1")), "test 1")
    sections = (section(0, 0, 5, "1"), section(1, 6, 17, "1.1"))
    assert [chunk.content for chunk in cut(made, sections=sections)] == ["Scope", "It applies."]


def test_neighbours_share_their_border_sentences() -> None:
    text = " ".join(f"Sentence number {n} stands here." for n in range(12))
    chunks = cut(document(text))
    assert len(chunks) > 1
    for first, second in itertools.pairwise(chunks):
        assert second.start < first.end
        assert first.end - second.start <= SMALL.overlap


def test_a_cut_by_the_limit_is_counted() -> None:
    text = " ".join(f"Sentence number {n} stands here." for n in range(40))
    whole = cut(document(text))
    limited, lost = cut_chunks(source(), document(text), (), replace(SMALL, max_chunks_per_source=2), "v1")
    assert (len(limited), lost) == (2, len(whole) - 2)


def test_a_word_of_200_000_letters_is_cut_and_kept() -> None:
    chunks = cut(document("x" * 200_000), ChunkPolicy())
    assert sum(len(chunk.content) for chunk in chunks) == 200_000


def test_a_chunk_over_a_page_break_names_both_pages() -> None:
    chunks = cut(document("Snow falls on the", "roof of the house."))
    assert [chunk.pages for chunk in chunks] == [(1, 2)]


def test_other_bytes_give_other_ids() -> None:
    first = cut_chunks(source(content="1" * 64), document("Snow."), (), SMALL, "v1")[0]
    second = cut_chunks(source(content="2" * 64), document("Snow."), (), SMALL, "v1")[0]
    assert first[0].chunk_id != second[0].chunk_id


@pytest.mark.parametrize("kind", ["table", "paragraph"])
def test_a_line_of_very_many_spaces_is_cut_at_once(kind: BlockKind) -> None:
    blank = " " * 100_000
    made = document([(kind, f"Load: 2 kN.\n{blank}\nSnow: 1 kN.{blank}\n")])
    started = time.perf_counter()
    chunks = cut(made)
    assert time.perf_counter() - started < 2.0
    assert " ".join(" ".join(chunk.content for chunk in chunks).split()) == "Load: 2 kN. Snow: 1 kN."


def test_no_more_than_a_chunk_of_a_long_table_is_held_while_it_is_cut() -> None:
    """A million rows are cut as they come: what is held beside the chunks themselves does not grow with the rows."""

    def peak(rows: int) -> int:
        made = document([("table", "\n".join(f"{row}\tclock {row % 7}" for row in range(rows)))])
        policy = replace(SMALL, max_chunks_per_source=1)
        tracemalloc.start()
        assert cut(made, policy)
        held = tracemalloc.get_traced_memory()[1] - len(made.pages[0].text)
        tracemalloc.stop()
        return held

    assert peak(40_000) < 8 * peak(4_000)


@pytest.mark.parametrize(
    ("language", "reads"),
    [("en", "a broad-leaved tree in the churchyard"), ("de", "a broadleaved tree in the churchyard")],
)
def test_two_english_words_that_a_line_end_parts_keep_their_hyphen(language: str, reads: str) -> None:
    text = "It is a broad-\nleaved tree in the church-\nyard, and Ida Holm looks after it."
    (chunk,) = cut(replace(document([("paragraph", text)]), language=language))
    assert reads in chunk.content
