"""A folder with closed files against one without them, asked through every command and every route: the same bytes."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pincite.settings import Settings
from pincite.wiring import open_engine
from tests.e2e.conftest import Run
from tests.support.promises import SETTINGS, files
from tests.support.served import served
from tests.unit.serve.test_matrix import REQUESTS
from tests.unit.test_closed_world import CLOSED, OPEN, closed_texts, questions

STEP = 12
"""Of the questions every twelfth: all of them take minutes (docs/security.md says what was measured)."""
OF_ITS_OWN = re.compile(
    r'"(timings_ms|timestamp|trace_id|generation|revision|created_utc|changed|sha256|event_id|run_id|artifacts)": ?'
    r'("[^"]*"|\{[^}]*\}|\d+)'
    r"|generation [0-9a-f]+|revision \d+|store: \S+|\d+\.\d+ s\b|chatcmpl-\w+|\"created\":\d+|r\d+-\d+ms"
)
"""What differs from one asking to the next, or tells of a store as a whole (decision 0510)."""
ASKED = ("GET /qa", "POST /api/ask", "POST /api/ask/stream", "POST /api/search", "POST /v1/chat/completions")
NAMED = ("GET /api/entity", "GET /api/entity/graph", "GET /api/section")
COUNTED = ("GET /metrics",)
"""Counts requests and their times."""
KEPT = ("GET /q/{run_id}", "GET /api/answers/{run_id}", "GET /api/runs", "GET /api/runs/{run_id}", "GET /api/events")
"""Show what was asked of this store: tests/unit/serve/test_matrix.py."""
CHANGING = ("POST /api/documents", "DELETE /api/document", "POST /api/feedback")


def folder_of(folder: Path, *, with_closed: bool, embedder: str = SETTINGS.embedder) -> Path:
    """A store of the open documents as files, with the closed ones or without."""
    docs = folder / "docs"
    docs.mkdir(parents=True)
    shown = OPEN | CLOSED if with_closed else OPEN
    files(docs, {name: _markdown(name) for name in shown})
    for name in shown:
        os.utime(docs / name, (0, 0))
    manifest = folder / "manifest.json"
    entries = [{"path": f"docs/{name}", "acl": ["board"]} for name in CLOSED if with_closed]
    manifest.write_text(json.dumps({"sources": entries}), encoding="utf-8")
    with open_engine(replace(SETTINGS, embedder=embedder), docs / ".pincite", create=True) as engine:
        engine.index([docs], manifest=manifest)
    return docs / ".pincite"


def _markdown(name: str) -> str:
    made = (OPEN | CLOSED)[name]
    lines = [page.text.partition("\n") for page in made.pages]
    return f"# {made.title}\n\n" + "\n\n".join(f"## {heading}\n\n{text}" for heading, _, text in lines) + "\n"


def masked(told: str, store: Path) -> str:
    return OF_ITS_OWN.sub("*", told.replace(str(store.parent.parent), "*"))


def requests(step: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each route with what is sent to it, of all routes that show what the store holds."""
    for text in questions()[::step]:
        yield "GET /qa", {"params": {"query": text}}
        for route in ("POST /api/ask", "POST /api/search", "POST /api/ask/stream"):
            yield route, {"json": {"question": text} | ({"explain": True} if "ask" in route else {})}
        yield (
            "POST /v1/chat/completions",
            {"json": {"model": "pincite", "messages": [{"role": "user", "content": text}]}},
        )
    for name in sorted({word for text in closed_texts() for word in (text, *text.split())})[::step]:
        for route in NAMED:
            yield route, {"params": {"name": name, "number": name}}
    for route, made in REQUESTS.items():
        if route in (*ASKED, *NAMED, *COUNTED, *KEPT, *CHANGING):
            continue
        for name in (*OPEN, *CLOSED):
            asked = made(name)
            sent = {key: "0" * 64 if value == "{passage}" else value for key, value in asked.params.items()}
            yield f"{route.split()[0]} {asked.url}", {"params": sent}


def said(client: TestClient, route: str, sent: dict[str, Any], store: Path) -> str:
    method, _, url = route.partition(" ")
    found = client.request(method, url, **sent)
    return f"{found.status_code} {masked(found.content.decode('utf-8', 'replace'), store)}"


def differing_requests(stores: tuple[Path, Path], step: int, settings: Settings = SETTINGS) -> tuple[int, list[str]]:
    """How many requests were made to each, and those that the two answer differently."""
    with ExitStack() as stack:
        pair = [
            (stack.enter_context(served(store, with_tokens=False, settings=settings)).client, store) for store in stores
        ]
        asked = list(requests(step))
        found = [route for route, sent in asked if len({said(one, route, sent, store) for one, store in pair}) > 1]
        return len(asked), found


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """With the closed documents, and without."""
    folder = tmp_path_factory.mktemp("worlds")
    return folder_of(folder / "with", with_closed=True), folder_of(folder / "without", with_closed=False)


def test_every_route_tells_what_it_would_tell_without_the_closed_files(stores: tuple[Path, Path]) -> None:
    count, found = differing_requests(stores, STEP)
    assert count > 200
    assert found == []


def commands(step: int) -> Iterator[list[str]]:
    """Each command that shows what a store holds, with what it is asked."""
    for text in questions()[::step]:
        yield ["ask", text, "--json", "--explain"]
        yield ["search", text]
        yield ["graph", text]
    for name in (*OPEN, *CLOSED):
        yield ["sections", name]
        yield ["show", name, "--section", "1"]
        yield ["show", name, "--page", "1"]
    yield ["sections"]
    yield ["status"]


def test_every_command_prints_what_it_would_print_without_the_closed_files(
    stores: tuple[Path, Path], command: Run
) -> None:
    for given in commands(8 * STEP):
        printed = []
        for store in stores:
            done = command(*given, "--store", store)
            printed.append((done.returncode, masked(done.stdout, store), masked(done.stderr, store)))
        assert printed[0] == printed[1], given
