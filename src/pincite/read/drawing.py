"""Pages as pictures, and where words stand on them, whatever kind of file has pages that can be drawn.

Run as `python -m pincite.read.drawing` by a Drawer. A request is the name of one of the two functions, the path, and
what else it takes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import image, pdf
from pincite.read.registry import kind_at
from pincite.read.render import page_png
from pincite.read.transport import pack_boxes
from pincite.read.worker import serve
from pincite.records import Box, Span


def boxes_of(path: Path, spans: Sequence[Span], passwords: tuple[str, ...] = ()) -> list[list[Box]]:
    """For each span its boxes, a line each; none in a file whose pages cannot be drawn."""
    match kind_at(path):
        case "pdf":
            return pdf.boxes(path, spans, ReadOptions(passwords=passwords))
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


def main() -> None:
    """Draw until standard input ends."""

    def draw(what: str, path: bytes, *how: Any) -> bytes:
        file = Path(os.fsdecode(path))
        return pack_boxes(boxes_of(file, *how)) if what == "boxes" else picture_of(file, *how)

    serve(draw)


if __name__ == "__main__":
    main()
