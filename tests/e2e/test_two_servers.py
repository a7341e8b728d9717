"""Two services that share a record in PostgreSQL, generations in S3, and answers in Redis: no question fails while a
new generation is published, while Redis and the bucket are away, or while one of the two is killed."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event

import httpx
import pytest
from sqlalchemy import URL
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving
from tests.support.promises import files
from tests.support.redis_server import PASSWORD, running_redis
from tests.support.s3_server import s3_server

from pincite.wiring import open_engine

QUESTIONS = ("Who clears the snow?", "What acts on the quay?", "When is the gate shut?", "Who paints the mast?")
TEXT = "# Duties\n\nThe keeper clears the snow. Wind acts on the quay. The gate is shut at ten. Ada paints the mast.\n"
ASKERS = 3
ROUND = 12
"""How often is asked in each state of things."""
PATIENCE = 180.0
"""Seconds for a server to answer from a new generation, on a busy machine; it looks for one every five."""


@pytest.fixture
def settings(postgres_url: URL) -> dict[str, str]:
    """What is the same for all who index and answer."""
    record = postgres_url.render_as_string(hide_password=False).replace("+psycopg", "")
    return {
        "record_url": record,
        "generations_url": "s3://shared/store",
        "redis_password": PASSWORD,
        "embedder": "none",
        "reranker": "none",
        "workers": "1",
    }


def test_no_question_fails_whatever_is_killed(settings: dict[str, str], tmp_path: Path, pincite: Run) -> None:
    documents = files(tmp_path / "docs", {"duties.md": TEXT})
    with s3_server(tmp_path / "errors") as bucket, running_redis() as redis, ExitStack() as stack:
        bucket.put("shared", {})
        key = {f"s3_{name}": str(getattr(bucket.settings(), f"s3_{name}")) for name in ("endpoint", "key_id", "secret")}
        shared = settings | key | {"s3_region": "eu-central-1", "redis_url": redis.url()}
        environment = {f"PINCITE_{name.upper()}": value for name, value in shared.items()}
        done = pincite("index", documents, **environment)
        assert done.returncode == 0, done.stderr
        folders = [tmp_path / name for name in ("one", "two")]
        for folder in folders:
            assert pincite("pull", "--store", folder, **environment).returncode == 0
        servers = [stack.enter_context(serving(folder, **environment)) for folder in folders]
        turn, killed = count(), Event()

        def ask(question: str, place: int | None = None) -> tuple[int, str]:
            number = next(turn)
            address = servers[place if place is not None else 0 if killed.is_set() else number % 2][0]
            while True:
                found = httpx.post(f"{address}/api/ask", json={"question": question}, timeout=180)
                if found.status_code != 503 or found.json()["error"]["kind"] != "busy":
                    return found.status_code, " ".join(said["text"] for said in found.json().get("statements", ()))
                time.sleep(0.2)

        def ask_all() -> None:
            told = list(pool.map(ask, QUESTIONS * (ROUND // len(QUESTIONS))))
            assert {status for status, _ in told} == {200}, told
            assert len({text for _, text in told}) == len(QUESTIONS)

        with ThreadPoolExecutor(ASKERS) as pool:
            ask_all()
            files(documents, {"news.md": "# News\n\nThe mayor opens the bridge.\n"})
            assert pincite("index", documents, **environment).returncode == 0
            until = time.monotonic() + PATIENCE
            for place in range(2):
                while "mayor" not in ask("Who opens the bridge?", place)[1]:
                    assert time.monotonic() < until
                    time.sleep(0.5)
            redis.kill()
            bucket.trick("fail", "shared")
            ask_all()
            killed.set()
            servers[1][1].kill()
            ask_all()
        own = {name: value for name, value in shared.items() if name != "workers"}
        with open_engine(replace(bucket.settings(), **own), folders[0]) as engine:
            assert engine.check_chain().problems == ()
