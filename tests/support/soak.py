"""A service under everything at once: askers, somebody who looks at pages, somebody who puts documents in and takes
them out, killed processes.

`python -m tests.support.soak SECONDS` prints what came of it as JSON: how many questions were answered, how many were
told to come again, answers that were wrong, what the service logged of problems, and how much memory, open files and
generations grew.
"""

from __future__ import annotations

import json
import math
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Event

import httpx
from tests.e2e.test_serve import serving
from tests.support.served import OPEN, made_store

from pincite.serve.access_tokens import Tokens

ASKERS = 4
WARMING = 6
ASK_SECONDS = 0.2
WRITE_SECONDS = 1.0
KILL_SECONDS = 3.0
MOST_KILLS = 60
LOOK_SECONDS = 0.5
MOST_SECONDS = 300.0
"""That anything may take on a machine that is busy with something else."""
FACTS = {
    "Who clears the snow from the roof?": (OPEN, "The keeper clears the snow"),
    "What acts on Alder Works?": (OPEN, "Wind acts on Alder Works"),
}
"""Questions by the file and the beginning of the sentence that answers them, whatever else is put in."""
AGAIN = (429, 503)
LOGGED = "level=INFO"
"""Stands in every line of the log that tells of a question."""
UPLOADED = "The pilot of ship {number} counts {number} drops."


@dataclass
class Soak:
    """What came of it so far."""

    address: str
    secret: str
    over: Event = field(default_factory=Event)
    told: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def client(self) -> httpx.Client:
        """Somebody who asks with a token."""
        headers = {"Authorization": f"Bearer {self.secret}"}
        return httpx.Client(base_url=self.address, headers=headers, timeout=MOST_SECONDS)

    def warm(self) -> None:
        """Have each process open its models."""
        with self.client() as client:
            for number in range(WARMING):
                client.post(
                    "/api/ask", json={"question": f"Who clears the snow from roof {number}?"}
                ).raise_for_status()

    def ask(self, seed: int) -> None:
        """Ask again and again what stays true."""
        chance = random.Random(seed)
        with self.client() as client:
            while not self.over.wait(ASK_SECONDS):
                question = chance.choice(list(FACTS))
                padded = question + "?" * chance.randrange(3)
                found = client.post("/api/ask", json={"question": padded, "stable": True})
                self.told[str(found.status_code)] += 1
                if found.status_code == httpx.codes.OK:
                    self._check(found.json(), *FACTS[question])
                elif found.status_code not in AGAIN:
                    self.wrong.append(f"{found.status_code}: {found.text}")

    def write(self) -> None:
        """Put a document in, ask for it, take it out, ask again."""
        with self.client() as client:
            for number in count(1):
                if self.over.wait(WRITE_SECONDS):
                    return
                said, question = UPLOADED.format(number=number), f"Who counts the drops of ship {number}?"
                name = f"ship {number}.txt"
                source = client.post("/api/documents", params={"name": name}, content=said.encode()).json()["source_id"]
                while not self.over.is_set() and self._status(client, source) in ("queued", "indexing"):
                    time.sleep(0.05)
                if self.over.is_set():
                    return
                self._expect(client, question, name, is_there=True)
                gone = client.delete("/api/document", params={"source": source})
                if gone.is_error:
                    self.wrong.append(f"{name} is not removed: {gone.status_code}: {gone.text}")
                    return
                self._expect(client, question, name, is_there=False)
                self.told["documents"] += 1

    def look(self) -> None:
        """Look at a page with a mark on it, each time another one."""
        with self.client() as client:
            for number in count(1):
                if self.over.wait(LOOK_SECONDS):
                    return
                params = {"source": OPEN, "mark": f"{number % 20}-{20 + number % 23}"}
                found = client.get("/api/document/pages/1/image", params=params)
                self.told[f"pictures {found.status_code}"] += 1
                if found.status_code not in (httpx.codes.OK, *AGAIN):
                    self.wrong.append(f"picture: {found.status_code}: {found.text}")

    def kill(self, service: int, seconds: float) -> None:
        """Kill the processes that answer, every so many seconds: all but the first, whose memory is looked at."""
        kept, *_ = answering(service)
        while not self.over.wait(seconds):
            for process in answering(service):
                if process != kept:
                    os.kill(process, signal.SIGKILL)
                    self.told["killed"] += 1

    def _expect(self, client: httpx.Client, question: str, name: str, *, is_there: bool) -> None:
        found = client.post("/api/ask", json={"question": question, "files": [f"*{name}"]})
        if found.status_code in AGAIN:
            return
        cited = {item["filename"] for said in found.json().get("statements", []) for item in said["citations"]}
        if (name in cited) != is_there:
            self.wrong.append(f"{question} {'does not cite' if is_there else 'still cites'} {name}: {found.text[:300]}")

    def _check(self, answer: dict[str, list[dict[str, list[dict[str, str]]]]], filename: str, quote: str) -> None:
        cited = [(item["source_id"], item["quote"]) for said in answer["statements"] for item in said["citations"]]
        if not any(source == filename and text.startswith(quote) for source, text in cited):
            self.wrong.append(f"{quote!r} is not cited: {cited}")

    def _status(self, client: httpx.Client, source: str) -> str:
        uploads = client.get("/api/indexing").json()["uploads"]
        return next((item["status"] for item in uploads if item["source_id"] == source), "gone")


