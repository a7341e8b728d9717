"""A store whose files are damaged at random, and runs of `pincite index` that are killed at random.

Run as a program it measures for `make bench`: `python -m tests.support.damages DAMAGES KILLS AIMED`
(bench/faults.py).
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.support.documents import document, source
from tests.support.engines import hashing_engine, passing_folder

from pincite.build.publish import NOT_PUBLISHED
from pincite.engine.engine import Engine
from pincite.errors import PinciteError
from pincite.settings import Settings
from pincite.wiring import open_engine

DOCUMENTS = [
    (
        source(f"{name.lower()}.pdf", f"{number}" * 64),
        document(
            [("heading", "1 Scope"), ("paragraph", text)],
            [("heading", "2 Duties"), ("paragraph", f"The owner of {name} clears the snow, see section 1.")],
            title=name,
        ),
    )
    for number, (name, text) in enumerate(
        {
            "Roofs": "Snow lies on the roof in winter. The snow load is 5 kN/m2.",
            "Frames": "The frame carries 4 kN. Wind acts on the wall, as Roofs says in section 2.",
            "Makers": "Ada Alder founded Alder Works. Alder Works owns Birch Mills.",
        }.items()
    )
]
QUESTIONS = (
    "What is the snow load?",
    "Who founded Alder Works?",
    "What does section 2 of Roofs say?",
    "Where is wind?",
)
NO_EMBEDDER = Settings(embedder="none")
PINCITE = "import sys; from pincite.cli.main import main; sys.exit(main())"
PUBLISHING_SECONDS = 0.3
"""From the first sight of a new generation to past its end; by eye."""
LOOK_SECONDS = 0.002
UNUSABLE = 3
"""The exit code of a store that cannot be used (docs/design.md section 11)."""
Damage = Callable[[bytes, random.Random], bytes | None]


def flipped(content: bytes, chance: random.Random) -> bytes:
    """One bit is another."""
    place = chance.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :]


def overwritten(content: bytes, chance: random.Random) -> bytes:
    """Some bytes are any others."""
    place = chance.randrange(len(content))
    foreign = chance.randbytes(min(chance.choice((4, 64, 4096)), len(content) - place))
    return content[:place] + foreign + content[place + len(foreign) :]


def zeroed(content: bytes, chance: random.Random) -> bytes:
    """A stretch is zero bytes, as after a power cut."""
    place = chance.randrange(len(content))
    length = min(4096, len(content) - place)
    return content[:place] + bytes(length) + content[place + length :]


def cut(content: bytes, chance: random.Random) -> bytes:
    """The end is missing."""
    return content[: chance.randrange(len(content))]


def longer(content: bytes, chance: random.Random) -> bytes:
    """Something stands behind the end."""
    return content + chance.randbytes(chance.choice((1, 100, 10_000)))


def gone(_: bytes, __: random.Random) -> None:
    """The file is not there."""


DAMAGES: tuple[Damage, ...] = (flipped, overwritten, zeroed, cut, longer, gone)


def answers(engine: Engine) -> list[dict[str, Any]]:
    """What is said of each question, without times and ids."""
    return [engine.ask(question, receipt=False).to_dict(stable=True) for question in QUESTIONS]


def outcome(store: Path, right: list[dict[str, Any]]) -> str:
    """How a damaged store answers: `right`; `told` in one line with what to do; `degraded`, and it says so; `wrong`
    without a word; or `broken` by an error that nobody foresaw."""
    try:
        open_engine(NO_EMBEDDER, store).close()
        with hashing_engine(store) as engine:
            found = answers(engine)
    except PinciteError as error:
        return "told" if error.exit_code == UNUSABLE else f"broken {error}"
    except Exception as error:  # noqa: BLE001
        return f"broken {type(error).__name__}: {error}"
    if found == right:
        return "right"
    changed = (now for now, before in zip(found, right, strict=True) if now != before)
    return "degraded" if all(answer["degraded"] for answer in changed) else "wrong"


def damaged(count: int, seed: int = 1) -> Counter[str]:
    """How so many random damages to files of a store ended, one at a time; each that is neither right nor told is named
    on standard error."""
    chance = random.Random(seed)
    counted: Counter[str] = Counter()
    with passing_folder() as folder:
        whole = folder / "whole"
        with hashing_engine(whole) as engine:
            engine.index_documents(DOCUMENTS)
            right = answers(engine)
            engine.ask(QUESTIONS[0])
        files = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file() and path.stat().st_size)
        for _ in range(count):
            file, damage = chance.choice(files), chance.choice(DAMAGES)
            shutil.copytree(whole, folder / "store")
            path = folder / "store" / file
            content = damage(path.read_bytes(), chance)
            path.unlink()
            if content is not None:
                path.write_bytes(content)
            kind, _, why = outcome(folder / "store", right).partition(" ")
            if kind in ("wrong", "broken"):
                sys.stderr.write(f"{file} {damage.__name__}: {kind} {why}\n")
            counted[kind] += 1
            shutil.rmtree(folder / "store")
    return counted


def killed(count: int, seed: int = 1, *, is_aimed: bool = False) -> int:
    """How many of so many killed runs of `pincite index`, every other one the first of its store, left a store that is
    not whole (what is stored and not yet published is), or that the next run does not bring to its end; standard error
    tells of each. Where it is aimed each is killed while it publishes, else at any moment of the run."""
    chance = random.Random(seed)
    with passing_folder() as folder:
        docs, begun, store = folder / "docs", folder / "begun", folder / "store"
        docs.mkdir()
        _write_notes(docs, range(6))
        with open_engine(NO_EMBEDDER, begun, create=True) as engine:
            engine.index([docs])
        _write_notes(docs, range(3, 12))
        started = time.monotonic()
        _indexing(docs, store).wait()
        longest = 1.1 * (time.monotonic() - started)
        harmful = 0
        for number in range(count):
            shutil.rmtree(store, ignore_errors=True)
            if number % 2:
                shutil.copytree(begun, store)
            running = _indexing(docs, store)
            if is_aimed:
                _await_publishing(running, store)
            seconds = chance.uniform(0, PUBLISHING_SECONDS if is_aimed else longest)
            harmful += not _survives(docs, store, running, seconds)
        return harmful


def _await_publishing(running: subprocess.Popen[bytes], store: Path) -> None:
    """Wait until a run begins to write a generation, or ends."""
    before = _generations(store)
    while running.poll() is None and _generations(store) == before:
        time.sleep(LOOK_SECONDS)


def _generations(store: Path) -> set[str]:
    folder = store / "generations"
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def _write_notes(docs: Path, numbers: Sequence[int]) -> None:
    for number in numbers:
        text = f"# Note {number}\n\nThe roof number {number} of {len(numbers)} carries snow.\n"
        (docs / f"note {number}.md").write_text(text * 20)


def _indexing(docs: Path, store: Path) -> subprocess.Popen[bytes]:
    options = ["index", str(docs), "--store", str(store), "--embedder", "none", "--quiet"]
    return subprocess.Popen([sys.executable, "-c", PINCITE, *options], stdout=subprocess.DEVNULL)


def _survives(docs: Path, store: Path, running: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        running.wait(seconds)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGKILL)
        running.wait()
    with open_engine(NO_EMBEDDER, store, create=True) as engine:
        problems = (
            [] if engine.session().generation() is None else [item for item in engine.verify() if item != NOT_PUBLISHED]
        )
        report = engine.index([docs])
        problems += engine.verify()
        problems += [f"{item.source}: {item.reason}" for item in report.documents if item.status == "refused"]
    for problem in problems:
        sys.stderr.write(f"killed after {seconds:.2f} s: {problem}\n")
    return not problems


def main() -> None:
    """Measure, and print what was found as JSON."""
    damages, kills, aimed = map(int, sys.argv[1:])
    found = damaged(damages)
    figures: dict[str, int] = {f"damages_{kind}": found[kind] for kind in ("right", "told", "degraded")}
    figures |= {"damages": damages, "damages_wrong": found["wrong"], "damages_broken": found["broken"]}
    figures |= {"kills": kills, "kills_harmful": killed(kills)}
    figures |= {"kills_aimed": aimed, "kills_aimed_harmful": killed(aimed, is_aimed=True)}
    sys.stdout.write(json.dumps(figures))


if __name__ == "__main__":
    main()
