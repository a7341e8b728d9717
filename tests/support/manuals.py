"""Manuals that are split over files, made by the tests that read them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pincite.engine.engine import Engine
from pincite.records.outlines import ReferenceLink

ABOUT = "This is said at some length, as manuals do, so that there is more here than a heading in a list of contents."


def html(body: str, title: str = "Manual") -> str:
    """An HTML page."""
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


def chapter(body: str, *, before: str = "index.html", after: str = "index.html", title: str = "Manual") -> str:
    """A page of a manual, with the links to the pages around it."""
    menu = f'<p><a href="{before}">Previous</a> <a href="index.html">Home</a> <a href="{after}">Next</a></p>'
    return html(f"{menu}{body}<p>{ABOUT}</p>{menu}", title)


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write these texts below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def led_to(engine: Engine, source_id: str) -> dict[str, str]:
    """By the words of each reference of a document: the file and the beginning of the text that it leads to, else what
    became of it."""
    return {
        reference.text: _led_to(engine, link) for reference, link in engine.session().documents.references(source_id)
    }


def _led_to(engine: Engine, link: ReferenceLink) -> str:
    if link.status != "resolved":
        return link.status
    (target,) = link.targets
    text = "\f".join(page.text for page in engine.session().documents.pages(target.source_id))
    return f"{target.source_id}: {text[target.start : target.end].splitlines()[0][:40]}"
