"""docs/limits.md names the limits that the program keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.build import inside
from pincite.engine.engine import LONGEST_QUESTION
from pincite.errors import SettingsError
from pincite.ports import ReadOptions
from pincite.read import archive, mail
from pincite.settings import LARGEST_CHUNK, Settings, load_settings

PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "told",
    [
        f"| an archive | {archive.MAX_MEMBERS:,} files, of {archive.MAX_MEMBER_BYTES // 2**20} MiB each and "
        f"{archive.MAX_TOTAL_BYTES // 2**20:,} MiB together |",
        f"at any depth | {inside.MAX_INSIDE:,} files, {inside.MAX_UNPACKED_BYTES // 2**30} GiB and "
        f"{archive.MAX_RATIO} times its own size |",
        f"| a mail | {mail.MAX_MAIL_BYTES // 2**20} MiB and {mail.MAX_PARTS:,} parts |",
        f"| a question | at most {LONGEST_QUESTION:,} characters |",
        f"| a chunk (`chunk_size`) | from 200 to {LARGEST_CHUNK:,} characters |",
        f"| a document | {ReadOptions().max_characters:,} characters and {ReadOptions().max_pages:,} pages |",
        f"| reading one file | {Settings().seconds_per_file:.0f} seconds (`seconds_per_file`) and "
        f"{Settings().memory_mb:,} MB",
        f"| {Settings().upload_mb} MB (`upload_mb`) |",
        f"| {Settings().s3_object_mb:,} MB (`s3_object_mb`) |",
    ],
)
def test_the_page_names_the_limits(told: str) -> None:
    assert told in PAGE


@pytest.mark.parametrize("size", [199, LARGEST_CHUNK + 1, 10**12])
def test_a_chunk_that_is_too_small_or_too_large_is_refused_with_the_limit(size: int) -> None:
    with pytest.raises(SettingsError, match=r"^chunk_size must be at (least|most) [\d,]+ characters, not [\d,]+$"):
        load_settings(environment={"PINCITE_CHUNK_SIZE": str(size)})


def test_the_largest_chunk_is_taken() -> None:
    assert load_settings(environment={"PINCITE_CHUNK_SIZE": str(LARGEST_CHUNK)})[0].chunk_size == LARGEST_CHUNK
