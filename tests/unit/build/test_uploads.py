"""1. What is put in is kept whole or not at all. 2. What a sender calls it is data, and no part of any path. 3. The
same document is put in once."""

from __future__ import annotations

import errno
import os
import resource
import time
from pathlib import Path

import pytest

from pincite.build.sources import UPLOADS, Roots
from pincite.build.uploads import LONGEST_NAME, Upload, Uploads, shown_name
from pincite.errors import ReadError, StoreError, TooLongError, UsageError

MOST = 10_000
HOSTILE = [
    "../../etc/passwd.txt",
    "..\\..\\windows\\system32\\drivers\\etc\\hosts.txt",
    "/etc/shadow.txt",
    "//server/share/a.txt",
    "\\\\server\\share\\a.txt",
    "C:\\fakepath\\report.txt",
    "C:report.txt",
    "c:/a.txt",
    "file:///etc/passwd.txt",
    "....//....//a.txt",
    "..%2f..%2fa.txt",
    "%2e%2e%2fa.txt",
    "..;/a.txt",
    "a/../../b.txt",
    "./a.txt",
    "~/a.txt",
    "~root.txt",
    "$HOME.txt",
    "`id`.txt",
    "$(id).txt",
    "a;rm -rf.txt",
    "a|b.txt",
    "a\0.txt",
    "a.txt\0.pdf.txt",
    "a\nb.txt",
    "a\rb.txt",
    "\x1b[31mred.txt",
    "\u202egnp.txt",
    "\ud800.txt",
    "a\udfff.txt",
    "x" * 4092 + ".txt",
    "\N{SNOWMAN}" * 4092 + ".txt",
    "." * 300 + ".txt",
    "CON.txt",
    "NUL.txt",
    "aux.txt",
    "a.txt.",
    " a.txt ",
    "a.txt::$DATA.txt",
    ".htaccess.txt",
    ".pinciteignore.txt",
    "upload.json",
    "-rf.txt",
    "a!/b.txt",
    "archive.zip!.txt",
    "upload:00000000000000000000000000000000.txt",
    "(a, p.3).txt",
    "<img src=x onerror=alert(1)>.txt",
]


def put(uploads: Uploads, name: str = "a.txt", content: bytes = b"Snow lies.", acl: tuple[str, ...] = ()) -> Upload:
    with uploads.incoming(name, acl, MOST) as coming:
        coming.write(content)
        return coming.keep()


