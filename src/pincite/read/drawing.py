"""Pages as pictures, and where words stand on them, whatever kind of file has pages that can be drawn.

Run as `python -m pincite.read.drawing` by a Drawer. A request is the name of one of the two methods, the path, and
what else it takes.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import image, pdf
from pincite.read.registry import kind_at
from pincite.read.render import marked_png
from pincite.read.source import PdfSource
from pincite.read.transport import pack_boxes
from pincite.read.worker import serve
from pincite.records.pages import Box, Span

DPI = 110.0
"""Letters can be read on a screen, and a page of A4 is as wide as half of one."""
MOST_ASKED = 16
"""Of one opening of a file: what was read of each page stays in memory until it is closed, some 5 MB."""


class Drawing:
    """Draws pages, and leaves the last PDF file open: mostly the same page or the next of it is asked for then."""

    def __init__(self) -> None:
        self._key: tuple[Hashable, ...] = ()
        self._source: PdfSource | None = None
        self._asked = 0

    def boxes(self, path: Path, spans: Sequence[Span], passwords: tuple[str, ...] = ()) -> list[list[Box]]:
        """The boxes of each span, one a line; none in a file whose pages cannot be drawn."""
        match kind_at(path):
            case "pdf":
                with self._opened(path, passwords) as source:
                    return pdf.boxes_in(source, spans, ReadOptions(passwords=passwords))
            case "image":
                return image.boxes(path, spans)
            case _:
                return [[] for _ in spans]

    def picture(
        self, path: Path, number: int, marks: Sequence[Box], hidden: Sequence[Box] = (), passwords: tuple[str, ...] = ()
    ) -> bytes:
        """The PNG of physical page `number` (from 1), `marks` tinted and `hidden` black; raises ReadError where it
        cannot be drawn."""
        match kind_at(path):
            case "pdf":
                with self._opened(path, passwords) as source:
                    pixels, scale = source.draw(number - 1, DPI)
                return marked_png(pixels, marks, scale, hidden)
            case "image":
                return image.image_png(path, number, marks, hidden)
            case _:
                raise ReadError("cannot be drawn: only pages of PDF files and scans can")

    def close(self) -> None:
        """Let go of the file that is open."""
        if self._source is not None:
            self._source.close()
        self._source = None

    @contextmanager
    def _opened(self, path: Path, passwords: tuple[str, ...]) -> Iterator[PdfSource]:
        """A file as if it had just been opened; one that was changed since is opened anew."""
        state = path.stat()
        key = (path, passwords, state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        if self._source is None or key != self._key or self._asked >= MOST_ASKED:
            self.close()
            self._source, self._key, self._asked = PdfSource(path, passwords), key, 0
        self._asked += 1
        self._source.begin()
        with ExitStack() as unless_drawn:
            unless_drawn.callback(self.close)
            yield self._source
            unless_drawn.pop_all()


def main() -> None:
    """Draw until standard input ends."""
    drawing = Drawing()

    def draw(what: str, path: bytes, *how: Any) -> bytes:
        file = Path(os.fsdecode(path))
        return pack_boxes(drawing.boxes(file, *how)) if what == "boxes" else drawing.picture(file, *how)

    serve(draw)


if __name__ == "__main__":
    main()
