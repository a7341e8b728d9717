"""1. An asked question leaves one line with what its stages cost. 2. Its words are not in that line, unless the setting
says so, and cannot forge another one. 3. No telemetry costs an answer."""

from __future__ import annotations

import json
import logging
import re
import time
from pathlib import Path

import pytest
from tests.support.engines import hashing_engine
from tests.unit.telemetry.conftest import QUESTION, TEXTS, put, small_model

from pincite.cli.main import main
from pincite.engine.engine import Engine
from pincite.errors import ServiceError, UsageError
from pincite.ports import Telemetry
from pincite.records.answers import Answer
from pincite.records.prompts import Prompt, QuestionCost, QuestionFailure
from pincite.records.questions import Filter
from pincite.settings import Settings, load_settings
from pincite.stopwatch import Stopwatch
from pincite.telemetry.log import LogTelemetry
from pincite.wiring import open_engine
from pincite_testing.memory_telemetry import MemoryTelemetry
from pincite_testing.scripted_language_model import ScriptedLanguageModel

NOT_SEARCHED = {"cache_time_ms"}


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What is logged of questions; `messages` has its lines."""
    caplog.set_level(logging.DEBUG, "pincite.asked")
    return caplog


# --- what a question cost ----------------------------------------------------------------------------------


def test_an_answer_costs_the_times_of_its_stages(engine: Engine, told: MemoryTelemetry) -> None:
    answer = engine.ask(QUESTION)
    (cost,) = told.costs
    assert (cost.trace_id, cost.mode, cost.cached, cost.degraded) == (answer.trace_id, "extract", False, False)
    times = cost.times_ms
    names = ("embed", "faiss", "arangosearch", "graph", "merge", "reranker", "answer", "retrieval")
    assert times.keys() == {f"{name}_time_ms" for name in names}
    assert times["faiss_time_ms"] + times["arangosearch_time_ms"] + times["graph_time_ms"] <= times["retrieval_time_ms"]
    assert 0 < times["reranker_time_ms"] <= times["answer_time_ms"]
    assert cost.hits.keys() >= {"faiss_hits", "arangosearch_hits"}
    assert (cost.merged, cost.looked_at, cost.prefilter) == (2, 2, 80)
    assert (cost.tokens_used, cost.calls) == (0, {})
    assert cost.used_chunks == tuple(dict.fromkeys(c.chunk_id for s in answer.statements for c in s.citations))


def test_the_tokens_of_a_model_are_counted_and_how_its_json_was_read(engine: Engine, told: MemoryTelemetry) -> None:
    answer = engine.ask(QUESTION, mode="agentic")
    (cost,) = told.costs
    usage = answer.to_dict()["meta"]["usage"]
    assert cost.tokens_used == usage["prompt_tokens"] + usage["completion_tokens"] > 0
    assert cost.calls == {"plan": 1, "map": 2, "reduce": 1}
    assert (cost.json_read, cost.json_salvaged, cost.json_defaulted) == (1, 1, 1)
    assert "llm_time_ms" in cost.times_ms


def test_statements_that_fell_are_counted(engine: Engine, told: MemoryTelemetry) -> None:
    answer = engine.ask(QUESTION, mode="agentic")
    assert [statement.text for statement in answer.statements] == ["The roof of the station bears 2.5 kN/m2 of snow."]
    assert (told.costs[0].said, told.costs[0].fallen) == (1, 1)


def test_a_stage_that_is_taken_again_adds_to_the_first_time() -> None:
    """A question that names a document, and mode agentic, search twice; a stage that fails took its time, too."""
    watch = Stopwatch({"parse": 1000.0})
    with pytest.raises(ServiceError), watch.timing("parse"):
        time.sleep(0.001)
        raise ServiceError("no answer")
    assert watch.timings_ms["parse"] >= 1001.0


def test_a_cached_answer_says_so_and_costs_nothing_else(engine: Engine, told: MemoryTelemetry) -> None:
    for _ in range(2):
        engine.ask(QUESTION, mode="agentic")
    first, again = told.costs
    assert (first.cached, again.cached) == (False, True)
    assert again.times_ms.keys() == NOT_SEARCHED
    assert (again.tokens_used, again.calls, again.hits, again.merged, again.looked_at) == (0, {}, {}, 0, 0)
    assert (again.said, again.used_chunks) == (first.said, first.used_chunks)
    assert again.trace_id != first.trace_id


def test_a_refusal_and_a_model_that_is_down_are_told(tmp_path: Path, told: MemoryTelemetry) -> None:
    def down(prompt: Prompt) -> str:
        raise ServiceError("the model is down")

    model = ScriptedLanguageModel(down)
    with put(hashing_engine(tmp_path, language_model=model, telemetry=told)) as engine:
        engine.ask("Who painted the Mona Lisa?")
        engine.ask(QUESTION, mode="generate")
    assert [(cost.refused, cost.degraded) for cost in told.costs] == [(True, False), (False, True)]
    assert (told.costs[1].calls, told.costs[1].tokens_used) == ({"generate": 1}, 0)


def test_a_question_that_fails_is_told_with_its_error(engine: Engine, told: MemoryTelemetry) -> None:
    with pytest.raises(UsageError):
        engine.ask(QUESTION, filter=Filter(as_of="yesterday"))
    assert told.costs == []
    assert [(item.question, item.mode, item.error) for item in told.failures] == [(QUESTION, "extract", "UsageError")]


def test_what_differs_from_one_asking_to_the_next_is_in_no_stable_output(engine: Engine) -> None:
    first, again = (engine.ask(QUESTION, mode="agentic", receipt=False) for _ in range(2))
    assert first.to_dict(stable=True) == again.to_dict(stable=True)
    assert engine.session().audit.replay(engine.ask(QUESTION, mode="agentic").trace_id).same


# --- the log -----------------------------------------------------------------------------------------------


def logged(
    folder: Path, question: str = QUESTION, *, mode: str = "extract", settings: Settings | None = None
) -> Answer:
    """The answer to a question to an engine as `wiring` makes it."""
    model = ScriptedLanguageModel(small_model)
    settings = settings or Settings(embedder="none", reranker="none")
    with put(open_engine(settings, folder, create=True, language_model=model)) as engine:
        return engine.ask(question, mode=mode)


def test_an_asked_question_leaves_one_line(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    answer = logged(tmp_path, mode="agentic")
    line, chunks = log.messages
    assert line.startswith(f"trace_id={answer.trace_id} mode=agentic refused=false degraded=true cached=false ")
    for field in ("retrieval_time", "arangosearch_time", "graph_time", "llm_time", "answer_time"):
        assert re.search(rf" {field}=\d+ms ", line), field
    assert " calls=plan:1,map:2,reduce:1 json_read=1 json_salvaged=1 json_defaulted=1" in line
    assert re.search(r" merged=2 prefilter_topM=80 looked_at=2 statements=1 fallen=1 tokens=[1-9]\d* ", line)
    used = {citation.chunk_id for statement in answer.statements for citation in statement.citations}
    assert set(json.loads(chunks.partition("used_chunks: ")[2])) == used


def test_no_words_of_questions_and_documents_are_logged(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    logged(tmp_path, mode="agentic")
    assert len(log.messages) == 2
    assert not re.search(r"snow|roof|station|scripted", log.text)


def test_the_question_is_logged_where_the_setting_says_so(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    logged(tmp_path, settings=Settings(embedder="none", reranker="none", log_questions=True))
    assert f' query="{QUESTION}" ' in log.messages[0]


def test_a_folder_of_documents_cannot_have_questions_logged(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("log_questions = true", encoding="utf-8")
    loaded = load_settings(folder=tmp_path, environment={})
    assert not loaded.settings.log_questions
    assert "log_questions" in loaded.notices[0]


@pytest.mark.parametrize("ending", ["\n", "\r", "\x85", "\u2028", "\x0b", '" trace_id=forged "'])
def test_a_question_forges_no_second_line(tmp_path: Path, log: pytest.LogCaptureFixture, ending: str) -> None:
    settings = Settings(embedder="none", reranker="none", log_questions=True)
    logged(tmp_path, f"Where does snow lie?{ending}[INFO] trace_id=0", settings=settings)
    assert len(log.messages[0].splitlines()) == 1
    shown = re.search(r'query="((?:[^"\\]|\\.)*)" refused=', log.messages[0])
    assert shown is not None
    assert "[INFO] trace_id=0" in shown[1]


def test_an_error_is_logged_by_its_kind_alone(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    with put(hashing_engine(tmp_path, telemetry=LogTelemetry())) as engine, pytest.raises(UsageError):
        engine.ask(QUESTION, filter=Filter(as_of="yesterday"))
    assert re.fullmatch(r"mode=extract error=UsageError time=\d+ms", log.messages[0])


def test_debug_shows_the_line_and_nothing_else_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "snow.txt").write_text(TEXTS["snow.pdf"], encoding="utf-8")
    models = ("--embedder", "none", "--reranker", "none")
    assert main(["index", ".", "--quiet", *models[:2]]) == 0
    capsys.readouterr()
    assert main(["ask", QUESTION, *models]) == 0
    assert "trace_id" not in capsys.readouterr().err
    for _ in range(2):
        assert main(["ask", QUESTION, *models, "--debug"]) == 0
        line, chunks = [line for line in capsys.readouterr().err.splitlines() if line.startswith("[")]
        assert line.startswith("[INFO] trace_id=")
        assert chunks.startswith("[DEBUG] trace_id=")


# --- a telemetry that fails --------------------------------------------------------------------------------


class Broken:
    """Fails whatever it is told."""

    def answered(self, cost: QuestionCost) -> None:
        raise RuntimeError(f"no room for {cost.question}")

    def failed(self, failure: QuestionFailure) -> None:
        raise OSError(f"no room for {failure.question}")

    def rests(self, service: str, seconds: float) -> None:
        raise OSError(f"no room for {service}")

    def close(self) -> None:
        raise OSError("no room")


def test_a_telemetry_that_fails_costs_no_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    broken: Telemetry = Broken()
    with put(hashing_engine(tmp_path, telemetry=broken)) as engine:
        assert "2.5" in engine.ask(QUESTION).summary
        with pytest.raises(UsageError, match="yesterday"):
            engine.ask(QUESTION, filter=Filter(as_of="yesterday"))
    assert "RuntimeError" in caplog.messages[0]
    assert QUESTION not in caplog.text
