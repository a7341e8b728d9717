"""Which reader opens which file, in which version; and what is known of files inside a file."""

from __future__ import annotations

import hashlib
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path, PurePath

from pincite.errors import ReadError
from pincite.installing import installed_version
from pincite.ports import ReadOptions
from pincite.read.faq import with_questions
from pincite.read.sniffing import OLE, PACKED, ZIP, kind_of_text, kind_of_zip
from pincite.records.pages import Document, Member

HEAD_BYTES = 4096
NONE = "none"
NO_READER = "has no reader for"
"""How the reason begins with which a file of another kind is refused."""


REVISION = "1"
"""Of this page: a part of the version of every reader that finds members."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of file, and its reader (`ports.FileReader`). `function` reads a file, named as "module:function"; its
    module must be cheap to import (engines are imported when a file is read). `revision` changes whenever the same
    bytes may give another document, and so do the versions of the `engines`. `magic`: byte strings that decide for the
    kind when one stands in the first `within` bytes. `begins`: files that begin otherwise are mostly of another kind.
    `holds_files`: there are files inside, which are sources of their own."""

    name: str
    function: str
    revision: str
    engines: tuple[str, ...]
    suffixes: frozenset[str]
    magic: tuple[bytes, ...] = ()
    within: int = 0
    begins: tuple[bytes, ...] = ()
    holds_files: bool = False

    @property
    def version(self) -> str:
        """Name, revision and each engine that is installed: "pdf 1; pdf_oxide 0.3.78; pypdfium2 5.15.2"."""
        return _version_of(self)

    def read(self, path: Path, options: ReadOptions) -> Document:
        """The document of the file at `path`; ReadError with a one-line reason where it cannot be read."""
        module, _, function = self.function.partition(":")
        document: Document = getattr(import_module(module), function)(path, options)
        return replace(with_questions(document), reader=self.version)


@lru_cache(maxsize=32)
def _version_of(kind: FileKind) -> str:
    engines = [f"{engine} {found}" for engine in kind.engines if (found := installed_version(engine))]
    own = "; ".join([f"{kind.name} {kind.revision}", *engines])
    return f"{own}; inside {versions_inside()}" if kind.holds_files else own


