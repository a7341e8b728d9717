"""The characters of one page as arrays, in the page as it is displayed: the one form that every engine gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ASCENT = 0.75
DESCENT = 0.22
WIDEST_PAGE = 1_000_000.0
"""Points: no page is as wide, and no two places on it are so near that a sum with it loses their order."""
RARE_BLANKS = (0x85, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
UNMAPPED = "\ufffd"
"""Stands for a character that a font draws without saying which it is."""

Bounds = tuple[float, float, float, float]
LETTER: Bounds = (0.0, 0.0, 612.0, 792.0)


@dataclass(frozen=True, slots=True)
class Font:
    """What a font's name and flags say."""

    name: str
    bold: bool
    italic: bool


@dataclass(frozen=True)
class Glyphs:
    """Characters of one page, spaces included, one entry each. `x`, `y`: origin on the base line in points, y
    downwards; `angle`: 0, 90, 180 or 270, counter-clockwise as displayed; `advance`: width along the line, 0 where
    unknown; `font`: index into `fonts`; `colour`: of the ink, 0xRRGGBB."""

    text: list[str]
    x: Floats
    y: Floats
    advance: Floats
    size: Floats
    angle: Ints
    font: Ints
    colour: Ints
    fonts: tuple[Font, ...]

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def codes(self) -> Ints:
        """The code point of each character."""
        return codes_of(self.text)

    @cached_property
    def blank(self) -> NDArray[np.bool_]:
        """Which characters are spaces of any kind."""
        return blanks(self.codes)

    def with_blanks(self, chosen: Ints) -> Glyphs:
        """The same places with spaces for these characters."""
        text = self.text.copy()
        for position in chosen.tolist():
            text[position] = " "
        return self.reading(text)

    def reading(self, text: list[str]) -> Glyphs:
        """The same places with other characters."""
        return replace(self, text=text)

    def placed(self, x: Floats, y: Floats) -> Glyphs:
        """The same characters at other places."""
        return replace(self, x=x, y=y)

    def turned(self, angle: Ints) -> Glyphs:
        """The same characters, read in other directions."""
        return replace(self, angle=angle)

    def joined(self, other: Glyphs) -> Glyphs:
        """These characters and those of another behind them."""
        return Glyphs(
            text=self.text + other.text,
            x=np.concatenate([self.x, other.x]),
            y=np.concatenate([self.y, other.y]),
            advance=np.concatenate([self.advance, other.advance]),
            size=np.concatenate([self.size, other.size]),
            angle=np.concatenate([self.angle, other.angle]),
            font=np.concatenate([self.font, other.font + len(self.fonts)]),
            colour=np.concatenate([self.colour, other.colour]),
            fonts=self.fonts + other.fonts,
        )

    def take(self, index: Ints) -> Glyphs:
        """These characters, in this order."""
        text = self.text
        return Glyphs(
            [text[i] for i in index.tolist()],
            self.x[index],
            self.y[index],
            self.advance[index],
            self.size[index],
            self.angle[index],
            self.font[index],
            self.colour[index],
            self.fonts,
        )


@dataclass(frozen=True, slots=True)
class PageFrame:
    """Where a page's own coordinates go when it is displayed: crop box (left, bottom, right, top) and rotation.

    `rotate` is the page's /Rotate, clockwise: 0, 90, 180 or 270.
    """

    left: float
    bottom: float
    right: float
    top: float
    rotate: int = 0

    @property
    def width(self) -> float:
        """Width as displayed, in points."""
        return self.right - self.left if self.rotate in (0, 180) else self.top - self.bottom

    @property
    def height(self) -> float:
        """Height as displayed, in points."""
        return self.top - self.bottom if self.rotate in (0, 180) else self.right - self.left

    def display(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Points of the page's own system (y upwards) as displayed (origin top left, y downwards)."""
        if self.rotate == 90:
            return y - self.bottom, x - self.left
        if self.rotate == 180:
            return self.right - x, y - self.bottom
        if self.rotate == 270:
            return self.top - y, self.right - x
        return x - self.left, self.top - y

    def displayed(self, boxes: Floats) -> Floats:
        """Boxes (n, 4) of the page's own system (left, bottom, right, top) as displayed: left, top, right, bottom."""
        x0, y0 = self.display(boxes[:, 0], boxes[:, 1])
        x1, y1 = self.display(boxes[:, 2], boxes[:, 3])
        return np.stack([np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)], axis=1)

    def display_angle(self, angle: Floats) -> Ints:
        """Text angles (degrees, counter-clockwise) as displayed, to the next multiple of 90."""
        if not angle.any():
            return np.full(len(angle), -self.rotate % 360, dtype=np.int64)
        turned = np.rint((np.asarray(angle, dtype=np.float64) - self.rotate) / 90.0) * 90.0
        return np.mod(turned, 360.0).astype(np.int64)


