"""What comes after something is the next item of a numbered list."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.settings import Settings
from pincite.wiring import open_engine

CASTING = """# Casting a bell

The bell is cast at night, and nobody speaks.

1. Heat the bronze until it glows yellow.
2. Skim the dross with the long ladle.
3. Open the gate of the mould.
4. Bury the mould in sand for two days.

The clapper is forged by the smith of the village.
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is done once the dross has been skimmed?", "Skim the dross with the long ladle. 3. Open the gate of"),
        ("What comes next after opening the gate of the mould?", "Open the gate of the mould. 4. Bury the mould in"),
        ("With what is the dross skimmed?", "Skim the dross with the long ladle."),
    ],
)
def test_the_next_item_is_said_behind_the_one_that_is_named(question: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "casting.md").write_text(CASTING, encoding="utf-8")
    with open_engine(Settings(), tmp_path / "store", create=True) as engine:
        engine.index([tmp_path / "docs"])
        first = engine.ask(question, receipt=False).statements[0]
    text = first.text.partition(". ")[2]
    assert text.startswith(said)
    assert (text == said) == (question.startswith("With"))
