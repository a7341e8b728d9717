"""A page to an image: through pdfium, of bounded size whatever the file says of its pages."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.read.pdfium import PdfiumEngine

MAX_SIDE = 4000
"""Pixels. A page that would be longer is drawn at a smaller scale."""

Pixels = NDArray[np.uint8]


def page_png(path: Path, number: int, *, dpi: float = 110.0, passwords: tuple[str, ...] = ()) -> bytes:
    """The PNG of physical page `number` (from 1); raises ReadError where the page cannot be had."""
    engine = PdfiumEngine(path, passwords)
    try:
        return to_png(draw(engine, number - 1, dpi)[0])
    finally:
        engine.close()


def draw(engine: PdfiumEngine, index: int, dpi: float) -> tuple[Pixels, float]:
    """Page `index` (from 0) as (height, width, 3) in red, green, blue, and the pixels a point has become."""
    width, height = engine.size(index)
    scale = min(dpi / 72.0, MAX_SIDE / max(width, height, 1.0))
    with engine.page(index) as page:
        bitmap: Any = page.render(scale=scale, rev_byteorder=True, may_draw_forms=False)
        pixels = np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])
        bitmap.close()
    return pixels, scale


def to_png(pixels: Pixels) -> bytes:
    """An image (height, width, 3) as PNG, without filters."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
