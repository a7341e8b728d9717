"""1. A link to an object opens it for a while and for whoever has it, and is made for those who may see it alone.
2. It stands nowhere but in the answer to the click. 3. Pages of objects are drawn from copies that are checked."""

from __future__ import annotations

import io
import json
import logging
import re
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.support.files import contents, files_below
from tests.support.made_pdfs import write_pdf
from tests.support.s3_server import S3Server
from tests.support.served import drawn

from pincite.engine.engine import Engine
from pincite.errors import UsageError
from pincite.records.pages import Span
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.wiring import open_engine

SNOW, BOARD, PACKED = "s3://docs/rules/snow & ice.pdf", "s3://docs/board.pdf", "s3://docs/all.zip!/in.html"


@pytest.fixture
def pdf(tmp_path: Path) -> bytes:
    pages = [drawn("1 Snow", "The keeper clears the snow."), drawn("2 Wind", "Wind acts on Alder Works.")]
    return write_pdf(tmp_path / "made.pdf", pages).read_bytes()


@pytest.fixture
def store(server: S3Server, pdf: bytes, tmp_path: Path) -> Path:
    """A store of an open object, one of the board, and one inside an archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("in.html", "<script>1</script><p>Rain falls.</p>")
    server.put("docs", {"rules/snow & ice.pdf": pdf, "board.pdf": pdf, "all.zip": packed.getvalue()})
    manifest = tmp_path / "list.json"
    manifest.write_text(json.dumps([{"path": BOARD, "acl": ["board"]}]))
    with open_engine(server.settings(), tmp_path / "store", create=True) as engine:
        engine.index(["s3://docs"], manifest=manifest)
    server.fetched()
    return tmp_path / "store"


@contextmanager
def asking(server: S3Server, store: Path, **others: Any) -> Iterator[tuple[TestClient, Engine]]:
    settings = server.settings(**others)
    with open_engine(settings, store) as engine:
        app = build_app(engine, settings, Access(Tokens(store), is_local=True))
        with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
            yield client, engine


def linked(client: TestClient, source: str, **params: Any) -> dict[str, Any]:
    found = client.get("/api/document/link", params={"source": source, **params})
    assert found.headers["Cache-Control"] == "no-store"
    told: dict[str, Any] = found.json()
    return told


def opened(url: str) -> tuple[int, bytes, str]:
    try:
        with urllib.request.urlopen(url.partition("#")[0], timeout=30) as answer:
            return answer.status, answer.read(), answer.headers["Content-Type"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), ""


# --- links


def test_a_link_opens_the_page_without_any_key(server: S3Server, store: Path, pdf: bytes) -> None:
    with asking(server, store) as (client, engine):
        told = linked(client, SNOW, page=2, trace_id="abc123")
        (event,) = engine.session().audit.events()
    assert told["url"].startswith(f"{server.endpoint}/docs/rules/snow")
    assert told["url"].endswith("#page=2")
    assert opened(told["url"]) == (200, pdf, "application/pdf")
    assert (event.kind, event.source_id, event.page, event.trace_id) == ("link opened", SNOW, 2, "abc123")
    assert event.details == {"seconds": 300}


@pytest.mark.parametrize(
    "changed", [("docs/rules", "docs/other"), ("Expires=300", "Expires=9999"), ("Signature=", "Signature=0")]
)
def test_a_link_that_was_tampered_with_opens_nothing(server: S3Server, store: Path, changed: tuple[str, str]) -> None:
    with asking(server, store) as (client, _):
        url = linked(client, SNOW)["url"]
    assert changed[0] in url
    status, content, _ = opened(url.replace(*changed))
    assert (status, b"SignatureDoesNotMatch" in content) == (403, True)


def test_a_link_opens_nothing_when_its_time_is_over(server: S3Server, store: Path, pdf: bytes) -> None:
    with asking(server, store, s3_link_seconds=1) as (client, _):
        url = linked(client, SNOW)["url"]
    assert "X-Amz-Expires=1&" in url
    time.sleep(1.1)
    assert opened(url)[0] == 403


def test_the_link_to_another_kind_of_file_saves_it(server: S3Server, store: Path) -> None:
    with asking(server, store) as (client, _):
        status, _, media_type = opened(linked(client, "s3://docs/all.zip")["url"])
    assert (status, media_type) == (200, "application/octet-stream")


def test_what_lies_inside_an_object_comes_as_a_file(server: S3Server, store: Path) -> None:
    with asking(server, store) as (client, _):
        told = linked(client, PACKED)
        found = client.get(told["url"])
    assert told["expires"] is None
    assert found.content.startswith(b"<script>")
    assert found.headers["Content-Disposition"] == "attachment; filename*=UTF-8''in.html"


def test_who_may_not_see_it_gets_no_link_and_nobody_is_asked(server: S3Server, store: Path) -> None:
    with asking(server, store, s3_endpoint="http://127.0.0.1:9") as (client, engine):
        for source in (BOARD, "s3://docs/none.pdf", "s3://elsewhere/none.pdf", "http://127.0.0.1:9/a"):
            found = client.get("/api/document/link", params={"source": source})
            assert found.status_code == 404
        assert client.get("/api/document/link", params={"source": SNOW}).status_code == 503
        assert engine.session().audit.events() == []


def test_the_link_of_a_masked_document_is_not_made(server: S3Server, store: Path) -> None:
    with open_engine(server.settings(redact="email"), store, create=True) as engine:
        engine.index(["s3://docs/rules"])
    with asking(server, store) as (client, _):
        assert "is masked here" in linked(client, SNOW)["error"]["message"]
    assert not files_below(store / "objects")


def test_an_object_that_changed_has_no_link(server: S3Server, store: Path) -> None:
    server.client().put_object(Bucket="docs", Key="rules/snow & ice.pdf", Body=b"%PDF-1.4 another")
    with asking(server, store) as (client, engine):
        for route in ("link", "file"):
            found = client.get(f"/api/document/{route}", params={"source": SNOW})
            assert (found.status_code, "is not as it was indexed" in found.text) == (400, True)
        assert engine.session().audit.events() == []


def test_a_link_stands_in_no_log_no_store_and_no_receipt(
    server: S3Server, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), asking(server, store) as (client, engine):
        engine.ask("Who clears the snow?")
        url = linked(client, SNOW)["url"]
        engine.collect()
    found = re.search("X-Amz-Signature=([0-9a-f]{64})", url)
    assert found is not None
    assert found[1] not in caplog.text
    assert server.secret not in caplog.text
    written = contents(store)
    assert found[1].encode() not in written
    assert server.secret.encode() not in written


# --- pages


def test_a_page_of_an_object_is_drawn_from_a_copy_that_is_kept(server: S3Server, store: Path) -> None:
    with open_engine(server.settings(), store) as engine:
        picture = engine.session().files.picture(SNOW, 1, [Span(1, 0, 5)])
        statement = engine.ask("Who clears the snow?").statements[0]
        assert engine.session().files.boxes(statement.citations[0])
        assert engine.session().files.picture(SNOW, 1, [Span(1, 0, 5)]) == picture
    assert picture.startswith(b"\x89PNG")
    assert server.fetched() == ["/docs/rules/snow & ice.pdf"]
    (kept,) = files_below(store / "objects")
    kept.write_bytes(b"%PDF-1.4 another")
    with open_engine(server.settings(), store) as engine:
        with pytest.raises(UsageError, match="not as it was indexed"):
            engine.session().files.picture(SNOW, 1)
        assert engine.session().files.picture(SNOW, 1, [Span(1, 0, 5)]) == picture


def test_a_copy_that_is_kept_goes_with_a_purge(server: S3Server, store: Path) -> None:
    with open_engine(server.settings(), store) as engine:
        engine.session().files.picture(SNOW, 1)
        engine.remove(SNOW, purge=True)
    assert not files_below(store / "objects")
