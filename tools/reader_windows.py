"""Write what the reader is trained on (not part of the package): questions with the units that may answer them.

    python tools/reader_windows.py WORK WINDOWS.jsonl.gz --documents FOLDER [...] --questions FILE [...]

Questions as in `training/`, documents in FOLDER/folder, stores in WORK. --folders limits them to some folders, so that
several processes can share the work. A line is a question: folder, kind, q, and
`windows`, the likeliest first by the trees of the package: path, sents, and gold, the numbers of its sentences that
answer (1 is the first), null where the window does not; a window that holds a quote but not the fact is left out.
`asked` tells of which folder the question was written: one of ONE_OF_ELSEWHERE is asked of another, too.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gold_units import Row, has_fact, is_gold, overlap, quoted_share
from pincite.answer.material.case import Case
from pincite.answer.material.units import Unit, units_of
from pincite.answer.reading import reads
from pincite.answer.reading.chances import UnitRead
from pincite.answer.reading.reads import cheap_chances
from pincite.answer.reading.signals import signals_of
from pincite.evaluate.measures import letters_and_digits
from pincite.ports import Readable, Reader
from pincite.settings import Settings
from training_questions import cases_of, folder_engine

MOST_WINDOWS = 48
"""Of a question, beside those that are gold."""
MOST_STEPS = 8
"""Windows behind a sentence that leads to them."""
ONE_OF_ELSEWHERE = 3
"""Of so many questions one is asked of another folder, too, where nothing can answer it."""
MOSTLY = 0.6
"""Of the letters of a gold sentence, for a window to be that sentence."""
OF_STEPS = ("bridge", "two_hop", "chain3")

Window = dict[str, object]


def cases(
    rows: Sequence[Row], documents: Sequence[Path], work: Path, reader: Reader | None, only: Sequence[str] = ()
) -> Iterator[tuple[str, Row, Case]]:
    """The folder that every question is asked of, the question, and its case while the store is open: its own folder,
    and for one of ONE_OF_ELSEWHERE the next."""
    by_folder = defaultdict(list)
    for row in rows:
        by_folder[row["folder"]].append(row)
    folders = sorted(by_folder)
    for folder, other in zip(folders, [*folders[1:], folders[0]], strict=True):
        if only and folder not in only:
            continue
        elsewhere = [{**row, "quotes": [], "fact": ""} for row in by_folder[other][::ONE_OF_ELSEWHERE]]
        asked = [*by_folder[folder], *elsewhere]
        place = next(path / folder for path in documents if (path / folder).is_dir())
        engine = folder_engine(place, work, replace(Settings(), embedder="bge"))
        for row, case in zip(asked, cases_of(engine, [row["q"] for row in asked], reader), strict=True):
            yield folder, row, case
        print(folder, len(asked), flush=True)


def windows_of(row: Row, case: Case) -> list[Window]:
    """The windows of a question."""
    units = units_of([*case.sentences, *case.beyond])
    if not units:
        return []
    chances = cheap_chances(signals_of(case, units))
    order = np.lexsort((np.arange(len(units)), -chances)).tolist()
    gold = _gold(row, units)
    near = {place for place in order if place not in gold and quoted_share(row, units[place]) >= MOSTLY}
    kept = [place for place in order if place not in near]
    kept = kept[:MOST_WINDOWS] + [place for place in kept[MOST_WINDOWS:] if place in gold]
    found = [_window(units[place].readable, row, is_gold=place in gold) for place in kept]
    best = [UnitRead(units[place], float(chances[place])) for place in order[: reads.LEADING]]
    return found + _steps(row, case, units, gold, best)


def _gold(row: Row, units: Sequence[Unit]) -> set[int]:
    found = {place for place, unit in enumerate(units) if is_gold(row, unit)}
    if row["quotes"] and (not found or row["kind"] == "compare"):
        found |= {place for place, unit in enumerate(units) if quoted_share(row, unit) >= MOSTLY}
    return found


def _steps(row: Row, case: Case, units: Sequence[Unit], gold: set[int], best: Sequence[UnitRead]) -> list[Window]:
    """Units behind a sentence that leads to them: gold behind a sentence of the quotes, no other unit is."""
    found: list[Window] = []
    answers = {id(units[place]) for place in gold}
    if row["kind"] in OF_STEPS and len(row["quotes"]) > 1:
        quotes = [letters_and_digits(quote) for quote in row["quotes"]]
        leads = [
            (unit, sentence)
            for place, unit in enumerate(units)
            if place not in gold and unit.row is None
            for sentence in unit.sentences
            if any(overlap(quote, letters_and_digits(sentence.text)) >= MOSTLY for quote in quotes)
        ]
        for start, lead in leads[:2]:
            for place in sorted(gold)[:2]:
                if units[place].chunk.source_id != start.chunk.source_id:
                    step = reads.Step(UnitRead(start, 0.0), lead, units[place])
                    found.append(_window(step.readable, row, is_gold=True))
    others = (step for step in reads.steps_from(case, units, best) if id(step.unit) not in answers)
    for step, _ in zip(others, range(MOST_STEPS), strict=False):
        if not is_gold(row, step.unit):
            found.append(_window(step.readable, row, is_gold=False))
    return found


def _window(text: Readable, row: Row, *, is_gold: bool) -> Window:
    window: Window = {"path": text.path, "sents": list(text.parts)}
    if is_gold:
        window["gold"] = _gold_sentences(row, text.parts)
    return window


def _gold_sentences(row: Row, parts: Sequence[str]) -> list[int]:
    quotes = [letters_and_digits(quote) for quote in row["quotes"]]
    letters = list(map(letters_and_digits, parts))
    found = [
        number
        for number, part in enumerate(letters, 1)
        if part and any(quote in part or (part in quote and len(part) >= MOSTLY * len(quote)) for quote in quotes)
    ]
    return found or [number for number, part in enumerate(parts, 1) if has_fact(row["fact"], part)]


def main() -> None:
    """Write the windows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("windows", type=Path)
    parser.add_argument("--documents", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--folders", nargs="*", default=())
    arguments = parser.parse_args()
    rows = [json.loads(line) for path in arguments.questions for line in path.read_text("utf-8").splitlines()]
    with gzip.open(arguments.windows, "wt", encoding="utf-8") as lines:
        for folder, row, case in cases(rows, arguments.documents, arguments.work, None, arguments.folders):
            line = {"folder": folder, "asked": row["folder"], "kind": row["kind"], "q": row["q"]}
            print(json.dumps({**line, "windows": windows_of(row, case)}, ensure_ascii=False), file=lines)


if __name__ == "__main__":
    main()
