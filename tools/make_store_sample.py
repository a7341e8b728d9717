"""Pack a tiny store of today's format: python tools/make_store_sample.py tests/samples/schema_7.tar.xz.

Run it with the code whose format is to be kept (for an older one: PYTHONPATH=OLD/src). The pack holds the documents,
in words of our own, and their store: two runs of `pincite index` and a question with its receipt.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from reportlab.pdfgen.canvas import Canvas

COMMAND = (sys.executable, "-c", "import sys; from pincite.cli.main import main; sys.exit(main())")
QUESTION = "Who rakes the gravel?"
CODE = """# EN 1990 Basis

## 1 Scope

The code is on locks and bridges.

## 2 Loads

The keeper weighs the lorries. Table 1 gives their weight.

Table 1 - Lorries

| Kind  | Weight |
|-------|--------|
| small | 12 t   |
| large | 40 t   |
"""
GUIDE = """# Guide for keepers

Alder Works was founded by Ada Alder. The keeper of the lock rakes the leaves.

Lorries are weighed as EN 1990, section 2 says.
"""
LATER_GUIDE = GUIDE.replace("leaves", "gravel")
ROTA = (("A rota of the lock.",), ("The bailiff counts the sluices.", "Ada Alder owns the gravel."))
WRITTEN = 1_700_000_000
"""The time stamp of all documents, so that a later run finds them unchanged at a look."""


def main(target: Path) -> None:
    """Make the documents and the store in a folder of its own, and pack it."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "documents"
        folder.mkdir()
        write_rota(folder / "rota.pdf")
        write(folder / "en.1990.md", CODE)
        write(folder / "guide.md", GUIDE)
        pincite(folder, "index", str(folder))
        write(folder / "guide.md", LATER_GUIDE)
        pincite(folder, "index", str(folder))
        pincite(folder, "ask", QUESTION)
        with tarfile.open(target, "w:xz") as pack:
            pack.add(folder, "documents", filter=anonymous)


def write(path: Path, text: str) -> None:
    """A text file of the fixed time."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, (WRITTEN, WRITTEN))


def write_rota(path: Path) -> None:
    """A PDF of two pages."""
    canvas = Canvas(str(path), pagesize=(300, 200), invariant=1)
    for lines in ROTA:
        for number, line in enumerate(lines):
            canvas.drawString(30, 150 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    os.utime(path, (WRITTEN, WRITTEN))


def pincite(folder: Path, *arguments: str) -> None:
    """Run a command by keywords alone, as a user without settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}  # noqa: TID251
    subprocess.run([*COMMAND, *arguments, "--embedder", "none"], cwd=folder, env=environment, check=True)


def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """An entry without the names of who made it."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main(Path(sys.argv[1]))
