"""No string breaks a field of any route: what cannot be done is told so, nothing fails, and nothing comes back as a
page that a browser would run."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from tests.support.naughty import NAUGHTY
from tests.support.served import OPEN, Served

EACH = 4
"""A field gets every fourth string, the next one the ones behind."""
WHO = "Who clears the snow?"
OF_SOURCE = [
    *(f"/api/document{part}" for part in ("", "/sections", "/anchors", "/references", "/pages/1")),
    *(f"/api/document{part}" for part in ("/pages/1/image", "/link", "/file")),
]
QUERIES = [
    ("GET", "/qa?query="),
    *(("GET", f"{url}?source=") for url in OF_SOURCE),
    ("GET", f"/api/document/pages/1/image?source={quote(OPEN)}&mark="),
    ("GET", f"/api/section?source={quote(OPEN)}&number="),
    ("GET", "/api/section?number=1&source="),
    ("GET", "/api/entity?name="),
    ("POST", "/api/documents?acl=nobodys&name="),
    ("POST", "/api/documents?name=x.txt&acl="),
    ("POST", "/api/documents?name=x.txt&acl=nobodys&tags="),
    ("DELETE", "/api/document?source="),
    ("GET", "/api/runs/"),
    ("GET", "/web/"),
    ("GET", "/v1/models/"),
    ("GET", f"/api/document/link?source={quote(OPEN)}&trace_id="),
]
LISTS = {"files", "types", "tags"}
ASKED = ["question", "files", "types", "tags", "after", "before", "as_of", "profile", "mode"]
BODIES = [
    *(("/api/ask", field) for field in ASKED),
    *(("/api/search", field) for field in ASKED[:-1]),
    *(("/api/ask/stream", field) for field in ("question", "as_of")),
    *(("/api/feedback", field) for field in ("trace_id", "result", "said")),
]


def body(url: str, field: str, text: str) -> dict[str, Any]:
    """What is sent there, with this text in the field."""
    judged = {"trace_id": "0" * 32, "result": "x", "said": "opened"}
    return {**(judged if url == "/api/feedback" else {"question": WHO}), field: [text] if field in LISTS else text}


def check(found: Any, text: str) -> None:
    assert found.status_code < 500, ascii(text[:50])
    assert "html" not in found.headers.get("Content-Type", "")
    assert found.headers["X-Content-Type-Options"] == "nosniff"
    if found.status_code >= 400:
        assert found.json()["error"]["message"]


@pytest.mark.parametrize(("method", "url"), QUERIES)
def test_no_string_breaks_an_address(service: Served, method: str, url: str) -> None:
    for text in NAUGHTY[QUERIES.index((method, url)) % EACH :: EACH]:
        sent = url + quote(text.encode("utf-8", "surrogatepass"), safe="")
        check(service.client.request(method, sent, headers=service.headers("admin")), text)


@pytest.mark.parametrize(("url", "field"), BODIES)
def test_no_string_breaks_what_is_sent(service: Served, url: str, field: str) -> None:
    headers = {**service.headers("admin"), "Content-Type": "application/json"}
    for text in NAUGHTY[BODIES.index((url, field)) % EACH :: EACH]:
        check(service.client.post(url, content=json.dumps(body(url, field, text)), headers=headers), text)
