"""Measure on public complaints: python -m bench.cases DATA STORES OUT.json

DATA/cases holds a folder a case, with `docs/` and `questions.json`: rows {q | cmd, args, want, not}. Each case is
indexed into a store of its own, and every row asked by the command line. A row is right where all regular expressions
of `want` stand in what is printed and none of `not`. STORES is not used.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.figures import write_figures

COMMAND = Path(sys.executable).parent / "pincite"
AT_ONCE = 2
Row = Mapping[str, Any]


def right_rows(case: Path) -> list[bool]:
    """For each row of a case whether what is printed is right."""
    with tempfile.TemporaryDirectory() as store:
        subprocess.run([COMMAND, "index", case / "docs", "--store", store, "--quiet"], capture_output=True, check=False)
        rows = json.loads((case / "questions.json").read_text(encoding="utf-8"))
        return [is_right(row, _printed(row, store)) for row in rows]


def is_right(row: Row, printed: str) -> bool:
    """Whether all that is wanted stands there and nothing that may not."""

    def stands(expression: str) -> bool:
        return re.search(expression, printed, re.DOTALL | re.IGNORECASE) is not None

    return all(map(stands, _listed(row.get("want")))) and not any(map(stands, _listed(row.get("not"))))


def _printed(row: Row, store: str) -> str:
    command = row.get("cmd") or ["ask", row["q"], *row.get("args", [])]
    quiet = ["--quiet"] if command[0] in ("ask", "search") else []
    given = [COMMAND, *command, "--store", store, *quiet]
    done = subprocess.run(given, capture_output=True, text=True, timeout=300, check=False)
    return f"{done.stdout}\n[stderr] {done.stderr}" if done.stderr.strip() else done.stdout


def _listed(value: str | list[str] | None) -> list[str]:
    return [value] if isinstance(value, str) else value or []


def main(data: Path, _: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    cases = sorted(path.parent for path in data.glob("cases/*/questions.json"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip((case.name for case in cases), pool.map(right_rows, cases), strict=True))
    for name, rows in found.items():
        print(f"{name:30} {sum(rows)} of {len(rows)}")
    right, asked = sum(map(sum, found.values())), sum(map(len, found.values()))
    write_figures("cases", {"cases_right": right, "cases_asked": asked}, {}, {"cases": len(cases)}, out)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
