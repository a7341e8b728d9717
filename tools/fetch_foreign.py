"""Fetch the documents of the foreign questions: python tools/fetch_foreign.py FOLDER (needs apt-get and dpkg).

The table in evaluation/gold/answers/foreign.md names packages and paths; packages are fetched and unpacked, never
installed. The invented documents are written by make_foreign.py, which needs reportlab.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

GOLD = Path(__file__).resolve().parent.parent / "evaluation" / "gold" / "answers"
COLUMNS = 6


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Folder, file, package and path inside it of every document."""
    for line in (GOLD / "foreign.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != COLUMNS or cells[3].strip("-") == "" or cells[3] == "Package":
            continue
        folder, files, _, package, _, path = cells
        for file in files.split(", "):
            yield folder, file, package, path


def fetch(package: str, place: Path) -> Path:
    """The folder below `place` into which a package was unpacked."""
    unpacked = place / package
    if not unpacked.is_dir():
        downloads = place / f"{package}.deb"
        downloads.mkdir()
        subprocess.run(["apt-get", "download", "-qq", package], cwd=downloads, check=True)
        subprocess.run(["dpkg", "-x", str(next(downloads.glob("*.deb"))), str(unpacked)], check=True)
    return unpacked


def main(target: Path) -> None:
    """Write every folder of documents below `target`."""
    with tempfile.TemporaryDirectory() as scratch:
        for folder, file, package, path in rows():
            unpacked = fetch(package, Path(scratch))
            source = unpacked / path / file if path.endswith("/") else unpacked / path
            if not source.is_file():
                source = source.with_name(f"{source.name}.gz")
            document = target / folder / file
            document.parent.mkdir(parents=True, exist_ok=True)
            content = source.read_bytes()
            document.write_bytes(gzip.decompress(content) if source.suffix == ".gz" else content)
            print(document, flush=True)
    subprocess.run([sys.executable, str(GOLD / "make_foreign.py"), str(target / "made")], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
