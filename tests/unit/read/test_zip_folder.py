"""Zip folders and packed files: which files lie inside, under which names; what lies inside what; bounds."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import stat
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.office_files import packed, read

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.nested_files import LEADS_OUT, ZippedFiles, leads_out, member_name, opened, read_packed, read_zip
from pincite.read.registry import reader_named
from pincite.records.pages import Document


def zipped_file(path: Path, name: str) -> bytes:
    with ZippedFiles(path) as files:
        return files.content(name)


def listed(path: Path) -> dict[str, str | None]:
    return {member.name: member.reason for member in read_zip(path, ReadOptions()).members}


def test_each_file_inside_is_named_with_its_hash_and_its_reader(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"b.txt": "Snow.", "folder/": "", "folder/c.md": "# Ice", "d.xyz": "?"})
    document = read(path)
    assert document.pages == ()
    found = {member.name: member for member in document.members}
    assert list(found) == ["b.txt", "folder/c.md", "d.xyz"]
    assert found["b.txt"].content_sha256 == hashlib.sha256(b"Snow.").hexdigest()
    assert (found["b.txt"].size, found["b.txt"].reason) == (5, None)
    assert (found["folder/c.md"].reader or "").startswith("markdown ")
    assert (found["d.xyz"].reason or "").startswith("has no reader for .xyz")


def test_hidden_files_and_links_inside_are_left_out_as_they_are_outside(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {".hidden": "x", "__MACOSX/._a.txt": "x", "a/.git/b.txt": "x", "a.txt": "x"})
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert list(listed(path)) == ["a.txt"]


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ("folder\\b.txt", "folder/b.txt"),
        ("/etc/b.txt", "etc/b.txt"),
        ("./a//b.txt", "a/b.txt"),
        ("C:\\b.txt", "C:/b.txt"),
        ("con/aux.txt", "con/aux.txt"),
        ("a!/b!.txt", "a%21/b!.txt"),
    ],
)
def test_names_of_any_system_are_read_and_have_slashes(tmp_path: Path, stated: str, name: str) -> None:
    path = packed(tmp_path / "a.zip", {stated: "Snow."})
    assert listed(path) == {name: None}
    assert zipped_file(path, name) == b"Snow."


@pytest.mark.parametrize("stated", ["../b.txt", "a/../../b.txt", "..\\..\\b.txt"])
def test_a_name_that_leads_out_is_refused_and_leads_nowhere(tmp_path: Path, stated: str) -> None:
    path = packed(tmp_path / "a.zip", {stated: "Evil.", "good.txt": "Good."})
    (name,) = (name for name, reason in listed(path).items() if reason == LEADS_OUT)
    assert ".." not in name.split("/")
    with pytest.raises(ReadError, match="has no file"):
        zipped_file(path, name)


@given(st.text(alphabet="a./\\!C:%", max_size=12))
def test_no_name_inside_leads_upwards_or_to_the_root(stated: str) -> None:
    name = member_name(stated)
    assert not name.startswith("/")
    assert not {"", ".", ".."} & set(name.split("/")) or not name
    assert "!/" not in name
    assert leads_out(stated) == (".." in stated.replace("\\", "/").split("/"))


def test_two_files_of_one_name_are_told(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.txt": "first"})
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("a.txt", "second")
    assert read(path).warnings == ("1 files inside have the name of another, which alone is read",)
    assert zipped_file(path, "a.txt") == b"second"


@pytest.mark.parametrize("other", ["a\\b.txt", "a//b.txt", "./a/b.txt", "/a/b.txt"])
def test_two_names_that_mean_one_place_are_one_file(tmp_path: Path, other: str) -> None:
    path = packed(tmp_path / "a.zip", {"a/b.txt": "first", other: "second"})
    document = read(path)
    assert [member.name for member in document.members] == ["a/b.txt"]
    assert document.warnings == ("1 files inside have the name of another, which alone is read",)
    assert zipped_file(path, "a/b.txt") == b"second"


def test_a_file_inside_a_mail_inside_an_archive_is_opened(tmp_path: Path) -> None:
    inner = packed(tmp_path / "inner.zip", {"deep.txt": "Snow."}).read_bytes()
    mail = EmailMessage()
    mail["Subject"] = "Files"
    mail.add_attachment(inner, maintype="application", subtype="zip", filename="inner.zip")
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mail.eml", mail.as_bytes())
    with opened(path, ("mail.eml", "inner.zip", "deep.txt")) as (file, name):
        assert (file.read_bytes(), name) == (b"Snow.", "deep.txt")
    with pytest.raises(ReadError, match="has no file"), opened(path, ("mail.eml", "gone.zip")):
        pass
    with pytest.raises(ReadError, match="has no file"), opened(path, ("mail.eml", "inner.zip", "deep.txt", "more")):
        pass


def test_a_damaged_file_inside_does_not_spoil_the_others(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.txt": "Snow lies on the roof of the house.", "b.txt": "Ice."})
    data = bytearray(path.read_bytes())
    start = data.index(b"a.txt") + len(b"a.txt")
    data[start : start + 8] = b"\xff" * 8
    path.write_bytes(data)
    reasons = listed(path)
    assert "cannot be unpacked" in (reasons["a.txt"] or "")
    assert reasons["b.txt"] is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "is empty"), (b"PK\x03\x04rest", "is no zip container"), (b"x" * 99, "no zip container")],
)
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(ReadError, match=reason):
        listed(tmp_path / "a.zip")


def test_an_archive_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="holds no files"):
        listed(packed(tmp_path / "a.zip", {"folder/": ""}))


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.txt", bytes(20 * 2**20))
    with pytest.raises(ReadError, match="a zip bomb"):
        listed(path)


def test_the_version_changes_with_the_readers_of_what_lies_inside() -> None:
    reader = reader_named("zip")
    assert reader is not None
    assert reader.version.startswith("zip 1")
    assert "; inside " in reader.version


def test_a_plain_document_has_no_members() -> None:
    assert Document((), "x").members == ()


@pytest.mark.parametrize(
    ("name", "pack", "inside"),
    [
        ("notes.txt.gz", gzip.compress, "notes.txt"),
        ("NOTES.GZ", gzip.compress, "NOTES"),
        ("notes.md.bz2", bz2.compress, "notes.md"),
        ("notes", gzip.compress, "unpacked"),
    ],
)
def test_a_packed_file_holds_one_that_is_called_like_it(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes], inside: str
) -> None:
    path = tmp_path / name
    path.write_bytes(pack(b"The pump is oiled in May."))
    (member,) = read_packed(path, ReadOptions()).members
    assert (member.name, member.size, member.reason) == (inside, 25, None)
    with opened(path, (inside,)) as (file, called):
        assert (file.read_bytes(), called) == (b"The pump is oiled in May.", inside)


@pytest.mark.parametrize(
    "content", [gzip.compress(b"Notes" * 99, mtime=0)[:-20], b"\x1f\x8b\x08", bz2.compress(b"Notes")[:-9]]
)
def test_a_damaged_packed_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.gz"
    path.write_bytes(content)
    with pytest.raises(ReadError, match="is damaged: it cannot be unpacked"):
        read_packed(path, ReadOptions())


def test_a_packed_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.read.nested_files.MAX_MEMBER_BYTES", 1000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"0" * 1001))
    with pytest.raises(ReadError, match="is longer than 1,000 bytes when unpacked"):
        read_packed(path, ReadOptions())
