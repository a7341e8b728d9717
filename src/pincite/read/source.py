"""One open PDF, two engines: pdfium opens, measures and names its pages, pdf_oxide gives their characters."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from pincite.read.glyphs import Floats, Glyphs, PageFrame
from pincite.read.oxide import OxideEngine
from pincite.read.pdfium import PdfiumEngine
from pincite.records import OutlineEntry

ENGINE_ERRORS = (RuntimeError, ValueError, OSError, IndexError, TypeError, KeyError)
"""What pdf_oxide raises for pages and files that it cannot read."""


class PdfSource:
    """A context manager; `warnings` grows while pages are read."""

    def __init__(self, path: Path, passwords: tuple[str, ...] = ()) -> None:
        self.warnings: list[str] = []
        self._pdfium = PdfiumEngine(path, passwords)
        self._oxide = _oxide(path, self._pdfium.password, self._pdfium.page_count())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pdfium.close()

    def page_count(self) -> int:
        """Number of physical pages."""
        return self._pdfium.page_count()

    def frame(self, index: int) -> PageFrame:
        """Crop box and rotation of page `index` (from 0)."""
        width, height = self._pdfium.size(index)
        try:
            quick = self._oxide.frame(index) if self._oxide else None
        except ENGINE_ERRORS:
            quick = None
        if quick and abs(quick.width - width) < 0.5 and abs(quick.height - height) < 0.5:
            return quick
        return self._pdfium.frame(index)

    def glyphs(self, index: int, frame: PageFrame) -> Glyphs:
        """The characters of page `index`, from the engine that reads it."""
        found = self._try_oxide(index, frame)
        if found is not None and len(found) and not _needs_pdfium(found):
            return found
        return self._pdfium.glyphs(index, frame)

    def rules(self, index: int, frame: PageFrame) -> Floats | None:
        """Boxes of drawn lines of page `index`, None where they cannot be had."""
        if self._oxide is None:
            return None
        try:
            return self._oxide.rules(index, frame)
        except ENGINE_ERRORS:
            return None

    def labels(self) -> list[str | None]:
        """The page labels that the file states."""
        return self._pdfium.labels()

    def outline(self) -> tuple[OutlineEntry, ...]:
        """The bookmarks in order."""
        return self._pdfium.outline()

    def metadata(self) -> dict[str, str]:
        """What the file says of itself."""
        return self._pdfium.metadata()

    def _try_oxide(self, index: int, frame: PageFrame) -> Glyphs | None:
        if self._oxide is None:
            return None
        try:
            return self._oxide.glyphs(index, frame)
        except ENGINE_ERRORS:
            return None


def _oxide(path: Path, password: str, page_count: int) -> OxideEngine | None:
    """None where pdf_oxide cannot open the file or counts its pages differently: then page numbers would differ."""
    try:
        engine = OxideEngine(path, password)
        return engine if engine.page_count() == page_count else None
    except ENGINE_ERRORS:
        return None


def _needs_pdfium(glyphs: Glyphs) -> bool:
    """Right-to-left and upright scripts: pdfium maps their glyphs back to plain letters, in spoken order."""
    odd = sum(1 for char in glyphs.text if "\u0590" <= char <= "\u08ff" or "\ufb1d" <= char <= "\ufeff")
    return odd > 0.1 * len(glyphs)
