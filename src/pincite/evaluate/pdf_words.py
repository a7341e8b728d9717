"""The text of one PDF page by pypdf and by pdfminer.six, the independent extractors of the quote check."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pincite.errors import ServiceError
from pincite.evaluate.texts import letters_and_digits
from pincite.installing import install_extra
from pincite.records.pages import Box


@dataclass(frozen=True, slots=True)
class Word:
    """The letters and digits of a word, and its box in points of the page as displayed, origin top left."""

    run: str
    box: Box


def require_extractors() -> None:
    """Raise ServiceError where pypdf or pdfminer.six is not installed; keep their remarks off the terminal."""
    missing = [name for name in ("pypdf", "pdfminer") if find_spec(name) is None]
    if missing:
        raise ServiceError(f"{' and '.join(missing)} must be installed to check quotes: run {install_extra('eval')}")
    for name in ("pypdf", "pdfminer"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def pypdf_text(path: Path, page: int) -> str:
    """The text of a physical page (from 1) as pypdf gives it; raises what pypdf raises."""
    return str(_reader(path).pages[page - 1].extract_text())


def page_words(path: Path, page: int) -> list[Word]:
    """The words of a physical page (from 1) in pdfminer's reading order; raises what pdfminer.six raises."""
    from pdfminer.layout import LAParams, LTTextLine

    layout, crop = _layout(path, page, LAParams(all_texts=True))
    return [word for line in _below(layout, LTTextLine) for word in _words_of(line, crop)]


@lru_cache(maxsize=4)
def _reader(path: Path) -> Any:
    from pypdf import PdfReader

    return PdfReader(path)


def _layout(path: Path, page: int, parameters: Any) -> tuple[Any, Box]:
    """The laid-out page in coordinates of its turned MediaBox, and the CropBox in the same (bottom-up) ones."""
    from pdfminer.converter import PDFPageAggregator
    from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
    from pdfminer.pdfpage import PDFPage

    manager = PDFResourceManager()
    device = PDFPageAggregator(manager, laparams=parameters)
    with path.open("rb") as stream:
        for found in PDFPage.get_pages(stream, pagenos={page - 1}):
            PDFPageInterpreter(manager, device).process_page(found)
            return device.get_result(), _turned(found.cropbox, found.mediabox, found.rotate)
    raise IndexError(f"{path} has no page {page}")


def _turned(crop: Any, media: Any, rotate: int) -> Box:
    left, bottom, right, top = media
    x0, y0, x1, y1 = crop
    if rotate == 90:
        return Box(y0 - bottom, right - x1, y1 - bottom, right - x0)
    if rotate == 180:
        return Box(right - x1, top - y1, right - x0, top - y0)
    if rotate == 270:
        return Box(top - y1, x0 - left, top - y0, x1 - left)
    return Box(x0 - left, y0 - bottom, x1 - left, y1 - bottom)


def _below(item: Any, kind: type) -> Iterator[Any]:
    if isinstance(item, kind):
        yield item
    elif hasattr(item, "__iter__"):
        for child in item:
            yield from _below(child, kind)


def _words_of(line: Any, crop: Box) -> Iterator[Word]:
    """The words of a line: runs of characters between spaces. `crop` counts upwards: `bottom` is its upper edge."""
    characters: list[Any] = []
    for item in [*line, None]:
        if item is not None and hasattr(item, "bbox") and not item.get_text().isspace():
            characters.append(item)
        elif characters:
            run = letters_and_digits("".join(character.get_text() for character in characters))
            if run:
                yield Word(run, _box_around(characters, crop))
            characters = []


def _box_around(characters: list[Any], crop: Box) -> Box:
    return Box(
        left=min(character.x0 for character in characters) - crop.left,
        top=crop.bottom - max(character.y1 for character in characters),
        right=max(character.x1 for character in characters) - crop.left,
        bottom=crop.bottom - min(character.y0 for character in characters),
    )
