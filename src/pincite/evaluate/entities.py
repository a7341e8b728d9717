"""Are the names of sentences found, and told apart as persons, organisations and places? As CoNLL04 has them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from pincite.errors import UsageError
from pincite.evaluate.carb import Share
from pincite.evaluate.files import json_rows
from pincite.evaluate.machine import describe_machine
from pincite.evaluate.ratios import ratio_intervals, ratios
from pincite.evaluate.report import Evaluation
from pincite.wiring import name_finder

KEY = "default"
TYPES = {"person": "Peop", "organisation": "Org", "place": "Loc", "group": "Other", "work": "Other"}
Entity = tuple[int, int, str]


class Named(Protocol):
    """What a name must tell to be compared."""

    @property
    def kind(self) -> str:
        """What it names: "person", "place"."""
        ...

    @property
    def start(self) -> int:
        """Where it begins in the sentence."""
        ...

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        ...


Find = Callable[[Sequence[str]], Sequence[Sequence[Named]]]


def entity_file(folder: Path) -> Path | None:
    """The file of a folder in CoNLL04 layout that is measured: the one beside `train.jsonl`; None where there is none.

    UsageError where there are several.
    """
    files = [path for pattern in ("*.jsonl", "*.jsonl.gz") for path in folder.glob(pattern)]
    found = sorted(path for path in files if not path.name.startswith("train."))
    if len(found) > 1:
        raise UsageError(f"{folder} holds {', '.join(path.name for path in found)}: give a folder that holds one")
    return found[0] if found else None


def evaluate_entities(folder: Path, file: Path, *, limit: int | None = None) -> Evaluation:
    """`span_f1`: the same characters; `typed_f1`: the same characters and type (person, organisation, place, other)."""
    rows = list(islice(json_rows(file), limit))
    machine, started = describe_machine(), time.perf_counter()
    found = find_entities([row["text"] for row in rows], name_finder())
    seconds = time.perf_counter() - started
    gold = [{(entity["start"], entity["end"], entity["type"]) for entity in row["entities"]} for row in rows]
    typed = [_share(*pair) for pair in zip(gold, found, strict=True)]
    spans = [_share(_untyped(wanted), _untyped(named)) for wanted, named in zip(gold, found, strict=True)]
    return Evaluation(
        command="eval triplets",
        set=folder.resolve().name,
        settings={"gold": file.name, "limit": limit},
        counts={"sentences": len(rows), "gold entities": sum(map(len, gold)), "entities found": sum(map(len, found))},
        results={KEY: _figures("span", spans, ratios) | _figures("typed", typed, ratios)},
        intervals={KEY: _figures("span", spans, ratio_intervals) | _figures("typed", typed, ratio_intervals)},
        per_query=[
            {"id": row["id"], "missed": sorted(wanted - named), "wrong": sorted(named - wanted)}
            for row, wanted, named in zip(rows, gold, found, strict=True)
        ],
        timings={"seconds": seconds},
        machine=machine,
    )


def find_entities(sentences: Sequence[str], find: Find) -> list[set[Entity]]:
    """The names of each sentence with CoNLL04's types. Dates and quantities, of which it has a few, are left out."""
    return [
        {(name.start, name.end, TYPES[name.kind]) for name in names if name.kind in TYPES} for names in find(sentences)
    ]


def _untyped(entities: set[Entity]) -> set[Entity]:
    return {(start, end, "") for start, end, _ in entities}


def _share(wanted: set[Entity], found: set[Entity]) -> Share:
    right = len(wanted & found)
    return Share(right, len(found), right, len(wanted))


def _figures(
    name: str, shares: Sequence[Share], measure: Callable[[Sequence[Share]], dict[str, Any]]
) -> dict[str, Any]:
    return {f"{name}_{figure}": value for figure, value in measure(shares).items()}
