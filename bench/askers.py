"""Measure many askers at once: python -m bench.askers DATA STORES OUT.json

One thread and then eight ask one engine for a minute each while a writer in a process of its own adds, changes and
removes documents, one step a second (tests/support/askers.py). Each answer has to be the one that a store which nobody
else uses gives of the same generation. Models have one thread a call; documents and questions are made here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from bench.figures import write_figures

HERE = Path(__file__).resolve().parent.parent
SECONDS = 60


def measure(seconds: float) -> dict[str, float]:
    """Answers a second of one asker and of eight, how many times more these are, and how many answers were wrong."""
    command = [sys.executable, "-m", "tests.support.askers", str(seconds)]
    done = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main(_: Path, __: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    results = measure(SECONDS)
    write_figures("askers", results, {"seconds": SECONDS, "threads of a model": 1}, {"askers": 8}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
