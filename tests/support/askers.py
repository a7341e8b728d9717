"""Documents that come, change and go, questions to them, and what each generation of them answers.

Run as a program it measures for `make bench`: `python -m tests.support.askers SECONDS` (bench/askers.py).
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.support.documents import document, source
from tests.support.engines import hashing_engine, passing_folder

from pincite.engine.engine import Engine
from pincite.records.pages import Document
from pincite.settings import Settings
from pincite.wiring import open_engine

Changes = Mapping[str, tuple[str, str] | None]
"""By name the title and text of what is put, None for what is taken out."""
QUESTIONS = (
    "Where does snow lie?",
    "What does section 2 require?",
    "Who founded Alder Works?",
    "What does wind act on?",
    "Which documents does the guide refer to?",
)
ROOF = "Snow lies on the roof in winter. Section 2 says who clears it."
KEPT = {
    "frame.pdf": ("Frame", "The frame carries 4 kN. Wind acts on the wall, as Roofs says in section 2."),
    "makers.pdf": ("Makers", "Ada Alder founded Alder Works. Alder Works owns Birch Mills."),
}
CHANGING: tuple[Changes, ...] = (
    {"roofs.pdf": ("Roofs", ROOF)},
    {"roofs.pdf": ("Roofs", "Snow lies on the ground since the roof is warm. See section 2 of Frame.")},
    {"guide.pdf": ("Guide", "The guide refers to Frame and to EN 1990. Snow lies nowhere in summer.")},
    {"makers.pdf": ("Makers", "Berta Birch founded Alder Works in 1901.")},
    {"guide.pdf": None},
    {"makers.pdf": KEPT["makers.pdf"], "roofs.pdf": ("Roofs", ROOF)},
    {"roofs.pdf": None},
)
"""What a writer does, step after step; the last step leads to where it began."""
Answers = dict[tuple[str, str], list[dict[str, Any]]]
Make = Callable[[Path], Engine]


def made(title: str, text: str) -> Document:
    """A document of two sections."""
    rule = f"The owner of {title.lower()} shall clear the snow before March, see Frame."
    return document(
        [("heading", "1 Scope"), ("paragraph", text)],
        [("heading", "2 Duties"), ("paragraph", rule)],
        title=title,
    )


def put(engine: Engine, documents: Mapping[str, tuple[str, str]]) -> None:
    """Store these documents by name, title and text, and publish."""
    items = documents.items()
    digest = {name: sha256("\n".join(item).encode()).hexdigest() for name, item in items}
    engine.index_documents([(source(name, digest[name]), made(*item)) for name, item in items])


def step(engine: Engine, changes: Changes, removed: Callable[[], None] | None = None) -> None:
    """Do what one step of CHANGING says; `removed` is called when a source is out and nothing is published yet."""
    put(engine, {name: item for name, item in changes.items() if item is not None})
    for name in [name for name, item in changes.items() if item is None]:
        if removed is not None:
            engine._parts.record.remove_source(name)
            removed()
            engine._indexer(None).publish()
        else:
            engine.remove(name)


def rounds() -> Iterator[Changes]:
    """The steps of CHANGING again and again."""
    while True:
        yield from CHANGING


def stable(engine: Engine, question: str, *, receipt: bool) -> dict[str, Any]:
    """An answer without what is new each time."""
    return engine.ask(question, receipt=receipt).to_dict(stable=True)


def answers_by_generation(
    folder: Path, make: Make = hashing_engine, kept: Mapping[str, tuple[str, str]] = KEPT
) -> Answers:
    """What a store that nobody else uses answers: by generation and question; twice where a source is taken out of a
    generation that is still the current one."""
    found: Answers = {}
    with make(folder) as engine:

        def ask() -> None:
            for question in QUESTIONS:
                answer = stable(engine, question, receipt=False)
                known = found.setdefault((answer["meta"]["generation"], question), [])
                if answer not in known:
                    known.append(answer)

        put(engine, kept)
        ask()
        for changes in CHANGING:
            step(engine, changes, removed=ask)
            ask()
    return found


@dataclass(frozen=True, slots=True)
class Told:
    """What askers were told: how many answers, from how many generations, and those that no quiet store gives."""

    answers: int
    generations: int
    wrong: tuple[str, ...]


def ask_side_by_side(engine: Engine, askers: int, expected: Answers, is_over: Callable[[int], bool]) -> Told:
    """Ask from so many threads; `is_over` is told how many questions a thread has asked. Every other question leaves a
    receipt, and is answered from the cache where it can be."""

    def ask(number: int) -> list[tuple[str, str]]:
        told: list[tuple[str, str]] = []
        while not is_over(len(told)):
            question = QUESTIONS[(number + len(told)) % len(QUESTIONS)]
            answer = stable(engine, question, receipt=len(told) % 2 == 0)
            generation = answer["meta"]["generation"]
            is_right = answer in expected.get((generation, question), [])
            told.append((generation, "" if is_right else f"{question}: {answer['summary']} {answer['degraded']}"))
        return told

    with ThreadPoolExecutor(askers) as pool:
        told = [item for found in pool.map(ask, range(askers)) for item in found]
    return Told(len(told), len({generation for generation, _ in told}), tuple(line for _, line in told if line))


# --- for `make bench` --------------------------------------------------------------------------------------

ASKERS = 8
SECONDS_BETWEEN_STEPS = 1.0
MANY = 60
SUBJECTS = "bridge road bearing column wall foundation joint crack deck girder parapet culvert".split()
RULES = (
    "The {0} shall be inspected before the {1} is opened.",
    "Where the {0} is damaged, the owner repairs the {1} within {2} days.",
    "A load of {2} kN acts on the {0} beside the {1}.",
)


def many_documents() -> dict[str, tuple[str, str]]:
    """KEPT and so many others as a folder of an office has."""
    chance = random.Random(18)
    found = dict(KEPT)
    for number in range(MANY):
        rules = (chance.choice(RULES).format(*chance.sample(SUBJECTS, 2), chance.randrange(2, 90)) for _ in range(30))
        found[f"rules {number}.pdf"] = (f"Rules {number}", " ".join(rules))
    return found


def with_models(folder: Path) -> Engine:
    """An engine with the models that are installed, each call of which has one thread."""
    return open_engine(Settings(threads=1), folder, create=True)


def write(folder: Path) -> None:
    """Go on with the steps of CHANGING, one a second, until somebody ends this."""
    with with_models(folder) as engine:
        for changes in rounds():
            step(engine, changes)
            time.sleep(SECONDS_BETWEEN_STEPS)


def measured(seconds: float) -> dict[str, float]:
    """Answers a second of one asker and of eight, each beside a writer in a process of its own, and what was wrong."""
    with passing_folder() as folder:
        expected = answers_by_generation(folder / "quiet", with_models, many_documents())
        with with_models(folder / "busy") as engine:
            put(engine, many_documents())
            one = _beside_a_writer(engine, folder / "busy", 1, expected, seconds)
            all_ = _beside_a_writer(engine, folder / "busy", ASKERS, expected, seconds)
            broken = len(engine.check_chain().problems)
    for line in (*one.wrong, *all_.wrong):
        sys.stderr.write(f"wrong: {line}\n")
    return {
        "answers_per_second_1": one.answers / seconds,
        f"answers_per_second_{ASKERS}": all_.answers / seconds,
        "askers_gain": all_.answers / max(1, one.answers),
        "askers_generations": float(all_.generations),
        "askers_wrong": float(len(one.wrong) + len(all_.wrong) + broken),
    }


def _beside_a_writer(engine: Engine, folder: Path, askers: int, expected: Answers, seconds: float) -> Told:
    writer = subprocess.Popen([sys.executable, "-m", "tests.support.askers", "write", folder])
    try:
        for question in QUESTIONS:
            engine.ask(question, receipt=False)
        end = time.monotonic() + seconds
        return ask_side_by_side(engine, askers, expected, lambda _: time.monotonic() > end)
    finally:
        writer.kill()
        writer.wait()


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]))
    else:
        sys.stdout.write(json.dumps(measured(float(sys.argv[1]))))
