"""What every request passes: names of the service, pages of other sites, sizes; the one shape of what goes wrong."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from tests.support.promises import SETTINGS
from tests.support.served import Served, on_a_port

from pincite.errors import ClosedError, NotThereError, PinciteError, ReadError, ServiceError, StoreError, TooLongError
from pincite.serve import edge
from pincite.serve.access import Access
from pincite.serve.access_tokens import MOST_BYTES, Tokens
from pincite.serve.app import build_app
from pincite.serve.edge import Edge
from pincite.serve.failures import failure_of, without_paths

OWN = ["localhost", "localhost:8470", "LOCALHOST", "127.0.0.1", "127.0.0.1:1", "[::1]:8470", "192.168.1.20:80"]
FOREIGN = ["evil.example", "evil.example:8470", "localhost.evil.example", "127.0.0.1.evil.example", "localhost."]
BROKEN = [
    "",
    " ",
    "a@127.0.0.1",
    "127.0.0.1:port",
    "[::1",
    "127.0.0.1/x",
    "127.0.0.1#",
    "[::1].evil.example",
    "[::1]x:8470",
    "[127.0.0.1].evil.example",
    "docs.example.org@evil.example",
]


def problem(served: Served, url: str = "/health", **headers: str) -> tuple[int, str]:
    found = served.client.get(url, headers=headers)
    return found.status_code, found.json().get("error", {}).get("kind", "")


@pytest.mark.parametrize("host", [*OWN, "docs.example.org", "Docs.Example.org:443"])
def test_it_answers_to_its_own_names(service: Served, host: str) -> None:
    assert problem(service, Host=host) == (200, "")


@pytest.mark.parametrize("host", [*FOREIGN, *BROKEN])
def test_a_name_that_was_made_to_lead_here_is_turned_down(service: Served, host: str) -> None:
    assert problem(service, Host=host) == (400, "usage")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:9999", "http://127.0.0.1:1", "://", ""]
)
def test_pages_of_other_sites_may_not_ask(service: Served, origin: str) -> None:
    assert problem(service, Host="127.0.0.1:8470", Origin=origin) == (403, "role")


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_nor_may_they_load_anything_from_it(service: Served, site: str) -> None:
    assert problem(service, **{"Sec-Fetch-Site": site}) == (403, "role")


LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def test_a_link_in_a_wiki_or_a_mail_leads_to_the_page(service: Served) -> None:
    assert service.client.get("/", headers=LINK).status_code == 200


@pytest.mark.parametrize("url", ["/health", "/web/main.js", "/api/documents", "/qa?query=snow", "//", "/x"])
def test_a_link_leads_nowhere_else(service: Served, url: str) -> None:
    found = service.client.get(f"http://127.0.0.1{url}", headers={**service.headers("reader"), **LINK})
    assert found.status_code == 403


@pytest.mark.parametrize(
    "other",
    [
        {"Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Dest": "embed"},
        {"Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
        {"Origin": "http://evil.example"},
    ],
)
def test_no_other_page_may_hold_or_read_the_page(service: Served, other: dict[str, str]) -> None:
    assert service.client.get("/", headers=LINK | other).status_code == 403


def test_no_other_page_may_send_to_the_page(service: Served) -> None:
    assert service.client.post("/", headers=LINK).status_code == 403


def test_another_program_on_this_machine_has_pages_of_its_own() -> None:
    edge = Edge(FastAPI(), names=["127.0.0.1", "docs.example.org"])
    assert not edge._is_own_origin("http://127.0.0.1:3000", "127.0.0.1:8470")
    assert edge._is_own_origin("https://docs.example.org", "127.0.0.1:8470")


def test_its_own_pages_may(service: Served) -> None:
    assert problem(service, Host="127.0.0.1:8470", Origin="http://127.0.0.1:8470") == (200, "")
    assert problem(service, Host="docs.example.org", Origin="https://docs.example.org") == (200, "")
    assert problem(service, **{"Sec-Fetch-Site": "same-origin"}) == (200, "")


def test_no_answer_lets_another_site_read_or_frame_it(service: Served) -> None:
    for url in ("/health", "/api/documents", "/nothing"):
        headers = service.client.get(url, headers={"Host": "localhost"}).headers
        assert not [name for name in headers if name.startswith("access-control")]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert headers["Cache-Control"] == "no-store"
        assert "server" not in headers


def test_what_nobody_expected_is_told_without_its_cause(tmp_path: Path) -> None:
    app = build_app(None, SETTINGS, Access(Tokens(tmp_path), is_local=True))  # type: ignore[arg-type]
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        found = client.get("/api/documents")
    assert (found.status_code, found.json()["error"]["kind"]) == (500, "unexpected")
    assert "NoneType" not in found.text
    assert found.headers["X-Content-Type-Options"] == "nosniff"


def test_more_than_a_question_needs_is_not_read(service: Served) -> None:
    sent = {"question": "x" * MOST_BYTES}

    def pieces() -> Iterator[bytes]:
        yield from [b" " * 1024] * (MOST_BYTES // 1024 + 1)

    for content in (json.dumps(sent).encode(), pieces()):
        found = service.client.post(
            "/api/ask", content=content, headers={**service.headers("reader"), "Content-Type": "application/json"}
        )
        assert (found.status_code, found.json()["error"]["kind"]) == (413, "too_long")


def test_a_question_that_is_none_is_told_of_its_length(service: Served) -> None:
    found = service.client.post("/api/ask", json={"question": "x" * 5000}, headers=service.headers("reader"))
    assert found.status_code == 413
    assert found.json()["error"] == {
        "kind": "too_long",
        "message": "the question has 5,000 characters, more than the 4,000 that are read: ask it in fewer words",
    }


def test_who_may_not_come_in_is_told_so_before_anything_is_read(service: Served) -> None:
    found = service.client.post("/api/ask", content=b"{nothing", headers={"Content-Type": "application/json"})
    assert (found.status_code, found.json()["error"]["kind"]) == (401, "token")
    assert found.headers["WWW-Authenticate"] == "Bearer"


def test_what_there_is_not_is_told_in_the_same_shape(service: Served) -> None:
    assert problem(service, "/nothing") == (404, "no_route")
    assert problem(service, "/api/ask") == (405, "method")
    for url, methods in (("/api/ask", "POST"), ("/api/document", "DELETE, GET")):
        assert service.client.put(url).headers["Allow"] == methods
    assert problem(service, "/docs") == problem(service, "/openapi.json") == (404, "no_route")


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (NotThereError("x"), 404, "not_there"),
        (TooLongError("x"), 413, "too_long"),
        (ReadError("x"), 409, "read"),
        (ServiceError("x"), 503, "service"),
        (StoreError("x"), 503, "store"),
        (ClosedError("x"), 503, "store"),
        (PinciteError("x"), 500, "unexpected"),
        (ZeroDivisionError("x"), 500, "unexpected"),
    ],
)
def test_every_error_has_its_status(error: Exception, status: int, kind: str) -> None:
    assert failure_of(error)[0] == status
    assert failure_of(error)[1]["error"]["kind"] == kind


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("/var/lib/pincite/.pincite holds no index yet", ".pincite holds no index yet"),
        ("the store in /srv/a b/c was closed", "the store in a b/c was closed"),
        ("http://localhost:11434/api/chat does not answer", "http://localhost:11434/api/chat does not answer"),
        ("rules/snow.pdf is gone: 5 km/h, 3/4", "rules/snow.pdf is gone: 5 km/h, 3/4"),
        ("cannot read ('/models/x/model.onnx')", "cannot read ('model.onnx')"),
    ],
)
def test_no_message_names_a_path_of_this_machine(message: str, told: str) -> None:
    assert without_paths(message) == told


def test_a_question_that_does_not_come_to_its_end_is_not_waited_for(
    fresh: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge, "BODY_SECONDS", 0.3)
    app = build_app(fresh.engine, SETTINGS, Access(Tokens(fresh.folder / ".pincite"), is_local=True))
    with on_a_port(app) as address, socket.create_connection(urlsplit(address).netloc.split(":")) as there:
        there.settimeout(30)
        there.sendall(b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{")
        assert there.recv(4096).startswith(b"HTTP/1.1 408")
