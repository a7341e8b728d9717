"""1. A question ends within its time: what is known by then answers, and `degraded` says what is missing. 2. Such an
answer is not kept for the next who asks. 3. In time, a deadline changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from http.server import ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.documents import document, source
from tests.support.engines import RULES, hashing_engine
from tests.support.services import JsonService, running, serving, silent
from tests.support.small_models import write_cross_encoder

from pincite.cli.main import main
from pincite.deadline import Deadline
from pincite.engine.asking import RERANKER_SILENT
from pincite.engine.engine import Engine
from pincite.errors import ServiceError, SettingsError
from pincite.models.language_model import OllamaModel
from pincite.models.language_triplets import LanguageExtractor
from pincite.models.onnx_reranker import OnnxReranker
from pincite.models.remote import OllamaEmbedder
from pincite.models.weights import inspect_reranker
from pincite.ports import Vector
from pincite.records.answers import Answer
from pincite.records.prompts import LanguageService
from pincite.retrieve.search import EMBEDDER_SILENT
from pincite.settings import LONGEST_ASK, Settings, load_settings
from pincite.wiring import open_engine
from pincite_testing.hashing_embedder import HashingEmbedder
from pincite_testing.memory_reranker import MemoryReranker

QUESTION = "Does snow lie on the roof?"
TEXTS = {
    "a.pdf": "Snow lies on the roof. It shall be cleared by the owner.",
    "b.pdf": "Wind acts on the wall. The wall carries 0.4 kN.",
}
HANGS = 50
"""Seconds after which a question hangs, however busy the machine is; its embedder would be waited for 60."""


class Clock:
    """Stands still unless somebody lets time pass."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def put(engine: Engine) -> None:
    engine.index_documents([(source(name), document(text, title=name)) for name, text in TEXTS.items()])


def stable(answer: Answer) -> dict[str, Any]:
    return answer.to_dict(stable=True)


def is_cached(answer: Answer) -> bool:
    return set(answer.trace.timings_ms) == {"cache"}


# --- a moment ----------------------------------------------------------------------------------------------


def test_a_deadline_passes_after_its_seconds() -> None:
    clock = Clock()
    deadline = Deadline.after(3, clock)
    assert (deadline.remaining(), deadline.passed) == (3, False)
    deadline.check("the model")
    clock.now = 3
    assert (deadline.remaining(), deadline.passed) == (0, True)
    with pytest.raises(ServiceError, match=r"^the model had not answered .* --timeout SECONDS$"):
        deadline.check("the model")


def test_a_share_of_a_deadline_is_a_share_of_what_remains() -> None:
    clock = Clock()
    deadline = Deadline.after(3, clock)
    clock.now = 1
    assert deadline.within(0.5) == Deadline(2, clock)


def test_a_deadline_that_is_none_never_passes() -> None:
    never = Deadline.never()
    assert never.is_never and never.within(0.5).is_never
    assert not never.passed


# --- services ----------------------------------------------------------------------------------------------


