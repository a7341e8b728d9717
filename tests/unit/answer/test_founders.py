"""The question of spec llmless_retrieval.md, sections 7B, 8.2 and 20, asked of PDFs with the facts that it states."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.made_pdfs import Sheet, paragraph, write_pdf
from tests.support.schema import checked

from pincite.models.weights import BGE
from pincite.records.answers import Answer
from pincite.records.questions import RetrievalPolicy
from pincite.retrieve.profiles import PROFILES
from pincite.settings import Settings
from pincite.wiring import open_engine

QUESTION = (
    "Which founders of Tesla or Rivian have invested in solar energy startups, and what patents related to EV "
    "batteries do they hold?"
)
# File, number of pages, page of the facts, the facts.
SPEC = (
    ("tesla_investments.pdf", 14, 12, ("Elon Musk, co-founder of Tesla, invested in SolarCity.",)),
    (
        *("tesla_patents.pdf", 8, 5),
        ("Elon Musk holds patents for Tesla EV battery technology,", "including battery management systems."),
    ),
    ("rivian_patents.pdf", 7, 5, ("RJ Scaringe, founder of Rivian, holds patents related to Rivian EV batteries.",)),
    ("rivian_investments.pdf", 5, 3, ("The holdings of RJ Scaringe are listed in the filings.",)),
)
PASSIVE = (
    ("people.pdf", 3, 2, ("Tesla was founded by Martin Eberhard and Marc Tarpenning in 2003.",)),
    (
        *("money.pdf", 3, 2),
        (
            "Martin Eberhard invested in SunCo. SunCo is a solar energy startup.",
            "Marc Tarpenning invested in a bakery.",
        ),
    ),
    ("patents.pdf", 3, 2, ("Martin Eberhard holds US patent US7671565B2 on EV batteries.",)),
)
Facts = tuple[tuple[str, int, int, tuple[str, ...]], ...]


def write_facts(folder: Path, facts: Facts) -> None:
    for name, count, page, lines in facts:

        def draw(sheet: Sheet, number: int, page: int = page, lines: tuple[str, ...] = lines) -> None:
            sheet.lines(40, 60, lines if number == page else paragraph(number * 3, 6))

        pages = [lambda sheet, number=number, draw=draw: draw(sheet, number) for number in range(1, count + 1)]
        write_pdf(folder / name, pages)


def asked(folder: Path, facts: Facts) -> Iterator[Answer]:
    write_facts(folder, facts)
    with open_engine(Settings(embedder="none"), folder / ".pincite", create=True) as engine:
        engine.index([folder])
        yield checked(engine.ask(QUESTION))


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answer]:
    yield from asked(tmp_path_factory.mktemp("spec"), SPEC)


@pytest.fixture(scope="module")
def passive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answer]:
    yield from asked(tmp_path_factory.mktemp("passive"), PASSIVE)


@pytest.mark.skipif(BGE.find() is None, reason="the weights of the default embedder are not installed")
def test_the_answer_is_the_same_with_the_default_embedder_whatever_the_profile(spec: Answer, tmp_path: Path) -> None:
    write_facts(tmp_path, SPEC)
    with open_engine(Settings(), tmp_path / ".pincite", create=True) as engine:
        engine.index([tmp_path])
        for profile in PROFILES:
            policy = RetrievalPolicy(profile=profile)
            assert engine.ask(QUESTION, policy=policy, receipt=False).summary == spec.summary


def test_both_founders_the_investment_the_patents_and_what_is_missing_each_with_file_and_page(spec: Answer) -> None:
    assert spec.summary.split("\n") == [
        "Elon Musk, co-founder of Tesla, invested in SolarCity. (tesla_investments.pdf, p.12)",
        "Elon Musk holds patents for Tesla EV battery technology, including battery management systems. "
        "(tesla_patents.pdf, p.5)",
        "No information found about RJ Scaringe: invested in solar energy startups (looked in: "
        "rivian_investments.pdf, p.3)",
        "RJ Scaringe, founder of Rivian, holds patents related to Rivian EV batteries. (rivian_patents.pdf, p.5)",
    ]
    assert [(item.aspect, [(place.filename, place.page) for place in item.looked_in]) for item in spec.missing] == [
        ("RJ Scaringe: invested in solar energy startups", [("rivian_investments.pdf", 3)])
    ]


def test_the_results_hold_the_chunks_with_their_triplets_and_the_path(spec: Answer) -> None:
    results = spec.to_dict()["results"]
    triplets = {
        (item["filename"], triplet["subject"], triplet["predicate"], triplet["object"])
        for item in results
        if item["type"] == "chunk"
        for triplet in item["supporting_triplets"]
    }
    assert ("tesla_investments.pdf", "Elon Musk", "invested_in", "SolarCity") in triplets
    paths = [item for item in results if item["type"] == "triplet_path"]
    founder = next(item for item in paths if item["path"] == ["Tesla", "Elon Musk", "SolarCity"])
    assert founder["edges"] == ["has_founder", "invested_in"]
    assert {(place["filename"], place["page"]) for place in founder["supporting_chunks"]} == {
        ("tesla_investments.pdf", 12)
    }


def test_founders_that_stand_behind_the_verb_are_found_and_what_another_sentence_says_of_the_startup(
    passive: Answer,
) -> None:
    assert [statement.text for statement in passive.statements] == [
        "Tesla was founded by Martin Eberhard and Marc Tarpenning in 2003.",
        "Martin Eberhard invested in SunCo.",
        "SunCo is a solar energy startup.",
        "Martin Eberhard holds US patent US7671565B2 on EV batteries.",
        "No information found about Marc Tarpenning: invested in solar energy startups",
        "No information found about Marc Tarpenning: patents related to EV batteries",
    ]


def test_what_was_done_to_another_kind_of_thing_is_no_answer_but_the_place_to_look(passive: Answer) -> None:
    (first, _) = passive.missing
    assert [(place.filename, place.page) for place in first.looked_in] == [("money.pdf", 2)]


def test_nothing_is_missed_where_only_the_role_and_a_verb_that_says_nothing_are_asked(tmp_path: Path) -> None:
    write_facts(tmp_path, PASSIVE)
    with open_engine(Settings(embedder="none"), tmp_path / ".pincite", create=True) as engine:
        engine.index([tmp_path])
        answer = engine.ask("Who are the founders of Tesla and what patents do they hold?")
        assert all(not item.aspect.endswith(":") for item in answer.missing)
        assert "Martin Eberhard holds US patent US7671565B2 on EV batteries." in answer.summary
        answer = engine.ask("Who founded Tesla and what does he hold?")
        assert not answer.missing
