"""1. A document that is sent is kept, indexed beside questions, and asked; what is wrong with it is told, and leaves
nothing. 2. Who may take a document out, may; others hear of it as of one that is not there. 3. What is done stands in
the audit chain under the name of who did it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException
from tests.support.promises import SETTINGS
from tests.support.served import CLOSED, OPEN, Served, made_store, served
from tests.unit.test_uploads import fails_on

from pincite.engine.engine import Engine
from pincite.errors import StoreError
from pincite.records.sources import IndexReport
from pincite.serve import changes, indexing, service
from pincite.serve.access import Access
from pincite.serve.access_tokens import MOST_BYTES, Tokens
from pincite.serve.app import build_app
from pincite.wiring import open_engine

RAIN = b"Rain falls on the harbour. The pilot counts the drops."
QUESTION = {"query": "Who counts the drops?"}


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Served]:
    """One of its own for a test that changes it, with tokens."""
    with served(made_store(tmp_path / "docs")) as found:
        yield found


def send(served: Served, content: Any = RAIN, name: str = "rain.txt", who: str = "writer", **params: Any) -> Any:
    url, headers = "/api/documents", served.headers(who)
    return served.client.post(url, params={"name": name, **params}, content=content, headers=headers)


def state(served: Served, who: str = "writer") -> Any:
    return served.client.get("/api/indexing", headers=served.headers(who)).json()


def ended(served: Served, who: str = "writer") -> dict[str, Any]:
    """What became of what was sent, by its names, as soon as nothing is under way any more."""
    wait_for(lambda: not indexing.is_under_way(state(served, who)))
    return {item["filename"]: item for item in state(served, who)["uploads"]}


def wait_for(told: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not told():
        assert time.monotonic() < until
        time.sleep(0.05)


def take_out(served: Served, source: str, who: str = "writer", **params: Any) -> Any:
    return served.client.delete("/api/document", params={"source": source, **params}, headers=served.headers(who))


def events(served: Served, who: str = "admin") -> list[Any]:
    served.app.state.service.seen._thread.submit(int).result()
    found = served.client.get("/api/events", headers=served.headers(who)).json()
    return [(item["kind"], item["who"], item["source_id"], item["page"]) for item in found]


def kind(found: Any) -> tuple[int, str]:
    return found.status_code, found.json()["error"]["kind"]


def left(served: Served) -> list[str]:
    folder = served.folder / ".pincite" / "uploads"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_document_that_is_sent_is_asked_under_its_own_name(fresh: Served) -> None:
    found = send(fresh, name="C:\\reports\\rain.txt")
    assert found.status_code == 202
    told = found.json()
    assert (told["filename"], told["bytes"], told["acl"]) == ("rain.txt", len(RAIN), [])
    item = ended(fresh)["rain.txt"]
    assert (item["source_id"], item["status"], item["chunks"]) == (told["source_id"], "indexed", 1)
    answer = fresh.client.get("/qa", params=QUESTION, headers=fresh.headers("reader")).json()
    assert answer["statements"][0]["citations"][0]["filename"] == "rain.txt"
    source = {"source": told["source_id"]}
    assert fresh.client.get("/api/document", params=source, headers=fresh.headers("reader")).status_code == 200
    assert send(fresh).json() == told
    assert len(ended(fresh)) == 1


def test_what_is_put_in_while_a_run_begins_is_told_of(fresh: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run looks twice at what waits; the second document comes between the two."""
    engine, index = fresh.engine, fresh.engine.index_uploads

    def later(**how: Any) -> object:
        if len(engine.waiting_uploads()) == 1:
            assert send(fresh, RAIN + b" Twice.", "late.txt").status_code == 202
        return index(**how)

    monkeypatch.setattr(engine, "index_uploads", later)
    send(fresh)
    assert ended(fresh).keys() == {"rain.txt", "late.txt"}


