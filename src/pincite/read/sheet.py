"""One physical page read: from its text layer, or by OCR where that is missing, worthless or asked for."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.ports import ReadOptions
from pincite.read import ocr
from pincite.read.glyphs import empty
from pincite.read.heartbeat import beat
from pincite.read.layout import PageLayout, lay_out
from pincite.read.quality import is_thin, is_worthless
from pincite.read.source import PdfSource
from pincite.records.pages import PageOrigin

MOSTLY_PICTURE = 0.7
MANY_MORE = 3
"""So many times the letters of a text layer OCR has to see before it takes the place of one that is sound."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page's layout and where its text came from; `none`: there is something to read that could not be read.

    `pictured`: beside the text that was read lies a picture that OCR was not allowed to read.
    """

    layout: PageLayout
    origin: PageOrigin
    pictured: bool = False


def read_sheet(source: PdfSource, index: int, options: ReadOptions) -> Sheet:
    """Page `index` (from 0)."""
    frame = source.frame(index)
    rules = (lambda: source.rules(index, frame)) if options.tables else None
    layer = lay_out(source.glyphs(index, frame), rules, frame.width, frame.height)
    sound = bool(layer.text) and not is_worthless(layer.text)
    pictured = sound and _is_beside_a_picture(source, index, layer)
    if options.ocr != "always" and not pictured and (sound or not (layer.text or source.is_drawn_on(index))):
        return Sheet(layer, "text")
    allowed = options.ocr != "never" and ocr.available()
    if allowed:
        beat()
        seen = lay_out(ocr.read_image(*source.draw(index, ocr.DPI)), rules, frame.width, frame.height)
        if seen.text and (not pictured or len(seen.text) > MANY_MORE * len(layer.text)):
            return Sheet(seen, "ocr")
    if sound:
        return Sheet(layer, "text", pictured and not allowed)
    return Sheet(lay_out(empty(), None, frame.width, frame.height), "none")


def _is_beside_a_picture(source: PdfSource, index: int, layer: PageLayout) -> bool:
    """Whether a few words stand on a page that is a picture for the rest: the stamp on a scan, the title of a map."""
    return is_thin(layer.text, layer.width, layer.height) and source.picture_share(index) > MOSTLY_PICTURE
