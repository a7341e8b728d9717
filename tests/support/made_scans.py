"""Scans that the tests make: pictures of large printed words."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

SIZE = (1240, 700)
DPI = (150, 150)


def picture(text: str) -> Image.Image:
    """A white page with these lines in black."""
    page = Image.new("L", SIZE, 255)
    font = ImageFont.load_default(44)
    for number, line in enumerate(text.split("\n")):
        ImageDraw.Draw(page).text((80, 100 + 90 * number), line, fill=0, font=font)
    return page


def scan(path: Path, *texts: str) -> Path:
    """An image file of one picture for each text; several go into a TIFF alone."""
    first, *others = map(picture, texts)
    more = {"save_all": True, "append_images": others} if others else {}
    first.save(path, dpi=DPI, **more)
    return path
