"""PDFs that the tests write: text at given places, rules, labels, passwords."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pikepdf
from reportlab.pdfgen.canvas import Canvas

PAGE = (400.0, 560.0)
LEADING = 12.0

WORDS = (
    "every bridge that carries a public road needs an inspection before winter because water and salt reach the "
    "bearings and the inspector writes down what was seen and who has to repair it until spring while traffic goes on"
).split()


def sentence(seed: int, length: int = 9) -> str:
    """Words of our own, another choice for each seed."""
    chosen = [WORDS[(seed * 7 + position * (3 + seed % 5)) % len(WORDS)] for position in range(length)]
    return " ".join([chosen[0].capitalize(), *chosen[1:]])


class Sheet:
    """One page under the pen; y counts from the top."""

    def __init__(self, canvas: Canvas, height: float) -> None:
        self.canvas = canvas
        self.height = height

    def text(self, x: float, y: float, words: str, size: float = 10.0, *, bold: bool = False) -> None:
        self.canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        self.canvas.drawString(x, self.height - y, words)

    def lines(self, x: float, y: float, lines: Sequence[str], size: float = 10.0) -> None:
        for number, line in enumerate(lines):
            self.text(x, y + number * size * 1.2, line, size)

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.canvas.setLineWidth(0.5)
        self.canvas.line(x0, self.height - y0, x1, self.height - y1)

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        for x in xs:
            self.rule(x, ys[0], x, ys[-1])
        for y in ys:
            self.rule(xs[0], y, xs[-1], y)


def write_pdf(path: Path, pages: Sequence[Callable[[Sheet], None]], size: tuple[float, float] = PAGE) -> Path:
    """A PDF of these pages; a page function draws on its sheet."""
    canvas = Canvas(str(path), pagesize=size, invariant=1)
    for draw in pages:
        draw(Sheet(canvas, size[1]))
        canvas.showPage()
    canvas.save()
    return path


def change(path: Path, how: Callable[[pikepdf.Pdf], None], **save: object) -> Path:
    """The same file after `how` has changed it."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        how(pdf)
        pdf.save(path, **save)
    return path


def paragraph(start: int, count: int, length: int = 9) -> list[str]:
    """Lines of running text; the last one ends the sentence."""
    lines = [sentence(start + number, length) for number in range(count)]
    return (
        [lines[0], *[line.lower() for line in lines[1:-1]], lines[-1].lower() + "."] if count > 1 else [lines[0] + "."]
    )