def test_what_becomes_of_it_is_told_as_a_stream_that_ends(fresh: Served) -> None:
    for name, content in (("a.txt", RAIN), ("broken.pdf", b"%PDF-1.4 and nothing more")):
        send(fresh, content, name)
    found = fresh.client.get("/api/indexing/stream", headers=fresh.headers("writer"))
    assert found.headers["Content-Type"].startswith("text/event-stream")
    names, data = (
        [line.removeprefix(start) for line in found.text.splitlines() if line.startswith(start)]
        for start in ("event: ", "data: ")
    )
    assert set(names) == {"state"}
    last = json.loads(data[-1])
    assert {item["filename"]: item["status"] for item in last["uploads"]} == {
        "a.txt": "indexed",
        "broken.pdf": "refused",
    }
    assert ended(fresh)["broken.pdf"]["reason"]
    assert last["stage"] == ""


def test_what_nothing_reads_is_refused_by_its_first_bytes(fresh: Served) -> None:
    def endless() -> Iterator[bytes]:
        yield from [b"MZ" * 4096] * 100

    assert kind(send(fresh, endless(), "program.exe")) == (415, "read")
    assert kind(send(fresh, b"\x7fELF\0", "program")) == (415, "read")
    assert left(fresh) == []


def test_an_empty_document_and_one_without_a_name_are_refused(fresh: Served) -> None:
    assert kind(send(fresh, b"")) == (400, "usage")
    assert kind(send(fresh, name="")) == (422, "shape")
    assert kind(send(fresh, name="x" * 4097)) == (422, "shape")
    assert left(fresh) == []


@pytest.mark.parametrize("stated", [True, False])
def test_what_is_too_large_is_refused_and_a_question_stays_small(tmp_path: Path, *, stated: bool) -> None:
    store = made_store(tmp_path / "docs")
    with open_engine(SETTINGS, store) as engine:
        access = Access(Tokens(store), is_local=True)
        app = build_app(engine, replace(SETTINGS, upload_mb=1), access)
        with TestClient(app, base_url="http://127.0.0.1") as client:
            large = [b"x" * 100_000] * 11
            found = client.post(
                "/api/documents", params={"name": "a.txt"}, content=b"".join(large) if stated else iter(large)
            )
            assert kind(found) == (413, "too_long")
            assert client.post("/api/ask", content=b" " * (MOST_BYTES + 1)).status_code == 413
            assert client.request("DELETE", "/api/document", params={"source": "x"}).status_code == 404
    assert list((store / "uploads").glob("*")) == []


def test_a_full_disk_is_told_and_leaves_nothing(fresh: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise StoreError("no space left for /srv/secret/uploads/x: free some space")

    monkeypatch.setattr("pincite.build.uploads.Incoming.write", full)
    found = send(fresh)
    assert kind(found) == (503, "store")
    assert "/srv/secret" not in found.text
    assert left(fresh) == []


def test_no_more_than_so_many_send_at_once(fresh: Served) -> None:
    fresh.app.state.service._senders = service.MOST_SENDERS
    assert kind(send(fresh)) == (503, "busy")
    fresh.app.state.service._senders = 0
    assert send(fresh).status_code == 202


def test_who_sends_nothing_any_more_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "SILENT_SECONDS", 0.01)

    async def silent() -> Any:
        await asyncio.Event().wait()

    async def read() -> list[bytes]:
        return [piece async for piece in changes._pieces(Request({"type": "http"}, silent))]

    with pytest.raises(HTTPException) as told:
        asyncio.run(read())
    assert told.value.status_code == 408


# --- who may see it ----------------------------------------------------------------------------------------


def test_what_a_member_sends_is_closed_to_others(fresh: Served) -> None:
    secret = Tokens(fresh.folder / ".pincite").add("clerk", "writer", ("board",))
    fresh.secrets["clerk"] = secret
    source = send(fresh, who="clerk").json()["source_id"]
    assert list(ended(fresh, "clerk")) == ["rain.txt"]
    assert state(fresh) == {"stage": "", "problem": "", "uploads": []}
    asked = fresh.client.get("/qa", params=QUESTION, headers=fresh.headers("admin")).json()
    assert {item["kind"] for item in asked["statements"]} == {"missing"}
    assert "rain.txt" not in str(asked)
    assert kind(take_out(fresh, source)) == kind(take_out(fresh, source, "admin", purge=True)) == (404, "not_there")
    assert [item for item in events(fresh) if item[0] == "uploaded"] == []
    assert ("uploaded", "clerk", source, None) in events(fresh, "chair")
    for acl in (["audit"], ["board", "audit"]):
        assert kind(send(fresh, who="clerk", acl=acl)) == (400, "usage")
    assert take_out(fresh, source, "clerk").status_code == 200


