"""Zip containers from strangers: what would fill memory or disk is refused before it is unpacked."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest
from tests.support.office_files import docx, packed, paragraph, read

from pincite.errors import ReadError
from pincite.read.archive import Archive


def test_a_part_that_unpacks_to_far_more_than_it_holds_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "bomb.docx", {"word/document.xml": "A" * (16 * 2**20)})
    with pytest.raises(ReadError, match="zip bomb"):
        read(path)


def test_parts_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "overlap.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", "text")
        archive.filelist.append(archive.filelist[0])
    with pytest.raises(ReadError, match="overlap"):
        Archive(path)


def test_a_part_that_lies_about_its_size_gives_no_more_than_it_states(tmp_path: Path) -> None:
    path = packed(tmp_path / "liar.docx", {"a": "B" * 1000})
    data = bytearray(path.read_bytes())
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 10)
    path.write_bytes(bytes(data))
    with Archive(path) as archive, pytest.raises(ReadError, match="cannot be unpacked"):
        archive.read("a")


def test_names_that_climb_out_are_never_written_anywhere(tmp_path: Path) -> None:
    path = docx(tmp_path / "a.docx", paragraph("kept"))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../../evil.txt", "evil")
        archive.writestr("/tmp/evil.txt", "evil")
    assert read(path).pages[0].text == "kept"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.docx"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"PK\x03\x04 and nothing more", "no zip container"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted or in an old binary format"),
    ],
)
@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx"])
def test_what_is_no_office_file_is_refused_with_its_reason(
    tmp_path: Path, suffix: str, content: bytes, reason: str
) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    with pytest.raises(ReadError, match=reason):
        read(path)


def test_an_encrypted_part_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.docx", {"word/document.xml": "<d/>"})
    data = bytearray(path.read_bytes())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))
    with pytest.raises(ReadError, match="encrypted"):
        read(path)
