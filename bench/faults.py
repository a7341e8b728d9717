"""Measure what faults do to a store: python -m bench.faults DATA STORES OUT.json

Five hundred random damages to files of a store, one at a time: it answers as before, or tells in one line what to do;
two hundred runs of `pincite index` killed, fifty of them while they publish: what was stored is whole, and the next
run ends (tests/support/damages.py). Three hundred files of each format with their bytes changed are indexed, three
hundred are added over HTTP: each is read or refused, and nothing is lost (tests/support/mutants.py).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from bench.figures import write_figures

HERE = Path(__file__).resolve().parent.parent
DAMAGES, KILLS, AIMED = 500, 150, 50
MUTANTS, UPLOADS = 300, 300


def _measured(module: str, *counts: int) -> dict[str, float]:
    """What a program of the tests prints as JSON."""
    command = [sys.executable, "-m", f"tests.support.{module}", *map(str, counts)]
    done = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main(_: Path, __: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    results = _measured("damages", DAMAGES, KILLS, AIMED) | _measured("mutants", MUTANTS, UPLOADS)
    write_figures("faults", results, {}, {"damages": DAMAGES, "kills": KILLS + AIMED, "mutants": MUTANTS}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
