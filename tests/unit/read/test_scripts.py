"""Lines of scripts from right to left are read in the order in which they are spoken, whatever stands among them."""

from __future__ import annotations

import numpy as np
import pytest

from pincite.read.glyphs import Font, Glyphs
from pincite.read.layout import lay_out

ADVANCE = 6.0


def drawn(line: str) -> str:
    """The text of a line that a page shows so from left to right."""
    kept = [(position, char) for position, char in enumerate(line) if char != " "]
    count = len(kept)
    whole = np.zeros(count, dtype=np.int64)
    glyphs = Glyphs(
        text=[char for _, char in kept],
        x=np.asarray([50 + ADVANCE * position for position, _ in kept]),
        y=np.full(count, 100.0),
        advance=np.full(count, ADVANCE),
        size=np.full(count, 10.0),
        angle=whole,
        font=whole,
        colour=whole,
        fonts=(Font("Any", bold=False, italic=False),),
    )
    return lay_out(glyphs, None, 400, 500).text


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("םולש", "שלום"),
        ("214-ב ףיעס", "סעיף ב-214"),
        ("03-5051051 ןופלט", "טלפון 03-5051051"),
        ("25% דע 1,250.50 ריחמ", "מחיר 1,250.50 עד 25%"),
        ("31/12/2026 דע", "עד 31/12/2026"),
        ("(2014) קוח", "חוק (2014)"),
        ("(םולש) ריע", "עיר (שלום)"),
        ("םויה Lund Boats תרבח", "חברת Lund Boats היום"),
        ("The word (בוט םולש) is old", "The word (שלום טוב) is old"),
        ("17 المادة", "ةداملا 17"),
        ("Room 7 (open)", "Room 7 (open)"),
    ],
)
def test_words_numbers_and_brackets_keep_their_order(shown: str, read: str) -> None:
    assert drawn(shown) == read
