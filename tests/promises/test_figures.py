"""Figures come out of one command: BENCHMARKS.md is what its writer writes."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from pincite.evaluate import benchmarks

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")


def test_every_column_of_the_page_of_figures_is_one_that_the_command_writes() -> None:
    known = {"set", "", "target", "measured", "reached", "sizes", "machine", "versions"}
    known |= {column for name, columns in vars(benchmarks).items() if name.endswith("_COLUMNS") for column in columns}
    heads = re.findall(r"^\|(.+)\|\n\| ---", PAGE, re.MULTILINE)
    assert heads
    assert {cell.strip() for head in heads for cell in head.split("|")} <= known
    assert PAGE.startswith(benchmarks.HEAD)


def test_the_readme_states_no_figure_of_a_measurement() -> None:
    said = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\b0\.\d{2,}\b|\b\d+(?:\.\d+)? (?:ms|MB|pages/s)\b", said) == []
    assert "`make bench`" in said


def test_one_command_measures_all() -> None:
    bench = runpy.run_path(str(ROOT / "tools" / "bench.py"))
    assert {"speed", "graph", "memory", "promises"} <= set(bench["SCRIPTS"])
    assert re.search(r"^bench:.*\n\t\$\(BIN\)/python tools/bench.py", (ROOT / "Makefile").read_text(), re.MULTILINE)
