"""Documents as they are: 1. handed out as they were indexed or not at all; 2. nothing of them runs in the service;
3. what is masked stays here; 4. who took them is noted, or nothing is handed out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from httpx import Response
from tests.support.promises import SETTINGS
from tests.support.served import BROKEN, CLOSED, OPEN, Served

from pincite.engine.engine import Engine
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.wiring import open_engine

PAGE = "<html><script>fetch('/api/documents')</script><h1>Snow</h1><p>The keeper clears the snow.</p></html>"


def asked(served: Served, route: str, source: str, **params: Any) -> Response:
    return served.client.get(f"/api/document/{route}", params={"source": source, **params})


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.html").write_text(PAGE)
    (tmp_path / "docs" / "posing.pdf").write_text(PAGE)
    (tmp_path / "docs" / 'Größe "x";\r\n.txt').write_text("The keeper clears the snow of ada@example.org.")
    with open_engine(SETTINGS, tmp_path / "store", create=True) as engine:
        engine.index([tmp_path / "docs"])
        yield engine


@pytest.fixture
def client(engine: Engine, tmp_path: Path) -> Iterator[TestClient]:
    app = build_app(engine, SETTINGS, Access(Tokens(tmp_path / "store"), is_local=True))
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


def test_a_link_leads_to_the_file_and_its_page(fresh: Served) -> None:
    told = asked(fresh, "link", OPEN, page=2).json()
    assert told == {"url": f"/api/document/file?source={quote(OPEN, safe='').replace('%20', '+')}&page=2#page=2"} | {
        "expires": None
    }
    found = fresh.client.get(told["url"])
    assert found.content == (fresh.folder / OPEN).read_bytes()
    assert found.headers["Content-Type"] == "application/pdf"
    assert found.headers["Content-Disposition"] == "inline; filename*=UTF-8''snow%20%26%20wind.pdf"
    assert found.headers["Cache-Control"] == "no-store"
    assert asked(fresh, "link", OPEN, page=3).status_code == 404


@pytest.mark.parametrize("route", ["link", "file"])
def test_what_could_not_be_read_or_is_closed_is_not_there(fresh: Served, route: str) -> None:
    assert [asked(fresh, route, source).status_code for source in (BROKEN, CLOSED, "../roots.json")] == [404] * 3


def test_a_file_that_changed_is_not_handed_out(fresh: Served) -> None:
    (fresh.folder / OPEN).write_bytes((fresh.folder / CLOSED).read_bytes())
    found = asked(fresh, "file", OPEN)
    assert found.status_code == 400
    assert "is not as it was indexed" in found.json()["error"]["message"]
    assert fresh.engine.session().audit.events() == []


def test_nothing_but_a_pdf_is_shown_and_nothing_at_all_runs(client: TestClient) -> None:
    found = client.get("/api/document/file", params={"source": "page.html"})
    assert found.text == PAGE
    assert found.headers["Content-Type"] == "application/octet-stream"
    assert found.headers["Content-Disposition"].startswith("attachment;")
    assert found.headers["X-Content-Type-Options"] == "nosniff"
    assert found.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")


def test_the_name_of_a_file_writes_no_header(client: TestClient) -> None:
    (name,) = [item for item in _names(client) if item.endswith(".txt")]
    found = client.get("/api/document/file", params={"source": name})
    assert found.status_code == 200
    assert found.headers["Content-Disposition"] == f"attachment; filename*=UTF-8''{quote(name, safe='')}"


def _names(client: TestClient) -> list[str]:
    documents = client.get("/api/documents").json()["sources"]
    return [item["source"]["source_id"] for item in documents]


def test_in_a_store_that_masks_no_file_is_handed_out(engine: Engine, client: TestClient, tmp_path: Path) -> None:
    masking = replace(SETTINGS, redact="email")
    with open_engine(masking, tmp_path / "store", create=True) as again:
        again.index([tmp_path / "docs"])
    for source in _names(client):
        for route in ("link", "file"):
            found = client.get(f"/api/document/{route}", params={"source": source})
            assert found.status_code == 400 or source == "posing.pdf"
            assert "ada@example.org" not in found.text
    assert "is masked here" in client.get("/api/document/file", params={"source": "page.html"}).text


def test_who_took_what_is_noted(service: Served) -> None:
    for who in ("reader", "admin", "wrong"):
        params = {"source": OPEN, "page": 2, "trace_id": "abc123"}
        service.client.get("/api/document/file", params=params, headers=service.headers(who))
    events = [event for event in service.engine.session().audit.events() if event.trace_id == "abc123"]
    noted = [(event.kind, event.who, event.source_id, event.page) for event in events]
    assert noted == [("link opened", who, OPEN, 2) for who in ("admin", "reader")]
    assert service.engine.check_chain().problems == ()


def test_what_cannot_be_noted_is_not_handed_out(fresh: Served) -> None:
    (fresh.folder / ".pincite" / "audit.sqlite").unlink(missing_ok=True)
    (fresh.folder / ".pincite" / "audit.sqlite").mkdir()
    found = asked(fresh, "file", OPEN)
    assert found.status_code == 503
    assert "no document is handed out" in found.json()["error"]["message"]
