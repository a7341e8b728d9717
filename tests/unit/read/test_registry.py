"""Which reader takes a file: what it is counts more than how it is named."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.support.office_files import packed

from pincite.errors import ReadError
from pincite.read.registry import READERS, reader_for, reader_of_bytes


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
        ("README", b"How to start the pump, and what to do when it stops.", "text"),
        ("Terms-2.0", b"1. Definitions", "text"),
        ("pump.conf", b"# Where the log of the pump is kept, and for how long it is there.\nlog = 7", "text"),
        ("copyright", b"\xff\xfeC\0o\0", "text"),
        ("page", b"<!-- saved -->\n<!DOCTYPE html><p>Hello", "html"),
        ("export.xls", b"\n<html><table><tr><td>1</td></tr></table></html>", "html"),
        ("export.xlsx", b"The export of the table failed: it is too large for this.", "text"),
        ("broken.docx", b"\0\1\2", "docx"),
        ("notes.txt.gz", gzip.compress(b"Notes", mtime=0), "packed"),
        ("notes", bz2.compress(b"Notes"), "packed"),
        ("really.md", gzip.compress(b"Notes", mtime=0), "packed"),
    ],
)
def test_bytes_win_over_the_suffix_where_they_open_the_file(
    tmp_path: Path, name: str, content: bytes, kind: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert reader_for(path).name == kind


@pytest.mark.parametrize("name", ["called.docx", "called.pdf", "called.txt", "called"])
@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        (["_rels/.rels", "word/document.xml"], "docx"),
        (["_rels/.rels", "ppt/presentation.xml"], "pptx"),
        (["docProps/app.xml", "xl/theme/theme1.xml", "_rels/.rels"], "xlsx"),
        (["word/notes.txt"], "zip"),
    ],
)
def test_an_office_file_is_known_whatever_it_is_called(tmp_path: Path, name: str, parts: list[str], kind: str) -> None:
    path = packed(tmp_path / name, dict.fromkeys(parts, "x"))
    expected = "docx" if name.endswith(".docx") else kind
    assert reader_for(path).name == reader_of_bytes(name, path.read_bytes()).name == expected


def test_an_open_document_is_known_by_its_type(tmp_path: Path) -> None:
    path = tmp_path / "sheet"
    with ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    assert reader_for(path).name == "ods"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("letter.pages", b"something"),
        ("picture.webp", b"something"),
        ("archive.7z", b"something"),
        ("menu.js", b"for(var i=0;i<n.length;i++){x[i]=n[i]}"),
        ("style.css", b".a{color:red}"),
        ("tool", b"\x7fELF\0\0"),
        ("empty", b""),
    ],
)
def test_what_has_no_reader_is_refused_by_name_and_with_advice(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ReadError, match=r"has no reader for (\.\w+|a file without suffix): convert it to"):
        reader_for(path)


def test_no_two_readers_want_the_same_suffix() -> None:
    suffixes = [suffix for row in READERS for suffix in row.suffixes]
    assert len(suffixes) == len(set(suffixes))