# --- taking out --------------------------------------------------------------------------------------------


def test_a_document_is_taken_out_and_deleted(fresh: Served) -> None:
    source = send(fresh).json()["source_id"]
    ended(fresh)
    found = take_out(fresh, source)
    assert (found.status_code, found.json()) == (200, {"source_id": source, "status": "removed"})
    assert left(fresh) == []
    assert kind(take_out(fresh, source)) == (404, "not_there")
    assert not fresh.client.get("/qa", params=QUESTION, headers=fresh.headers("reader")).json()["statements"][1:]
    assert take_out(fresh, OPEN).status_code == 200
    assert ("deleted", "writer", OPEN, None) in events(fresh)


def test_only_an_admin_purges_also_what_was_taken_out_before(fresh: Served) -> None:
    assert kind(take_out(fresh, OPEN, purge=True)) == (403, "role")
    assert take_out(fresh, OPEN, "admin").status_code == 200
    assert take_out(fresh, OPEN, "admin", purge=True).json()["status"] == "purged"
    assert [item[:3] for item in events(fresh)[:2]] == [("purged", "admin", OPEN), ("deleted", "admin", OPEN)]


def test_what_is_closed_cannot_be_taken_out_and_is_told_of_as_what_is_not_there(fresh: Served) -> None:
    for who in ("writer", "admin"):
        closed, absent = (take_out(fresh, source, who) for source in (CLOSED, "board/nothing.pdf"))
        assert kind(closed) == kind(absent) == (404, "not_there")
        assert closed.text.replace(CLOSED, "*") == absent.text.replace("board/nothing.pdf", "*")
    assert take_out(fresh, CLOSED, "chair").status_code == 200


# --- the runs ----------------------------------------------------------------------------------------------


def test_what_waited_when_the_service_ended_is_indexed_when_it_begins_again(tmp_path: Path) -> None:
    store = made_store(tmp_path / "docs")
    with open_engine(SETTINGS, store) as engine, engine.session().uploads.incoming("rain.txt", 1000) as coming:
        coming.write(RAIN)
        coming.keep()
    with served(store) as found:
        assert ended(found)["rain.txt"]["status"] == "indexed"


