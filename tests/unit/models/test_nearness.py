"""How near texts are to a question, told by their words alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.errors import ServiceError
from pincite.models.nearness import WORDS, WORDS_ABOUT, nearness, open_words

PACKAGE = Path(pincite.__file__).parent
TEXTS = ["The caretaker sweeps the stairs on Fridays.", "Dogs may not be kept in the flat.", "Rent is due in advance."]


def test_what_means_the_same_in_other_words_is_nearest() -> None:
    assert nearness("Can my puppy live with me?", TEXTS).argmax() == 1
    assert nearness("Who cleans the staircase?", TEXTS).argmax() == 0


def test_the_same_words_are_as_near_as_can_be_and_no_words_are_not_near() -> None:
    assert nearness("Rent is due in advance.", [TEXTS[2], ""]).tolist() == [1.0, 0.0]
    assert nearness("", TEXTS).tolist() == [0.0, 0.0, 0.0]
    assert nearness("Who?", []).tolist() == []


@given(st.lists(st.text(max_size=60), max_size=6), st.text(max_size=60))
def test_a_text_is_as_near_in_any_company(company: list[str], text: str) -> None:
    assert nearness("Who sweeps?", [*company, text])[-1] == nearness("Who sweeps?", [text])[0]


@pytest.mark.parametrize("damage", ["a bit is turned", "the file is gone"])
def test_damaged_weights_are_refused(tmp_path: Path, damage: str) -> None:
    (tmp_path / WORDS).parent.mkdir()
    (tmp_path / WORDS_ABOUT).parent.mkdir()
    shutil.copy(PACKAGE / WORDS_ABOUT, tmp_path / WORDS_ABOUT)
    if damage == "a bit is turned":
        content = bytearray((PACKAGE / WORDS).read_bytes())
        content[-1] ^= 1
        (tmp_path / WORDS).write_bytes(content)
    with pytest.raises(ServiceError, match="install its package again"):
        open_words(tmp_path)


def test_the_digest_beside_the_code_is_that_of_the_weights_so_that_receipts_tell_them_apart() -> None:
    assert set(json.loads((PACKAGE / WORDS_ABOUT).read_text(encoding="utf-8"))) == {"sha256"}
    open_words(PACKAGE)
