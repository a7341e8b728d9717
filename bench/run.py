"""Measure on every set below a folder: python -m bench.run DATA FOREIGN FOLDER docs/measurements.md RESULTS [NAME ...]

Folders with a corpus are measured by `pincite eval retrieval`, folders below DATA/pdf by `pincite eval pages` (with
sampled section titles, and with their questions where they have some); references and sections against the gold of
the data and of `evaluation/gold`; then all sets with a corpus in one store. One JSON file each goes into FOLDER;
RESULTS keeps it with the commit, without what each question led to, and the page is written from RESULTS. Stores live
in FOLDER/stores and are made anew in each run; sets with the same corpus share one. A whole run takes many hours: with
names, only those are measured, in this order, and the results of the others stay. speed, serve and overhead ask the
store of obliqa_dev, serve and language those of the documents: name these sets first.
FOREIGN holds the documents of Debian's packages that `evaluation/gold/answers/foreign.md` names, as fetch_documents.py
fetches them; without that folder its questions are left out.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.benchmarks import write_benchmarks
from pincite.evaluate.files import existing, json_rows
from pincite.settings import limit_threads

ASKED_SECTIONS = 80
SHORT_ANSWER = 100
GOLD = Path(__file__).resolve().parent.parent / "evaluation" / "gold"
SCRIPTS = (
    "speed",
    "graph",
    "memory",
    "promises",
    "askers",
    "serve",
    "soak",
    "faults",
    "guards",
    "attacks",
    "cases",
    "pace",
    "strangers",
    "language",
    "overhead",
    "gemma",
)
"""What is measured by a script of its own beside this one: `python -m bench.NAME DATA STORES OUT.json`."""
PINCITE = "import sys; from pincite.cli.main import main; sys.exit(main())"


def commands(data: Path, foreign: Path) -> Iterator[tuple[str, list[str]]]:
    """The name and the arguments of each measurement."""
    for folder in sorted(path.parent for path in data.glob("*/corpus.jsonl*")):
        yield folder.name, ["retrieval", str(folder)]
    for folder in sorted(path for path in data.glob("pdf/*") if path.is_dir()):
        sections = ["--ask-sections", str(ASKED_SECTIONS), "--seed", "1"]
        yield f"{folder.name}-sections", ["pages", str(folder), *sections]
        if (folder / "questions.jsonl").is_file():
            yield folder.name, ["pages", str(folder)]
    for questions in sorted((data / "pdf").glob("questions_*.jsonl")):
        yield questions.stem, ["pages", str(data / "pdf"), "--questions", str(questions)]
    if foreign.is_dir():
        yield "foreign", ["pages", str(foreign), "--questions", str(GOLD / "answers" / "foreign.jsonl")]
    if (data / "examples.jsonl").is_file():
        yield "examples", ["pages", str(data / "pdf"), "--questions", str(data / "examples.jsonl")]


def structure_commands(data: Path) -> Iterator[tuple[str, list[str]]]:
    """The same for references and sections: the corpus with gold of its own, and the documents with gold of ours."""
    regulatory = data / "regulatory" / "references_gold.jsonl.gz"
    if regulatory.is_file():
        yield "references-regulatory", ["references", str(data / "obliqa_dev"), "--gold", str(regulatory)]
    for folder in sorted(path for path in data.glob("pdf/*") if path.is_dir()):
        references = GOLD / "references" / f"{folder.name}.jsonl"
        if references.is_file():
            yield f"references-{folder.name}", ["references", str(folder), "--gold", str(references)]
            yield f"sections-{folder.name}", ["sections", str(folder), "--gold", str(GOLD / "sections")]


def answer_commands(data: Path) -> Iterator[tuple[str, list[str]]]:
    """The same for answers: sets whose questions have short ones, and our own questions on the documents."""
    for folder in sorted(path.parent for path in data.glob("*/queries.jsonl*")):
        first = next(json_rows(existing(folder / "queries.jsonl")), {})
        if 0 < len(first.get("metadata", {}).get("answer") or "") <= SHORT_ANSWER:
            yield f"answers-{folder.name}", ["answers", str(folder)]
    if (data / "pdf" / "eurocode").is_dir():
        for name, file in (("own-questions", "questions.jsonl"), ("transfer-questions", "transfer.jsonl")):
            yield name, ["pages", str(data / "pdf"), "--questions", str(GOLD / "answers" / file)]


def triplet_commands(data: Path) -> Iterator[tuple[str, list[str]]]:
    """The same for triplets (CaRB) and names (CoNLL04)."""
    for folder in sorted([*data.glob("carb_*"), *data.glob("conll04_*")]):
        yield folder.name, ["triplets", str(folder)]


def keep_result(measured: Path, kept: Path, commit: str) -> None:
    """What one measurement gave, with the commit, and without what each question led to."""
    report = json.loads(measured.read_text(encoding="utf-8"))
    report.pop("per_query", None)
    text = json.dumps({"commit": commit, **report}, ensure_ascii=False, indent=1, sort_keys=True)
    (kept / measured.name).write_text(f"{text}\n", encoding="utf-8")


def commit_of(folder: Path) -> str:
    """The short name of the commit that is checked out there; empty where git does not know one."""
    command = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def all_commands(data: Path, foreign: Path, folder: Path) -> dict[str, list[str]]:
    """By name of each measurement the arguments of Python that make it; none where the data holds no sets."""
    stores, together = folder / "stores", folder / "all_sets"
    evaluations = dict(
        [*commands(data, foreign), *structure_commands(data), *triplet_commands(data), *answer_commands(data)]
    )
    if not evaluations:
        return {}
    if any(data.glob("*/corpus.jsonl*")):
        evaluations[together.name] = ["retrieval", str(together)]
    found = {}
    for name, arguments in evaluations.items():
        keeping = ["--store", str(stores)] if arguments[0] in ("retrieval", "pages", "answers") else []
        found[name] = ["-c", PINCITE, "eval", *arguments, *keeping, "--out", str(folder / f"{name}.json")]
    for name in SCRIPTS:
        found[name] = ["-m", f"bench.{name}", str(data), str(stores), str(folder / f"{name}.json")]
    return found


def main(data: Path, foreign: Path, folder: Path, page: Path, kept: Path, *, names: Sequence[str] = ()) -> int:
    """Measure these, or all; with the threads of the command line. Each result is kept at once, and the page is written
    even where a measurement fails."""
    limit_threads()
    known = all_commands(data, foreign, folder)
    if not known:
        sys.exit(f"{data} holds no sets: make bench DATA=FOLDER")
    if unknown := set(names) - known.keys():
        sys.exit(f"no such measurement: {', '.join(sorted(unknown))}; choose from {', '.join(known)}")
    kept.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "stores" if names else folder, ignore_errors=True)
    for old in () if names else kept.glob("*.json"):
        old.unlink()
    commit = commit_of(Path(__file__).parent)
    failed = []
    for name in names or known:
        print(f"== {name}", flush=True)
        if name == "all_sets":
            merging = [sys.executable, "-m", "bench.merge_sets", str(data), str(folder / name)]
            subprocess.run(merging, check=False)
        if subprocess.run([sys.executable, *known[name]], check=False).returncode:
            failed.append(name)
        else:
            keep_result(folder / f"{name}.json", kept, commit)
    write_benchmarks(kept, page)
    if failed:
        print(f"not measured: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:6]), names=sys.argv[6:]))
