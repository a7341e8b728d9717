"""Every route, asked by everybody, of an open, a closed and an absent document: no cell tells what it should not.

A route that is not in the table of rules cannot be built; one that is not in the table of these tests fails them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.support.served import ABSENT, CANARIES, CLOSED, OPEN, Served

from pincite.serve.access_tokens import ANYBODY, ROLES, RULES, allows
from pincite.serve.guard import GuardedRoute, guarded_router

ASKERS = {None: None, "wrong": None, "reader": "reader", "writer": "writer", "admin": "admin"}
"""Who asks, and their role; none of these belongs to the board."""
BOARD = {"board": "reader", "chair": "admin"}
TITLES = {OPEN: "Snow", CLOSED: "Salaries", ABSENT: "Nothing"}
ENTITIES = {OPEN: "Alder Works", CLOSED: "Walrus Works", ABSENT: "Yak Works"}
TIMES = re.compile(r'"(timings_ms|timestamp|trace_id|generation)":("[^"]*"|\{[^}]*\})')


@dataclass(frozen=True)
class Asked:
    """A request; the names in it that are those of a document."""

    url: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None


def of_source(url: str) -> Callable[[str], Asked]:
    return lambda source: Asked(url, {"source": source})


def alike(url: str) -> Callable[[str], Asked]:
    return lambda source: Asked(url)


def question(source: str) -> str:
    return {OPEN: "Who clears the snow?", CLOSED: "Who pays the animal?", ABSENT: "Who pays the nothing?"}[source]


PASSAGE = "{passage}"
"""The first passage of the document; of the absent one, that of the closed one."""
REQUESTS: dict[str, Callable[[str], Asked]] = {
    "GET /": alike("/"),
    "GET /web/{name}": alike("/web/main.js"),
    "GET /health": alike("/health"),
    "GET /ready": alike("/ready"),
    "GET /metrics": alike("/metrics"),
    "GET /api/openapi.json": alike("/api/openapi.json"),
    "GET /api/answer.schema.json": alike("/api/answer.schema.json"),
    "GET /qa": lambda source: Asked("/qa", {"query": question(source)}),
    "POST /api/ask": lambda source: Asked("/api/ask", body={"question": question(source), "files": [source]}),
    "POST /api/ask/stream": lambda source: Asked("/api/ask/stream", body={"question": question(source)}),
    "POST /api/search": lambda source: Asked("/api/search", body={"question": question(source), "files": [source]}),
    "GET /v1/models": alike("/v1/models"),
    "GET /v1/models/{model}": alike("/v1/models/pincite"),
    "POST /v1/chat/completions": lambda source: Asked(
        "/v1/chat/completions", body={"model": "pincite", "messages": [{"role": "user", "content": question(source)}]}
    ),
    "GET /api/start": alike("/api/start"),
    "GET /api/start/questions": alike("/api/start/questions"),
    "GET /api/documents": alike("/api/documents"),
    "POST /api/documents": lambda source: Asked("/api/documents", {"name": source, "acl": ["nobody's"]}),
    "DELETE /api/document": lambda source: Asked("/api/document", {"source": "nothing.pdf"}),
    "GET /api/indexing": alike("/api/indexing"),
    "GET /api/indexing/stream": alike("/api/indexing/stream"),
    "POST /api/feedback": lambda source: Asked(
        "/api/feedback", body={"trace_id": "0" * 32, "result": source, "said": "opened"}
    ),
    "GET /api/document": of_source("/api/document"),
    "GET /api/document/sections": of_source("/api/document/sections"),
    "GET /api/document/anchors": of_source("/api/document/anchors"),
    "GET /api/document/references": of_source("/api/document/references"),
    "GET /api/document/find": lambda source: Asked("/api/document/find", {"source": source, "words": "the"}),
    "GET /api/document/passage": lambda source: Asked("/api/document/passage", {"source": source, "chunk": PASSAGE}),
    "GET /api/document/pages/{number}": of_source("/api/document/pages/1"),
    "GET /api/document/pages/{number}/image": of_source("/api/document/pages/1/image"),
    "GET /api/document/pages/{number}/words": of_source("/api/document/pages/1/words"),
    "GET /api/document/pages/{number}/marks": of_source("/api/document/pages/1/marks"),
    "GET /api/document/link": of_source("/api/document/link"),
    "GET /api/document/file": of_source("/api/document/file"),
    "GET /api/section": lambda source: Asked("/api/section", {"number": TITLES[source], "source": source}),
    "GET /api/entities": alike("/api/entities"),
    "GET /api/entity": lambda source: Asked("/api/entity", {"name": ENTITIES[source]}),
    "GET /api/entity/graph": lambda source: Asked("/api/entity/graph", {"name": ENTITIES[source]}),
    "GET /q/{run_id}": alike("/q/{board_run}"),
    "GET /api/answers/{run_id}": alike("/api/answers/{board_run}"),
    "GET /api/export": alike("/api/export?answer={board_run}"),
    "GET /api/runs": alike("/api/runs"),
    "GET /api/runs/{run_id}": alike("/api/runs/{board_run}"),
    "GET /api/events": alike("/api/events"),
}
CHANGING = {"POST /api/documents": 400, "DELETE /api/document": 404, "POST /api/feedback": 404}
"""What the routes that change something say where these tests ask them for nothing that can be done."""
OF_A_RUN = ("GET /api/runs/{run_id}", "GET /api/answers/{run_id}")
NAMED = {
    route for route, made in REQUESTS.items() if {"source", "name"} & made(OPEN).params.keys() and route not in CHANGING
}
"""The routes that show a document that they name, or something that stands in one alone."""


@pytest.fixture(scope="module")
def board_run(service: Served) -> str:
    """The receipt of a question of the board, about what is closed."""
    answer = service.client.get("/qa", params={"query": "Who pays the zebra?"}, headers=service.headers("board"))
    assert "zebra" in answer.text.casefold()
    return str(answer.json()["meta"]["trace_id"])


def passage_of(service: Served, source: str) -> str:
    board = service.engine.session(("board",))
    return board.documents.chunks_at(CLOSED if source == ABSENT else source, 0, 1)[0].chunk_id


def told(service: Served, board_run: str, route: str, who: str | None, source: str) -> tuple[int, str]:
    method, _ = route.split(" ", 1)
    asked = REQUESTS[route](source)
    url = asked.url.format(board_run=board_run)
    params = {name: passage_of(service, source) if value == PASSAGE else value for name, value in asked.params.items()}
    found = service.client.request(method, url, params=params or None, json=asked.body, headers=service.headers(who))
    is_text = found.headers["Content-Type"].partition(";")[0] not in ("image/png", "application/pdf")
    is_text = is_text and (asked.url != "/metrics" or found.status_code != 200)
    return found.status_code, found.text if is_text else "a picture, a file or counts"


def masked(text: str, source: str) -> str:
    """What was told, without times, and without the names that were asked for."""
    text = TIMES.sub("", text)
    names = (json.dumps(source)[1:-1], question(source), ENTITIES[source], TITLES[source])
    for name in names:
        text = text.replace(name, "*").replace(name.casefold(), "*")
    return text


def kind_of(text: str) -> str:
    """The kind of what went wrong, in the shape of either protocol."""
    error = json.loads(text)["error"]
    return str(error.get("kind") or error["code"])


@pytest.mark.parametrize("route", RULES)
@pytest.mark.parametrize("source", [OPEN, CLOSED, ABSENT])
@pytest.mark.parametrize("who", [*ASKERS, *BOARD])
def test_who_has_the_role_comes_in_and_nobody_else(
    service: Served, board_run: str, route: str, who: str | None, source: str
) -> None:
    role, rule = (ASKERS | BOARD)[who], RULES[route]
    status, text = told(service, board_run, route, who, source)
    if rule == ANYBODY:
        assert status == 200
    elif role is None:
        assert (status, kind_of(text)) == (401, "token")
    elif not allows(rule, role):
        assert (status, kind_of(text)) == (403, "role")
    elif route in CHANGING:
        assert status == CHANGING[route]
    else:
        assert status in (200, 404)
        assert status == 200 or route in OF_A_RUN or source != OPEN
    if who not in BOARD:
        assert not [canary for canary in CANARIES if canary in masked(text, source).casefold()]
        assert str(service.folder) not in text


@pytest.mark.parametrize("route", sorted(NAMED))
@pytest.mark.parametrize("who", ["reader", "writer", "admin"])
def test_what_is_closed_is_told_of_as_what_is_not_there(
    service: Served, board_run: str, route: str, who: str | None
) -> None:
    closed, absent = (told(service, board_run, route, who, source) for source in (CLOSED, ABSENT))
    assert closed[0] == absent[0] == 404
    assert masked(closed[1], CLOSED) == masked(absent[1], ABSENT)


@pytest.mark.parametrize("route", sorted(NAMED))
def test_the_board_sees_it_through_the_same_route(service: Served, board_run: str, route: str) -> None:
    assert told(service, board_run, route, "board", CLOSED)[0] == 200


def test_what_the_board_asked_is_shown_to_an_admin_of_the_board_alone(service: Served, board_run: str) -> None:
    route = "GET /api/runs/{run_id}"
    assert told(service, board_run, route, "chair", OPEN)[0] == 200
    assert told(service, board_run, route, "admin", OPEN)[0] == 404


def test_the_address_of_an_answer_shows_it_to_those_alone_who_may_see_what_it_rests_on(
    service: Served, board_run: str
) -> None:
    route = "GET /api/answers/{run_id}"
    assert told(service, board_run, route, "board", OPEN)[0] == 200
    assert told(service, board_run, route, "reader", OPEN)[0] == 404
    exported = {who: told(service, board_run, "GET /api/export", who, OPEN)[1] for who in ("board", "reader")}
    assert "zebra" in exported["board"].casefold()
    assert exported["reader"] == "# Questions and answers\n\nNot there any more: 1 of 1 answers\n"


def test_every_route_is_guarded_and_stands_in_both_tables(service: Served) -> None:
    assert {type(route) for route in service.app.routes} == {GuardedRoute}
    built = {f"{method} {route.path}" for route in service.app.routes for method in route.methods}
    assert built == set(RULES) == set(REQUESTS)
    assert set(RULES.values()) <= {ANYBODY, *ROLES}


def test_a_route_without_a_rule_cannot_be_built() -> None:
    with pytest.raises(KeyError, match="GET /api/planted"):

        @guarded_router().get("/api/planted")
        async def planted() -> None: ...


def test_a_role_may_do_what_those_before_it_may() -> None:
    assert [[allows(rule, role) for rule in ROLES] for role in ROLES] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
