"""No string breaks a field of any route: what cannot be done is told so, nothing fails, and nothing comes back as a
page that a browser would run."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

import pytest
from tests.support.naughty import NAUGHTY, every_third
from tests.support.served import OPEN, Served

WHO = "Who clears the snow?"
OF_SOURCE = [
    *(f"/api/document{part}" for part in ("", "/sections", "/anchors", "/references", "/pages/1")),
    *(f"/api/document{part}" for part in ("/pages/1/image", "/pages/1/words", "/pages/1/marks", "/link", "/file")),
]
QUERIES = [
    ("GET", "/qa?query="),
    *(("GET", f"{url}?source=") for url in OF_SOURCE),
    *(("GET", f"/api/document/pages/1/{kind}?source={quote(OPEN)}&mark=") for kind in ("image", "marks")),
    ("GET", f"/api/section?source={quote(OPEN)}&number="),
    ("GET", "/api/section?number=1&source="),
    ("GET", "/api/entity?name="),
    ("GET", "/api/entity/graph?name="),
    ("GET", "/api/document/find?words=x&source="),
    ("GET", f"/api/document/find?source={quote(OPEN)}&words="),
    ("GET", "/api/document/passage?chunk=x&source="),
    ("GET", f"/api/document/passage?source={quote(OPEN)}&chunk="),
    ("GET", "/api/documents?query="),
    ("GET", "/api/documents?status="),
    ("POST", "/api/documents?acl=nobodys&name="),
    ("POST", "/api/documents?name=x.txt&acl="),
    ("POST", "/api/documents?name=x.txt&acl=nobodys&tags="),
    ("DELETE", "/api/document?source="),
    ("GET", "/api/runs/"),
    *(("GET", f"/api/{what}") for what in ("answers/", "export?answer=", f"export?answer={'0' * 32}&form=")),
    ("GET", "/web/"),
    ("GET", "/v1/models/"),
    *(("GET", f"/api/document/{part}?source={quote(OPEN)}&trace_id=") for part in ("link", "file")),
    ("GET", "/api/document/pages/"),
]
LISTS = {"files", "types", "tags", "earlier"}
ASKED = ["question", "files", "types", "tags", "after", "before", "as_of", "profile", "mode"]
BODIES = [
    *(("/api/ask", field) for field in (*ASKED, "earlier")),
    *(("/api/search", field) for field in ASKED[:-1]),
    *(("/api/ask/stream", field) for field in ("question", "as_of")),
    *(("/api/feedback", field) for field in ("trace_id", "result", "said")),
]


def told_of(service: Served) -> set[tuple[str, str]]:
    """Route and field wherever the OpenAPI document tells of a string; test_chat.py tries the fields of chats."""
    document = service.app.openapi()
    found = {
        (shown(f"{method.upper()} {path}"), parameter["name"] if parameter["in"] == "query" else "")
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        for parameter in operation.get("parameters", [])
        if takes_text(parameter["schema"])
    }
    sent = {"POST /api/ask": "FollowUp", "POST /api/search": "Search", "POST /api/feedback": "Feedback"}
    for route, name in sent.items():
        fields = document["components"]["schemas"][name]["properties"].items()
        found |= {(route, field) for field, schema in fields if takes_text(schema)}
    return found


def shown(route: str) -> str:
    """A route as it is asked here."""
    return route.replace("{number}", "1").partition("{")[0]


def takes_text(schema: dict[str, Any]) -> bool:
    kinds = [schema, schema.get("items", {}), *schema.get("anyOf", [])]
    return any(kind.get("type") == "string" or "enum" in kind for kind in kinds)


def test_every_field_that_takes_text_is_tried(service: Served) -> None:
    parted = [(method, *url.rpartition("?")) for method, url in QUERIES]
    tried = {
        (f"{method} {path}", re.split("[?&]", rest)[-1].rstrip("=")) if path else (f"{method} {rest}", "")
        for method, path, _, rest in parted
    }
    assert told_of(service) <= tried | {(f"POST {url}", field) for url, field in BODIES}


def body(url: str, field: str, text: str) -> dict[str, Any]:
    """What is sent there, with this text in the field."""
    judged = {"trace_id": "0" * 32, "result": "x", "said": "opened"}
    return {**(judged if url == "/api/feedback" else {"question": WHO}), field: [text] if field in LISTS else text}


def texts_for(url: str, place: int) -> tuple[str, ...]:
    """The strings for a place: all, but where each becomes a question or a document every third."""
    return every_third(place) if url.startswith(("/api/ask", "/api/search", "/qa", "/api/documents?")) else NAUGHTY


def check(found: Any, text: str) -> None:
    assert found.status_code < 500, ascii(text[:50])
    assert "html" not in found.headers.get("Content-Type", "")
    assert found.headers["X-Content-Type-Options"] == "nosniff"
    if found.status_code >= 400:
        assert found.json()["error"]["message"]


@pytest.mark.parametrize(("method", "url"), QUERIES)
def test_no_string_breaks_an_address(service: Served, method: str, url: str) -> None:
    texts = texts_for(url, QUERIES.index((method, url)))
    sent = [(url + quote(text.encode("utf-8", "surrogatepass"), safe=""), None) for text in texts]
    for found, text in zip(service.answers(method, sent, service.headers("admin")), texts, strict=True):
        check(found, text)


@pytest.mark.parametrize(("url", "field"), BODIES)
def test_no_string_breaks_what_is_sent(service: Served, url: str, field: str) -> None:
    headers = {**service.headers("admin"), "Content-Type": "application/json"}
    texts = texts_for(url, BODIES.index((url, field)))
    sent = [(url, json.dumps(body(url, field, text))) for text in texts]
    for found, text in zip(service.answers("POST", sent, headers), texts, strict=True):
        check(found, text)
