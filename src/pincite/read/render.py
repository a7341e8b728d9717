"""Pages as pictures, for people and for OCR."""

from __future__ import annotations

import logging
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import Bounds, Glyphs, empty, font_of
from pincite.read.pdfium import PdfiumEngine
from pincite.read.transport import PNG
from pincite.records.pages import Box

AROUND = 8
"""Pixels around a part that is drawn: at its edge it differs from the whole."""
MAX_SIDE = 4000
"""Pixels. A page that would be longer is drawn at a smaller scale."""
TINT = (255, 236, 100)
"""Red, green, blue of marked words."""
HIDDEN_MARGIN = 2.0
"""Points: letters reach over the boxes that their fonts state."""
QUICK = 3
"""Of zlib: a page of text takes 9 ms, 31 at its usual 6, and 3 % more bytes."""
Pixels = NDArray[np.uint8]


def marked_png(pixels: Pixels, marks: Sequence[Box], scale: float, hidden: Sequence[Box] = ()) -> bytes:
    """The picture as PNG with these boxes tinted yellow, where what is dark stays dark, and those `hidden` black.
    `scale`: pixels of a point."""
    tinted = pixels.copy()
    for box in marks:
        rows = slice(max(0, int(box.top * scale)), max(0, int(box.bottom * scale) + 1))
        columns = slice(max(0, int(box.left * scale)), max(0, int(box.right * scale) + 1))
        tinted[rows, columns] = np.minimum(tinted[rows, columns], np.array(TINT, np.uint8))
    for box in hidden:
        top, bottom = (box.top - HIDDEN_MARGIN) * scale, (box.bottom + HIDDEN_MARGIN) * scale
        left, right = (box.left - HIDDEN_MARGIN) * scale, (box.right + HIDDEN_MARGIN) * scale
        tinted[max(0, int(top)) : max(0, int(bottom) + 1), max(0, int(left)) : max(0, int(right) + 1)] = 0
    return to_png(tinted)


def draw(engine: PdfiumEngine, index: int, dpi: float, part: Bounds | None = None) -> tuple[Pixels, float]:
    """Page `index` (from 0) as (height, width, 3) in red, green, blue, and the pixels a point has become. All is black
    that is not near `part`: left, top, right, bottom in points."""
    width, height = engine.size(index)
    scale = min(dpi / 72.0, MAX_SIDE / max(width, height, 1.0))
    if part is None:
        return _rendered(engine.page(index), scale, (0, 0, 0, 0)), scale
    left, top, right, bottom = part
    beside = ((left, width), (height - bottom, height), (width - right, width), (top, height))
    crop = [int(min(max(0.0, edge * scale - AROUND), max(0.0, size * scale - 2 * AROUND))) for edge, size in beside]
    drawn = _rendered(engine.page(index), scale, crop)
    return np.pad(drawn, ((crop[3], crop[1]), (crop[0], crop[2]), (0, 0))), scale


def _rendered(page: Any, scale: float, crop: Sequence[int]) -> Pixels:
    """A page without so many pixels on its left, at its bottom, on its right and at its top."""
    points = [(pixels - 0.5) / scale for pixels in crop]
    bitmap = page.render(scale=scale, crop=points, rev_byteorder=True, may_draw_forms=True)
    pixels = np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])
    bitmap.close()
    return pixels


def to_png(pixels: Pixels) -> bytes:
    """An image (height, width, 3) as PNG, without filters."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), QUICK)), (b"IEND", b"")]
    return PNG + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


DPI = 150.0
LONGEST_SIDE = 1280
"""Pixels of the image in which lines are looked for: a quarter faster than the whole page, and no worse."""
MIN_SCORE = 0.5
"""Lines that the engine itself holds for less likely than this are left out."""
LINE_SHARE = 0.72
"""Font size as a share of the height of the box around a line."""


def available() -> bool:
    """Whether the extra `ocr` is installed; imports nothing of it."""
    return find_spec("rapidocr") is not None


def read_image(pixels: Pixels, scale: float) -> Glyphs:
    """The characters of an image (height, width, 3; red, green, blue) that has `scale` pixels a point."""
    result = _engine()(pixels[:, :, ::-1])
    if result.boxes is None or result.txts is None:
        return empty()
    scores = result.scores if result.scores is not None else [1.0] * len(result.txts)
    lines = [
        (text.strip(), np.asarray(box, dtype=np.float64) / scale)
        for box, text, score in zip(result.boxes, result.txts, scores, strict=True)
        if score >= MIN_SCORE and text.strip()
    ]
    return _glyphs(lines)


@lru_cache(maxsize=1)
def _engine() -> Any:
    from rapidocr import RapidOCR

    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)
    one = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
    small = {"Det.limit_type": "max", "Det.limit_side_len": LONGEST_SIDE, "Rec.rec_batch_num": 1}
    return RapidOCR(params={**one, **small, "Global.log_level": "critical"})


def _glyphs(lines: list[tuple[str, np.ndarray[Any, np.dtype[np.float64]]]]) -> Glyphs:
    """Characters spread evenly over the box of their line (four corners, clockwise from the top left)."""
    if not lines:
        return empty()
    text: list[str] = []
    rows: list[tuple[float, float, float, float]] = []
    for line, corners in lines:
        left, right = corners[[0, 3], 0].mean(), corners[[1, 2], 0].mean()
        top, bottom = corners[[0, 1], 1].mean(), corners[[2, 3], 1].mean()
        step, size = (right - left) / len(line), LINE_SHARE * (bottom - top)
        base = bottom - 0.22 * (bottom - top)
        text.extend(line)
        rows.extend((left + step * position, base, step, size) for position in range(len(line)))
    table = np.asarray(rows, dtype=np.float64)
    none = np.zeros(len(text), dtype=np.int64)
    return Glyphs(text, table[:, 0], table[:, 1], table[:, 2], table[:, 3], none, none, none, (font_of("ocr"),))
