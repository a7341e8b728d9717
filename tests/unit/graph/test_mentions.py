"""A document's mentions: short forms, acronyms and defined terms lead to their full names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.mentions import find_mentions, mentions_within
from pincite.records.chunks import Mention
from pincite.records.outlines import Anchor
from pincite.records.pages import Block, Cell, Document, Page, Span, Table


def document(*paragraphs: str, heading: str = "", title: str | None = None) -> Document:
    """One page a paragraph; the heading opens the first."""
    pages = []
    for number, paragraph in enumerate(paragraphs, start=1):
        head = f"{heading}\n" if heading and number == 1 else ""
        blocks = [Block("heading", Span(number, 0, len(heading)), level=1)] if head else []
        text = head + paragraph
        pages.append(Page(number, text, (*blocks, Block("paragraph", Span(number, len(head), len(text))))))
    return Document(tuple(pages), reader="test", title=title)


def full_names(found: tuple[Mention, ...]) -> dict[str, str | None]:
    return {mention.name: mention.full for mention in found}


def test_a_last_name_stands_for_the_full_name_before_it() -> None:
    found = full_names(find_mentions(document("Judith Viorst was born in Newark. Then Viorst wrote."), ()))
    assert found == {"judith viorst": None, "newark": None, "viorst": "judith viorst"}


def test_a_heading_names_whom_its_text_is_about() -> None:
    found = full_names(find_mentions(document("he said that Viorst wrote.", heading="Judith Viorst"), ()))
    assert found == {"viorst": "judith viorst"}


def test_an_acronym_in_parentheses_stands_for_what_it_abbreviates() -> None:
    text = "The Financial Services Authority (FSA) and Lloyd Street (Bank) act. The FSA decides."
    found = full_names(find_mentions(document(text), ()))
    assert found["fsa"] == "financial services authority"
    assert found["bank"] is None


def test_a_defined_term_is_found_in_lower_case() -> None:
    anchor = Anchor(0, "definition", "1.1", "exceptional snow load", 1, 0, 5, None)
    found = find_mentions(document("consider the exceptional  snow\nload here."), (anchor,))
    assert [(mention.kind, mention.name) for mention in found] == [("term", "exceptional snow load")]


def test_furniture_names_nothing() -> None:
    page = Page(1, "Acme Corporation\nSnow falls.", (Block("furniture", Span(1, 0, 16)),))
    assert find_mentions(Document((page,), reader="test"), ()) == ()


words = st.sampled_from(["Anna Berg", "Berg", "snow", "Oslo", "lies in", ".", "(AB)", "Alpine Board"])


@given(st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=3))
def test_every_mention_is_a_place_of_the_joined_text(paragraphs: list[str]) -> None:
    read = document(*paragraphs)
    joined = "\f".join(page.text for page in read.pages)
    found = find_mentions(read, ())
    for mention in found:
        assert joined[mention.start : mention.end].split()[0][0].isupper()
    starts = [mention.start for mention in found]
    assert starts == sorted(starts)
    middle = len(joined) // 2
    parts = [*mentions_within(found, starts, 0, middle), *mentions_within(found, starts, middle, len(joined))]
    assert parts == list(found)


def test_a_name_that_stands_alone_is_found_inside_a_longer_one() -> None:
    found = find_mentions(document("We own Tesla EV and Berg House. Then Tesla grew."), ())
    assert [mention.name for mention in found] == ["tesla", "tesla ev and berg house", "tesla"]


def test_names_in_neighbouring_cells_are_not_one_name() -> None:
    text = "Founder\tVenture\nElon Musk\tSolarCity"
    page = Page(1, text, (Block("table", Span(1, 0, len(text))),))
    found = find_mentions(Document((page,), reader="test"), ())
    assert [text[mention.start : mention.end] for mention in found] == ["Founder", "Venture", "Elon Musk", "SolarCity"]


def test_the_head_of_a_column_is_a_name_only_where_it_is_one_elsewhere() -> None:
    text = "Founder\tTesla\nElon Musk\tyes"
    bounds = [(0, 7), (8, 13), (14, 23), (24, 27)]
    cells = tuple(Cell(index // 2, index % 2, Span(1, *bound), header=index < 2) for index, bound in enumerate(bounds))
    page = Page(1, text, (Block("table", Span(1, 0, len(text))),), tables=(Table(Span(1, 0, len(text)), 2, 2, cells),))
    found = find_mentions(Document((page,), reader="test"), ())
    assert [(mention.kind, mention.name) for mention in found] == [
        ("opening", "founder"),
        ("opening", "tesla"),
        ("name", "elon musk"),
    ]


def test_a_name_that_begins_with_an_opening_word_counts_where_it_is_one_elsewhere() -> None:
    found = find_mentions(document("After Earth flopped. We saw After Earth."), ())
    assert [(mention.kind, mention.name) for mention in found] == [
        ("opening", "after earth"),
        ("name", "earth"),
        ("name", "after earth"),
        ("name", "earth"),
    ]
