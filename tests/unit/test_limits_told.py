"""The README names the limits that the program keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.build import inside
from pincite.engine import LONGEST_QUESTION
from pincite.errors import SettingsError
from pincite.ports import ReadOptions
from pincite.read import archive, mail
from pincite.settings import LARGEST_CHUNK, load_settings

README = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    "told",
    [
        f"An archive may hold {archive.MAX_MEMBERS:,} files, of {archive.MAX_MEMBER_BYTES // 2**20} MiB each and "
        f"{archive.MAX_TOTAL_BYTES // 2**20:,} MiB together",
        f"at any depth, {inside.MAX_INSIDE:,} files, {inside.MAX_UNPACKED_BYTES // 2**30} GiB",
        f"GiB and {archive.MAX_RATIO} times its own size",
        f"a mail {mail.MAX_MAIL_BYTES // 2**20} MiB and {mail.MAX_PARTS:,} parts",
        f"A question has at most {LONGEST_QUESTION:,} characters",
        f"a chunk (`chunk_size`) from 200 to {LARGEST_CHUNK:,}",
        f"a document {ReadOptions().max_characters:,} and {ReadOptions().max_pages:,} pages",
    ],
)
def test_the_readme_names_the_limits(told: str) -> None:
    assert told in README


@pytest.mark.parametrize("size", [199, LARGEST_CHUNK + 1, 10**12])
def test_a_chunk_that_is_too_small_or_too_large_is_refused_with_the_limit(size: int) -> None:
    with pytest.raises(SettingsError, match=r"^chunk_size must be at (least|most) [\d,]+ characters, not [\d,]+$"):
        load_settings(environment={"PINCITE_CHUNK_SIZE": str(size)})


def test_the_largest_chunk_is_taken() -> None:
    assert load_settings(environment={"PINCITE_CHUNK_SIZE": str(LARGEST_CHUNK)})[0].chunk_size == LARGEST_CHUNK
