"""Measure on folders that nobody tuned on: python -m bench.strangers DATA STORES OUT.json

Manuals out of Debian's packages and office files out of the sources of PyPI's (fetched and unpacked, never installed)
are indexed as a stranger would: how much is taken in, what is refused (each reason is printed, to be read), how many
references that do not leave a folder are resolved, and how long three thousand characters take beside those of the
documents of DATA/pdf/uk_approved, which are indexed in the same run. Pictures are indexed behind the rest and not
timed: OCR takes a second for the few words of each.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fetch_documents import fetch
from pincite.evaluate.report import Evaluation, describe_machine, write_json
from pincite.records.sources import SourceReport
from pincite.settings import Settings, limit_threads
from pincite.wiring import open_engine

PAGE = 3_000
"""Characters: as many stand on a printed page."""
PACKAGES = {
    "manuals as PDF": ("bash-doc", "gnuplot-doc", "r-doc-pdf", "glpk-doc", "libtheora-doc"),
    "manuals as HTML": ("exim4-doc-html", "postgresql-doc-15", "sqlite3-doc"),
    **{name: (name,) for name in ("aspell-doc", "bind9-doc", "git-doc", "ntpsec-doc", "shorewall-doc")},
}
SOURCES = ("python-docx", "python-pptx", "odfpy")
KNOWN = "uk_approved"
PICTURES = ("*.png", "*.jpg", "*.jpeg", "*.gif", "*.tif", "*.tiff", "*.bmp", "*.webp")
TAKEN_IN = ("indexed", "warned")


def fetch_sources(name: str, place: Path) -> None:
    """Unpack the sources of one of PyPI's packages below a folder."""
    with tempfile.TemporaryDirectory() as scratch:
        wanted = ["--no-deps", "--no-binary", ":all:", "--quiet", "--dest", scratch, name]
        subprocess.run([sys.executable, "-m", "pip", "download", *wanted], check=True)
        with tarfile.open(next(Path(scratch).glob("*.tar.gz"))) as archive:
            archive.extractall(place / name, filter="data")


def fetched(place: Path) -> dict[str, Path]:
    """The folders, made where they are not there yet."""
    found = {}
    for name, packages in PACKAGES.items():
        found[name] = place / name
        for package in packages:
            if not (place / name / package).is_dir():
                (place / name).mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryDirectory() as scratch:
                    shutil.copytree(fetch(package, Path(scratch)) / "usr", place / name / package, symlinks=True)
    found["office files"] = place / "office files"
    for name in SOURCES:
        if not (found["office files"] / name).is_dir():
            fetch_sources(name, found["office files"])
    return found


def measure(folder: Path, store: Path) -> dict[str, float]:
    """Index one folder into a new store."""
    shutil.rmtree(store, ignore_errors=True)
    with open_engine(Settings(), store, create=True) as engine:
        start = time.perf_counter()
        texts = engine.index([folder], exclude=PICTURES).documents
        seconds = time.perf_counter() - start
        characters = sum(len(page.text) for item in texts for page in engine.session().documents.pages(item.source))
        pictures = [item for item in engine.index([folder]).documents if item.source not in {i.source for i in texts}]
        outcomes = [*texts, *pictures]
        indexed = [item.source for item in outcomes if item.status in TAKEN_IN]
        links = Counter(
            link.status for source_id in indexed for _, link in engine.session().documents.references(source_id)
        )
    tell(outcomes)
    within = links.total() - links["external"]
    return {
        "documents": len(indexed),
        "not_indexed": len(outcomes) - len(indexed),
        "printed_pages": characters / PAGE,
        "references_within": within,
        "resolved_within": links["resolved"] / within if within else 1.0,
        "ms_a_page": 1000 * seconds * PAGE / max(characters, 1),
    }


def tell(outcomes: Sequence[SourceReport]) -> None:
    """Print why what was not indexed was not, and what was said of the rest, each reason once."""
    reasons = Counter((item.status, item.reason) for item in outcomes if item.status not in TAKEN_IN)
    warnings = Counter(warning for item in outcomes for warning in item.warnings)
    for (status, reason), count in reasons.most_common():
        print(f"    {count:5} {status}: {reason}", flush=True)
    for warning, count in warnings.most_common(12):
        print(f"    {count:5} warned: {warning}", flush=True)


def main(data: Path, stores: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    limit_threads()
    folders = {KNOWN: data / "pdf" / KNOWN} | fetched(stores / "strangers")
    results = {}
    for name, folder in folders.items():
        print(f"== {name}", flush=True)
        results[name] = measure(folder, stores / "strangers.store")
        results[name]["times_the_known"] = results[name]["ms_a_page"] / results[KNOWN]["ms_a_page"]
        print("   ", ", ".join(f"{metric} {value:.4g}" for metric, value in results[name].items()), flush=True)
    settings, counts = {"characters of a page": PAGE}, {"folders": len(folders)}
    write_json(
        Evaluation("bench strangers", "strangers", settings, counts, results, {}, (), {}, describe_machine()), out
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
