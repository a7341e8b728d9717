"""One physical page read: from its text layer, or by OCR where that is missing, worthless or asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.ports import ReadOptions
from pincite.read import render
from pincite.read.glyphs import UNMAPPED, empty
from pincite.read.layout import PageLayout, lay_out
from pincite.read.limits import beat
from pincite.read.source import PdfSource
from pincite.records.pages import PageOrigin
from pincite.text.language import FUNCTION_WORDS

WORD = re.compile(r"(?<!\S)[(\"“‘']*([^\W\d_]+)[.,;:!?)\"”’']*(?!\S)")
TORN = re.compile(r"(?<!\S)[^\W\d_](?:[ \t][^\W\d_][.,;:]?){2,}(?!\S)")
UNKNOWN = re.compile(f"[{UNMAPPED}\ue000-\uf8ff]")
VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœ")
LAST_LATIN = "\u0250"
MIN_VISIBLE = 8
MIN_WORDS = 25
MIN_KINDS = 8
"""Different letters: torn words have more of them than the columns of a table."""
USUAL_VOWELS = (0.15, 0.65)
"""Shares of vowels between which all languages in Latin letters stay, and their technical terms."""
LETTERS_OF_A_PAGE = 80
"""Of 600 by 800 points: what has fewer and lies on a picture is its heading, stamp or caption."""
USUAL_AREA = 600.0 * 800.0
_FUNCTION_WORDS = frozenset(word for words in FUNCTION_WORDS.values() for word in words if len(word) > 1)


def is_worthless(text: str) -> bool:
    """Most letters unknown, most words torn into letters, or no word of any language among many."""
    pieces = text.casefold().split()
    visible = sum(map(len, pieces))
    if visible < MIN_VISIBLE:
        return False
    if not text.isascii() and len(UNKNOWN.findall(text)) > 0.3 * visible:
        return True
    if _FUNCTION_WORDS.intersection(pieces) and sum(len(piece) == 1 for piece in pieces) < 0.3 * len(pieces):
        return False
    words = [word for word in WORD.findall(text) if word[0] < LAST_LATIN]
    return len(words) >= MIN_WORDS and (_is_torn(text, words) or _is_garbled(words))


def is_thin(text: str, width: float, height: float) -> bool:
    """Whether a page of this size has far fewer letters than one that is written on."""
    least = LETTERS_OF_A_PAGE * min(width * height / USUAL_AREA, 1.0)
    return len(text) < 8 * least and sum(map(str.isalpha, text)) < least


def _is_torn(text: str, words: list[str]) -> bool:
    """Most words are single letters that follow each other in lines, and together look like language."""
    letters = "".join(char for run in TORN.findall(text) for char in run if char.isalpha()).casefold()
    return len(letters) > 0.55 * len(words) and len(set(letters)) >= MIN_KINDS and _like_language(letters)


def _is_garbled(words: list[str]) -> bool:
    """Longer words without the vowels of a language, and none of the words that every text has."""
    longer = [word.casefold() for word in words if len(word) > 1]
    letters = "".join(longer)
    return len(longer) >= 2 * MIN_WORDS and not _like_language(letters) and not _FUNCTION_WORDS.intersection(longer)


def _like_language(letters: str) -> bool:
    least, most = USUAL_VOWELS
    return least <= sum(map(VOWELS.__contains__, letters)) / len(letters) <= most


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
    allowed = options.ocr != "never" and render.available()
    if allowed:
        beat()
        seen = lay_out(render.read_image(*source.draw(index, render.DPI)), rules, frame.width, frame.height)
        if seen.text and (not pictured or len(seen.text) > MANY_MORE * len(layer.text)):
            return Sheet(seen, "ocr")
    if sound:
        return Sheet(layer, "text", pictured and not allowed)
    return Sheet(lay_out(empty(), None, frame.width, frame.height), "none")


def _is_beside_a_picture(source: PdfSource, index: int, layer: PageLayout) -> bool:
    """Whether a few words stand on a page that is a picture for the rest: the stamp on a scan, the title of a map."""
    return is_thin(layer.text, layer.width, layer.height) and source.picture_share(index) > MOSTLY_PICTURE