def upright(x: Floats, y: Floats, angle: int, width: float, height: float) -> tuple[Floats, Floats]:
    """Displayed points turned so that text of this angle runs from left to right, top to bottom."""
    if angle == 90:
        return height - y, x
    if angle == 180:
        return width - x, height - y
    if angle == 270:
        return y, width - x
    return x, y


def displayed_boxes(boxes: Floats, angle: int, width: float, height: float) -> Floats:
    """The inverse of `upright` for boxes (n, 4) of left, top, right, bottom."""
    left, top, right, bottom = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    if angle == 90:
        return np.stack([top, height - right, bottom, height - left], axis=1)
    if angle == 180:
        return np.stack([width - right, height - bottom, width - left, height - top], axis=1)
    if angle == 270:
        return np.stack([width - bottom, left, width - top, right], axis=1)
    return boxes


def frame_of(crop: Bounds, media: Bounds, rotate: int) -> PageFrame:
    """The frame of a page by its boxes (left, bottom, right, top); a letter page where they say nothing usable."""
    left, bottom = max(crop[0], media[0]), max(crop[1], media[1])
    right, top = min(crop[2], media[2]), min(crop[3], media[3])
    if right - left > 1 and top - bottom > 1:
        return PageFrame(left, bottom, right, top, rotate % 360)
    usable = media[2] - media[0] > 1 and media[3] - media[1] > 1
    return PageFrame(*(media if usable else LETTER), rotate % 360)


def font_of(name: str, weight: object = None, *, italic: bool = False) -> Font:
    """A font by its name ("ABCDEF+Arial,Bold") and what the engine says of its weight (number or word)."""
    plain = name.partition("+")[2] or name
    lowered = plain.lower()
    heavy = weight >= 600 if isinstance(weight, int | float) else "bold" in str(weight).lower()
    marked = any(word in lowered for word in ("bold", "black", "heavy", "semibold", "demi"))
    return Font(plain, heavy or marked, italic or "italic" in lowered or "oblique" in lowered)


def codes_of(text: list[str]) -> Ints:
    """The code point of each character, the first one where an engine gives several for one glyph."""
    joined = "".join(text)
    if len(joined) != len(text):
        joined = "".join(char[:1] or " " for char in text)
    return np.frombuffer(joined.encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.int64)


def blanks(codes: Ints) -> NDArray[np.bool_]:
    """Which code points are spaces of any kind."""
    found: NDArray[np.bool_] = codes <= 0x20
    beyond = np.flatnonzero(codes >= 0x85)
    if len(beyond):
        rest = codes[beyond]
        found[beyond] = (rest == 0xA0) | ((rest >= 0x2000) & (rest <= 0x200B)) | np.isin(rest, RARE_BLANKS)
    return found


def line_by_line(row: Floats | Ints, x: Floats) -> Ints:
    """Positions by row (whole numbers), then from left to right: what stands in order already is sorted fast."""
    return np.argsort(row * WIDEST_PAGE + x, kind="stable")


def overlapping(glyphs: Glyphs, order: Ints) -> NDArray[np.bool_]:
    """Which characters in this order, but for the first, stand on top of the one before in their row."""
    x, y, advance = glyphs.x[order], np.rint(glyphs.y[order]), glyphs.advance[order]
    found: NDArray[np.bool_] = (np.diff(y) == 0) & (np.diff(x) < 0.25 * advance[1:])
    return found


def letter_count(text: str) -> int:
    """How many characters are to be seen and known."""
    return sum(map(len, text.split())) - text.count(UNMAPPED)


def empty(fonts: Sequence[Font] = ()) -> Glyphs:
    """No characters."""
    none = np.zeros(0)
    whole = np.zeros(0, dtype=np.int64)
    return Glyphs([], none, none, none, none, whole, whole, whole, tuple(fonts))
