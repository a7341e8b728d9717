"""A walk from name to name, as it is drawn: what stands where, what joins it, and the sentences that say so."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from tests.support.documents import document, page, source

from pincite.engine.engine import Engine
from pincite.errors import NotThereError
from pincite.neighbourhood import Drawing, Edge, drawn_walk
from pincite.settings import Settings
from pincite.wiring import open_engine

SENTENCES = (
    "Alder Works was founded by Ada Brook in 1990.",
    "Ada Brook invested in Cedar Mills.",
    "It bought the patents of Alder Works.",
    "Cedar Mills and Alder Works stand in Springfield.",
    "Cedar Mills acquired Dogwood Labs.",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = document("x")
    pages = tuple(page(number, [("paragraph", text)]) for number, text in enumerate(SENTENCES, start=1))
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("walks") / "store", create=True) as engine:
        engine.index_documents([(source("works.pdf"), type(made)(pages, made.reader, title="Works"))])
        yield engine


def walked(engine: Engine, *names: str) -> Drawing:
    return drawn_walk(engine.session(()), names)


def edge_to(drawing: Drawing, name: str) -> Edge:
    numbers = {node.name: number for number, node in enumerate(drawing.nodes)}
    return next(edge for edge in drawing.edges if numbers[name] in (edge.source, edge.target))


def test_an_edge_holds_the_sentence_that_says_so_with_its_page(engine: Engine) -> None:
    drawing = walked(engine, "Alder Works")
    edge = edge_to(drawing, "Ada Brook")
    assert (drawing.nodes[edge.source].name, edge.label) == ("Alder Works", "has_founder")
    assert [(said.citation.quote, said.citation.page) for said in edge.sentences] == [(SENTENCES[0], 1)]
    assert (edge.sentences[0].subject, edge.sentences[0].object) == ("Alder Works", "Ada Brook")


def test_who_is_only_named_beside_it_is_joined_without_a_word(engine: Engine) -> None:
    drawing = walked(engine, "Alder Works")
    edge = edge_to(drawing, "cedar mills")
    assert edge.label == ""
    assert [said.citation.page for said in edge.sentences] == [4]


def test_what_stands_for_a_name_is_no_name(engine: Engine) -> None:
    assert not {"It", "it"} & {node.name for node in walked(engine, "Alder Works").nodes}


def test_a_walk_goes_on_from_a_neighbour_in_the_first_row(engine: Engine) -> None:
    drawing = walked(engine, "Alder Works", "Ada Brook", "Cedar Mills")
    first_row = [node for node in drawing.nodes if node.is_walked]
    assert [node.name for node in first_row] == ["Alder Works", "Ada Brook", "Cedar Mills"]
    assert len({node.y for node in first_row}) == 1
    assert edge_to(drawing, "Dogwood Labs").label == "acquired"
    assert all(edge.sentences for edge in drawing.edges)


def test_nothing_stands_where_another_stands_and_all_within_the_drawing(engine: Engine) -> None:
    drawing = walked(engine, "Alder Works", "Ada Brook")
    places = [(node.x, node.y) for node in drawing.nodes]
    assert len(set(places)) == len(places)
    assert all(0 < x < drawing.width and 0 < y < drawing.height for x, y in places)
    columns = sorted({x for x, _ in places})
    assert len({after - before for before, after in pairwise(columns)}) == 1


def test_the_same_walk_is_the_same_drawing(engine: Engine) -> None:
    assert walked(engine, "ALDER WORKS", "Ada Brook").edges == walked(engine, "ALDER WORKS", "Ada Brook").edges


def test_what_nobody_names_is_told_and_who_is_no_neighbour_ends_a_walk(engine: Engine) -> None:
    with pytest.raises(NotThereError, match="no document names 'Zinc'"):
        walked(engine, "Zinc")
    for name in ("Zinc", "Dogwood Labs"):
        drawing = walked(engine, "Alder Works", name, "Ada Brook")
        assert len({node.x for node in drawing.nodes}) == 2
        assert name not in {node.name for node in drawing.nodes}
        assert all(edge.sentences for edge in drawing.edges)
