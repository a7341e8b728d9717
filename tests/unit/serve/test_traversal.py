"""No name leads out of where it belongs. The names of tests/support/climbs.py are put wherever the service takes a
name, a path, an id, a file: 1. what they aim at stands in no answer; 2. nothing is written, changed or deleted beside
the store; 3. nothing breaks."""

from __future__ import annotations

import io
import json
import re
import socket
import stat
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from mcp import Client
from tests.support.climbs import CANARY, Trap, trap
from tests.support.files import below
from tests.support.promises import SETTINGS
from tests.support.served import OPEN, Served, made_store, on_a_port, served
from tests.unit.serve.test_mcp import using

from pincite.serve import indexing
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.serve.mcp.server import make_server
from pincite.serve.mcp.tools import Terms
from pincite.wiring import open_engine

WHO = "Who clears the snow?"
IN_PATHS = ["/", "/web/", "/web/main.js/", "/api/", "/api/runs/", "/api/document/pages/", "/v1/models/"]
IN_QUERIES = [
    *(f"GET /api/document{part}?source=" for part in ("", "/sections", "/anchors", "/references", "/pages/1")),
    *(f"GET /api/document{part}?source=" for part in ("/pages/1/image", "/pages/1/marks", "/link", "/file")),
    *("GET /api/document/passage?chunk=x&source=", f"GET /api/document/passage?source={quote(OPEN)}&chunk="),
    "GET /api/document/find?words=x&source=",
    *("GET /api/section?number=1&source=", f"GET /api/section?source={quote(OPEN)}&number="),
    *("GET /api/export?answer=", f"GET /api/export?answer={'0' * 32}&form="),
    *("GET /api/entity?name=", "GET /api/entity/graph?name=", "GET /api/documents?query=", "GET /qa?query="),
    *("DELETE /api/document?source=", "DELETE /api/document?purge=true&source="),
    *("POST /api/documents?acl=board&name=", "POST /api/documents?name=a.txt&acl="),
]
IN_BODIES = [
    *(("/api/search", field) for field in ("question", "files", "types", "tags", "as_of", "profile")),
    *(("/api/ask", field) for field in ("files", "profile", "mode")),
    *(("/api/feedback", field) for field in ("trace_id", "result")),
    *(("/v1/chat/completions", field) for field in ("model", "content")),
]
TOOLS = [
    *(("show_section", field) for field in ("document", "section", "anchor")),
    *(("resolve_reference", field) for field in ("reference", "document")),
    *(("list_documents", "name"), ("ask", "documents"), ("search", "documents"), ("search", "question")),
]
EACH = 3
"""Where a name becomes a question or a document, a place gets every third, the next one those behind."""
UPLOADED = re.compile(r"uploads(/[0-9a-f]{32}(/(document(\.[a-z]+)?|upload\.json))?)?")


@pytest.fixture(scope="module")
def snare(tmp_path_factory: pytest.TempPathFactory) -> Trap:
    return trap(tmp_path_factory.mktemp("climbed"))


@pytest.fixture(scope="module")
def own(snare: Trap) -> Iterator[Served]:
    """A service on the documents beside the canary, which takes as many requests as are sent."""
    with served(made_store(snare.documents), settings=replace(SETTINGS, requests_a_minute=0)) as found:
        yield found


@pytest.fixture(autouse=True)
def untouched(snare: Trap, own: Served) -> Iterator[None]:
    before = snare.outside()
    yield
    assert snare.outside() == before
    kept = own.folder / ".pincite"
    names = [path.relative_to(kept).as_posix() for path in below(kept / "uploads")]
    assert [name for name in names if not UPLOADED.fullmatch(name)] == []


def shapes(name: str) -> set[str]:
    """A name as programs send it, and as it stands there where it is sent as it is."""
    return {quote(name.encode("utf-8", "surrogatepass"), safe=kept) for kept in ("", "%/\\:;.!$()*'")}


def names_for(snare: Trap, place: str) -> list[str]:
    """The names that are put there: where each becomes a document, or a question, every third."""
    is_slow = place.startswith(("POST", "GET /qa"))
    return snare.names()[IN_QUERIES.index(place) % EACH :: EACH] if is_slow else snare.names()


def check(status: int, content: bytes, name: str) -> None:
    assert status < 500, ascii(name[:80])
    assert CANARY.encode() not in content, ascii(name[:80])
    assert b"root:x:0:" not in content


# --- routes -------------------------------------------------------------------------------------------------


def test_there_are_many_names_and_many_places(snare: Trap) -> None:
    assert len(set(snare.names())) == len(snare.names()) >= 120
    assert len([*IN_PATHS, *IN_QUERIES, *IN_BODIES, *TOOLS]) >= 45


@pytest.mark.parametrize("place", IN_QUERIES)
def test_no_name_in_an_address_leads_out(snare: Trap, own: Served, place: str) -> None:
    method, url = place.split(" ", 1)
    names = [(name, url + sent) for name in names_for(snare, place) for sent in shapes(name)]
    answers = own.answers(method, [(sent, b"Rain falls.") for _, sent in names], own.headers("chair"))
    for (name, _), found in zip(names, answers, strict=True):
        check(found.status_code, found.content, name)
        if "/api/document" in url and "/api/documents" not in url:
            assert found.status_code in (404, 422), ascii(name[:80])


def body(field: str, name: str) -> dict[str, Any]:
    """What is sent, with a name in one of its fields."""
    if field in ("trace_id", "result"):
        return {"trace_id": "0" * 32, "result": "x", "said": "opened", field: name}
    if field in ("model", "content"):
        content = [{"role": "user", "content": name if field == "content" else WHO}]
        return {"model": name if field == "model" else "pincite", "messages": content}
    return {"question": WHO, field: [name] if field in ("files", "types", "tags") else name}