def answering(service: int) -> list[int]:
    """The processes that answer for a service, as the system knows them, oldest first."""
    tasks = Path(f"/proc/{service}/task").iterdir()
    children = [int(child) for task in tasks for child in _read(task / "children").split()]
    found = [child for child in children if b"spawn_main" in _read(Path(f"/proc/{child}/cmdline"))]
    return sorted(found, key=_began)


def _began(process: int) -> float:
    """When a process began, in ticks of the system; those that are gone come last."""
    state = _read(Path(f"/proc/{process}/stat"))
    return float(state.rsplit(b")", 1)[1].split()[19]) if state else math.inf


def _read(path: Path) -> bytes:
    """What the system says of a thread or a process; nothing where it is gone."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def held(service: int, store: Path) -> dict[str, float]:
    """Memory (MB) of a service and of the first process that answers for it; how many generations the service holds
    open, and how many files beside them; and how many generations its store has."""
    generations = store / "generations"
    opened = [target for link in Path(f"/proc/{service}/fd").iterdir() if (target := _target(link))]
    in_use = {target.relative_to(generations).parts[0] for target in opened if target.is_relative_to(generations)}
    return {
        "memory_mb": _memory(service),
        "answering_mb": _memory(answering(service)[0]),
        "files": float(sum(not target.is_relative_to(generations) for target in opened)),
        "generations_open": float(len(in_use)),
        "generations": float(len(list(generations.iterdir()))),
    }


def _target(link: Path) -> Path | None:
    """What an open file is; None where it was closed meanwhile."""
    try:
        return link.readlink()
    except FileNotFoundError:
        return None


def _memory(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def soaked(folder: Path, seconds: float) -> dict[str, object]:
    """What comes of so many seconds."""
    store = made_store(folder / "docs")
    secret = Tokens(store).add("soak", "writer")
    settings = {"PINCITE_PROCESSES": "2", "PINCITE_EMBEDDER": "none", "PINCITE_RERANKER": "none"}
    log: list[str] = []
    with serving(store, log=log, **settings) as (address, process):
        soak = Soak(address, secret)
        soak.warm()
        with ThreadPoolExecutor(ASKERS + 3) as pool:
            begun = [pool.submit(soak.ask, seed) for seed in range(ASKERS)]
            begun += [pool.submit(soak.write), pool.submit(soak.look)]
            begun += [pool.submit(soak.kill, process.pid, max(KILL_SECONDS, seconds / MOST_KILLS))]
            time.sleep(seconds / 4)
            early = held(process.pid, store)
            time.sleep(3 * seconds / 4)
            late = held(process.pid, store)
            soak.over.set()
            for item in begun:
                item.result()
        with soak.client() as client:
            soak.told["ready"] = client.get("/ready").status_code
    problems = [line for line in log if LOGGED not in line]
    return {"told": dict(soak.told), "wrong": soak.wrong, "problems": problems, "early": early, "late": late}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        sys.stdout.write(json.dumps(soaked(Path(scratch), float(sys.argv[1])), indent=1) + "\n")
