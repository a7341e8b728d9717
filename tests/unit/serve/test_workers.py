"""Questions that processes of their own answer: as the engine answers them, whatever becomes of a process."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from tests.support.language_server import LanguageServer, plain
from tests.support.promises import SETTINGS
from tests.support.served import CANARIES

from pincite.errors import ServiceError, UsageError
from pincite.records.prompts import LanguageService
from pincite.serve import workers as serve_workers
from pincite.serve.asked import InProcess, Question, Search, Task
from pincite.serve.workers import Workers
from pincite.wiring import open_engine
from pincite_testing.memory_telemetry import MemoryTelemetry

SNOW = Task(Question(question="Who clears the snow?", stable=True))


@pytest.fixture(scope="module")
def telemetry() -> MemoryTelemetry:
    return MemoryTelemetry()


@pytest.fixture(scope="module")
def workers(store: Path, telemetry: MemoryTelemetry) -> Iterator[Workers]:
    made = Workers(SETTINGS, store, 2, telemetry)
    yield made
    made.close()


def process_ids(workers: Workers) -> list[int]:
    return [worker._process.pid or 0 for worker in workers._all]


def answers_of_both(workers: Workers) -> list[bytes]:
    """What the other process answers while the one that would be next is held, and then what that one answers."""
    with workers._taken():
        other = workers.answer(SNOW, Event())
    return [other, workers.answer(SNOW, Event())]


@pytest.mark.promise
def test_a_process_answers_as_the_engine_does(workers: Workers, store: Path) -> None:
    with open_engine(SETTINGS, store) as engine:
        here = InProcess(engine, SETTINGS)
        for asked in (SNOW.asked, Search(question="What acts on Alder Works?"), Question(question="x", stable=True)):
            task = Task(asked)
            assert workers.answer(task, Event()) == here.answer(task, Event())


def test_several_are_answered_at_once(workers: Workers) -> None:
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: workers.answer(SNOW, Event()), range(12)))
    assert len(set(told)) == 1


def test_a_process_shows_what_is_closed_to_those_alone_who_may_see_it(workers: Workers) -> None:
    asked = Question(question="Who is paid by Walrus Works?")
    told = {who: workers.answer(Task(asked, who), Event()).decode() for who in ((), ("board",))}
    assert [CANARIES[0] in told[who] for who in told] == [False, True]


def test_the_stages_are_heard(workers: Workers) -> None:
    stages: list[str] = []
    workers.answer(Task(Question(question="Where does wind act, and on whom?")), Event(), stages.append)
    assert {"parse", "answer"} <= set(stages)


def test_the_service_hears_what_questions_cost(workers: Workers, telemetry: MemoryTelemetry) -> None:
    told = json.loads(workers.answer(Task(Question(question="Who clears the snow today?")), Event()))
    assert told["meta"]["trace_id"] in {cost.trace_id for cost in telemetry.costs}


def test_the_service_hears_that_a_language_model_is_left_alone(store: Path) -> None:
    with LanguageServer(lambda _: plain({}, 500)) as server:
        table = (("down", LanguageService(f"{server.url}/v1", "small", "openai")),)
        settings = replace(SETTINGS, language_models=table, language_model="down", ask_mode="generate")
        telemetry = MemoryTelemetry()
        workers = Workers(settings, store, 1, telemetry)
        try:
            for number in range(3):
                asked = Question(question=f"Who clears the snow of roof {number}?")
                assert json.loads(workers.answer(Task(asked), Event()))["degraded"]
        finally:
            workers.close()
    assert [service for service, _ in telemetry.resting] == ["language_model"]


def test_what_is_wrong_with_a_question_is_told_as_ever(workers: Workers, telemetry: MemoryTelemetry) -> None:
    with pytest.raises(UsageError, match="the question is empty"):
        workers.answer(Task(Question(question=" ")), Event())
    with pytest.raises(UsageError, match="has no revision 99"):
        workers.answer(Task(Question(question="Snow?", as_of="99")), Event())


def test_a_process_that_was_killed_costs_no_answer(workers: Workers) -> None:
    expected = workers.answer(SNOW, Event())
    for _ in range(2):
        before = process_ids(workers)
        for process_id in before:
            os.kill(process_id, signal.SIGKILL)
        assert answers_of_both(workers) == [expected] * 2
        assert not set(process_ids(workers)) & set(before)


def test_a_process_that_does_not_end_is_replaced_and_that_is_told(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = workers.answer(SNOW, Event())
    stuck = process_ids(workers)
    for process in stuck:
        os.kill(process, signal.SIGSTOP)
    with monkeypatch.context() as planted:
        planted.setattr(serve_workers, "LONGEST_SECONDS", 0.5)
        planted.setattr(serve_workers, "ENDING_SECONDS", 0.1)
        with workers._taken(), pytest.raises(ServiceError, match="was replaced"):
            workers.answer(SNOW, Event())
        with pytest.raises(ServiceError, match="was replaced"):
            workers.answer(SNOW, Event())
    assert set(process_ids(workers)).isdisjoint(stuck)
    assert workers.answer(SNOW, Event()) == expected


def test_ctrl_c_in_the_terminal_leaves_them_to_the_service(workers: Workers) -> None:
    expected = workers.answer(SNOW, Event())
    before = process_ids(workers)
    for process_id in before:
        os.kill(process_id, signal.SIGINT)
    assert answers_of_both(workers) == [expected] * 2
    assert process_ids(workers) == before


def test_ctrl_c_while_they_begin_leaves_them_to_the_service(store: Path) -> None:
    workers = Workers(SETTINGS, store, 2, MemoryTelemetry())
    try:
        before = process_ids(workers)
        for process_id in before:
            os.kill(process_id, signal.SIGINT)
        assert len(set(answers_of_both(workers))) == 1
        assert process_ids(workers) == before
    finally:
        workers.close()


def test_who_asks_while_something_is_purged_waits(workers: Workers) -> None:
    with ThreadPoolExecutor(1) as pool:
        with workers.at_rest():
            asked = pool.submit(workers.answer, SNOW, Event())
            with pytest.raises(TimeoutError):
                asked.result(timeout=0.3)
        assert asked.result(timeout=60) == workers.answer(SNOW, Event())


def test_a_store_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    workers = Workers(SETTINGS, tmp_path, 1, MemoryTelemetry())
    try:
        with pytest.raises(ServiceError, match="two processes that were to answer this ended"):
            workers.answer(SNOW, Event())
    finally:
        workers.close()


def test_none_is_left_at_the_end(store: Path) -> None:
    workers = Workers(SETTINGS, store, 1, MemoryTelemetry())
    workers.answer(SNOW, Event())
    (process_id,) = process_ids(workers)
    workers.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process_id, 0)
    with pytest.raises(ServiceError, match="the service is ending"):
        workers.answer(SNOW, Event())
