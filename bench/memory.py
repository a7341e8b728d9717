"""Measure memory: python -m bench.memory DATA STORES OUT.json

Peak resident memory of `pincite index` and all the processes that it starts, in MB, on PDFs of 500, 1,000 and 2,000
pages and on a folder of 2,000 small documents, all written here. Memory that processes share is counted in each.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from bench.figures import write_figures
from pincite.settings import load_settings

COMMAND = Path(sys.executable).parent / "pincite"
PAGES = (500, 1_000, 2_000)
DOCUMENTS = 2_000
LINES = 42
SAMPLES_PER_SECOND = 10
WORDS = (
    "bridge road inspection winter water salt bearing inspector repair traffic load snow wind beam column wall "
    "foundation concrete steel timber joint crack survey drawing report schedule owner engineer authority measure "
    "value table limit design safety factor region climate ground slope drainage culvert parapet deck girder"
).split()
NAMES = ("Almere", "Brandal", "Corwen", "Drammen", "Ennis", "Falun", "Galway", "Hamar", "Imatra", "Jarrow")


def line(chance: random.Random) -> str:
    """A line of words of our own with a name and a figure."""
    words = " ".join(chance.choices(WORDS, k=11))
    return f"{words.capitalize()} at {chance.choice(NAMES)} {chance.randrange(1, 9000)}."


def write_pdf(path: Path, pages: int) -> None:
    """A PDF of so many pages, a numbered heading on each."""
    chance = random.Random(pages)
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    for page in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawString(60, 790, f"{1 + page // 20}.{1 + page % 20} Inspection of bridge {page}")
        canvas.setFont("Helvetica", 10)
        for number in range(LINES):
            canvas.drawString(60, 765 - 17 * number, line(chance))
        canvas.showPage()
    canvas.save()


def write_documents(folder: Path, count: int) -> None:
    """So many small texts."""
    folder.mkdir()
    for number in range(count):
        chance = random.Random(number)
        paragraphs = (" ".join(line(chance) for _ in range(6)) for _ in range(4))
        text = f"# Bridge {number}\n\n" + "\n\n".join(paragraphs) + "\n"
        (folder / f"{number:04}.md").write_text(text, encoding="utf-8")


def peak_megabytes(folder: Path) -> float:
    """The most that indexing this folder and all that it starts held together, looked at ten times a second."""
    process = subprocess.Popen([COMMAND, "index", "--quiet", folder], stdout=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(resident_bytes, with_descendants(process.pid))))
        time.sleep(1 / SAMPLES_PER_SECOND)
    if process.returncode:
        sys.exit(f"indexing {folder.name} ended with {process.returncode}")
    return peak / 1e6


def with_descendants(process_id: int) -> list[int]:
    """This process, those that it started, and so on."""
    children: dict[int, list[int]] = defaultdict(list)
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children[int(fields[1])].append(int(entry.parent.name))
    found = [process_id]
    for known in found:
        found += children[known]
    return found


def resident_bytes(process_id: int) -> int:
    """What a process holds in memory; 0 where it has ended."""
    try:
        return int(Path(f"/proc/{process_id}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def measure() -> dict[str, float]:
    """MB at the peak for each length and for the folder."""
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for pages in PAGES:
            folder = Path(scratch) / f"{pages}"
            folder.mkdir()
            write_pdf(folder / "long.pdf", pages)
            found[f"memory_{pages}_pages_mb"] = told(f"{pages} pages", peak_megabytes(folder))
        write_documents(Path(scratch) / "small", DOCUMENTS)
        found[f"memory_{DOCUMENTS}_documents_mb"] = told(
            f"{DOCUMENTS} documents", peak_megabytes(Path(scratch) / "small")
        )
    return found


def told(what: str, megabytes: float) -> float:
    """Say it as soon as it is known: the next one takes a while."""
    print(f"{what:20} {megabytes:.0f} MB", flush=True)
    return megabytes


def main(_: Path, __: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    results = measure()
    settings = {"samples_per_second": SAMPLES_PER_SECOND, "embedder": load_settings()[0].embedder}
    write_figures("memory", results, settings, {"documents": DOCUMENTS, "pages": sum(PAGES)}, out)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
