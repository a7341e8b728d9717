"""One screen of figures: python tools/write_benchmarks.py docs/measurements.md BENCHMARKS.md

BENCHMARKS.md repeats the figures of docs/measurements.md that tools/benchmarks.csv names; nothing is computed here.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path

HEAD = """\
# Figures that matter

Repeated from [docs/measurements.md](docs/measurements.md), which has every table, the intervals and the targets; the
JSON of the runs is under [evaluation/results](evaluation/results/README.md). `make bench` measures again and writes all
of it. [How it is measured](docs/evaluation.md).

Shares are from 0 to 1. "Held out" counts only rows that nothing was trained on. A whole run takes many hours, so each
figure names the commit that was measured; answers at ad1ffa3 were given before pincite had a reader of its own.
"""


FIGURES = Path(__file__).with_name("benchmarks.csv")
"""By group: what each is, and the section, set, row and column of docs/measurements.md that it stands in."""
Figure = Mapping[str, str]


def summary(page: str) -> str:
    """The one screen, of this page of measurements; what was not measured has no row."""
    tables = dict(_tables(page))
    with FIGURES.open(encoding="utf-8", newline="") as file:
        figures = list(csv.DictReader(file))
    lines = [HEAD]
    for title, of_group in groupby(figures, key=itemgetter("group")):
        rows = [
            f"| {one['what']} | {cell} | {_cell(tables, {**one, 'column': 'commit'})} |"
            for one in of_group
            if (cell := _cell(tables, one))
        ]
        lines += [f"## {title}", "", "| What | Figure | Commit |", "| --- | --- | --- |", *rows, ""] if rows else []
    return "\n".join(lines).rstrip() + "\n"


def _tables(page: str) -> Iterator[tuple[str, list[list[str]]]]:
    for part in page.split("\n## ")[1:]:
        rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in part.splitlines() if line[:1] == "|"]
        yield part.splitlines()[0], rows


def _cell(tables: Mapping[str, list[list[str]]], figure: Figure) -> str:
    """The mean without its interval; empty where there is none."""
    head, *rows = tables.get(figure["section"]) or [[]]
    found = next((row for row in rows if row[:2] == [figure["set"], figure["row"]]), None)
    if found is None or figure["column"] not in head:
        return ""
    return found[head.index(figure["column"])].partition(" ")[0]


def main(page: Path, target: Path) -> int:
    """Write it."""
    target.write_text(summary(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
