"""Pages as pictures, and where words stand on them, whatever kind of file has pages that can be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pincite.errors import ReadError
from pincite.read import image, pdf
from pincite.read.registry import kind_at
from pincite.read.render import page_png
from pincite.records import Box, Span


def boxes_of(path: Path, spans: Sequence[Span]) -> list[list[Box]]:
    """For each span its boxes, a line each; none in a file whose pages cannot be drawn."""
    match kind_at(path):
        case "pdf":
            return pdf.boxes(path, spans)
        case "image":
            return image.boxes(path, spans)
        case _:
            return [[] for _ in spans]


def picture_of(
    path: Path, number: int, marks: Sequence[Box], hidden: Sequence[Box] = (), passwords: tuple[str, ...] = ()
) -> bytes:
    """The PNG of physical page `number` (from 1), `marks` tinted and `hidden` black; raises ReadError where it
    cannot be drawn."""
    match kind_at(path):
        case "pdf":
            return page_png(path, number, marks, hidden, passwords=passwords)
        case "image":
            return image.image_png(path, number, marks, hidden)
        case _:
            raise ReadError("cannot be drawn: only pages of PDF files and scans can")
