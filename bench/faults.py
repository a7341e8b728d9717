"""Measure what faults do to a store: python -m bench.faults DATA STORES OUT.json

Five hundred random damages to files of a store, one at a time: it answers as before, or tells in one line what to do;
two hundred runs of `pincite index` killed at random moments: what was stored is whole, and the next run ends
(tests/support/damages.py).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from pincite.evaluate.report import write_figures

HERE = Path(__file__).resolve().parent.parent
DAMAGES, KILLS = 500, 200


def main(_: Path, __: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    command = [sys.executable, "-m", "tests.support.damages", str(DAMAGES), str(KILLS)]
    done = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, text=True, check=True)
    results: dict[str, float] = json.loads(done.stdout)
    write_figures("faults", results, {}, {"damages": DAMAGES, "kills": KILLS}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
