"""Measure promises that take too long for `make test`: python -m bench.promises DATA STORES OUT.json

A thousand random histories of updates, each equal to a store from scratch (the property of
tests/unit/test_histories.py); a hundred thousand paragraphs of this system's manuals, worn, through all rooms that a
document goes through (tests/support/fuzzed.py); the files of DATA/bad_files, which have to end as its manifest.csv
says.
"""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

from bench.figures import write_figures
from pincite.build.sources import Roots
from pincite.engine.engine import Engine
from pincite.records.sources import SourceState
from pincite.settings import Settings
from pincite.wiring import open_engine

HERE = Path(__file__).resolve().parent.parent
HISTORIES = "tests/unit/test_histories.py::test_any_history_ends_where_a_fresh_start_ends"
ENDED = {"indexed": ("indexed", "warned"), "refused": ("refused",)}
PARAGRAPHS = 100_000
Row = Mapping[str, str]


def histories() -> dict[str, float]:
    """How many random histories ended where a store from scratch ends; 0 where one did not."""
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile", "thousand", "--hypothesis-show-statistics"]
    command = [sys.executable, "-m", "pytest", *options, HISTORIES]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
    passing = [int(count) for count in re.findall(r"(\d+) passing\b", done.stdout)]
    return {"histories_equal": float(max(passing, default=0) if not done.returncode else 0)}


def fuzzed() -> dict[str, float]:
    """How many paragraphs went through the rooms, and how many of them in a document that broke one."""
    command = [sys.executable, "-m", "tests.support.fuzzed", str(PARAGRAPHS)]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    print(done.stderr, file=sys.stderr)
    counted, broken = map(float, re.findall(r"\d+", done.stdout))
    return {"fuzzed_paragraphs": counted, "fuzzed_broken": broken}


def odd_files(data: Path) -> dict[str, float]:
    """The share of the odd files that end as their manifest says; those that do not are named on standard error."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "bad_files"
        shutil.copytree(data, folder)
        rows = list(csv.DictReader((folder / "manifest.csv").read_text(encoding="utf-8").splitlines(keepends=True)))
        with tarfile.open(folder / "names.tar.gz") as archive:
            archive.extractall(folder / "names", filter="data")
        for name in ("manifest.csv", "README.md", "names.tar.gz"):
            (folder / name).unlink()
        settings = Settings(embedder="none", seconds_per_file=60, ocr="never")
        with open_engine(settings, Path(scratch) / "store", create=True) as engine:
            engine.index([folder])
            roots = Roots().including(folder)
            states = {state.source.source_id: state for state in engine.session().documents.sources()}
            wrong = [
                row["file"] for row in rows if not _as_expected(row, engine, states, _source_id(row, folder, roots))
            ]
    for name in wrong:
        print(f"not as expected: {name!r}", file=sys.stderr)
    return {"odd_files": float(len(rows)), "odd_files_as_expected": 1.0 - len(wrong) / len(rows)}


def _source_id(row: Row, folder: Path, roots: Roots) -> str:
    """The id of the file of a row; names in the archive have bytes outside UTF-8 written as \\xff."""
    archive, packed, name = row["file"].partition("!")
    if not packed:
        return roots.source_id(folder / archive)
    raw = re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes.fromhex(found[1].decode()), name.encode())
    return roots.source_id(folder / "names" / raw.decode("utf-8", "surrogateescape"))


def _as_expected(row: Row, engine: Engine, states: Mapping[str, SourceState], source_id: str) -> bool:
    state = states.get(source_id)
    inside = [name for name in states if name.startswith(f"{source_id}!/")]
    folded = _folded(page.text for name in (source_id, *inside) for page in engine.session().documents.pages(name))
    if any(word and _folded([word]) in folded for word in row["must_not_appear"].split("|")):
        return False
    if row["expected"] == "either":
        return True
    if state is None or state.status not in ENDED[row["expected"]]:
        return False
    return row["expected"] != "indexed" or _folded([row["probe_text"]]) in folded


def _folded(texts: Iterable[str]) -> str:
    """Letters alone, ligatures taken apart: the probes run over the ends of lines and pages."""
    return "".join("".join(unicodedata.normalize("NFKC", text).split()) for text in texts)


def main(data: Path, _: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    results = histories() | fuzzed()
    if (data / "bad_files").is_dir():
        results |= odd_files(data / "bad_files")
    write_figures("promises", results, {}, {"histories": int(results["histories_equal"])}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
