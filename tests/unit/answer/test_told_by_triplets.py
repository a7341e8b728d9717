"""What the whole store says of the question's names counts, whether or not a search has found it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.schema import checked

from pincite.engine.engine import Engine
from pincite.records.questions import RetrievalPolicy

QUESTION = (
    "Which founders of Tesla or Rivian have invested in solar energy startups, and what patents related to EV "
    "batteries do they hold?"
)
TEXTS = {
    "tesla.pdf": "Elon Musk, co-founder of Tesla, invested in SolarCity. SolarCity is a solar energy startup.",
    "musk_talk.pdf": "Elon Musk spoke of funds that invested in solar energy startups at a fair.",
    "tesla_patents.pdf": "Elon Musk holds patents for EV batteries.",
    "rivian.pdf": "RJ Scaringe, founder of Rivian, holds patents related to EV batteries.",
    "rivian_investments.pdf": "The holdings of RJ Scaringe are listed in the filings.",
    "weather.pdf": "Snow lies on the roof of Anna Berg.",
}
NARROW = RetrievalPolicy(top_k=1, looked_at=1)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with hashing_engine(tmp_path_factory.mktemp("told")) as made:
        made.index_documents(
            (source(name, text, acl=("board",) if name == "tesla.pdf" else ()), document(text))
            for name, text in TEXTS.items()
        )
        yield made


def test_founders_whom_no_search_has_found_are_found_by_what_documents_say_of_the_company(engine: Engine) -> None:
    texts = engine.session(("board",)).ask(QUESTION, policy=NARROW, receipt=False).summary
    assert "Elon Musk, co-founder of Tesla, invested in SolarCity. (tesla.pdf, p.1)" in texts
    assert "RJ Scaringe, founder of Rivian, holds patents related to EV batteries. (rivian.pdf, p.1)" in texts


def test_what_a_triplet_says_comes_before_a_sentence_that_only_has_the_words(engine: Engine) -> None:
    answer = engine.session(("board",)).ask(QUESTION, receipt=False)
    assert answer.statements[0].text == "Elon Musk, co-founder of Tesla, invested in SolarCity."
    assert "musk_talk.pdf" not in answer.summary


def test_the_place_that_is_nearest_to_what_is_missing_is_cited(engine: Engine) -> None:
    answer = engine.session(("board",)).ask(QUESTION, policy=NARROW, receipt=False)
    missing = {item.aspect: [place.filename for place in item.looked_in] for item in answer.missing}
    assert missing["RJ Scaringe: invested in solar energy startups"] == ["rivian_investments.pdf"]


def test_what_the_asker_may_not_see_tells_of_nobody(engine: Engine) -> None:
    assert "tesla.pdf" not in engine.ask(QUESTION, policy=NARROW, receipt=False).summary


def test_every_result_shows_what_it_says_of_the_names_of_the_question(engine: Engine) -> None:
    answer = checked(engine.session(("board",)).ask("What is known of Elon Musk?", receipt=False)).to_dict()
    shown = {
        (item["filename"], triplet["predicate"])
        for item in answer["results"]
        if item["type"] == "chunk"
        for triplet in item["supporting_triplets"]
    }
    assert {("tesla.pdf", "invested_in"), ("tesla_patents.pdf", "holds_patent")} <= shown
    assert not any(filename in ("weather.pdf", "rivian.pdf") for filename, _ in shown)


def test_a_search_shows_them_too(engine: Engine) -> None:
    retrieval = engine.session(("board",)).search("What is known of Elon Musk?")
    shown = {(item.subject, item.predicate, item.object) for item in retrieval.triplets}
    assert ("Elon Musk", "invested_in", "SolarCity") in shown
    assert {item.source_chunk_id for item in retrieval.triplets} <= {e.chunk.chunk_id for e in retrieval.evidence}


def test_what_is_returned_is_counted(engine: Engine) -> None:
    answer = engine.session(("board",)).ask("In what has Elon Musk invested?", receipt=False).to_dict()
    assert {item["type"] for item in answer["results"]} == {"chunk", "triplet_path"}
    assert answer["meta"]["returned"] == len(answer["results"])