class Waits:
    """How long the client library was to wait, request by request; each request takes a second of a clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.handed: list[float] = []

    def send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        assert stream
        self.handed.append(request.extensions["timeout"]["read"])
        self.clock.now += 1
        asked = json.loads(request.content)
        answers = {"embeddings": [[1.0] for _ in asked.get("input", ())], "message": {"content": "none"}}
        return httpx.Response(200, json=answers, request=request)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Waits:
    found = Waits(Clock())
    monkeypatch.setattr(httpx.Client, "send", found.send)
    return found


def test_a_service_is_waited_for_until_the_deadline_and_asked_nothing_after_it(waits: Waits) -> None:
    embedder = OllamaEmbedder("http://model", "small", timeout=60, concurrency=1)
    with pytest.raises(ServiceError, match="had not answered when the time was up"):
        embedder.embed(["snow"] * 32 * 5, deadline=Deadline.after(3, waits.clock))
    assert waits.handed == [3, 2, 1]


def test_a_service_is_waited_for_no_longer_than_the_settings_say(waits: Waits) -> None:
    embedder = OllamaEmbedder("http://model", "small", timeout=60, concurrency=1)
    embedder.embed_query("snow", deadline=Deadline.after(90, waits.clock))
    embedder.embed_query("snow")
    assert waits.handed == [60, 60]


def test_a_language_model_that_talks_on_is_asked_sentence_by_sentence_until_the_deadline(waits: Waits) -> None:
    model = OllamaModel(LanguageService("http://model", "small", "ollama", timeout=120), option="--extractor")
    extractor = LanguageExtractor(model, str, "0")
    with pytest.raises(ServiceError, match="had not answered when the time was up"):
        extractor.extract(["Snow falls."] * 8, "en", deadline=Deadline.after(3, waits.clock))
    assert waits.handed == [3, 2, 1]


def test_nobody_is_asked_anything_by_making_an_embedder(waits: Waits) -> None:
    embedder = OllamaEmbedder("http://model", "small", timeout=60, concurrency=1)
    assert waits.handed == []
    assert (embedder.dimension, embedder.dimension) == (1, 1)
    assert len(waits.handed) == 1


class Trickling(JsonService):
    """Answers byte by byte, and never ends while anybody waits."""

    done = Event()

    def serve(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        try:
            while not self.done.wait(0.02):
                self.wfile.write(b" ")
        except OSError:
            pass


def test_a_service_that_answers_byte_by_byte_is_waited_for_no_longer() -> None:
    with serving(Trickling) as url:
        embedder, started = OllamaEmbedder(url, "small", timeout=60, concurrency=1), monotonic()
        try:
            with pytest.raises(ServiceError, match="had not answered when the time was up"):
                embedder.embed_query("snow", deadline=Deadline.after(0.3))
        finally:
            Trickling.done.set()
    assert monotonic() - started < HANGS


# --- models of this machine --------------------------------------------------------------------------------


def test_a_long_reading_is_given_up_between_two_pairs(tmp_path: Path) -> None:
    reranker = OnnxReranker(inspect_reranker(write_cross_encoder(tmp_path, 1)), threads=1)
    looks = count()
    with pytest.raises(ServiceError, match="had not answered when the time was up"):
        reranker.scores("snow", ["snow"] * 9, deadline=Deadline(5, lambda: float(next(looks))))
    reranker.scores("snow", ["snow"] * 3, deadline=Deadline(5, lambda: float(next(looks) - 100)))


def test_sentences_are_read_by_the_rules_until_the_deadline() -> None:
    with pytest.raises(ServiceError, match="had not answered when the time was up"):
        RULES.extract(["Snow falls."], "en", deadline=Deadline.after(0))


# --- a question and its models -----------------------------------------------------------------------------


class SlowReranker(MemoryReranker):
    """Takes some seconds of a clock for each call."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.seconds = clock, 0.0

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        self.clock.now += self.seconds
        return super().scores(question, texts, deadline=deadline)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reranker(clock: Clock) -> SlowReranker:
    return SlowReranker(clock)


@pytest.fixture
def engine(tmp_path: Path, reranker: SlowReranker) -> Iterator[Engine]:
    with hashing_engine(tmp_path, reranker=reranker) as made:
        put(made)
        yield made


