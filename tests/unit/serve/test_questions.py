"""Asking over HTTP gives what the engine gives: the same object, whole or as a stream of its stages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.schema import faults
from tests.support.served import OPEN, Served

from pincite.records.questions import Filter, RetrievalPolicy

QUESTION = "Who clears the snow?"


def ask(served: Served, url: str = "/api/ask", who: str = "reader", **asked: Any) -> Any:
    return served.client.post(url, json={"question": QUESTION, **asked}, headers=served.headers(who))


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def test_an_answer_is_the_object_that_the_engine_gives(service: Served) -> None:
    expected = service.engine.session(()).ask(QUESTION, receipt=False).to_dict(stable=True)
    assert ask(service, stable=True).json() == expected
    assert expected["statements"]


def test_every_form_of_it_keeps_the_schema_that_is_served(service: Served) -> None:
    schema = service.client.get("/api/answer.schema.json", headers=service.headers("reader")).json()
    assert schema["$schema"]
    asked = service.client.get("/qa", params={"query": QUESTION}, headers=service.headers("reader")).json()
    assert faults(asked) == faults(ask(service).json()) == faults(ask(service, explain=True).json()) == []
    assert asked["statements"] == ask(service).json()["statements"]


def test_the_stream_tells_stages_in_their_order_and_ends_with_the_answer(fresh: Served) -> None:
    found = ask(fresh, "/api/ask/stream", stable=True)
    assert found.headers["Content-Type"].startswith("text/event-stream")
    told = events(found.text)
    stages = [data["stage"] for name, data in told if name == "stage"]
    assert [name for name, _ in told] == ["stage"] * len(stages) + ["answer"]
    assert [stages.index(name) for name in ("parse", "channels", "merge", "answer")] == sorted(
        stages.index(name) for name in ("parse", "channels", "merge", "answer")
    )
    assert told[-1][1] == ask(fresh, stable=True).json()


def test_an_answer_that_was_given_lately_has_no_stages(fresh: Served) -> None:
    ask(fresh)
    assert [name for name, _ in events(ask(fresh, "/api/ask/stream").text)] == ["answer"]


def test_an_error_ends_a_stream_as_an_event(service: Served) -> None:
    told = events(ask(service, "/api/ask/stream", as_of="99").text)
    assert [name for name, _ in told] == ["error"]
    assert told[0][1]["error"]["kind"] == "usage"


def test_a_search_gives_what_the_command_prints(service: Served) -> None:
    found = ask(service, "/api/search").json()
    retrieval = service.engine.session(()).search(QUESTION, receipt=False)
    assert found == json.loads(json.dumps(retrieval.to_dict()))
    assert found["results"][0]["source_id"] == OPEN


def test_the_log_names_the_route_that_a_question_came_by(service: Served, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="pincite.asked")
    asked = {"query": "Who clears the roof?"}
    found = service.client.get("/qa", params=asked, headers=service.headers("reader")).json()
    lines = [line for line in caplog.messages if line.startswith(f"trace_id={found['meta']['trace_id']}")]
    assert [line.split(" mode=")[0].partition(" ")[2] for line in lines] == ['route="GET /qa"']


def test_filters_and_policy_reach_the_engine(service: Served) -> None:
    asked = {"files": ["snow*"], "top_k": 1, "profile": "llm", "min_score": 0.1, "as_of": "2", "before": "2030-01"}
    expected = service.engine.session(()).ask(
        QUESTION,
        policy=RetrievalPolicy(top_k=1, profile="llm", min_score_threshold=0.1),
        filter=Filter(sources=("snow*",), as_of="2", before="2030-01"),
        receipt=False,
    )
    assert ask(service, stable=True, **asked).json() == expected.to_dict(stable=True)
    assert ask(service, stable=True, **asked | {"top_k": 1.0}).json() == expected.to_dict(stable=True)
    assert ask(service, files=["nothing.pdf"]).json()["refused"]


@pytest.mark.parametrize(
    "asked",
    [
        {"question": 5},
        {"question": None},
        {"top_k": 0},
        {"top_k": "3"},
        {"top_k": 10**9},
        {"top_k": 1.5},
        {"top_k": True},
        {"min_score": 2},
        {"min_score": float("nan")},
        {"after": "yesterday"},
        {"timeout": 0},
        {"timeout": -1},
        {"files": "a.pdf"},
        {"files": ["a"] * 101},
        {"principals": ["board"]},
        {"principal": "board"},
        {"stable": "yes"},
    ],
)
def test_what_has_another_shape_is_told_where(service: Served, asked: dict[str, Any]) -> None:
    content = json.dumps({"question": QUESTION, **asked})
    headers = {**service.headers("reader"), "Content-Type": "application/json"}
    for url in ("/api/ask", "/api/ask/stream"):
        found = service.client.post(url, content=content, headers=headers)
        assert (found.status_code, found.json()["error"]["kind"]) == (422, "shape")
        assert found.json()["error"]["message"].startswith("body.")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"nothing", b"\xff", b'{"question": "x"}{', b'{"question": "\\ud800"}']
)
def test_what_is_no_object_is_told_so(service: Served, content: bytes) -> None:
    headers = {**service.headers("reader"), "Content-Type": "application/json"}
    found = service.client.post("/api/ask", content=content, headers=headers)
    assert (found.status_code in (400, 422), sorted(found.json())) == (True, ["error"])


def test_a_page_of_another_site_cannot_send_a_question_as_plain_text(service: Served) -> None:
    headers = {**service.headers("reader"), "Content-Type": "text/plain"}
    found = service.client.post("/api/ask", content=json.dumps({"question": QUESTION}), headers=headers)
    assert found.status_code == 422


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"mode": "guess"}, "the mode 'guess' is not known"),
        ({"profile": "mine"}, "the profile 'mine' is not known"),
        ({"as_of": "soon"}, "as of 'soon' is neither a date"),
        ({"question": "  "}, ""),
    ],
)
def test_what_cannot_be_done_as_asked_is_told(service: Served, asked: dict[str, Any], told: str) -> None:
    found = ask(service, **asked)
    assert found.status_code == 400
    assert told in found.json()["error"]["message"]


@pytest.mark.parametrize(
    "words",
    ["\x00", "\u202eabc", "<script>alert(1)</script>", "'; DROP TABLE chunk; --", "%00%ff", "\U0001d54a"],
)
def test_strange_words_are_asked_like_others(service: Served, words: str) -> None:
    found = ask(service, question=f"Who clears the snow {words}?")
    assert found.status_code == 200
    assert faults(found.json()) == []