_LXML, _CHARSETS = "lxml", "charset-normalizer"
_CONTAINER = (ZIP, OLE)
"""A document that is a ZIP archive, or was encrypted."""
READERS: tuple[FileKind, ...] = (
    FileKind(
        "pdf",
        "pincite.read.pdf:read_pdf",
        f"10.{REVISION}",
        ("pdf_oxide", "pypdfium2", "rapidocr"),
        frozenset({".pdf"}),
        (b"%PDF-",),
        1024,
    ),
    FileKind("docx", "pincite.read.docx:read_docx", "4", (_LXML,), frozenset({".docx", ".docm"}), begins=_CONTAINER),
    FileKind(
        "pptx", "pincite.read.pptx:read_pptx", "2", (_LXML,), frozenset({".pptx", ".pptm", ".ppsx"}), begins=_CONTAINER
    ),
    FileKind("xlsx", "pincite.read.xls:read_xlsx", "3", (_LXML,), frozenset({".xlsx", ".xlsm"}), begins=_CONTAINER),
    FileKind("xls", "pincite.read.xls:read_xls", "3", ("xlrd", _LXML), frozenset({".xls", ".xlt"}), begins=(OLE,)),
    FileKind("ods", "pincite.read.odt:read_ods", "3", (_LXML,), frozenset({".ods"}), begins=_CONTAINER),
    FileKind("odt", "pincite.read.odt:read_odt", "3", (_LXML,), frozenset({".odt"}), begins=_CONTAINER),
    FileKind("rtf", "pincite.read.plain_text:read_rtf", "2", ("striprtf",), frozenset({".rtf"}), (b"{\\rtf",), 5),
    FileKind(
        "image",
        "pincite.read.image:read_image",
        "1",
        ("pillow", "rapidocr"),
        frozenset({".tif", ".tiff", ".png", ".jpg", ".jpeg"}),
        (b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*"),
        8,
    ),
    FileKind("epub", "pincite.read.epub:read_epub", "11", (_LXML, _CHARSETS), frozenset({".epub"}), begins=_CONTAINER),
    FileKind("html", "pincite.read.html:read_html", "12", (_LXML, _CHARSETS), frozenset({".html", ".htm", ".xhtml"})),
    FileKind(
        "markdown",
        "pincite.read.markdown:read_markdown",
        "4",
        ("markdown-it-py", _CHARSETS),
        frozenset({".md", ".markdown", ".mdown", ".mkd"}),
    ),
    FileKind("csv", "pincite.read.plain_text:read_csv", "1", (_CHARSETS,), frozenset({".csv", ".tsv", ".tab"})),
    FileKind(
        "mail",
        "pincite.read.mail:read_mail",
        f"10.{REVISION}",
        (_LXML, _CHARSETS),
        frozenset({".eml"}),
        holds_files=True,
    ),
    FileKind(
        "zip",
        "pincite.read.nested_files:read_zip",
        f"1.{REVISION}",
        (),
        frozenset({".zip"}),
        begins=(ZIP,),
        holds_files=True,
    ),
    FileKind(
        "packed",
        "pincite.read.nested_files:read_packed",
        f"1.{REVISION}",
        (),
        frozenset({".gz", ".bz2"}),
        begins=PACKED,
        holds_files=True,
    ),
    FileKind(
        "text",
        "pincite.read.plain_text:read_plain",
        "4",
        (_CHARSETS,),
        frozenset({".txt", ".text", ".log", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".rst", ".asc"}),
    ),
)


def kind_of(name: PurePath, head: bytes) -> str | None:
    """The kind of a file by its name and its first bytes, None where nothing reads it.

    Bytes win over a suffix, over one that has a reader only where they open the file: a text may speak of them. A file
    that does not begin as its suffix promises is of the kind that its content tells, if it tells any.
    """
    by_suffix = _by_suffix(name)
    magic = _opens_with_magic if by_suffix else _has_magic
    if by_magic := next((row for row in READERS if magic(row, head)), None):
        return by_magic.name
    is_archive = head.startswith((ZIP, *PACKED))
    if by_suffix and (head.startswith(by_suffix.begins) if by_suffix.begins else not is_archive):
        return by_suffix.name
    if head.startswith(ZIP):
        return kind_of_zip(head)
    if head.startswith(PACKED):
        return "packed"
    return kind_of_text(name, head) or (by_suffix.name if by_suffix else None)


def kind_at(path: Path, name: str = "") -> str | None:
    """The kind of the file at `path`, None where it has no reader; ReadError where it cannot be opened.

    `name`: what it is called, where that differs from its path.
    """
    return kind_of(Path(name) if name else path, _head(path))


def reader_for(path: Path, name: str = "") -> FileKind:
    """The reader for the file at `path`; raises ReadError where there is none, or where it cannot be opened."""
    return _reader_of(Path(name) if name else path, kind_at(path, name))


def reader_of_bytes(name: str, data: bytes) -> FileKind:
    """The reader for a file of this name and content; raises ReadError where there is none."""
    return _reader_of(Path(name), kind_of(Path(name), data[:HEAD_BYTES]))


def version_for(path: Path) -> str:
    """The version of the reader that takes this file: engines and OCR included, imports none of them."""
    return reader_for(path).version


def version_today(version: str) -> str | None:
    """The version that the reader has today of which this was one; None where there is no such reader any more."""
    kind = version.partition(" ")[0]
    if kind == NONE:
        return version_of_none()
    reader = reader_named(kind)
    return None if reader is None else reader.version


def version_of_none() -> str:
    """The version for a file without a reader: it changes when a reader may have been added."""
    told = [(row.name, sorted(row.suffixes), row.magic, row.within) for row in READERS]
    return f"{NONE} {hashlib.sha256(repr(told).encode()).hexdigest()[:8]}"


def holds_files(version: str) -> bool:
    """Whether a reader of this version finds files inside files; its version begins with its kind."""
    return any(row.holds_files and row.name == version.partition(" ")[0] for row in READERS)


def versions_inside() -> str:
    """Eight hex digits that change with any reader of what may lie inside an archive or a mail."""
    versions = " | ".join(row.version for row in READERS if not row.holds_files)
    return hashlib.sha256(versions.encode()).hexdigest()[:8]


def readable_suffixes() -> str:
    """The suffixes of what can be read: ".asc .csv ..." """
    return " ".join(sorted({suffix for row in READERS for suffix in row.suffixes}))


def reader_named(name: str) -> FileKind | None:
    """The reader of this kind of file; None where there is none."""
    return next((row for row in READERS if row.name == name), None)


def _reader_of(path: PurePath, kind: str | None) -> FileKind:
    reader = reader_named(kind or "")
    if reader is None:
        name = path.suffix or "a file without suffix"
        raise ReadError(f"{NO_READER} {name}: convert it to PDF, DOCX or text")
    return reader


def _by_suffix(path: PurePath) -> FileKind | None:
    suffix = path.suffix.lower()
    return next((row for row in READERS if suffix in row.suffixes), None)


def _has_magic(row: FileKind, head: bytes) -> bool:
    return any(mark in head[: row.within] for mark in row.magic)


def _opens_with_magic(row: FileKind, head: bytes) -> bool:
    return bool(row.magic) and head.removeprefix(BOM_UTF8).lstrip().startswith(row.magic)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError as error:
        raise ReadError(f"cannot be opened: {error.strerror or error}") from error


def described(files: Iterable[tuple[str, bytes]]) -> Iterator[Member]:
    """What is known of each of these files: (name, content)."""
    for name, content in files:
        digest = hashlib.sha256(content).hexdigest()
        try:
            yield Member(name, len(content), digest, reader=reader_of_bytes(name, content).version)
        except ReadError as error:
            yield Member(name, len(content), digest, reason=str(error))