def silence_embedder(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[float]:
    """From now on the embedder says nothing until its deadline has passed; the seconds that it was given."""
    given: list[float] = []

    def wait(embedder: HashingEmbedder, text: str, *, deadline: Deadline) -> Vector:
        given.append(deadline.remaining())
        clock.now += deadline.remaining()
        deadline.check("the embedder")
        raise AssertionError("its time is not up")

    monkeypatch.setattr(HashingEmbedder, "embed_query", wait)
    return given


def refuse(embedder: HashingEmbedder, text: str, *, deadline: Deadline) -> Vector:
    """An embedder that is off."""
    raise ServiceError("the embedder is off")


def test_in_time_a_question_is_answered_as_without_a_deadline(engine: Engine, clock: Clock) -> None:
    expected = stable(engine.ask(QUESTION, receipt=False))
    assert stable(engine.ask(QUESTION, receipt=False, deadline=Deadline.after(10, clock))) == expected
    assert expected["degraded"] == []


def test_a_silent_embedder_leaves_the_reranker_its_time(
    engine: Engine, clock: Clock, reranker: SlowReranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(HashingEmbedder, "embed_query", refuse)
        expected = stable(engine.ask(QUESTION, receipt=False))
    given = silence_embedder(monkeypatch, clock)
    reranker.seconds = 1
    answer = engine.ask(QUESTION, deadline=Deadline.after(10, clock))
    assert given == [5]
    assert stable(answer) == expected
    assert answer.degraded == (EMBEDDER_SILENT,)
    assert answer.notices == (
        "the embedder had not answered when the time was up: give it more with --timeout SECONDS",
    )


def test_a_reranker_that_is_too_slow_leaves_the_last_word_to_the_cheaper_signals(
    engine: Engine, clock: Clock, reranker: SlowReranker, tmp_path: Path
) -> None:
    with hashing_engine(tmp_path / "without") as without:
        put(without)
        expected = stable(without.ask(QUESTION))
    reranker.seconds = 11
    answer = engine.ask(QUESTION, deadline=Deadline.after(10, clock))
    assert answer.degraded == (RERANKER_SILENT,)
    assert stable(answer) | {"degraded": []} == expected
    assert "the reranker had not answered when the time was up" in answer.notices[0]


@pytest.mark.parametrize("from_hits", [False, True])
def test_what_was_answered_in_too_short_a_time_is_not_kept_and_can_be_replayed(
    engine: Engine, clock: Clock, reranker: SlowReranker, *, from_hits: bool
) -> None:
    reranker.seconds = 11
    first = engine.ask(QUESTION, deadline=Deadline.after(10, clock))
    second, third = engine.ask(QUESTION), engine.ask(QUESTION)
    assert [bool(answer.degraded) for answer in (first, second, third)] == [True, False, False]
    assert [is_cached(answer) for answer in (first, second, third)] == [False, False, True]
    assert engine.session().audit.replay(first.trace_id, from_hits=from_hits).same
    assert engine.session().audit.replay(second.trace_id, from_hits=from_hits).same


def test_a_question_whose_time_is_over_is_answered_by_what_needs_no_model(engine: Engine) -> None:
    answer = engine.ask(QUESTION, deadline=Deadline.after(0))
    found = engine.search(QUESTION, deadline=Deadline.after(0))
    assert answer.degraded == (EMBEDDER_SILENT, RERANKER_SILENT)
    assert found.trace.degraded == (EMBEDDER_SILENT,)
    assert "roof" in answer.summary
    assert found.evidence[0].chunk.source_id == "a.pdf"


def test_what_was_found_in_time_is_given_again_whatever_the_time(engine: Engine) -> None:
    expected = engine.ask(QUESTION)
    again = engine.ask(QUESTION, deadline=Deadline.after(0))
    assert is_cached(again)
    assert stable(again) == stable(expected)


# --- a question and a service that never answers -----------------------------------------------------------


class Vectors(JsonService):
    """Ollama's /api/embed with one dimension for each letter."""

    def serve(self) -> None:
        texts = self.asked()["input"]
        self.answer({"embeddings": [[text.casefold().count(chr(97 + n)) + 0.1 for n in range(26)] for text in texts]})


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """Those of a store whose embedder takes connections, and says nothing any more."""
    made = Settings(embedder="ollama", reranker="none")
    with (
        running(ThreadingHTTPServer(("127.0.0.1", 0), Vectors)) as url,
        open_engine(replace(made, ollama_base_url=url), tmp_path / "store", create=True) as engine,
    ):
        put(engine)
    with silent() as url:
        yield replace(made, ollama_base_url=url)


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client library was to wait, request by request."""
    found: list[float] = []
    send: Callable[..., httpx.Response] = httpx.Client.send

    def noted(client: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        found.append(request.extensions["timeout"]["read"])
        return send(client, request, **options)

    monkeypatch.setattr(httpx.Client, "send", noted)
    return found


def test_a_question_ends_in_time_though_its_embedder_never_answers(
    settings: Settings, tmp_path: Path, handed: list[float]
) -> None:
    with open_engine(replace(settings, embedder="none"), tmp_path / "off", create=True) as off:
        put(off)
        without = stable(off.ask(QUESTION))
    with open_engine(replace(settings, ollama_base_url="http://127.0.0.1:9"), tmp_path / "store") as dead:
        expected = stable(dead.ask(QUESTION, receipt=False))
    handed.clear()
    started = monotonic()
    with open_engine(replace(settings, ask_seconds=3), tmp_path / "store") as engine:
        answer, found = engine.ask(QUESTION), engine.search(QUESTION)
    assert monotonic() - started < HANGS
    assert handed, "a machine so busy that the time is up before the service is asked need not ask it twice"
    assert all(0 < seconds <= 1.5 for seconds in handed)
    assert stable(answer) == expected
    assert answer.degraded == found.trace.degraded == (EMBEDDER_SILENT,)
    assert "had not answered when the time was up" in answer.notices[0]
    assert stable(answer)["statements"] == without["statements"]
    assert answer.summary == without["summary"]


@pytest.fixture
def asked(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A question and options of a command."""
    monkeypatch.setenv("PINCITE_OLLAMA_BASE_URL", settings.ollama_base_url)
    return [QUESTION, "--store", str(tmp_path / "store"), "--embedder", "ollama", "--reranker", "none"]


@pytest.mark.parametrize("command", ["ask", "search"])
def test_the_command_waits_no_longer_than_it_is_told(
    asked: list[str], handed: list[float], capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, *asked, "--timeout", "4"]) == 0
    told = capsys.readouterr()
    assert [0 < seconds <= 2 for seconds in handed] == [True]
    assert "roof" in told.out
    assert f"note: {EMBEDDER_SILENT}" in told.err


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", str(LONGEST_ASK + 1)])
def test_a_time_that_nobody_can_wait_is_no_setting(seconds: str) -> None:
    with pytest.raises(SettingsError, match="ask_seconds must be from 0 to 86,400"):
        load_settings(environment={"PINCITE_ASK_SECONDS": seconds})


def test_nothing_is_indexed_for_an_embedder_that_never_answers(settings: Settings, tmp_path: Path) -> None:
    impatient = replace(settings, embed_timeout=0.2)
    with open_engine(impatient, tmp_path / "new", create=True) as engine:
        with pytest.raises(ServiceError, match="does not answer"):
            put(engine)
        assert engine.session().documents.sources() == []
        assert engine._parts.record.setting("model_digest") is None


def test_the_doctor_says_that_an_embedder_does_not_answer(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_OLLAMA_BASE_URL", settings.ollama_base_url)
    monkeypatch.setenv("PINCITE_EMBED_TIMEOUT", "0.2")
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "--embedder", "ollama", "--reranker", "none", "--json"]) == 4
    assert "does not answer" in json.dumps(json.loads(capsys.readouterr().out))


def test_the_deadline_of_who_has_gone_has_passed_and_so_have_its_parts() -> None:
    gone = Event()
    deadline = Deadline.unless_gone(60, gone)
    assert not deadline.passed
    gone.set()
    for ended in (deadline, deadline.within(0.5)):
        assert ended.passed
        assert not ended.is_never
        assert ended.remaining() == 0
