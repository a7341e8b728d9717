"""Does a quote stand on its page? Checked with extractors that pincite itself does not read with.

A quote is valid where its letters and digits stand as one run in the text that pypdf or pdfminer.six gives of the
cited physical page, or where the words that pdfminer.six finds in the quote's boxes are the quote's words (98 %, or
all of their letters, since a text layer made by OCR has spaces inside words).
A page on which both find hardly any text was read by OCR: there the quote is compared with the given truth (0.9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from rapidfuzz.fuzz import partial_ratio

from pincite.evaluate.files import json_rows
from pincite.evaluate.pdf_words import Word, page_words, pypdf_text
from pincite.evaluate.texts import letters_and_digits, words
from pincite.records.citations import Citation
from pincite.records.pages import Box

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