def test_a_store_that_somebody_else_writes_is_waited_for(fresh: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    real, problems = Engine.index_uploads, [StoreError("the store is being written by process 7: wait")]

    def held_at_first(engine: Engine, **more: Any) -> IndexReport | None:
        if problems:
            raise problems.pop()
        return real(engine, **more)

    monkeypatch.setattr(Engine, "index_uploads", held_at_first)
    monkeypatch.setattr(indexing, "FIRST_WAIT", 0.3)
    send(fresh)
    seen = [state(fresh) for _ in range(5)]
    assert any("being written" in item["problem"] for item in seen)
    assert ended(fresh)["rain.txt"]["status"] == "indexed"
    assert state(fresh)["problem"] == ""


def test_what_nobody_expected_is_logged_and_tried_again(
    fresh: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(indexing, "FIRST_WAIT", 0.3)
    with monkeypatch.context() as patched:
        patched.setattr(Engine, "index_uploads", lambda *_, **__: {}["planted"])
        send(fresh)
        wait_for(lambda: "that should not" in state(fresh)["problem"])
    assert "planted" in caplog.text
    assert ended(fresh)["rain.txt"]["status"] == "indexed"
    assert state(fresh)["problem"] == ""


def test_a_document_that_breaks_every_run_is_refused_and_logged(
    fresh: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fails_on("rain.txt", monkeypatch)
    send(fresh)
    send(fresh, b"Late snow lies on the pier.", "late.txt")
    assert {name: item["status"] for name, item in ended(fresh).items()} == {
        "rain.txt": "refused",
        "late.txt": "indexed",
    }
    assert "ZeroDivisionError" in caplog.text


def test_a_run_ends_for_a_change_and_goes_on_afterwards(fresh: Served) -> None:
    for number in range(12):
        send(fresh, f"Gull {number} nests on the mast.".encode(), f"{number}.txt")
    assert take_out(fresh, OPEN).status_code == 200
    assert {item["status"] for item in ended(fresh).values()} == {"indexed"}
    assert len(ended(fresh)) == 12


# --- what stands in the chain ------------------------------------------------------------------------------


def test_what_is_done_stands_in_the_chain_under_a_name(fresh: Served) -> None:
    source = send(fresh, name="../rain.txt").json()["source_id"]
    ended(fresh)
    reader = fresh.headers("reader")
    answer = fresh.client.get("/qa", params=QUESTION, headers=reader).json()
    for _ in range(3):
        for url in ("/api/document/pages/1", "/api/document/pages/1/image"):
            assert fresh.client.get(url, params={"source": OPEN}, headers=reader).status_code == 200
    said = {"trace_id": answer["meta"]["trace_id"], "result": answer["results"][0]["id"], "said": "useful"}
    assert fresh.client.post("/api/feedback", json=said, headers=reader).status_code == 204
    assert sorted(events(fresh)) == [
        ("clicked", "reader", source, None),
        ("page seen", "reader", OPEN, 1),
        ("uploaded", "writer", source, None),
    ]
    runs = fresh.client.get("/api/runs", headers=fresh.headers("admin")).json()
    assert [run["who"] for run in runs] == ["reader"]
    events_seen = fresh.client.get("/api/events", headers=fresh.headers("admin")).json()
    receipt = fresh.client.get(f"/api/runs/{said['trace_id']}", headers=fresh.headers("admin")).json()
    chained = [*runs, *events_seen, receipt["run"]]
    assert {(entry["number"], entry["previous"]) for entry in chained} == {(0, "")}, "others' entries can be counted"
    found = {item["kind"]: item for item in fresh.client.get("/api/events", headers=fresh.headers("admin")).json()}
    assert found["clicked"]["trace_id"] == said["trace_id"]
    assert found["clicked"]["details"] == {"said": "useful", "result": said["result"], "rank": 1}
    assert found["uploaded"]["details"]["filename"] == "../rain.txt"
    assert fresh.engine.check_chain().problems == ()


def test_who_reads_a_passage_or_a_section_has_seen_its_pages(fresh: Served) -> None:
    reader = fresh.headers("reader")
    answer = fresh.client.get("/qa", params={"query": "Who clears the snow?"}, headers=reader).json()
    passage = {"source": OPEN, "chunk": answer["results"][0]["id"]}
    assert fresh.client.get("/api/document/passage", params=passage, headers=reader).status_code == 200
    assert events(fresh) == [("page seen", "reader", OPEN, 1)]
    section = {"number": "2", "source": OPEN}
    assert fresh.client.get("/api/section", params=section, headers=reader).status_code == 200
    assert events(fresh) == [("page seen", "reader", OPEN, 2), ("page seen", "reader", OPEN, 1)]


def test_who_sees_a_page_that_is_not_there_or_closed_has_seen_nothing(fresh: Served) -> None:
    for source, page in ((OPEN, 99), (CLOSED, 1)):
        for part in ("", "/image"):
            url = f"/api/document/pages/{page}{part}"
            fresh.client.get(url, params={"source": source}, headers=fresh.headers("reader"))
    assert events(fresh, "chair") == []


def test_feedback_on_what_is_not_there_is_told_so(fresh: Served) -> None:
    answer = fresh.client.get("/qa", params={"query": "Who pays the zebra?"}, headers=fresh.headers("board")).json()
    given = {"trace_id": answer["meta"]["trace_id"], "result": answer["results"][0]["id"], "said": "wrong"}
    for who, change, status in (
        ("reader", {}, 404),
        ("board", {"result": "0" * 64}, 404),
        ("board", {"trace_id": "0" * 32}, 404),
        ("board", {"said": "nice"}, 422),
        ("board", {"more": 1}, 422),
        ("board", {}, 204),
    ):
        found = fresh.client.post("/api/feedback", json=given | change, headers=fresh.headers(who))
        assert found.status_code == status
    again = fresh.client.get("/qa", params={"query": "Who pays the zebra?"}, headers=fresh.headers("board")).json()
    assert [item["scores"] for item in again["results"]] == [item["scores"] for item in answer["results"]]
