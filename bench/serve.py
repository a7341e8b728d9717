"""Measure the service: python -m bench.serve DATA STORES OUT.json

`pincite serve` on the store of DATA/obliqa_dev in a process of its own, asked over HTTP by clients in another, on the
same machine; beside it the engine in this process, asked by one thread. Mode `extract`, questions of the set, each once
unless the cache is measured. The load is closed where throughput is measured (each of CLIENTS asks, waits, asks; who is
told 503 asks the same again, as late as it is told), and open where too much is asked (so many a second, whoever
waits). Pictures are pages of DATA/pdf/eurocode. The web page is opened in Chromium on a store of MANY documents, made
in STORES; without Chromium these figures are left out.
"""

from __future__ import annotations

import http.client
import json
import math
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any
from urllib.parse import urlencode, urlsplit

from bench.figures import write_figures
from pincite.evaluate.pages import store_name
from pincite.evaluate.retrieval import load_set
from pincite.records.pages import Page
from pincite.settings import Settings, limit_threads
from pincite.wiring import open_engine

COMMAND = Path(sys.executable).parent / "pincite"
ASKED = "obliqa_dev"
DRAWN = "eurocode"
QUESTIONS = {"auto": 60, "none": 300}
"""How many are asked by the setting `reranker`."""
NAMES = {"auto": "", "none": "_without_reranker"}
EXPECTED = (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE)
WARMING = 8
CLIENTS = 4
"""Two a core."""
REPEATED = 20
TIMES = 10
IN_TURN = 20
ROUNDS = 4
YARDSTICK = 20_000
OVERLOAD_SECONDS = 20.0
OVERLOAD_CLIENTS = 128
KEPT_SECONDS = 4.0
"""The service closes a connection that was not used for five."""
PICTURES = 60
"""Pages that are drawn, each once and then once more."""
MARKED = (20, 120)
MANY = 10_000
OPENINGS = 20
"""Each in a browser window that knows nothing yet."""
BROWSER = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_ADDRESS = re.compile(r"open (http://\S+) in a browser")


@dataclass(frozen=True, slots=True)
class Told:
    """An answer over HTTP: its status, how many seconds it took, and in how many to ask again."""

    status: int
    seconds: float
    again: float = 0.0


