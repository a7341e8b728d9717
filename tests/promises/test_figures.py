"""Figures come out of one command: docs/measurements.md is what its writer writes, and BENCHMARKS.md and the README
repeat figures that stand there or in a decision."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from bench import benchmarks, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "measurements.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_column_of_the_page_of_figures_is_one_that_the_command_writes() -> None:
    known = {"set", "", "target", "measured", "reached", "commit", "sizes", "machine", "versions"}
    known |= {column for name, columns in vars(benchmarks).items() if name.endswith("_COLUMNS") for column in columns}
    heads = re.findall(r"^\|(.+)\|\n\| ---", PAGE, re.MULTILINE)
    assert heads
    assert {cell.strip() for head in heads for cell in head.split("|")} <= known
    assert PAGE.startswith(benchmarks.HEAD)


def test_the_screen_of_figures_is_made_of_that_page() -> None:
    summary = runpy.run_path(str(ROOT / "tools" / "write_benchmarks.py"))["summary"](PAGE)
    assert (ROOT / "BENCHMARKS.md").read_text(encoding="utf-8") == summary
    assert summary.count("\n| ") > 25


def figures(heading: str) -> list[list[str]]:
    table = README.partition(heading)[2].partition("\n## ")[0]
    return [
        [cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"^\|.+\|$", table, re.MULTILINE)
    ][2:]


def test_the_figures_of_the_readme_stand_where_it_says() -> None:
    rows = figures("## Good for")
    assert len(rows) == 5
    for _, figure, where in rows:
        decision = re.search(r"\((docs/decisions/[\w-]+\.md)\)", where)
        said = PAGE if decision is None else (ROOT / decision[1]).read_text(encoding="utf-8")
        number = re.match(r"(?:0(\.\d+)|(\d+))", figure)
        assert number is not None
        assert re.search(rf"\b{number[2]} quotes valid" if number[2] else rf"(?<!\d)0?{re.escape(number[1])}", said)


def test_the_comparison_of_the_readme_has_pincites_measured_figures() -> None:
    (own,) = (row for row in figures("## Compared with") if row[0].startswith("pincite"))
    sets = ("2wiki_train500", "musique_v1train_100", "hotpotqa_v1train_100")
    rows = [re.search(rf"^\| {name} \| default, held out \|(.+)$", PAGE, re.MULTILINE) for name in sets]
    recall_at_5 = [float(row[1].split("|")[2].split()[0]) for row in rows if row is not None]
    assert own[1:] == [f"{100 * figure:.1f}" for figure in recall_at_5]
    assert {row[1].rstrip(" |").split()[-1] for row in rows if row is not None} == {
        match[1] for match in re.finditer(r"pincite's figures are of commit (\w+)", README)
    }


def test_one_command_measures_all() -> None:
    assert {"speed", "graph", "memory", "promises"} <= set(run.SCRIPTS)
    assert re.search(r"^bench:.*\n\t\$\(BIN\)/python -m bench.run", (ROOT / "Makefile").read_text(), re.MULTILINE)
