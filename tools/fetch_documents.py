"""Fetch documents of Debian's packages: python tools/fetch_documents.py PAGE.md FOLDER (needs apt-get and dpkg).

A table of PAGE.md names folders, files, packages and paths (evaluation/gold/answers/foreign.md,
evaluation/reading/README.md); packages are fetched and unpacked, never installed. Invented documents are written by a
make_NAME.py beside NAME.md (make_foreign.py needs reportlab).
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

COLUMNS = 6


def rows(page: Path) -> Iterator[tuple[str, str, str, str]]:
    """Folder, file, package and path inside it of every document that the table of a page names."""
    for line in page.read_text(encoding="utf-8").splitlines():
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


def main(page: Path, target: Path) -> None:
    """Write every folder of documents below `target`."""
    with tempfile.TemporaryDirectory() as scratch:
        for folder, file, package, path in rows(page):
            unpacked = fetch(package, Path(scratch))
            source = unpacked / path / file if path.endswith("/") else unpacked / path
            if not source.is_file():
                source = source.with_name(f"{source.name}.gz")
            document = target / folder / file
            document.parent.mkdir(parents=True, exist_ok=True)
            content = source.read_bytes()
            document.write_bytes(gzip.decompress(content) if source.suffix == ".gz" else content)
            print(document, flush=True)
    making = page.with_name(f"make_{page.stem}.py")
    if making.is_file():
        subprocess.run([sys.executable, str(making), str(target / "made")], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
