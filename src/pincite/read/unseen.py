"""Characters of a PDF page that nobody can see: too small, in the colour of their ground, in a layer that is off, in no
ink, below what was written over them. Where their places leave that open, the picture of the page decides."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode
from collections.abc import Callable, Iterator
from mmap import mmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import Bounds, Floats, Glyphs, Ints, line_by_line, overlapping
from pincite.read.render import Pixels

Bools = NDArray[np.bool_]
Data = bytes | mmap
Drawn = Callable[[Bounds], tuple[Pixels, float]]
"""Gives the picture of a page, drawn in a box (left, top, right, bottom) alone, and the pixels of a point."""

SMALLEST = 1.0
"""Points: nobody reads smaller characters."""
WHITE = 0xFFFFFF
PALE = 250
"""Of 255, in each colour."""
CONTRAST = 12
"""Of 255: how far the lightest and the darkest point of a character differ at least where it can be seen."""
LEAST_HEIGHT = 4.0
"""Points: what is filled and lower or narrower than this is a line, and covers no text."""
MOST_FILLS = 2_000
LEAST_REACHED = 0.3
"""Of the characters of a line: so many lie below what is written over it."""
OVERPRINTED, OVERPRINTED_IN = 3, 8
"""So many of so many characters in a row stand on top of the one before."""
LONGEST_STREAM = 4_000_000
"""Bytes."""
MOST_UNFOLDED = 400_000_000
"""Bytes of decompressed streams to look into; a file with more is assumed to contain everything."""
_STREAM = re.compile(rb"stream\r?\n")
_RISE = re.compile(rb"[1-9]\d*(?:\.\d*)?\s+Ts\b|\.\d+\s+Ts\b")
_LAYERS_OFF = re.compile(rb"/OFF\s*\[\s*\d|/BaseState\s*/OFF")


class Fills(NamedTuple):
    """Boxes (n, 4) as displayed that are filled, and their colours."""

    boxes: Floats
    colours: Ints


NO_FILLS = Fills(np.zeros((0, 4)), np.zeros(0, dtype=np.int64))


class Signs(NamedTuple):
    """Whether a file may hold text in no ink, layers that are off, and text that rises above its line or falls below
    it."""

    no_ink: bool = False
    layers_off: bool = False
    rise: bool = False


def signs_of(data: Data) -> Signs:
    """What the bytes of a file that is not encrypted say of text that is not to be seen, or not on its line."""
    no_ink, layers_off, rise = False, bool(_LAYERS_OFF.search(data)), False
    unfolded = 0
    for piece in _streams(data):
        no_ink = no_ink or b"3 Tr" in piece or b"7 Tr" in piece
        layers_off = layers_off or (b"/OFF" in piece and bool(_LAYERS_OFF.search(piece)))
        rise = rise or (b" Ts" in piece and bool(_RISE.search(piece)))
        unfolded += len(piece)
        if unfolded > MOST_UNFOLDED:
            return Signs(no_ink=True, layers_off=True, rise=True)
    return Signs(no_ink, layers_off, rise)


def without_unseen(glyphs: Glyphs, fills: Fills, draw: Drawn, *, layers_off: bool) -> Glyphs:
    """The characters that can be seen; `draw` is asked only where their places leave it open. Those that do not stand
    upright are.

    Without `fills` those in the colour of what is filled around them count as seen.
    """
    readable = (glyphs.size >= SMALLEST) | (glyphs.advance >= SMALLEST)
    glyphs = glyphs if readable.all() else glyphs.take(np.flatnonzero(readable))
    upright = ~glyphs.blank & (glyphs.angle == 0)
    doubtful = np.flatnonzero((layers_off or _pale(glyphs, fills) | _in_their_colour(glyphs, fills)) & upright)
    if not len(doubtful):
        return glyphs
    edges = _edges(glyphs.take(doubtful))
    left, top, _, _ = edges.min(axis=0).tolist()
    _, _, right, bottom = edges.max(axis=0).tolist()
    unseen = np.zeros(len(glyphs), dtype=np.bool_)
    unseen[doubtful] = ~_shown(edges, *draw((left, top, right, bottom)))
    return _without_words(glyphs, unseen)


def may_hide(fills: Fills, glyphs: Glyphs) -> bool:
    """Whether what is filled could hide some of the characters."""
    return may_be_overtyped(fills, glyphs) or bool(_in_their_colour(glyphs, fills).any())


def may_be_overtyped(fills: Fills, glyphs: Glyphs) -> bool:
    """Whether characters stand on top of others, where something is painted white."""
    return WHITE in fills.colours and _is_overprinted(glyphs)


def without_overtyped(glyphs: Glyphs, fills: Fills) -> Glyphs:
    """Without what was painted over and then written over, of characters in the order in which they are drawn."""
    white = fills.boxes[fills.colours == WHITE]
    inside = np.flatnonzero(_inside(glyphs, white).any(axis=0) & ~glyphs.blank)
    part = glyphs.take(inside)
    under = np.zeros(len(glyphs), dtype=np.bool_)
    for row in np.unique(np.rint(part.y)).tolist():
        members = np.flatnonzero(np.rint(part.y) == row)
        left, right = part.x[members], part.x[members] + part.advance[members]
        begins = np.flatnonzero(np.append(False, left[1:] < left[:-1] - part.size[members][1:]))
        for begin in begins.tolist():
            reached = (right[:begin] > left[begin:].min()) & (left[:begin] < right[begin:].max())
            under[inside[members[:begin]]] |= reached.mean() > LEAST_REACHED
    return _without_words(glyphs, under)


def without_boxes(glyphs: Glyphs, boxes: Floats) -> Glyphs:
    """The characters outside of these boxes (n, 4); all, where that would be less than half: then the boxes are wrong,
    or the page is to be read whatever its picture shows."""
    inside = _inside(glyphs, boxes).any(axis=0) & ~glyphs.blank
    return glyphs.take(np.flatnonzero(~inside)) if 0 < inside.sum() <= 0.5 * (~glyphs.blank).sum() else glyphs


def all_within(glyphs: Glyphs, boxes: Floats) -> bool:
    """Whether each character that is no blank lies in one of these boxes (n, 4)."""
    return bool((_inside(glyphs, boxes).any(axis=0) | glyphs.blank).all())


def _is_overprinted(glyphs: Glyphs) -> bool:
    """Whether words stand on top of others; ligatures and accents are few characters in one place."""
    if len(glyphs) <= OVERPRINTED:
        return False
    order = line_by_line(np.rint(glyphs.y), glyphs.x)
    others = overlapping(glyphs, order) & (glyphs.codes[order][1:] != glyphs.codes[order][:-1])
    near = np.convolve(others, np.ones(OVERPRINTED_IN))
    return bool((near >= OVERPRINTED).any())


def _streams(data: Data) -> Iterator[bytes]:
    """The streams of a file, unfolded where they are folded in the usual way."""
    for match in _STREAM.finditer(data):
        folded = data[match.end() : data.find(b"endstream", match.end())]
        try:
            coded = folded.rstrip()
            folded = a85decode(coded[:-2]) if coded.endswith(b"~>") else folded
            yield zlib.decompressobj().decompress(folded, LONGEST_STREAM)
        except (zlib.error, ValueError):
            yield folded


def _pale(glyphs: Glyphs, fills: Fills) -> Bools:
    """White characters that no colour lies around."""
    red, green, blue = glyphs.colour >> 16, glyphs.colour >> 8 & 255, glyphs.colour & 255
    found: Bools = np.minimum(np.minimum(red, green), blue) >= PALE
    if found.any():
        found &= ~_inside(glyphs, fills.boxes[_high(fills) & (fills.colours != WHITE)]).any(axis=0)
    return found


def _in_their_colour(glyphs: Glyphs, fills: Fills) -> Bools:
    """Characters of a colour that something is filled with around them."""
    found = np.zeros(len(glyphs), dtype=np.bool_)
    high = _high(fills)
    if not high.any():
        return found
    for colour in np.intersect1d(glyphs.colour, fills.colours[high]).tolist():
        if colour != WHITE:
            same = np.flatnonzero(glyphs.colour == colour)
            found[same] = _inside(glyphs.take(same), fills.boxes[high & (fills.colours == colour)]).any(axis=0)
    return found


def _high(fills: Fills) -> Bools:
    left, top, right, bottom = fills.boxes.T
    high: Bools = (bottom - top >= LEAST_HEIGHT) & (right - left >= LEAST_HEIGHT)
    return high


def _inside(glyphs: Glyphs, boxes: Floats) -> Bools:
    """(boxes, characters): whether the middle of a character lies in a box."""
    x, y = glyphs.x + 0.5 * glyphs.advance, glyphs.y - 0.3 * glyphs.size
    left, top, right, bottom = (edge[:, None] for edge in boxes[:MOST_FILLS].T)
    found: Bools = (left <= x) & (x <= right) & (top <= y) & (y <= bottom)
    return found


def _edges(glyphs: Glyphs) -> Floats:
    """Left, top, right and bottom of each character that stands upright."""
    right = glyphs.x + np.maximum(glyphs.advance, 0.3 * glyphs.size)
    return np.stack([glyphs.x, glyphs.y - 0.7 * glyphs.size, right, glyphs.y + 0.1 * glyphs.size], axis=1)


def _shown(edges: Floats, pixels: Pixels, scale: float) -> Bools:
    """Which of these boxes of characters hold a trace in the picture of the page; line by line."""
    width = pixels.shape[1]
    places = np.maximum(np.rint(edges * scale), 0).astype(np.int64)
    shown = np.zeros(len(edges), dtype=np.bool_)
    lines, line = np.unique(places[:, [1, 3]], axis=0, return_inverse=True)
    for number, (top, bottom) in enumerate(lines.tolist()):
        members = np.flatnonzero((line.ravel() == number) & (places[:, 0] < width))
        band = pixels[top : bottom + 1]
        if len(members) and len(band):
            bounds = np.stack([places[members, 0], np.minimum(places[members, 2] + 1, width)], axis=1).ravel()
            lightest, darkest = (np.append(edge, edge[-1:], axis=0) for edge in (band.max(axis=0), band.min(axis=0)))
            spread = np.maximum.reduceat(lightest, bounds)[::2] - np.minimum.reduceat(darkest, bounds)[::2]
            shown[members] = (spread > CONTRAST).any(axis=1)
    return shown


def _without_words(glyphs: Glyphs, unseen: Bools) -> Glyphs:
    """Without the words of which most characters are unseen: neighbours blur a picture, a dot leaves little trace."""
    if not unseen.any():
        return glyphs
    row = np.rint(glyphs.y)
    word = np.cumsum(np.append(True, glyphs.blank[1:] | glyphs.blank[:-1] | (row[1:] != row[:-1])))
    share = np.bincount(word, weights=unseen) / np.maximum(np.bincount(word), 1)
    return glyphs.take(np.flatnonzero(share[word] <= 0.5))
