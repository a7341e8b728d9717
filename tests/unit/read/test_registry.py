"""Which reader takes a file: what it is counts more than how it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.errors import ReadError
from pincite.read.registry import READERS, reader_for


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.pdf", b"%PDF-1.7", "pdf"),
        ("A.PDF", b"junk in front %PDF-1.7", "pdf"),
        ("really.txt", b"%PDF-1.7", "pdf"),
        ("really.docx", b"\n%PDF-1.7", "pdf"),
        ("no_suffix", b"junk %PDF-1.7", "pdf"),
        ("about.md", b"# Headers\n\nA file starts with %PDF-1.7 and ends with EOF.", "markdown"),
        ("a.b.TXT", b"text", "text"),
        ("broken.pdf", b"no magic", "pdf"),
        ("letter.doc", b"{\\rtf1 Hello}", "rtf"),
        ("scan", b"\x89PNG\r\n\x1a\n", "image"),
        ("photo.tif", b"II*\0", "image"),
    ],
)
def test_bytes_win_over_the_suffix_where_they_open_the_file(
    tmp_path: Path, name: str, content: bytes, kind: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert reader_for(path).name == kind


@pytest.mark.parametrize("name", ["letter.pages", "picture.webp", "archive.7z", "plain"])
def test_what_has_no_reader_is_refused_by_name_and_with_advice(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"something")
    with pytest.raises(ReadError, match=r"has no reader for (\.\w+|a file without suffix): convert it to"):
        reader_for(path)


def test_no_two_readers_want_the_same_suffix() -> None:
    suffixes = [suffix for row in READERS for suffix in row.suffixes]
    assert len(suffixes) == len(set(suffixes))
