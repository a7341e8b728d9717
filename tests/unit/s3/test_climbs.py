"""The keys of objects are names and no paths: whatever they are called, they are read as what they hold, and nothing
that they aim at is read, shown or written over."""

from __future__ import annotations

from pathlib import Path

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from fastapi.testclient import TestClient
from tests.support.climbs import CANARY, Trap, trap
from tests.support.s3_server import S3Server

from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.wiring import open_engine

ROUTES = ["/pages/1", "/pages/1/image", "/link", "/file"]


@pytest.fixture
def snare(tmp_path: Path) -> Trap:
    return trap(tmp_path)


def put(server: S3Server, names: list[str]) -> int:
    """Objects under these keys, as far as such keys can be; how many there are."""
    client, kept = server.client(), 0
    server.put("climbs", {})
    for number, name in enumerate(names):
        try:
            content = f"Object {number} speaks of rain.".encode()
            client.put_object(Bucket="climbs", Key=f"{name}.txt"[-900:], Body=content)
        except (BotoCoreError, ClientError, UnicodeError, ValueError):
            continue
        kept += 1
    return kept


def test_no_key_leads_out_of_its_bucket(server: S3Server, snare: Trap) -> None:
    kept = put(server, snare.names())
    assert kept >= 80
    before = snare.outside()
    store = snare.documents / ".pincite"
    with open_engine(server.settings(), store, create=True) as engine:
        report = engine.index(["s3://climbs"])
        read = [item.source for item in report.documents if item.status == "indexed"]
        assert len(read) >= 80
        app = build_app(engine, server.settings(), Access(Tokens(store), is_local=True))
        with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
            for source in [*read, *(f"s3://climbs/{name}" for name in snare.names())]:
                sent = source.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
                for route in ROUTES:
                    found = client.get(f"/api/document{route}", params={"source": sent})
                    assert found.status_code < 500, ascii(source[:80])
                    assert CANARY.encode() not in found.content, ascii(source[:80])
                    assert b"root:x:0:" not in found.content
        said = [engine.session(()).documents.pages(source)[0].text for source in read]
    assert [text for text in said if "speaks of rain" not in text] == []
    assert snare.outside() == before
