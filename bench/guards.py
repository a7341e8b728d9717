"""Measure what keeps one asker from another: python -m bench.guards DATA STORES OUT.json

Two stores, one with closed documents and one that never had them, are asked the questions that were made from the
closed texts (tests/unit/test_closed_world.py) over every route and by every command, with the default embedder: the
answers have to be the same to the byte, but for what decision 0510 names. Then 1,100 connections to a service send half
a head each, all at once and one after the other for ever, from one address and from 400, while somebody with a valid
token asks. DATA and STORES are not used.
"""

from __future__ import annotations

import contextlib
import io
import socket
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from itertools import count
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path

import httpx
from tests.promises.test_closed_world_outside import commands, differing_requests, folder_of, masked
from tests.support.promises import SETTINGS
from tests.support.served import made_store
from tests.unit.test_closed_world import questions

from bench.figures import write_figures
from bench.serve import WARMING, serving
from pincite.cli.main import main as pincite
from pincite.serve.access_tokens import Tokens
from pincite.settings import Settings

HEADS, ADDRESSES = 1100, (1, 400)
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
ASKED = ("/api/documents", "/qa?query=Who+clears+the+snow")
HOUR = 3600
ASKINGS = 20
"""Of each address while the connections are held, and while they are renewed."""
UNGUARDED = (sys.executable, "-m", "bench.unguarded")
PAIRS = 400


def printed(given: Sequence[str], store: Path) -> tuple[object, str, str]:
    """The exit code of a command that runs here, and all that it prints."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code: object = pincite([*given, "--store", str(store)])
        except SystemExit as stop:
            code = stop.code
    return code, masked(out.getvalue(), store), masked(err.getvalue(), store)


def closed_worlds(folder: Path) -> dict[str, float]:
    """How many requests and commands were tried on both stores, and how many were answered differently."""
    embedder = Settings().embedder
    with_closed = folder_of(folder / "with", with_closed=True, embedder=embedder)
    without = folder_of(folder / "without", with_closed=False, embedder=embedder)
    settings = replace(SETTINGS, embedder=embedder, requests_a_minute=0)
    requests, differing = differing_requests((with_closed, without), 1, settings)
    tried = list(commands(1))
    different = [given for given in tried if printed(given, with_closed) != printed(given, without)]
    for told in (*differing, *different):
        print(f"differs: {told}", file=sys.stderr)
    return {
        "closed_requests": requests,
        "closed_requests_differing": len(differing),
        "closed_commands": len(tried),
        "closed_commands_differing": len(different),
    }


def half_heads(folder: Path) -> dict[str, float]:
    """Milliseconds of an asker with a token at the median, seconds of the slowest answer, and how many were none."""
    store = made_store(folder / "docs")
    secret = Tokens(store).add("ada", "reader")
    seconds, failed = [], 0
    with serving(store, embedder="none", processes="1") as address:
        for addresses in ADDRESSES:
            for renewed in (False, True):
                with _holding(address, addresses, renewed=renewed):
                    for path in ASKED * ASKINGS:
                        started = time.perf_counter()
                        failed += not _is_answered(f"{address}{path}", secret)
                        seconds.append(time.perf_counter() - started)
    return {
        "half_heads": HEADS,
        "half_heads_ms_p50": statistics.median(seconds) * 1000,
        "half_heads_slowest_seconds": max(seconds),
        "half_heads_failed": failed,
    }


def cost_of_guards(folder: Path) -> dict[str, float]:
    """How many times as long a service with guards takes as one without, for each path of ASKED: the median of pairs,
    of which each service answers first in every other one. Nothing is answered from a cache."""
    store = made_store(folder / "docs")
    secret = Tokens(store).add("ada", "reader")
    settings = {"embedder": "none", "processes": "1", "cache_minutes": "0", "requests_a_minute": "0"}
    ratios: dict[str, list[float]] = {path: [] for path in ASKED}
    with (
        serving(store, **settings) as guarded,
        serving(store, UNGUARDED, **settings) as unguarded,
        httpx.Client(headers={"Authorization": f"Bearer {secret}"}, timeout=30) as client,
    ):
        for turn in range(PAIRS + WARMING):
            for path in ASKED:
                addresses = (guarded, unguarded) if turn % 2 else (unguarded, guarded)
                taken = {address: _seconds(client, f"{address}{path}") for address in addresses}
                if turn >= WARMING:
                    ratios[path].append(taken[guarded] / taken[unguarded])
    documents, question = (statistics.median(ratios[path]) for path in ASKED)
    return {"guarded_documents_times": documents, "guarded_question_times": question}


def _seconds(client: httpx.Client, url: str) -> float:
    started = time.perf_counter()
    client.get(url).raise_for_status()
    return time.perf_counter() - started


def _is_answered(url: str, secret: str) -> bool:
    try:
        done = httpx.get(url, headers={"Authorization": f"Bearer {secret}"}, timeout=30)
    except httpx.HTTPError:
        return False
    return done.status_code == HTTPStatus.OK


@contextlib.contextmanager
def _holding(address: str, addresses: int, *, renewed: bool) -> Iterator[None]:
    """Half heads are held by a process of its own, which the asker shares no interpreter with."""
    url = httpx.URL(address)
    context, at = get_context("spawn"), (url.host, url.port or 80)
    ready = context.Event()
    process = context.Process(target=_hold, args=(*at, addresses, ready), kwargs={"renewed": renewed}, daemon=True)
    process.start()
    ready.wait()
    try:
        yield
    finally:
        process.kill()
        process.join()


def _hold(host: str, port: int, addresses: int, ready: Event, *, renewed: bool) -> None:
    held: deque[socket.socket] = deque(maxlen=HEADS)
    for number in count():
        with contextlib.suppress(OSError):
            there = socket.create_connection((host, port), timeout=5, source_address=_loopback(number % addresses))
            there.sendall(HALF_A_HEAD)
            held.append(there)
        if number + 1 == HEADS:
            ready.set()
            if not renewed:
                time.sleep(HOUR)


def _loopback(number: int) -> tuple[str, int]:
    return f"127.0.{1 + number // 250}.{1 + number % 250}", 0


def main(_: Path, __: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        results = half_heads(here / "heads") | cost_of_guards(here / "cost") | closed_worlds(here / "worlds")
    write_figures("guards", results, {}, {"questions": len(questions()), "half heads": HEADS}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
