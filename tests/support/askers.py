"""Documents that come, change and go, questions to them, and what each generation of them answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine import Engine
from pincite.records import Document

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


def step(
    engine: Engine, changes: Mapping[str, tuple[str, str] | None], removed: Callable[[], None] | None = None
) -> None:
    """Do what one step of CHANGING says; `removed` is called when a source is out and nothing is published yet."""
    put(engine, {name: item for name, item in changes.items() if item is not None})
    for name in [name for name, item in changes.items() if item is None]:
        if removed is not None:
            engine._parts.record.remove_source(name)
            removed()
            engine._indexer(None).publish()
        else:
            engine.remove(name)


def stable(engine: Engine, question: str, *, receipt: bool) -> dict[str, Any]:
    """An answer without what is new each time."""
    return engine.ask(question, receipt=receipt).to_dict(stable=True)


def answers_by_generation(folder: Path) -> Answers:
    """What a store that nobody else uses answers: by generation and question; twice where a source is taken out of a
    generation that is still the current one."""
    found: Answers = {}
    with hashing_engine(folder) as engine:

        def ask() -> None:
            for question in QUESTIONS:
                answer = stable(engine, question, receipt=False)
                known = found.setdefault((answer["meta"]["generation"], question), [])
                if answer not in known:
                    known.append(answer)

        put(engine, KEPT)
        ask()
        for changes in CHANGING:
            step(engine, changes, removed=ask)
            ask()
    return found


def rounds() -> Iterator[Changes]:
    """The steps of CHANGING again and again."""
    while True:
        yield from CHANGING
