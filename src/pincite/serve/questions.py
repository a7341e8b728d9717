"""Routes that ask: search, answer, answer with its stages as they are reached."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Event
from typing import Annotated, cast

from fastapi import Path, Request, Response
from fastapi.sse import KEEPALIVE_COMMENT
from starlette.exceptions import HTTPException

from pincite.engine.engine import Session
from pincite.errors import NotThereError, PinciteError
from pincite.rendering import Plain
from pincite.serve.asked import FollowUp, InProcess, Question, Search, StageListener, Task, Words, plain_answer
from pincite.serve.failures import failure_of
from pincite.serve.guard import failed, guarded_router
from pincite.serve.replies import EVENTS, QUIET_SECONDS, encoded, event, event_stream
from pincite.serve.service import Call, Called, Service, json_response
from pincite.serve.shapes import ANSWER, PASSAGES
from pincite.telemetry.cost import ROUTE, TRACEPARENT

ANSWERED = {200: {"content": {"application/json": {"schema": ANSWER}}}, **failed(413, 422)}
FOUND = {200: {"content": {"application/json": {"schema": PASSAGES}}}, **failed(413, 422)}
router = guarded_router()


@router.post("/api/search", summary="find passages without composing an answer", responses=FOUND)
async def search(asked: Search, call: Called) -> Response:
    """What `pincite search --json` prints."""
    return json_response(await while_there(asked, call))


@router.post("/api/ask", summary="answer a question, every sentence with its page", responses=ANSWERED)
async def ask(asked: FollowUp, call: Called) -> Response:
    """What `pincite ask --json` prints; its JSON Schema lies at /api/answer.schema.json."""
    return json_response(await while_there(asked, call))


@router.get("/qa", summary="the same of a question alone", responses=ANSWERED)
async def qa(query: Words, call: Called) -> Response:
    """What `pincite ask QUERY --json` prints."""
    return json_response(await while_there(Question(question=query), call))


@router.get("/api/answers/{run_id}", summary="an answer that was given, once more", responses=ANSWERED | failed(404))
async def answer(run_id: Annotated[str, Path(pattern="^[0-9a-f]{32}$")], call: Called) -> Response:
    """What /api/ask gave, by its trace id, to whoever may see all that it rests on; 404 where it was purged."""

    def given(session: Session) -> Plain:
        found = session.audit.restored(session.audit.receipt(run_id))
        if found is None:
            raise NotThereError(f"the answer {run_id} was purged: ask again")
        return plain_answer(found, explain=True)

    return await call.read(given)


@router.post(
    "/api/ask/stream",
    summary="the same as server-sent events",
    response_class=Response,
    responses={200: EVENTS, **failed(413, 422)},
)
async def stream(asked: FollowUp, call: Called) -> Response:
    """An event `stage` as each step begins, then `answer` with what /api/ask gives, or `error`."""
    gone, loop = Event(), asyncio.get_running_loop()
    stages: asyncio.Queue[str | None] = asyncio.Queue()

    def hear(stage: str | None) -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(stages.put_nowait, stage)

    begun = await begin(asked, call, gone, hear)
    begun.add_done_callback(lambda _: stages.put_nowait(None))
    return event_stream(_events(begun, stages, gone))


async def begin(asked: Search, call: Call, gone: Event, heard: StageListener | None = None) -> asyncio.Future[bytes]:
    """The work on a question, begun in its turn, as part of the trace that the request names, until the asker is
    `gone`; an invalid question raises at once. An answer that is in the cache waits for no turn."""
    service = call.service
    asked.terms(service.settings)
    task, context = Task(asked, call.caller.principals, call.caller.name), copy_context()
    context.run(ROUTE.set, f"{call.request.method} {call.request.state.route}")
    context.run(TRACEPARENT.set, ", ".join(call.request.headers.getlist("traceparent")))
    if task in service.repeated:
        again = InProcess(service.engine, service.settings).again
        kept = await service.repeating.begin(partial(context.run, again, task, gone))
        if await asyncio.shield(kept) is not None:
            return cast("asyncio.Future[bytes]", kept)
        service.repeated.forget(task)
    begun = await service.turns(asked).begin(partial(context.run, service.askers.answer, task, gone, heard))
    begun.add_done_callback(partial(_note, service, task))
    return begun


def _note(service: Service, task: Task, answered: asyncio.Future[bytes]) -> None:
    is_answered = not answered.cancelled() and answered.exception() is None
    if is_answered and task.asked.is_kept(service.settings):
        service.repeated.note(task)


async def while_there(asked: Search, call: Call) -> bytes:
    """The result of a question; when the asker leaves, models are abandoned."""
    gone = Event()
    begun = await begin(asked, call, gone)
    if begun.done():
        return begun.result()
    leaving = asyncio.create_task(_left(call.request, gone))
    try:
        return await asyncio.shield(begun)
    finally:
        leaving.cancel()


async def _left(request: Request, gone: Event) -> None:
    """Sets `gone` when the asker disconnects."""
    with suppress(HTTPException):
        while (await request.receive())["type"] != "http.disconnect":
            pass
    gone.set()


async def _events(begun: asyncio.Future[bytes], stages: asyncio.Queue[str | None], gone: Event) -> AsyncIterator[bytes]:
    """The events of an answer that was begun: each stage once, where it is begun several times at once."""
    last = ""
    try:
        while True:
            try:
                stage = await asyncio.wait_for(stages.get(), QUIET_SECONDS)
            except TimeoutError:
                yield KEEPALIVE_COMMENT
                continue
            if stage is None:
                break
            if stage != last:
                yield event(encoded({"stage": stage}), "stage")
            last = stage
        try:
            last_one = event(begun.result(), "answer")
        except PinciteError as error:
            last_one = event(encoded(failure_of(error)[1]), "error")
        except Exception as error:
            yield event(encoded(failure_of(error)[1]), "error")
            raise
        yield last_one
    finally:
        gone.set()
