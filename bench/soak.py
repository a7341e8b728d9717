"""Measure an hour of everything at once on the service: python -m bench.soak DATA STORES OUT.json

Four askers, somebody who looks at pages, somebody who puts documents in and takes them out, processes that are killed
(tests/support/soak.py). What grew is counted from the end of the first quarter on.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.figures import write_figures

HERE = Path(__file__).resolve().parent.parent
SECONDS = 3600
GROWING = ("memory_mb", "answering_mb", "files", "generations")


def figures(found: dict[str, Any]) -> dict[str, float]:
    """How often what was done, what was wrong, and how much was held at the end, and more than early on."""
    told = found["told"]
    return {
        "soak_answers": told["200"],
        "soak_pictures": told["pictures 200"],
        "soak_documents": told["documents"],
        "soak_kills": told["killed"],
        "soak_told_busy": told.get("503", 0),
        "soak_wrong": len(found["wrong"]),
        **{f"soak_{name}": found["late"][name] for name in GROWING},
        **{f"soak_{name}_more": found["late"][name] - found["early"][name] for name in GROWING},
    }


def main(_: Path, __: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    command = [sys.executable, "-m", "tests.support.soak", str(SECONDS)]
    done = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, text=True, check=True)
    results = figures(json.loads(done.stdout))
    write_figures("soak", results, {}, {"seconds": SECONDS}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
