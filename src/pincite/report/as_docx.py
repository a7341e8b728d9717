"""A report as a Word document, the same bytes every time."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path

from pincite.report.pieces import Piece, pieces_of
from pincite.report.replies import Report

_STYLES = {"title": "Title", "heading": "Heading 1", "quote": "Quote"}
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip container can state: it stands for none."""


def write_docx(report: Report, path: Path) -> None:
    """Write it to `path`."""
    from docx import Document

    document = Document()
    properties = document.core_properties
    properties.title, properties.author, properties.comments = report.title, "pincite", ""
    properties.created = properties.modified = datetime(*_EARLIEST)
    for piece in pieces_of(report):
        document.add_paragraph(_text(piece), style=_STYLES.get(piece.kind, "Normal"))
    packed = io.BytesIO()
    document.save(packed)
    path.write_bytes(_without_times(packed))


def _text(piece: Piece) -> str:
    match piece.kind:
        case "quote":
            return f"“{piece.text}” {piece.place}"
        case "missing":
            return f"Not found: {piece.text}"
        case "note":
            return f"Note: {piece.text}"
        case _:
            return piece.text


def _without_times(packed: io.BytesIO) -> bytes:
    """The same zip container without the times at which its members were written."""
    made = io.BytesIO()
    with zipfile.ZipFile(packed) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name, _EARLIEST), source.read(name), zipfile.ZIP_DEFLATED)
    return made.getvalue()
