"""The tool "find section to jump to", as the engine offers it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.documents import document, page, source

from pincite.engine.engine import Engine
from pincite.errors import NotThereError, UsageError
from pincite.places import target_place
from pincite.records.outlines import Anchor, Outline, Section, Target
from pincite.settings import Settings
from pincite.wiring import open_engine

ROWS = (
    ("1", "Snow is a load."),
    ("1.1", "See section 1.3 for roofs."),
    ("1.2", "Wind is another."),
    ("1.3", "Roofs carry both."),
)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    pages = tuple(
        page(number, [("paragraph", text)], section=name) for number, (name, text) in enumerate(ROWS, start=1)
    )
    made = document("x")
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index_documents([(source("code.pdf"), type(made)(pages, made.reader, title="Code"))])
        yield engine


def chunk_of(engine: Engine, text: str) -> str:
    return next(
        item.chunk_id for item in engine.session().documents.chunks_at("code.pdf", 0, 1000) if text in item.content
    )


def test_sections_and_references_of_a_document_are_listed(engine: Engine) -> None:
    assert [section.number for section in engine.session().documents.sections("code.pdf")] == [name for name, _ in ROWS]
    ((reference, link),) = engine.session().documents.references("code.pdf")
    assert (reference.text, link.status) == ("section 1.3", "resolved")
    assert engine.session().documents.sections("code.pdf")[link.targets[0].section or 0].number == "1.3"


@pytest.mark.parametrize("asked", ["1.2", "Section 1.2", "clause 1.2", "1.2."])
def test_a_section_is_found_by_its_number(engine: Engine, asked: str) -> None:
    found = engine.session().documents.section("code.pdf", asked)
    assert (found.number, found.first_page) == ("1.2", 3)


def test_a_section_that_is_not_there_is_said_with_the_nearest_numbers(engine: Engine) -> None:
    with pytest.raises(NotThereError, match=r"there is no section 'Section 1.4': nearest are 1\.\d"):
        engine.session().documents.section("code.pdf", "Section 1.4")
    with pytest.raises(UsageError, match="no document"):
        engine.session().documents.section("other.pdf", "1.2")


def test_neighbours_stand_before_and_after_a_chunk(engine: Engine) -> None:
    found = engine.session().documents.neighbours(chunk_of(engine, "Wind"), 1)
    assert [item.content for item in found] == [ROWS[1][1], ROWS[2][1], ROWS[3][1]]
    assert len(engine.session().documents.neighbours(chunk_of(engine, "Snow"), 9)) == len(ROWS)


def test_words_are_resolved_from_where_they_are_read(engine: Engine) -> None:
    (link,) = engine.session().documents.resolve("as section 1.2 says", chunk_of(engine, "Roofs"))
    assert link.status == "resolved"
    (target,) = link.targets
    assert [
        item.content for item in engine.session().documents.chunks_at(target.source_id, target.start, target.end)
    ] == [ROWS[2][1]]


def test_a_place_that_the_question_names_comes_first(engine: Engine) -> None:
    best = engine.search("what does section 1.2 say about it", receipt=False).evidence
    assert "Wind is another." in [item.chunk.content for item in best]
    found = next(item for item in best if item.chunk.content == "Wind is another.")
    assert "structure" in found.retrieved_by
    assert "the place that was asked for" in found.why


def test_a_page_that_the_question_names_comes_with_it(engine: Engine) -> None:
    best = engine.search("what stands on page 4", receipt=False).evidence
    (found,) = [item for item in best if "the place that was asked for" in item.why]
    assert found.chunk.content == "Roofs carry both."


def test_an_unknown_document_is_said_to_be_unknown(engine: Engine) -> None:
    with pytest.raises(UsageError, match="no document"):
        engine.session().documents.sections("other.pdf")


def test_a_page_is_found_by_the_number_that_is_printed_on_it(tmp_path: Path) -> None:
    texts = ("A cover.", "Snow is heavy.", "Roofs carry snow.")
    labelled = tuple(
        replace(page(number, [("paragraph", text)]), label=label)
        for number, (text, label) in enumerate(zip(texts, (None, "1", "2"), strict=True), start=1)
    )
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index_documents([(source("code.pdf"), replace(document("x"), pages=labelled))])
        (first, *_) = engine.session().documents.chunks_at("code.pdf", 0, 1)
        (link,) = engine.session().documents.resolve("see page 2", first.chunk_id)
        starts = engine.session().documents.outline("code.pdf").pages
    assert [(target.start, target.end) for target in link.targets] == [(starts[2].start, starts[2].end)]
    assert "\f".join(texts)[starts[2].start : starts[2].end] == "Roofs carry snow."


def test_what_leads_to_a_table_leads_not_to_all_of_its_section() -> None:
    section = Section(0, "5.2", "Loads", 1, None, ("5.2 Loads",), 1, 1, 0, 100)
    table = Anchor(0, "table", "5.1", "Loads of anchors", 1, 40, 80, section=0)
    outline = Outline("code.pdf", sections=(section,), anchors=(table,))
    place = target_place(outline, Target("code.pdf", 40, 80, section=0, anchor=0))
    assert (place.name, place.start, place.end) == ("Table 5.1", 40, 80)
    assert target_place(outline, Target("code.pdf", 0, 100, section=0)).name == "5.2"