class Client:
    """One connection, kept as long as the service keeps it."""

    def __init__(self, address: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        self._used = 0.0

    def ask(self, question: str) -> Told:
        """Ask and wait for the answer."""
        body = json.dumps({"question": question, "mode": "extract"})
        return self._told("POST", "/api/ask", body, {"Content-Type": "application/json"})

    def look(self, path: str) -> Told:
        """Get what lies there."""
        return self._told("GET", path, None, {})

    def _told(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Told:
        started = time.perf_counter()
        if started - self._used > KEPT_SECONDS:
            self._connection.close()
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        response.read()
        self._used = time.perf_counter()
        return Told(response.status, self._used - started, float(response.headers.get("Retry-After", 0)))


@contextmanager
def serving(store: Path, program: Sequence[str | Path] = (COMMAND,), **settings: str) -> Iterator[str]:
    """The address of a service on this store, with these settings."""
    given = [f"PINCITE_{name.upper()}={value}" for name, value in settings.items()]
    command = ["env", *given, *program, "serve", "--store", store, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            told = process.stderr or ()
            found = next(match for line in told if (match := _ADDRESS.search(line)))
            Thread(target=list, args=(told,), daemon=True).start()
            yield found[1]
        finally:
            process.terminate()


@dataclass(frozen=True, slots=True)
class Load:
    """What clients at once were told, and how many answers they got in how many seconds, until the first of them had no
    more to ask."""

    told: list[Told]
    answers: int
    seconds: float


def closed_load(address: str, questions: Sequence[str]) -> Load:
    """These questions, asked by CLIENTS at once until all are answered. Runs in a process of its own."""
    waiting = iter(questions)
    answered: list[float] = []
    out_of_questions: list[float] = []

    def asking(client: Client) -> list[Told]:
        told = []
        for question in waiting:
            while (answer := client.ask(question)).status == HTTPStatus.SERVICE_UNAVAILABLE:
                told.append(answer)
                time.sleep(answer.again)
            told.append(answer)
            answered.append(time.perf_counter())
        out_of_questions.append(time.perf_counter())
        return told

    started = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        told = list(pool.map(asking, [Client(address) for _ in range(CLIENTS)]))
    ended = min(out_of_questions)
    answers = sum(moment <= ended for moment in answered)
    return Load([item for items in told for item in items], answers, ended - started)


def open_load(address: str, questions: Sequence[str], rate: float) -> list[Told]:
    """What each of these was told, one of them asked every 1/`rate` seconds, whoever still waits. Runs in a process of
    its own."""
    free: SimpleQueue[Client] = SimpleQueue()
    for _ in range(OVERLOAD_CLIENTS):
        free.put(Client(address))

    def ask(question: str, due: float) -> Told:
        client = free.get()
        time.sleep(max(0.0, due - time.perf_counter()))
        late = time.perf_counter() - due
        told = client.ask(question)
        free.put(client)
        return Told(told.status, told.seconds + late)

    started = time.perf_counter()
    with ThreadPoolExecutor(OVERLOAD_CLIENTS) as pool:
        due = (started + place / rate for place in range(len(questions)))
        return list(pool.map(ask, questions, due))


def seconds(action: Callable[[], Any]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def yardstick() -> float:
    """Milliseconds that a core takes now for a piece of work that never changes: by it the figures of two runs can be
    held against each other."""
    return 1000 * seconds(lambda: sorted(str(number) for number in range(YARDSTICK)))


def throughput(store: Path, questions: Sequence[str], reranker: str) -> dict[str, float]:
    """Questions a second of one thread of the engine and of the service, what either takes, and what happens under
    twice the load that the service bears. Thread and service are asked in turns: a machine gets slower and faster
    within minutes."""
    warming, measured = questions[:WARMING], questions[WARMING:]
    one_thread = Settings(cache_minutes=0, reranker=reranker, threads=1)
    alone: list[float] = []
    loads: list[Load] = []
    core: list[float] = []
    with (
        open_engine(one_thread, store) as engine,
        serving(store, cache_minutes="0", reranker=reranker) as address,
        apart() as process,
    ):
        for question in warming:
            engine.ask(question)
        process.submit(closed_load, address, warming).result()
        for some in batched(measured, len(measured) // ROUNDS):
            alone += [seconds(partial(engine.ask, question)) for question in some]
            loads.append(process.submit(closed_load, address, some).result())
            core += [yardstick() for _ in range(REPEATED)]
        borne = sum(load.answers for load in loads) / sum(load.seconds for load in loads)
        asked = list(islice(cycle(questions), round(2 * borne * OVERLOAD_SECONDS)))
        flooded = process.submit(open_load, address, asked, 2 * borne).result()
    told = [item for load in loads for item in load.told]
    taken = sorted(1000 * item.seconds for item in told)
    return {
        "yardstick_ms": statistics.median(core),
        "engine_per_second": len(alone) / sum(alone),
        "served_per_second": borne,
        "gain": borne * sum(alone) / len(alone),
        "served_ms_p50": statistics.median(taken),
        "served_ms_p99": quantile(taken, 99),
        "served_told_busy": sum(item.status == HTTPStatus.SERVICE_UNAVAILABLE for item in told) / len(told),
        "served_failed": float(sum(item.status not in EXPECTED for item in told)),
        "overload_told_busy": sum(item.status == HTTPStatus.SERVICE_UNAVAILABLE for item in flooded) / len(flooded),
        "overload_failed": float(sum(item.status not in EXPECTED for item in flooded)),
        "overload_slowest_seconds": max(item.seconds for item in flooded),
    }


def added(store: Path, questions: Sequence[str]) -> dict[str, float]:
    """Milliseconds of answers from the cache, over HTTP and of the engine, and what HTTP adds to them and to questions
    that are asked for the first time."""
    often = questions[:REPEATED]
    core = [yardstick() for _ in range(REPEATED)]
    cached, cached_served = in_turns(store, Settings(reranker="none"), often, [*often] * TIMES)
    core += [yardstick() for _ in range(REPEATED)]
    new = questions[REPEATED:]
    fresh, fresh_served = in_turns(store, Settings(reranker="none", cache_minutes=0), new[:WARMING], new[WARMING:])
    return {
        "yardstick_ms_cached": statistics.median(core),
        "cached_served_ms_p50": 1000 * statistics.median(cached_served),
        "cached_served_ms_p99": 1000 * quantile(sorted(cached_served), 99),
        "http_adds_ms_cached": 1000 * (statistics.median(cached_served) - statistics.median(cached)),
        "http_adds_ms_new": 1000 * statistics.median(b - a for a, b in zip(fresh, fresh_served, strict=True)),
    }


def in_turns(
    store: Path, settings: Settings, warming: Sequence[str], questions: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Seconds of each of these questions of the engine, and of a service with the same settings. A few are asked of the
    one, then the same of the other, so that both have the machine as fast and as slow."""
    served = serving(store, reranker=settings.reranker, cache_minutes=str(settings.cache_minutes))
    of_engine, of_service = [], []
    with open_engine(settings, store) as engine, served as address:
        client = Client(address)
        for question in warming:
            engine.ask(question)
            client.ask(question)
        for few in batched(questions, IN_TURN):
            of_engine += [seconds(partial(engine.ask, question)) for question in few]
            of_service += [client.ask(question).seconds for question in few]
    return of_engine, of_service


def pictures(store: Path) -> dict[str, float]:
    """Milliseconds of a page with marks, drawn and from the cache."""
    with open_engine(Settings(), store) as engine:
        paths = [
            f"/api/document/pages/{page.number}/image?{urlencode({'source': state.source.source_id, 'mark': mark})}"
            for state in engine.session(()).documents.sources()
            for page, mark in marked_pages(engine.session(()).documents.pages(state.source.source_id))
        ]
    chosen = random.Random(1).sample(paths, PICTURES)
    with serving(store) as address:
        client = Client(address)
        client.look(chosen[0])
        drawn = [client.look(path) for path in chosen[1:]]
        again = [client.look(path) for path in chosen[1:]]
    if any(item.status != HTTPStatus.OK for item in (*drawn, *again)):
        sys.exit("a page was not drawn")
    return {
        "picture_ms_p50": 1000 * statistics.median(item.seconds for item in drawn),
        "picture_ms_p90": 1000 * quantile(sorted(item.seconds for item in drawn), 90),
        "picture_cached_ms_p50": 1000 * statistics.median(item.seconds for item in again),
    }


def marked_pages(pages: Sequence[Page]) -> Iterator[tuple[Page, str]]:
    """Pages with a place on each that a citation might mark."""
    for page in pages:
        if len(page.text) > MARKED[1]:
            yield page, f"{MARKED[0]}-{MARKED[1]}"


def openings(stores: Path, program: str) -> dict[str, float]:
    """Milliseconds from opening the page until a question can be typed, and until the list of MANY documents stands."""
    from playwright.sync_api import sync_playwright

    store = many_documents(stores / "many")
    with serving(store, embedder="none") as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=BROWSER)

        def opened(hash_and_selector: tuple[str, str]) -> float:
            place, selector = hash_and_selector
            window = browser.new_context()
            page = window.new_page()
            taken = seconds(lambda: (page.goto(f"{address}/{place}"), page.wait_for_selector(selector)))
            window.close()
            return 1000 * taken

        views = {"page": ("", "#question:focus"), "documents": ("#documents", "#listed table")}
        taken = {name: sorted(opened(view) for _ in range(OPENINGS)) for name, view in views.items()}
    return {
        f"{name}_opened_ms_{called}": figure
        for name, times in taken.items()
        for called, figure in (("p50", statistics.median(times)), ("slowest", times[-1]))
    }


def batched(questions: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """These, so many at a time."""
    for first in range(0, len(questions), size):
        yield questions[first : first + size]


def many_documents(folder: Path) -> Path:
    """The store of MANY short documents, made unless it is there."""
    store = folder / ".pincite"
    if not store.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(MANY):
            text = f"Gauge {number} of the station was read on day {number % 365}.\n"
            (folder / f"gauge {number}.txt").write_text(text, encoding="utf-8")
        subprocess.run([COMMAND, "index", folder, "--embedder", "none", "--quiet"], check=True)
    return store


def quantile(sorted_values: Sequence[float], percent: int) -> float:
    """The nearest rank."""
    return sorted_values[math.ceil(percent / 100 * len(sorted_values)) - 1]


def apart() -> ProcessPoolExecutor:
    """A process for clients, which waits for no lock of this one."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def main(data: Path, stores: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    limit_threads()
    asked = load_set(data / ASKED)
    store = stores / f"beir-{asked.corpus_key}"
    questions = list(dict.fromkeys(question.text for question in asked.questions))
    results: dict[str, float] = {}
    for reranker, count in QUESTIONS.items():
        found = throughput(store, questions[:count], reranker)
        results |= {f"{name}{NAMES[reranker]}": figure for name, figure in found.items()}
    results |= added(store, questions[-QUESTIONS["none"] :])
    results |= pictures(stores / store_name(data / "pdf" / DRAWN) / "store")
    program = shutil.which("chromium")
    results |= openings(stores, program) if program else {}
    settings = {"asked": ASKED, "drawn": DRAWN, "threads of a model alone": 1}
    write_figures("serve", results, settings, {"clients": CLIENTS, "questions": sum(QUESTIONS.values())}, out)
    for name, value in results.items():
        print(f"{name:40} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
