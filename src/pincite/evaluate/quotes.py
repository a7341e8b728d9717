"""Does a quote stand on its page? Checked with pypdf and pdfminer.six, which pincite itself does not read with. A quote
is valid where its letters and digits are one run in the text that either gives of the cited page, or where pdfminer's
words in its boxes are its words (98 %, or all letters: text layers made by OCR have spaces inside words). A page on
which both find hardly any text was read by OCR: there the quote is compared with the given truth (0.9)."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeVar

from rapidfuzz.fuzz import partial_ratio

from pincite.errors import ServiceError
from pincite.evaluate.files import json_rows
from pincite.evaluate.measures import letters_and_digits, words
from pincite.installing import install_extra
from pincite.records.citations import Citation
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


Extracted = TypeVar("Extracted")
Verdict = Literal["valid", "invalid", "valid_ocr", "invalid_ocr", "unchecked"]
WORDS_SHARE = 0.98
OCR_SIMILARITY = 90.0
SCAN_LETTERS = 40


@dataclass(slots=True)
class QuoteChecker:
    """Checks citations of the PDFs below a folder; texts of pages are kept, since many quotes share a page.

    `boxes` gives the boxes of a citation (points, origin top left); it is asked only where the run is not found.
    """

    folder: Path
    boxes: Callable[[Citation], Sequence[Box]]
    _runs: dict[tuple[str, int], str] = field(default_factory=dict)
    _words: dict[tuple[str, int], list[Word]] = field(default_factory=dict)
    _truths: dict[str, Mapping[int, str]] = field(default_factory=dict)

    def check(self, citation: Citation) -> Verdict:
        """What can be said of this citation's quote; `unchecked` where there is no PDF page or no truth."""
        path = self.folder / citation.source_id
        run = letters_and_digits(citation.quote)
        if citation.page is None or path.suffix.lower() != ".pdf" or not path.is_file() or not run:
            return "unchecked"
        place = (citation.source_id, citation.page)
        if run in self._pypdf_run(path, place) or run in "".join(word.run for word in self._page_words(path, place)):
            return "valid"
        if self._has_hardly_any_text(path, place):
            return self._against_truth(path, place, run)
        return "valid" if self._words_in_boxes_fit(path, place, citation) else "invalid"

    def _pypdf_run(self, path: Path, place: tuple[str, int]) -> str:
        if place not in self._runs:
            self._runs[place] = letters_and_digits(_attempt(lambda: pypdf_text(path, place[1]), ""))
        return self._runs[place]

    def _page_words(self, path: Path, place: tuple[str, int]) -> list[Word]:
        if place not in self._words:
            self._words[place] = _attempt(lambda: page_words(path, place[1]), [])
        return self._words[place]

    def _has_hardly_any_text(self, path: Path, place: tuple[str, int]) -> bool:
        found = sum(len(word.run) for word in self._page_words(path, place))
        return max(found, len(self._pypdf_run(path, place))) < SCAN_LETTERS

    def _words_in_boxes_fit(self, path: Path, place: tuple[str, int], citation: Citation) -> bool:
        boxes = self.boxes(citation)
        inside = [word.run for word in self._page_words(path, place) if any(_holds(box, word) for box in boxes)]
        if "".join(inside) == letters_and_digits(citation.quote):
            return True
        found, quoted = Counter(inside), Counter(words(citation.quote))
        return (found & quoted).total() >= WORDS_SHARE * max(found.total(), quoted.total())

    def _against_truth(self, path: Path, place: tuple[str, int], run: str) -> Verdict:
        if place[0] not in self._truths:
            self._truths[place[0]] = _truth_beside(path)
        truth = self._truths[place[0]].get(place[1])
        if truth is None:
            return "unchecked"
        return "valid_ocr" if partial_ratio(run, letters_and_digits(truth)) >= OCR_SIMILARITY else "invalid_ocr"


def _attempt(extract: Callable[[], Extracted], otherwise: Extracted) -> Extracted:
    """What the extractor gives, or `otherwise`: one that fails on a page has not found the quote there."""
    try:
        return extract()
    except Exception:  # noqa: BLE001
        return otherwise


def _holds(box: Box, word: Word) -> bool:
    """Whether the middle of the word lies in the box."""
    across, down = (word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2
    return box.left <= across <= box.right and box.top <= down <= box.bottom


def _truth_beside(path: Path) -> Mapping[int, str]:
    """The true text by page from `STEM.truth.jsonl[.gz]` beside the PDF; empty where there is none."""
    for suffix in (".truth.jsonl", ".truth.jsonl.gz"):
        truth = path.with_name(path.stem + suffix)
        if truth.is_file():
            return {int(row["page"]): str(row["text"]) for row in json_rows(truth)}
    return {}
