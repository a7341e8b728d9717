"""Pages without a usable text layer: their image to characters with places, by rapidocr (extra `ocr`).

The models lie in the wheel, nothing is fetched; one thread, so the same image gives the same text. See
docs/decisions/0002-ocr.md.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from pincite.read.glyphs import Glyphs, empty, font_of
from pincite.read.render import Pixels

DPI = 150.0
MAX_SIDE = 1280
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
    small = {"Det.limit_type": "max", "Det.limit_side_len": MAX_SIDE, "Rec.rec_batch_num": 1}
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
