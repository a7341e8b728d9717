"""The OpenAPI document is true: 1. whatever programs that are made from it send, no answer is one that it does not tell
of, what it forbids is refused, and nothing fails (Schemathesis makes the requests, the same ones each time); 2. what
every route really answers has the shape that it tells; 3. it says where a token is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import load_all_checks
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.specs.openapi.checks import negative_data_rejection
from tests.support.promises import SETTINGS
from tests.support.served import BROKEN, CLOSED, OPEN, Served, made_store, on_a_port
from tests.unit.serve.test_matrix import CHANGING, REQUESTS, passage_of

from pincite.serve.access import Access
from pincite.serve.access_tokens import ANYBODY, RULES, Tokens
from pincite.serve.app import build_app
from pincite.wiring import open_engine

KNOWN = {
    "query.source": [OPEN, CLOSED],
    "query.name": ["Alder Works", "rain.txt"],
    "query.number": ["1", "Wind"],
    "path.number": [1, 2],
    "path.model": ["pincite", "pincite-extract"],
    "body.model": ["pincite"],
}
"""What stands in the store, so that half of the requests do not end at the first look."""
CONFIG: dict[str, Any] = {
    "seed": 1,
    "generation": {"deterministic": True, "database": "none", "max-examples": 8, "with-security-parameters": False},
    "dictionaries": {name: {"values": values} for name, values in {**KNOWN, "gone": [BROKEN]}.items()},
    "parameters": {name: {"dictionary": name, "probability": 0.5} for name in KNOWN},
    "operations": [
        {"include-name": "DELETE /api/document", "parameters": {"query.source": {"dictionary": "gone"}}},
    ],
    "checks": {
        # What has the shape that is told may still be wrong, as a profile that there is not; it is never told 422.
        "positive_data_acceptance": {"expected-statuses": ["2xx", "3xx", 400, 401, 403, 404, 408, 409, 413, 415, 503]},
        "negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 503]},
        "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx", "503"]},
    },
}

ROUTES = sorted(RULES.keys() - {"GET /", "GET /q/{run_id}", "GET /web/{name}"})


def document() -> dict[str, Any]:
    """The document of a service without a store: it is the same for all."""
    return build_app(None, SETTINGS, Access(Tokens(Path()), is_local=True)).openapi()  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def schema() -> Any:
    """What Schemathesis makes of the document."""
    return schemathesis.openapi.from_dict(document(), config=schemathesis.Config.from_dict(CONFIG))


@pytest.fixture(scope="module")
def operations(schema: Any) -> dict[str, Any]:
    """The operations of the document by method and path."""
    return {label(operation.ok()): operation.ok() for operation in schema.get_all_operations()}


@pytest.fixture
def operation(operations: dict[str, Any], route: str) -> Any:
    """The one of a route."""
    return operations[route]


def label(operation: Any) -> str:
    return f"{operation.method.upper()} {operation.path}"


# --- what is sent -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Own:
    """A service that these tests change, and what an admin sends with a request."""

    address: str
    headers: dict[str, str]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Own]:
    store = made_store(tmp_path_factory.mktemp("described") / "docs")
    tokens = Tokens(store)
    headers = {"Authorization": f"Bearer {tokens.add('admin', 'admin')}"}
    with (
        open_engine(SETTINGS, store) as engine,
        on_a_port(build_app(engine, SETTINGS, Access(tokens, is_local=True))) as address,
    ):
        yield Own(address, headers)


def answered(own: Own, case: schemathesis.Case) -> None:
    """A stream that has begun cannot have another status: what is wrong with a question is its one event."""
    is_stream = case.path == "/api/ask/stream"
    excluded = [negative_data_rejection] if is_stream else []
    found = case.call_and_validate(own.address, headers=own.headers, excluded_checks=excluded)
    if is_stream and found.status_code == 200 and case.meta.generation.mode.is_negative:
        assert found.text.startswith("event: error\n")


@pytest.mark.parametrize("route", ROUTES)
def test_no_answer_is_one_that_the_document_does_not_tell_of(own: Own, schema: Any, operation: Any) -> None:
    """The requests are made here: `schema.parametrize` makes those of all routes wherever tests are collected."""
    load_all_checks()
    send_all = build_operation_test(
        config=schema.config, operation=operation, test_func=answered, given_kwargs={}, feedback=FeedbackSources()
    )
    send_all(own=own)


# --- what is answered ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["chair", "reader", None])
@pytest.mark.parametrize("route", ROUTES)
def test_what_is_really_answered_has_the_shape_that_is_told(service: Served, operation: Any, who: str | None) -> None:
    asked = REQUESTS[label(operation)](OPEN)
    run = service.client.get("/qa", params={"query": "Who clears the snow?"}, headers=service.headers("chair"))
    url = asked.url.format(board_run=run.json()["meta"]["trace_id"])
    params = {name: passage_of(service, OPEN) if name == "chunk" else value for name, value in asked.params.items()}
    sent = {"params": params or None, "json": asked.body, "headers": service.headers(who)}
    found = service.client.request(operation.method, url, **sent)
    operation.validate_response(found)
    if who == "chair" and label(operation) not in CHANGING:
        assert found.status_code == 200


def test_what_is_put_in_followed_and_taken_out_is_told_so(own: Own, operations: dict[str, Any]) -> None:
    with httpx.Client(base_url=own.address, headers=own.headers) as client:
        kept = client.post("/api/documents", params={"name": "rain.txt"}, content=b"Rain falls on the harbour.")
        operations["POST /api/documents"].validate_response(kept)
        source = {"source": kept.json()["source_id"]}
        stream = client.get("/api/indexing/stream")
        state = client.get("/api/indexing")
        gone = client.delete("/api/document", params=source)
    operations["GET /api/indexing/stream"].validate_response(stream)
    operations["GET /api/indexing"].validate_response(state)
    operations["DELETE /api/document"].validate_response(gone)
    assert [kept.status_code, stream.status_code, state.status_code, gone.status_code] == [202, 200, 200, 200]
    assert "indexed" in {upload["status"] for upload in state.json()["uploads"]}


# --- what is told -------------------------------------------------------------------------------------------


def test_it_is_a_document_that_programs_read() -> None:
    OpenAPIV31SpecValidator(document()).validate()


@pytest.mark.parametrize("route", ROUTES)
def test_it_says_where_a_token_is_needed_and_what_goes_wrong_without(operation: Any) -> None:
    told = operation.definition.raw
    is_guarded = RULES[label(operation)] != ANYBODY
    assert (bool(told.get("security")), "401" in told["responses"]) == (is_guarded, is_guarded)
    assert {"400", "403"} <= told["responses"].keys()
    assert ("422" in told["responses"]) <= (not operation.path.startswith("/v1/"))


def test_every_route_of_the_api_is_told_of_under_a_short_name(operations: dict[str, Any]) -> None:
    told = [operation.definition.raw for operation in operations.values()]
    assert operations.keys() == set(ROUTES)
    assert len({item["operationId"] for item in told}) == len(told)
    assert all(item["operationId"].isidentifier() and item["summary"] and item["description"] for item in told)
    assert not [name for name in document()["components"]["schemas"] if "__" in name]
