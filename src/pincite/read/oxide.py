"""The engine pdf_oxide: characters and drawn rules of a PDF. See docs/decisions/0001-pdf-engine.md."""

from __future__ import annotations

import logging
from functools import lru_cache
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from pincite.read.glyphs import Bounds, Floats, Font, Glyphs, Ints, PageFrame, font_of, frame_of
from pincite.read.unseen import Fills
from pincite.text.addresses import is_external

_X, _Y = attrgetter("origin_x"), attrgetter("origin_y")
_ADVANCE, _SIZE = attrgetter("advance_width"), attrgetter("font_size")
_ANGLE, _NAME, _CHAR = attrgetter("rotation_degrees"), attrgetter("font_name"), attrgetter("char")
_COLOUR = attrgetter("color")
MOST_COLOURS = 1024


class OxideEngine:
    """One open PDF. Raises whatever pdf_oxide raises; callers translate."""

    name = "pdf_oxide"

    def __init__(self, path: Path, password: str = "") -> None:
        import pdf_oxide

        logging.getLogger("pdf_oxide").setLevel(logging.CRITICAL)
        self._document: Any = pdf_oxide.PdfDocument(str(path), password=password or None)
        self._fonts: dict[str, int] = {}
        self._known: list[Font] = []
        self._paths = (-1, np.zeros((0, 4)), np.zeros(0, dtype=np.int64))

    def page_count(self) -> int:
        """Number of physical pages."""
        return int(self._document.page_count)

    def frame(self, index: int, size: tuple[float, float]) -> PageFrame:
        """Crop box and rotation of page `index` (from 0), as this engine sees them; `size` is that of the page shown.

        A crop box of that size lies inside the media box: then the slow question for this one is saved.
        """
        crop, rotate = self._document.page_crop_box(index), self._document.page_rotation(index)
        if crop:
            whole = frame_of(crop, crop, rotate)
            if abs(whole.width - size[0]) < 0.001 and abs(whole.height - size[1]) < 0.001:
                return whole
        media = self._document.page_media_box(index)
        return frame_of(crop or media, media, rotate)

    def glyphs(self, index: int, frame: PageFrame) -> Glyphs:
        """The characters of page `index` (from 0), control characters left out."""
        chars = self._document.extract_chars(index)
        text = list(map(_CHAR, chars))
        control = {char for char in set(text) if not _printable(char)}
        if control:
            chars = [char for char in chars if char.char not in control]
            text = list(map(_CHAR, chars))
        x, y = frame.display(_column(_X, chars), _column(_Y, chars))
        return Glyphs(
            text=text,
            x=x,
            y=y,
            advance=_column(_ADVANCE, chars),
            size=_column(_SIZE, chars),
            angle=frame.display_angle(_column(_ANGLE, chars)),
            font=self._font_ids(chars),
            colour=_spread([(_packed(colour), count) for colour, count in _runs(_COLOUR, chars)]),
            fonts=tuple(self._known),
        )

    def annotation_kinds(self, index: int) -> frozenset[str]:
        """The kinds of annotations that page `index` (from 0) has; links to addresses outside are none."""
        found = self._document.get_annotations(index)
        return frozenset(item.get("subtype", "") for item in found if not is_external(item.get("action_uri", "")))

    def rules(self, index: int, frame: PageFrame) -> Floats:
        """Boxes (n, 4) of drawn lines and rectangles as displayed: left, top, right, bottom."""
        return self._drawn(index, frame)[0]

    def images(self, index: int, frame: PageFrame) -> Floats:
        """Boxes (n, 4) of the images of page `index` (from 0) as displayed."""
        found = self._document.page_images(index)
        edges = [(item["x"], item["y"], item["x"] + item["width"], item["y"] + item["height"]) for item in found]
        return frame.displayed(np.asarray(edges, dtype=np.float64).reshape(-1, 4))

    def fills(self, index: int, frame: PageFrame) -> Fills:
        """The boxes that are filled."""
        boxes, colours = self._drawn(index, frame)
        return Fills(boxes[colours >= 0], colours[colours >= 0])

    def _drawn(self, index: int, frame: PageFrame) -> tuple[Floats, Ints]:
        """What is drawn on page `index`, with the colours that it is filled with, -1 where it is not; kept for one
        page."""
        if self._paths[0] != index:
            paths = self._document.extract_paths(index)
            pieces = [_path_boxes(path["operations"]) for path in paths]
            boxes = np.asarray(list(chain.from_iterable(pieces)), dtype=np.float64).reshape(-1, 4)
            colours = [(_packed(path["fill_color"]), len(found)) for path, found in zip(paths, pieces, strict=True)]
            self._paths = index, frame.displayed(boxes), _spread(colours)
        return self._paths[1:]

    def _font_ids(self, chars: list[Any]) -> Ints:
        known = self._fonts
        runs = _runs(_NAME, chars)
        position = 0
        for name, count in runs:
            if name not in known:
                sample = chars[position]
                known[name] = len(known)
                self._known.append(font_of(name, sample.font_weight, italic=bool(sample.is_italic)))
            position += count
        return _spread([(known[name], count) for name, count in runs])


def _column(get: Any, chars: list[Any]) -> Floats:
    return np.fromiter(map(get, chars), np.float64, len(chars))


def _runs(get: Any, items: list[Any]) -> list[tuple[Any, int]]:
    """What neighbours have in common, and how many of them."""
    return [(value, len(list(members))) for value, members in groupby(items, get)]


def _spread(runs: list[tuple[int, int]]) -> Ints:
    values, counts = np.asarray(runs, dtype=np.int64).reshape(-1, 2).T
    return np.repeat(values, counts)


@lru_cache(MOST_COLOURS)
def _packed(colour: tuple[float, float, float] | None) -> int:
    """0xRRGGBB, -1 for none."""
    if colour is None:
        return -1
    red, green, blue = (round(255 * min(max(part, 0.0), 1.0)) for part in colour)
    return red << 16 | green << 8 | blue


def _printable(char: str) -> bool:
    return char.isprintable() or (char >= "\xa0" and char != "�") or char == "\xad"


def _path_boxes(operations: list[dict[str, Any]]) -> list[Bounds]:
    """Left, bottom, right, top of each straight piece: a path of many rectangles is many boxes; none of a curve."""
    boxes: list[Bounds] = []
    xs: list[float] = []
    ys: list[float] = []
    for step in operations:
        kind = step["op"]
        if kind == "curve_to":
            return []
        if kind == "rectangle":
            boxes.append((step["x"], step["y"], step["x"] + step["width"], step["y"] + step["height"]))
        elif kind in ("move_to", "line_to"):
            if kind == "move_to":
                boxes += _box_of(xs, ys)
                xs, ys = [], []
            xs.append(step["x"])
            ys.append(step["y"])
    return boxes + _box_of(xs, ys)


def _box_of(xs: list[float], ys: list[float]) -> list[Bounds]:
    return [(min(xs), min(ys), max(xs), max(ys))] if len(xs) > 1 else []
