"""Two services on one store that share a Redis: no question fails while it, or one of them, is killed."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from threading import Event

import httpx
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving
from tests.support.promises import files
from tests.support.redis_server import PASSWORD, running_redis

QUESTIONS = ("Who clears the snow?", "What acts on the quay?", "When is the gate shut?", "Who paints the mast?")
TEXT = "# Duties\n\nThe keeper clears the snow. Wind acts on the quay. The gate is shut at ten. Ada paints the mast.\n"
ASKERS = 3
BEFORE, BESIDE, AFTER = 12, 24, 12
"""How often is asked before Redis is killed, before one server is, and in the end."""


def test_no_question_fails_while_redis_and_one_server_are_killed(tmp_path: Path, pincite: Run) -> None:
    alone = {"PINCITE_EMBEDDER": "none", "PINCITE_RERANKER": "none"}
    done = pincite("index", files(tmp_path, {"duties.md": TEXT}), **alone)
    assert done.returncode == 0, done.stderr
    with running_redis() as redis, ExitStack() as stack:
        shared = {"PINCITE_REDIS_URL": redis.url(), "PINCITE_REDIS_PASSWORD": PASSWORD}
        servers = [stack.enter_context(serving(tmp_path / ".pincite", **alone, **shared)) for _ in range(2)]
        turn, killed = count(), Event()

        def ask(_: int) -> tuple[int, object]:
            number = next(turn)
            place = 0 if killed.is_set() else number % 2
            body = {"question": QUESTIONS[number % len(QUESTIONS)], "stable": True}
            while True:
                found = httpx.post(f"{servers[place][0]}/api/ask", json=body, timeout=60)
                if found.status_code != 503 or found.json()["error"]["kind"] != "busy":
                    return found.status_code, found.json().get("statements") or found.json()
                time.sleep(0.2)

        with ThreadPoolExecutor(ASKERS) as pool:
            told = list(pool.map(ask, range(BEFORE)))
            redis.kill()
            told += pool.map(ask, range(BESIDE))
            killed.set()
            servers[1][1].kill()
            told += pool.map(ask, range(AFTER))
        assert [answer for status, answer in told if status != 200] == []
        assert len({str(statements) for _, statements in told}) == len(QUESTIONS)
