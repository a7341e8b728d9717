"""Which reader opens which file, in which version; and what is known of files inside a file."""

from __future__ import annotations

import hashlib
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import cast

from pincite.errors import ReadError
from pincite.installing import installed_version
from pincite.ports import FileReader
from pincite.records.pages import Member


def stamp(name: str, revision: str, *distributions: str) -> str:
    """`name revision` and each engine that is installed: "pdf 1; pdf_oxide 0.3.78; pypdfium2 5.15.2"."""
    engines = [f"{item} {found}" for item in distributions if (found := installed_version(item))]
    return "; ".join([f"{name} {revision}", *engines])


HEAD_BYTES = 4096
NONE = "none"
NO_READER = "has no reader for"
"""How the reason begins with which a file of another kind is refused."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of file. `magic`: byte strings that decide for it when one stands in the first `within` bytes.

    `holds_files`: there are files inside, which are sources of their own. `reader` names the class as "module:Class";
    its module must be cheap to import (engines are imported when a file is read).
    """

    kind: str
    reader: str
    suffixes: frozenset[str]
    magic: tuple[bytes, ...] = ()
    within: int = 0
    holds_files: bool = False


READERS: tuple[Row, ...] = (
    Row("pdf", "pincite.read.pdf:PdfReader", frozenset({".pdf"}), (b"%PDF-",), 1024),
    Row("docx", "pincite.read.docx:DocxReader", frozenset({".docx", ".docm"})),
    Row("pptx", "pincite.read.pptx:PptxReader", frozenset({".pptx", ".pptm", ".ppsx"})),
    Row("xlsx", "pincite.read.xls:XlsxReader", frozenset({".xlsx", ".xlsm"})),
    Row("xls", "pincite.read.xls:XlsReader", frozenset({".xls", ".xlt"})),
    Row("ods", "pincite.read.odt:OdsReader", frozenset({".ods"})),
    Row("odt", "pincite.read.odt:OdtReader", frozenset({".odt"})),
    Row("rtf", "pincite.read.plain_text:RtfReader", frozenset({".rtf"}), (b"{\\rtf",), 5),
    Row(
        "image",
        "pincite.read.image:ImageReader",
        frozenset({".tif", ".tiff", ".png", ".jpg", ".jpeg"}),
        (b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*"),
        8,
    ),
    Row("epub", "pincite.read.epub:EpubReader", frozenset({".epub"})),
    Row("html", "pincite.read.html:HtmlReader", frozenset({".html", ".htm", ".xhtml"})),
    Row("markdown", "pincite.read.markdown:MarkdownReader", frozenset({".md", ".markdown", ".mdown", ".mkd"})),
    Row("csv", "pincite.read.plain_text:CsvReader", frozenset({".csv", ".tsv", ".tab"})),
    Row("mail", "pincite.read.mail:MailReader", frozenset({".eml"}), holds_files=True),
    Row("zip", "pincite.read.nested_files:ZipReader", frozenset({".zip"}), holds_files=True),
    Row(
        "text",
        "pincite.read.plain_text:PlainReader",
        frozenset({".txt", ".text", ".log", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".rst", ".asc"}),
    ),
)


def kind_of(path: Path, head: bytes) -> str | None:
    """The kind of a file by suffix and first bytes, None where no row fits.

    Bytes win over the suffix; over one that has a reader only where they open the file, since a text may speak of them.
    """
    by_suffix = _by_suffix(path)
    if by_suffix:
        return next((row.kind for row in READERS if _opens_with_magic(row, head)), by_suffix.kind)
    return next((row.kind for row in READERS if _has_magic(row, head)), None)


def kind_at(path: Path, name: str = "") -> str | None:
    """The kind of the file at `path`, None where it has no reader; ReadError where it cannot be opened.

    `name`: what it is called, where that differs from its path.
    """
    return kind_of(Path(name) if name else path, _head(path))


def reader_for(path: Path, name: str = "") -> FileReader:
    """The reader for the file at `path`; raises ReadError where there is none, or where it cannot be opened."""
    return _reader_of(Path(name) if name else path, kind_at(path, name))


def reader_of_bytes(name: str, data: bytes) -> FileReader:
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
    return _load(kind).version if any(row.kind == kind for row in READERS) else None


def version_of_none() -> str:
    """The version for a file without a reader: it changes when a reader may have been added."""
    told = [(row.kind, sorted(row.suffixes), row.magic, row.within) for row in READERS]
    return f"{NONE} {hashlib.sha256(repr(told).encode()).hexdigest()[:8]}"


def holds_files(version: str) -> bool:
    """Whether a reader of this version finds files inside files; its version begins with its kind."""
    return any(row.holds_files and row.kind == version.partition(" ")[0] for row in READERS)


def versions_inside() -> str:
    """Eight hex digits that change with any reader of what may lie inside an archive or a mail."""
    versions = " | ".join(_load(row.kind).version for row in READERS if not row.holds_files)
    return hashlib.sha256(versions.encode()).hexdigest()[:8]


def readable_suffixes() -> str:
    """The suffixes of what can be read: ".asc .csv ..." """
    return " ".join(sorted({suffix for row in READERS for suffix in row.suffixes}))


def _reader_of(path: Path, kind: str | None) -> FileReader:
    if kind is None:
        name = path.suffix or "a file without suffix"
        raise ReadError(f"{NO_READER} {name}: convert it to PDF, DOCX or text")
    return _load(kind)


def _by_suffix(path: Path) -> Row | None:
    suffix = path.suffix.lower()
    return next((row for row in READERS if suffix in row.suffixes), None)


def _has_magic(row: Row, head: bytes) -> bool:
    return any(mark in head[: row.within] for mark in row.magic)


def _opens_with_magic(row: Row, head: bytes) -> bool:
    return bool(row.magic) and head.removeprefix(BOM_UTF8).lstrip().startswith(row.magic)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError as error:
        raise ReadError(f"cannot be opened: {error.strerror or error}") from error


@lru_cache(maxsize=32)
def _load(kind: str) -> FileReader:
    row = next(row for row in READERS if row.kind == kind)
    module, _, name = row.reader.partition(":")
    return cast(FileReader, getattr(import_module(module), name)())


REVISION = "1"
"""Of this page: a part of the version of every reader that finds members."""


def described(files: Iterable[tuple[str, bytes]]) -> Iterator[Member]:
    """What is known of each of these files: (name, content)."""
    for name, content in files:
        digest = hashlib.sha256(content).hexdigest()
        try:
            yield Member(name, len(content), digest, reader=reader_of_bytes(name, content).version)
        except ReadError as error:
            yield Member(name, len(content), digest, reason=str(error))
