"""One physical page read: from its text layer, or by OCR where that is missing, worthless or asked for."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.ports import ReadOptions
from pincite.read import ocr
from pincite.read.glyphs import empty
from pincite.read.heartbeat import beat
from pincite.read.layout import PageLayout, lay_out
from pincite.read.quality import is_worthless
from pincite.read.source import PdfSource
from pincite.records import PageOrigin


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page's layout and where its text came from; `none`: there is something to read that could not be read."""

    layout: PageLayout
    origin: PageOrigin


def read_sheet(source: PdfSource, index: int, options: ReadOptions) -> Sheet:
    """Page `index` (from 0)."""
    frame = source.frame(index)
    rules = (lambda: source.rules(index, frame)) if options.tables else None
    layer = lay_out(source.glyphs(index, frame), rules, frame.width, frame.height)
    worthless = is_worthless(layer.text)
    if options.ocr != "always" and not worthless and (layer.text or not source.is_drawn_on(index)):
        return Sheet(layer, "text")
    if options.ocr != "never" and ocr.available():
        beat()
        seen = lay_out(ocr.read_image(*source.draw(index, ocr.DPI)), rules, frame.width, frame.height)
        if seen.text:
            return Sheet(seen, "ocr")
    if layer.text and not worthless:
        return Sheet(layer, "text")
    return Sheet(lay_out(empty(), None, frame.width, frame.height), "none")
