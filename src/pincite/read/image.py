"""Scans as images (TIFF, PNG, JPEG): each picture a page, read by OCR (extra `ocr`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import render
from pincite.read.glyphs import empty
from pincite.read.layout import PageLayout, lay_out, span_boxes
from pincite.read.pdf import Sheet, pages_of
from pincite.read.process_limits import beat
from pincite.read.render import MAX_SIDE, Pixels, marked_png
from pincite.records.pages import Box, Document, Span

FORMATS = ("TIFF", "PNG", "JPEG")
MAX_PIXELS = 120_000_000
"""A page of 100 by 75 centimetres at 300 dots an inch."""
LEAST_DPI, MOST_DPI = 100.0, 1200.0
USUAL_WIDTH = 595.0
"""Points: the width of a page whose file states no plausible resolution."""


def read_image(path: Path, options: ReadOptions) -> Document:
    """Pictures of pages. ReadError where the file is damaged or has no text, or OCR is not available (extra `ocr`)."""
    if not render.available():
        raise ReadError("needs OCR, which is not installed: pincite doctor says how to add it")
    if options.ocr == "never":
        raise ReadError("is an image: allow OCR with --ocr auto")
    layouts = [layout.without_characters() for layout in _layouts(path, options)]
    if not any(layout.text for layout in layouts):
        raise ReadError("shows no text that OCR can read")
    sheets = [Sheet(layout, "ocr" if layout.text else "none") for layout in layouts]
    return Document(pages_of(sheets, [None] * len(sheets)))


def boxes(path: Path, spans: Sequence[Span]) -> list[list[Box]]:
    """For each span its boxes, one a line, by OCR of its page once more. Raises ReadError like reading does."""
    layouts = dict(enumerate(_layouts(path, ReadOptions(), {span.page for span in spans}), 1))
    return [span_boxes(layouts[span.page], [(span.start, span.end)])[0] for span in spans]


def image_png(path: Path, number: int, marks: Sequence[Box] = (), hidden: Sequence[Box] = ()) -> bytes:
    """The PNG of picture `number` (from 1), `marks` tinted and `hidden` black; raises ReadError where there is none."""
    for found, (pixels, scale) in enumerate(_pictures(path, ReadOptions().max_pages), 1):
        if found == number:
            return marked_png(pixels, marks, scale, hidden)
    raise ReadError(f"has no page {number}")


def _layouts(path: Path, options: ReadOptions, wanted: set[int] | None = None) -> Iterator[PageLayout]:
    characters = 0
    for number, (pixels, scale) in enumerate(_pictures(path, options.max_pages), 1):
        beat()
        height, width = (side / scale for side in pixels.shape[:2])
        seen = render.read_image(pixels, scale) if wanted is None or number in wanted else empty()
        layout = lay_out(seen, None, width, height)
        characters += len(layout.text)
        if characters > options.max_characters:
            raise ReadError(f"holds more than {options.max_characters} characters")
        yield layout


def _pictures(path: Path, most: int) -> Iterator[tuple[Pixels, float]]:
    """Each picture as (height, width, 3) in red, green, blue, upright, and the pixels that a point has become."""
    with _opened(path) as image:
        count = int(getattr(image, "n_frames", 1))
        if count > most:
            raise ReadError(f"has {count} pages, more than the limit of {most}")
        for index in range(count):
            image.seek(index)
            yield _pixels(image)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The open image; what Pillow raises while it is used becomes a ReadError."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(path, formats=FORMATS) as image:
            yield image
    except UnidentifiedImageError as error:
        raise ReadError("is damaged or of another kind: it does not begin as an image does") from error
    except (OSError, SyntaxError, ValueError, EOFError, TypeError, KeyError, IndexError) as error:
        raise ReadError(f"is damaged: its picture cannot be unpacked ({error})") from error


def _pixels(image: Any) -> tuple[Pixels, float]:
    from PIL import ImageOps

    width, height = image.size
    if width * height > MAX_PIXELS:
        raise ReadError(f"has {width} by {height} pixels, the limit is {MAX_PIXELS:,} in all (a bomb?)")
    dpi = float(image.info.get("dpi", (0.0, 0.0))[0])
    scale = dpi / 72.0 if LEAST_DPI <= dpi <= MOST_DPI else width / USUAL_WIDTH
    upright = ImageOps.exif_transpose(image).convert("RGB")
    largest = max(upright.size)
    upright.thumbnail((MAX_SIDE, MAX_SIDE))
    return np.asarray(upright, dtype=np.uint8), scale * max(upright.size) / largest
