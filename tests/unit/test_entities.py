"""What the documents say of one entity, each sentence with its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine
from pincite.errors import PinciteError
from pincite.records.pages import Block, Document, Page, Span
from pincite.records.sources import Source

TEXTS = {
    "rivian.pdf": ("Rivian was founded in 2009 by RJ Scaringe.", "Amazon invested in Rivian."),
    "people.pdf": ("RJ Scaringe holds patents for batteries.", "Snow lies on the roof."),
}


def document(texts: tuple[str, ...]) -> Document:
    pages = (Page(n, text, (Block("paragraph", Span(n, 0, len(text))),)) for n, text in enumerate(texts, start=1))
    return Document(tuple(pages), reader="test")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with hashing_engine(tmp_path / "store") as made:
        made.index_documents((Source(name, "given", name), document(texts)) for name, texts in TEXTS.items())
        yield made


def test_every_triplet_of_an_entity_shows_its_sentence_and_page(engine: Engine) -> None:
    view = engine.session().graph.entity("RJ Scaringe")
    found = {(t.subject, t.predicate, t.object): (t.citation.filename, t.citation.page) for t in view.triplets}
    assert found["RJ Scaringe", "holds_patent", "patents for batteries"] == ("people.pdf", 1)
    for triplet in view.triplets:
        page = TEXTS[triplet.citation.source_id][(triplet.citation.page or 0) - 1]
        assert page[triplet.citation.span.start : triplet.citation.span.end] == triplet.citation.quote
    assert "rivian" in [name for name, _ in view.beside]


def test_an_entity_is_found_however_it_is_spelt(engine: Engine) -> None:
    assert engine.session().graph.entity("the rivian").name == "rivian"
    assert {m.page for m in engine.session().graph.entity("RIVIAN").mentions} == {1, 2}


def test_what_is_no_name_is_found_by_its_words(tmp_path: Path) -> None:
    texts = (
        "The rated flow is 120 m3/h at 35 m. Cavitation is caused by low suction pressure.",
        "The net positive suction head was measured on 7 April 1948. Flow is rated by hand.",
    )
    with hashing_engine(tmp_path / "store") as made:
        made.index_documents([(Source("pump.pdf", "given", "pump"), document(texts))])
        view = made.session().graph.entity("cavitation")
        assert ("Cavitation", "caused_by", "low suction pressure") in [
            (triplet.subject, triplet.predicate, triplet.object) for triplet in view.triplets
        ]
        assert view.chunk_count == 1
        for entity, page in (("rated flow", 1), ("120 m3/h", 1), ("net positive suction head", 2), ("7 April 1948", 2)):
            assert {mention.page for mention in made.session().graph.entity(entity).mentions} == {page}
        with pytest.raises(PinciteError, match="no document names 'suction flow'"):
            made.session().graph.entity("suction flow")


def test_marks_between_the_words_of_a_name_do_not_hide_its_sentences(tmp_path: Path) -> None:
    text = "Marks & Spencer bought Ocado in 2019."
    with hashing_engine(tmp_path / "store") as made:
        made.index_documents([(Source("shops.pdf", "given", "shops"), document((text,)))])
        mentions = made.session().graph.entity("Marks & Spencer").mentions
        assert [mention.quote for mention in mentions] == [text]


def test_a_name_that_nobody_mentions_is_told_with_the_nearest(engine: Engine) -> None:
    with pytest.raises(PinciteError, match="no document names 'Rivan': nearest are rivian"):
        engine.session().graph.entity("Rivan")


def test_what_left_the_store_is_not_named_any_more(engine: Engine) -> None:
    engine.remove("rivian.pdf")
    with pytest.raises(PinciteError, match="no document names"):
        engine.session().graph.entity("Amazon")


def test_what_the_asker_may_not_see_is_not_named(tmp_path: Path) -> None:
    secret = ("Money of Rivian goes to Otto Geheim.", "Karla Stumm knows it.")
    with hashing_engine(tmp_path / "store") as made:
        shown = Source("open.pdf", "given", "open"), document(("The cars of Rivian are driven by Anna Berg.",))
        hidden = Source("secret.pdf", "given", "secret", acl=("board",)), document(secret)
        made.index_documents([shown, hidden])
        view = made.session().graph.entity("Rivian")
        assert view.chunk_count == 1
        assert [name for name, _ in view.beside] == ["anna berg"]
        for name in ("Otto Geheim", "Karla Stumm"):
            with pytest.raises(PinciteError) as raised:
                made.session().graph.entity(name)
            assert "geheim" not in str(raised.value).partition(":")[2]
            assert "stumm" not in str(raised.value).partition(":")[2]


def test_a_row_of_a_table_says_what_its_columns_are_called(tmp_path: Path) -> None:
    text = "Founder\tVenture\nElon Musk\tSolarCity"
    table = Document((Page(1, text, (Block("table", Span(1, 0, len(text))),)),), reader="test")
    prose = document(("Nothing else is known of SolarCity.",))
    with hashing_engine(tmp_path / "store") as made:
        made.index_documents([(Source("table.pdf", "given", "t"), table), (Source("prose.pdf", "given", "p"), prose)])
        found = made.session().graph.entity("SolarCity").triplets
    (triplet,) = [triplet for triplet in found if triplet.citation.filename == "table.pdf"]
    assert (triplet.subject, triplet.predicate, triplet.object) == ("Elon Musk", "venture", "SolarCity")
    assert (triplet.citation.page, triplet.citation.quote) == (1, "Elon Musk\tSolarCity")
