"""Measure attacks that once went through: python -m bench.attacks DATA STORES OUT.json

DATA/../attack holds a script for each, which prints what it got. OUTCOMES says how often what is printed has to match
each of some regular expressions. STORES is not used.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from bench.figures import write_figures

COMMAND = Path(sys.executable).parent / "pincite"
SECONDS = 300


class Outcome(NamedTuple):
    """What a script prints where its attack fails: how often each expression matches."""

    script: str
    matches: dict[str, int]


OUTCOMES = (
    Outcome("01_names_of_closed_files", {r": 12 results$": 8, r": \d+ results$": 8}),
    Outcome("02_titles_of_closed_documents", {r"^beside it: roofs \(1\)$": 2, r"^beside it: ": 2}),
    Outcome("03_redacted_edition_opens_the_past", {r"zebra|walrus": 0, r"^No information found": 3}),
    Outcome("05_reindex_without_manifest_opens", {r"zebra": 0, r"^No information found": 2, r"stays closed": 1}),
    Outcome("06_manifest_acl_null", {r"-> rc 2$": 11, r"-> rc ": 11, r"^pincite: entry 1 of the manifest": 11}),
    Outcome("06c_acl_as_word", {r"^rc 2$": 1, r"nine coins": 0}),
    Outcome("09_three_indexers_of_a_new_store", {r"already exists|pincite verify|Traceback": 0}),
    Outcome("11_languages_of_closed_documents", {r'"en"': 1, r'"ja"': 0}),
    Outcome("12_folder_entry", {r"^rc 2$": 1, r"nine coins": 0}),
)


def attack_fails(printed: str, outcome: Outcome) -> bool:
    """Whether everything is printed as often as it has to be."""
    flags = re.MULTILINE | re.IGNORECASE
    return all(len(re.findall(expression, printed, flags)) == count for expression, count in outcome.matches.items())


def main(data: Path, _: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    failed = {}
    for outcome in OUTCOMES:
        script = data.parent / "attack" / f"{outcome.script}.sh"
        command = ["env", f"PINCITE={COMMAND}", "sh", script]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        failed[outcome.script] = not done.returncode and attack_fails(done.stdout + done.stderr, outcome)
    for name, has_failed in failed.items():
        print(f"{name:40} {'fails' if has_failed else 'SUCCEEDS'}")
    write_figures("attacks", {"attacks": len(failed), "attacks_held": sum(failed.values())}, {}, {}, out)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
