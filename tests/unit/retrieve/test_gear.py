"""With the profile `llm`, paths of what documents say weigh in, and bring in what shares no word with the question."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.schema import checked

from pincite.engine.engine import Engine
from pincite.records.evidence import Retrieval
from pincite.records.questions import RetrievalPolicy

TEXTS = {
    "tesla.pdf": "Elon Musk, co-founder of Tesla, invested in SolarCity.",
    "solarcity.pdf": "Lyndon Rive, co-founder of SolarCity, spoke in Oslo.",
    "fund.pdf": "Lyndon Rive invested in Zep Solar.",
    "weather.pdf": "Snow lies on the roof of Anna Berg.",
    "nikola.pdf": "Nikola Tesla experimented with currents.",
}
QUESTION = "In what has Elon Musk invested?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with hashing_engine(tmp_path_factory.mktemp("gear")) as made:
        made.index_documents((source(name, text, acl=acl(name)), document(text)) for name, text in TEXTS.items())
        yield made


def acl(name: str) -> tuple[str, ...]:
    return ("board",) if name == "solarcity.pdf" else ()


def found(
    engine: Engine, profile: str, question: str = QUESTION, principals: tuple[str, ...] = ("board",)
) -> Retrieval:
    return engine.session(principals).search(QUESTION, policy=RetrievalPolicy(profile=profile))


def gear_of(retrieval: Retrieval) -> dict[str, float | None]:
    return {item.chunk.filename: item.scores.gear for item in retrieval.evidence}


def test_chunks_score_as_the_best_path_that_leads_to_them(engine: Engine) -> None:
    scores = gear_of(found(engine, "llm"))
    assert all(score is not None and 0 <= score <= 1 for score in scores.values())
    assert (scores["tesla.pdf"] or 0) > (scores["solarcity.pdf"] or 0) > (scores["fund.pdf"] or 0) > 0
    assert scores["nikola.pdf"] == 0.0


def test_the_final_score_has_the_four_weights_of_the_spec(engine: Engine) -> None:
    for item in found(engine, "llm").evidence:
        s = item.scores
        assert None not in (s.vec, s.bm25, s.graph, s.gear)
        expected = 0.45 * (s.vec or 0) + 0.20 * (s.bm25 or 0) + 0.20 * (s.graph or 0) + 0.15 * (s.gear or 0)
        assert s.final == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("profile", ["auto", "llmless"])
def test_other_profiles_follow_no_paths(engine: Engine, profile: str) -> None:
    retrieval = found(engine, profile)
    assert set(gear_of(retrieval).values()) == {None}
    assert "gear_time_ms" not in retrieval.trace.timings_ms


def test_the_time_that_paths_take_is_told(engine: Engine) -> None:
    assert found(engine, "llm").trace.timings_ms["gear_time_ms"] >= 0
    answer = checked(engine.ask(QUESTION, policy=RetrievalPolicy(profile="llm"), receipt=False))
    assert "gear_time_ms" in answer.to_dict()["meta"]["timings_ms"]


def test_a_path_through_what_the_asker_may_not_see_leads_nowhere(engine: Engine) -> None:
    scores = gear_of(found(engine, "llm", principals=()))
    assert "solarcity.pdf" not in scores
    assert not scores.get("fund.pdf")


def test_the_same_question_gets_the_same_scores(engine: Engine) -> None:
    assert found(engine, "llm").evidence == found(engine, "llm").evidence
