"""Many at once: so many are answered, so many wait, the rest is told so at once; and nothing is lost at the end."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from threading import Event

import pytest
from starlette.exceptions import HTTPException
from tests.support.served import Served

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.serve.asked import LastQuestion, Question, Search, Task
from pincite.serve.pool import Pool
from pincite.serve.service import Repeated
from pincite.settings import Settings


def small_pool(*, queue: int, patience: float, within: float = math.inf) -> Pool:
    return Pool("test", threads=1, queue=queue, patience=patience, within=within)


@asynccontextmanager
async def held(pool: Pool) -> AsyncIterator[None]:
    """A pool one of whose threads works until the end, also where a check fails."""
    hold = Event()
    begun = await pool.begin(hold.wait)
    try:
        yield
    finally:
        hold.set()
        await begun


def test_who_finds_no_place_is_told_at_once_and_when_to_come_again() -> None:
    async def scene() -> None:
        pool, hold = small_pool(queue=1, patience=30), Event()
        first = await pool.begin(hold.wait)
        second = asyncio.create_task(pool.run(lambda: "second"))
        await asyncio.sleep(0.01)
        with pytest.raises(HTTPException) as told:
            await pool.run(lambda: "third")
        assert (told.value.status_code, told.value.headers) == (503, {"Retry-After": "1"})
        assert not pool.is_idle
        hold.set()
        assert await second == "second"
        assert await first
        assert pool.is_idle
        pool.close()

    asyncio.run(scene())


def test_nobody_waits_for_ever() -> None:
    async def scene() -> None:
        pool = small_pool(queue=9, patience=0.05)
        async with held(pool):
            with pytest.raises(HTTPException, match="too many ask at once"):
                await pool.run(lambda: "second")
        assert await pool.run(lambda: "third") == "third"
        pool.close()

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("took", "patience", "within", "after"),
    [
        pytest.param([1.1], 30, 1.5, "2", id="where work takes long, sooner, and to come again later"),
        pytest.param([0.8], 1.0, math.inf, "1", id="shortly before a place is free, to come again soon"),
        pytest.param([1.1, 0, 0], 30, 0.5, "1", id="one that took long is no measure of the next"),
    ],
)
def test_who_waits_is_told_when_to_come_again(took: list[float], patience: float, within: float, after: str) -> None:
    async def scene() -> None:
        pool = small_pool(queue=9, patience=patience, within=within)
        for seconds in took:
            await pool.run(partial(time.sleep, seconds))
        async with held(pool), asyncio.timeout(10):
            with pytest.raises(HTTPException) as told:
                await pool.run(lambda: "second")
        assert told.value.headers == {"Retry-After": after}
        pool.close()

    asyncio.run(scene())


def test_what_works_within_another_pool_takes_a_place_of_it_too() -> None:
    async def scene() -> None:
        around = small_pool(queue=9, patience=0.05)
        inside = Pool("inside", threads=1, queue=9, patience=0.05, around=around)
        for first, second in ((inside, around), (around, inside)):
            async with held(first):
                with pytest.raises(HTTPException, match="too many ask at once"):
                    await second.run(lambda: "second")
            assert await second.run(lambda: "third") == "third"
        assert inside.is_idle
        assert around.is_idle
        for pool in (inside, around):
            pool.close()

    asyncio.run(scene())


def test_who_goes_away_leaves_no_place_taken() -> None:
    async def scene() -> None:
        pool, hold = small_pool(queue=9, patience=30), Event()
        leaving = asyncio.create_task(pool.run(hold.wait))
        waiting = asyncio.create_task(pool.run(lambda: "never"))
        await asyncio.sleep(0.01)
        leaving.cancel()
        waiting.cancel()
        await asyncio.gather(leaving, waiting, return_exceptions=True)
        assert not pool.is_idle
        hold.set()
        assert await pool.run(lambda: "next") == "next"
        assert pool.is_idle
        pool.close()

    asyncio.run(scene())


def test_what_fails_gives_its_place_back() -> None:
    async def scene() -> None:
        pool = small_pool(queue=1, patience=1)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await pool.run(lambda: 1 // 0)
        assert pool.is_idle
        pool.close()

    asyncio.run(scene())


def test_a_question_waits_no_longer_for_models_once_nobody_is_there() -> None:
    gone = Event()
    deadline = Question(question="x").deadline(Settings(), gone)
    assert 100 < deadline.remaining() <= 120
    gone.set()
    for later in (deadline, deadline.within(0.5)):
        assert later.passed
        with pytest.raises(ServiceError):
            later.check("the model")


@pytest.mark.parametrize(("asked", "settings", "seconds"), [(5, 60, 5), (90, 60, 60), (None, 60, 60), (None, 0, 120)])
def test_nobody_may_wait_longer_than_the_settings_say(asked: float | None, settings: float, seconds: float) -> None:
    deadline: Deadline = Question(question="x", timeout=asked).deadline(Settings(ask_seconds=settings), Event())
    assert seconds - 1 < deadline.remaining() <= seconds


def many(ask: Callable[[int], int], count: int) -> list[int]:
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(ask, range(count)))


def test_under_any_load_everybody_hears_something(service: Served) -> None:
    """Twenty who ask at once, of whom few find a place."""
    taken, service.app.state.service.questions = (
        service.app.state.service.questions,
        Pool("test", threads=1, queue=2, patience=0.3),
    )

    def ask(number: int) -> int:
        params = {"query": f"Who clears the snow on roof {number}?"}
        started = time.monotonic()
        found = service.client.get("/qa", params=params, headers=service.headers("reader"))
        assert time.monotonic() - started < 30
        assert found.status_code == 200 or int(found.headers["Retry-After"]) >= 1
        return int(found.status_code)

    try:
        told = many(ask, 20)
    finally:
        service.app.state.service.questions = taken
    assert set(told) == {200, 503}


def test_a_question_that_a_model_reads_has_the_cores_for_itself(service: Served) -> None:
    """Who searches meanwhile, or asks where no model reads, does not wait for it. Nobody else asks this question: what
    is kept waits for nothing."""
    state, portal, hold = service.app.state.service, service.client.portal, Event()
    assert portal is not None

    def told(path: str) -> int:
        body = {"question": "Who clears the snow while a model reads?"}
        return service.client.post(path, json=body, headers=service.headers("reader")).status_code

    state.judges_here = True
    first = portal.call(state.judged.begin, hold.wait)
    try:
        assert (told("/api/ask"), told("/api/search")) == (503, 200)
        state.judges_here = False
        assert told("/api/ask") == 200
        state.judges_here = True
    finally:
        hold.set()
        portal.call(asyncio.wait, [first])
    assert told("/api/ask") == 200
    state.judges_here = False


def test_an_answer_that_is_kept_waits_for_no_question(fresh: Served) -> None:
    """Whoever asks for it; asked in other words it is another question."""
    state, portal, hold = fresh.app.state.service, fresh.client.portal, Event()
    assert portal is not None
    state.questions = Pool("test", threads=1, queue=9, patience=0.1)
    asked = {"question": "Who clears the snow?"}
    first = fresh.client.post("/api/ask", json=asked).json()
    working = portal.call(state.questions.begin, hold.wait)
    try:
        again = fresh.client.post("/api/ask", json=asked).json()
        streamed = fresh.client.post("/api/ask/stream", json=asked).text
        other = fresh.client.post("/api/ask", json={"question": "What acts on Alder Works?"})
    finally:
        hold.set()
        portal.call(asyncio.wait, [working])
    assert again["statements"] == first["statements"]
    assert again["meta"]["trace_id"] != first["meta"]["trace_id"]
    assert set(again["meta"]["timings_ms"]) == {"cache"}
    assert "event: answer" in streamed
    assert other.status_code == 503
    assert fresh.engine.check_chain().problems == ()
    assert len(fresh.engine.session().audit.runs()) == 3


def test_who_may_see_something_else_is_no_reason_to_look() -> None:
    repeated, asked = Repeated(), Question(question="Who clears the snow?")
    repeated.note(Task(asked, ("board",)))
    for task, is_known in (
        (Task(Question(question="Who clears the snow?"), ("board",), "Ada"), True),
        (Task(asked), False),
        (Task(Question(question="Who clears the snow?", top_k=3), ("board",)), False),
    ):
        assert (task in repeated) == is_known
    repeated.forget(Task(asked, ("board",)))
    assert Task(asked, ("board",)) not in repeated


@pytest.mark.parametrize(
    ("asked", "minutes", "is_kept"),
    [
        (Question(question="x"), 15, True),
        (Question(question="x"), 0, False),
        (Question(question="x", as_of="1"), 15, False),
        (LastQuestion(question="x", earlier=[]), 15, False),
        (Search(question="x"), 15, False),
    ],
)
def test_where_nothing_can_be_kept_nobody_looks(asked: Search, minutes: int, is_kept: bool) -> None:
    assert asked.is_kept(Settings(cache_minutes=minutes)) == is_kept


def test_without_a_cache_the_same_is_asked_in_its_turn(fresh: Served) -> None:
    """It waits once, not twice."""
    state, asked = fresh.app.state.service, {"question": "Who clears the snow?"}
    state.settings = replace(state.settings, cache_minutes=0)
    state.repeating = Pool("test", threads=1, queue=0, patience=0.1)
    portal, hold = fresh.client.portal, Event()
    assert portal is not None
    working = portal.call(state.repeating.begin, hold.wait)
    try:
        told = [fresh.client.post("/api/ask", json=asked).status_code for _ in range(2)]
    finally:
        hold.set()
        portal.call(asyncio.wait, [working])
    assert told == [200, 200]


def test_of_what_was_answered_the_latest_alone_are_remembered() -> None:
    repeated, tasks = Repeated(most=2), [Task(Question(question=text)) for text in "abc"]
    for number in (0, 1, 0, 2):
        repeated.note(tasks[number])
    assert [task in repeated for task in tasks] == [True, False, True]


def test_who_asks_while_it_ends_is_told_so(service: Served) -> None:
    state = service.app.state.service
    state.is_ending = True
    try:
        found = service.client.get("/api/documents", headers=service.headers("reader"))
        assert (found.status_code, found.json()["error"]["message"]) == (503, "the service is ending")
        assert found.headers["Retry-After"]
        assert service.client.get("/health").json() == {"status": "ending"}
        assert service.client.get("/ready").status_code == 503
    finally:
        state.is_ending = False
    assert service.client.get("/ready").json() == {"status": "ready"}