@pytest.mark.parametrize(("url", "field"), IN_BODIES)
def test_no_name_in_what_is_sent_leads_out(snare: Trap, own: Served, url: str, field: str) -> None:
    headers = {**own.headers("chair"), "Content-Type": "application/json"}
    names = snare.names()[IN_BODIES.index((url, field)) % EACH :: EACH]
    answers = own.answers("POST", [(url, json.dumps(body(field, name))) for name in names], headers)
    for name, found in zip(names, answers, strict=True):
        check(found.status_code, found.content, name)


# --- as it is sent, whatever clients make of paths ----------------------------------------------------------


@pytest.fixture(scope="module")
def address(own: Served) -> Iterator[tuple[str, int, str]]:
    """Where a service of the same documents reads requests from a socket, and the secret that it takes."""
    tokens = Tokens(own.folder / ".pincite")
    with open_engine(SETTINGS, own.folder / ".pincite") as engine:
        app = build_app(engine, SETTINGS, Access(tokens, is_local=True))
        with on_a_port(app) as found:
            host, port = found.removeprefix("http://").split(":")
            yield host, int(port), own.secrets["admin"]


def answered(address: tuple[str, int, str], target: str) -> bytes:
    """The whole of what is answered to a request for this target, as it is."""
    host, port, secret = address
    head = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\nConnection: close\r\n\r\n"
    found = b""
    with socket.create_connection((host, port), timeout=20) as there:
        there.sendall(head.encode("ascii"))
        while piece := there.recv(65536):
            found += piece
    return found


@pytest.mark.parametrize("place", IN_PATHS)
def test_no_path_leads_out(snare: Trap, address: tuple[str, int, str], place: str) -> None:
    for name in snare.names():
        for sent in shapes(name):
            found = answered(address, place + sent)
            check(int(found.split(b" ", 2)[1]), found, name)
            if place.startswith("/web/"):
                assert found.split(b" ", 2)[1] in (b"404", b"400", b"403", b"401", b"422"), ascii(name[:80])


@pytest.mark.parametrize(
    "target",
    [
        *("/web/../../outside/canary.txt", "/web/./main.js", "/web//main.js", "/web/..", "/web/.", "//web/main.js/.."),
        *("http://127.0.0.1/web/../../outside/canary.txt", "http:///etc/passwd", "file:///etc/passwd", "../etc/passwd"),
        *(
            "/web/main.js/../../../outside/canary.txt",
            "/web\\..\\..\\outside\\canary.txt",
            "/web/%00",
            "/web/main.js%00",
        ),
    ],
)
def test_no_odd_target_leads_anywhere(address: tuple[str, int, str], target: str) -> None:
    found = answered(address, target)
    check(int(found.split(b" ", 2)[1]), found, target)
    assert found.split(b" ", 2)[1] in (b"400", b"404")


# --- what is put in -----------------------------------------------------------------------------------------


def pack(names: list[str], goals: list[str]) -> bytes:
    """An archive whose members are called so, and links that lead to the goals."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number, name in enumerate(names):
            with suppress(UnicodeEncodeError):
                archive.writestr(zipfile.ZipInfo(f"{name[:1000]}.txt"), f"Member {number} speaks of rain.")
        for number, goal in enumerate(goals):
            link = zipfile.ZipInfo(f"deep/link{number}.txt")
            link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
            archive.writestr(link, goal)
    return made.getvalue()


def test_nothing_that_an_archive_says_of_its_members_leads_out(snare: Trap, own: Served) -> None:
    headers = own.headers("chair")
    goals = [str(snare.canary), "../../../../outside/canary.txt", "/etc/passwd"]
    params, content = {"name": "../pack.zip", "acl": "board"}, pack(snare.names(), goals)
    assert own.client.post("/api/documents", params=params, content=content, headers=headers).status_code == 202
    until = time.monotonic() + 120
    while indexing.is_under_way(own.client.get("/api/indexing", headers=headers).json()):
        assert time.monotonic() < until
        time.sleep(0.1)
    held = own.client.get("/api/documents", headers=headers)
    sources = [state["source"]["source_id"] for state in held.json()["sources"] if state["status"] == "indexed"]
    members = [source for source in sources if "!/" in source]
    assert members
    for source in members:
        for route in ("/pages/1", "/file", "/sections"):
            found = own.client.get(f"/api/document{route}", params={"source": source}, headers=headers)
            check(found.status_code, found.content, source)
    for question in ("Where does the pelican hide?", "What speaks of rain?", "root"):
        found = own.client.get("/qa", params={"query": question}, headers=headers)
        check(found.status_code, found.content, question)


# --- tools --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tool", "field"), TOOLS)
def test_no_name_that_a_tool_is_given_leads_out(snare: Trap, own: Served, tool: str, field: str) -> None:
    needed = {"show_section": {"document": OPEN}, "resolve_reference": {"reference": "section 2", "document": OPEN}}
    given: dict[str, Any] = needed.get(tool, {} if tool == "list_documents" else {"question": WHO})

    async def called(client: Client) -> None:
        for name in snare.names():
            told = await client.call_tool(tool, {**given, field: [name] if field == "documents" else name})
            said = told.model_dump_json()
            assert CANARY not in said, ascii(name[:80])
            assert "root:x:0:" not in said
            assert "the log of pincite mcp" not in said, ascii(name[:80])

    using(make_server(own.engine.session(("board",)), Terms()), called)