def everything(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_a_document_is_called_its_file_has_a_name_of_ours(tmp_path: Path, name: str) -> None:
    store = tmp_path / "docs" / ".pincite"
    try:
        made = put(Uploads(store), name)
    except ReadError:
        assert everything(store) == [UPLOADS]
        return
    key = made.source_id.removeprefix("upload:").partition("/")[0]
    assert everything(tmp_path) == [
        *("docs", "docs/.pincite", "docs/.pincite/uploads", f"docs/.pincite/uploads/{key}"),
        *sorted(f"docs/.pincite/uploads/{key}/{file}" for file in (made.path.name, "upload.json")),
    ]
    assert made.path.name in ("document", "document.txt", "document.json")
    assert Roots.load(store).file_of(made.source_id) == (made.path, ())
    (found,) = Uploads(store).found()
    assert found.source is not None
    assert found.source.filename == shown_name(name) == made.source_id.rpartition("/")[2]
    assert made.source_id.isprintable() or "\u202e" in name
    assert len(found.source.filename) <= LONGEST_NAME
    made.source_id.encode("utf-8")


@pytest.mark.parametrize("name", ["upload:%s/../../../x", "upload:%s/..", "upload:../../x/a.txt", "upload:%s/a!/../b"])
def test_no_id_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    root = tmp_path / "docs"
    roots = Roots({"": root}, root / ".pincite" / UPLOADS)
    path = roots.path_of(name.replace("%s", "0" * 32))
    assert path.is_relative_to(roots.uploads or root) or path.name == "a.txt"
    put_in = Uploads(root / ".pincite")
    assert not put_in.remove(name.replace("%s", "0" * 32))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("C:\\fakepath\\Report 2024.pdf", "Report 2024.pdf"),
        ("dir/Bericht über Schnee.pdf", "Bericht über Schnee.pdf"),
        ("", "document"),
        ("..", ".."),
        ("a/", "a"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("x" * 300, "x" * 200),
    ],
)
def test_the_last_part_of_a_name_is_shown(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_the_same_document_is_put_in_once(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    first = put(uploads, "a.txt")
    assert put(uploads, "folder/a.txt") == first
    others = [put(uploads, "b.txt"), put(uploads, "a.txt", b"Rain."), put(uploads, "a.txt", acl=("board",))]
    assert len({upload.source_id for upload in (first, *others)}) == 4
    assert {upload.source_id for upload in uploads.all()} == {upload.source_id for upload in (first, *others)}
    assert put(uploads, "a.txt", acl=("x", "board")) == put(uploads, "a.txt", acl=("board", "x"))


def test_a_document_that_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    with uploads.incoming("a.txt", (), MOST) as coming:
        coming.write(b"Snow")
        assert uploads.all() == []
    with pytest.raises(ZeroDivisionError), uploads.incoming("a.txt", (), MOST) as coming:
        coming.write(b"Snow")
        raise ZeroDivisionError
    assert everything(tmp_path) == [UPLOADS]


def test_what_is_too_large_empty_or_of_a_kind_that_nothing_reads_is_refused(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    with pytest.raises(TooLongError, match="more than 10,000 bytes"):
        put(uploads, content=b"x" * (MOST + 1))
    with pytest.raises(UsageError, match="holds no bytes"):
        put(uploads, content=b"")
    with pytest.raises(ReadError, match="has no reader"):
        put(uploads, "program.exe", b"MZ")
    with pytest.raises(ReadError), uploads.incoming("program.exe", (), MOST) as coming:
        coming.write(b"M" * 5000)
    assert everything(tmp_path) == [UPLOADS]


def test_bytes_decide_over_a_name_that_says_nothing(tmp_path: Path) -> None:
    assert put(Uploads(tmp_path), "scan", b"%PDF-1.4 ...").path.name == "document"


def test_a_disk_that_takes_nothing_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / UPLOADS).write_text("no folder")
    with pytest.raises(StoreError, match="cannot be used"):
        put(Uploads(tmp_path))


def test_a_disk_that_is_full_leaves_nothing(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(StoreError, match="cannot be used"):
            put(uploads, content=b"x" * MOST)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert everything(tmp_path) == [UPLOADS]


def test_what_could_not_be_placed_is_not_said_to_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = Uploads(tmp_path)
    uploads.remove(put(uploads).source_id)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", full)
        with pytest.raises(StoreError, match="no space left"):
            put(uploads)
    assert uploads.all() == []
    assert everything(tmp_path) == [UPLOADS]


def test_what_a_killed_process_left_is_cleaned_and_what_is_being_sent_is_not(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    left = tmp_path / UPLOADS / ".part-left"
    left.mkdir(parents=True)
    (left / "document.txt").write_text("half")
    gone = tmp_path / UPLOADS / ".gone-half"
    gone.mkdir()
    before = time.time() - 60
    with uploads.incoming("a.txt", (), MOST) as coming:
        coming.write(b"Snow lies.")
        for folder in (left, gone, coming.path.parent):
            os.utime(folder, (before, before))
        uploads.clean()
        assert not left.exists()
        assert not gone.exists()
        made = coming.keep()
    assert uploads.all() == [made]


def test_a_removed_document_is_deleted(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    made = put(uploads)
    assert uploads.remove(made.source_id)
    assert not uploads.remove(made.source_id)
    assert everything(tmp_path) == [UPLOADS]
