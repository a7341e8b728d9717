"""Lines of scripts from right to left are read in the order in which they are spoken, whatever stands among them."""

from __future__ import annotations

import numpy as np
import pytest

from pincite.read.glyphs import Font, Glyphs
from pincite.read.layout import lay_out

ADVANCE = 6.0


def drawn(*lines: str) -> str:
    """The text of lines that a page shows so from left to right."""
    kept = [
        (row, position, char) for row, line in enumerate(lines) for position, char in enumerate(line) if char != " "
    ]
    count = len(kept)
    whole = np.zeros(count, dtype=np.int64)
    glyphs = Glyphs(
        text=[char for *_, char in kept],
        x=np.asarray([50 + ADVANCE * position for _, position, _ in kept]),
        y=np.asarray([100.0 + 14 * row for row, *_ in kept]),
        advance=np.full(count, ADVANCE),
        size=np.full(count, 10.0),
        angle=whole,
        font=whole,
        colour=whole,
        fonts=(Font("Any", bold=False, italic=False),),
    )
    return lay_out(glyphs, lambda: np.zeros((0, 4)), 400, 500).text


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
        ("زجحلل 4821-330-17 مقر", "رقم 17-330-4821 للحجز"),
        ("موي %25 مصخ", "خصم 25% يوم"),
        ("ةعاسلا 14/03/2025 خيرات", "تاريخ 14/03/2025 الساعة"),
        ("ةعاسلا 22:45 ،1,250.50 رعس", "سعر 1,250.50، 22:45 الساعة"),
        ("Room 7 (open)", "Room 7 (open)"),
    ],
)
def test_words_numbers_and_brackets_keep_their_order(shown: str, read: str) -> None:
    assert drawn(shown) == read


def test_a_table_begins_with_its_right_column() -> None:
    rows = (("יום", "מבוגר", "ילד"), ("ראשון", "24", "12"), ("שני", "30", "15"), ("שלישי", "18", "9"))
    shown = [f"{child.rjust(6)}{adult.rjust(12)}{day.rjust(12)}" for day, adult, child in map(_drawn_words, rows)]
    assert drawn(*shown).split("\n") == ["יום\tמבוגר\tילד", "ראשון\t24\t12", "שני\t30\t15", "שלישי\t18\t9"]


def _drawn_words(row: tuple[str, ...]) -> list[str]:
    return [cell if cell.isdigit() else cell[::-1] for cell in row]


def test_columns_of_text_are_read_from_the_right() -> None:
    left, right = "שלום לכולם וגם ערב טוב", "ספר פתוח על שולחן גדול"
    shown = [f"{left[::-1]}      {right[::-1]}"] * 4
    assert drawn(*shown).split("\n") == [right] * 4 + [left] * 4
