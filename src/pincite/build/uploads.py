"""Documents added over HTTP, each in a folder of its own in the store, under names that pincite makes:
`uploads/ID/document.pdf` and `upload.json` appear together. ID is a digest of content, name and tags: the same upload
twice is one document. The sender's name for it is the last part of its id, `upload:ID/NAME`, and part of no path."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import unicodedata
import uuid
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pincite.build.sources import UPLOAD, UPLOADS, Found, examine, stored_name
from pincite.errors import TooLongError, UsageError
from pincite.read.registry import HEAD_BYTES, reader_of_bytes
from pincite.store.database import translated
from pincite.store.generations import sync_folder
from pincite.store.locks import is_free, share

ABOUT = "upload.json"
LONGEST_NAME = 200
"""Characters of a name that are shown; its suffix is among them."""
LONGEST_SUFFIX = 20
NAMELESS = "document"
BEGINNING_SECONDS = 10.0
"""So long what is being put in may have no lock yet. By eye, not measured."""
MOST_REMEMBERED = 50_000
_PART, _GONE = ".part-", ".gone-"
_NO_TEXT = frozenset({"Cc", "Cs"})


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded document: its id, file, access tags, SHA-256 and size in bytes."""

    source_id: str
    path: Path
    acl: tuple[str, ...]
    content_sha256: str
    size: int


class Incoming:
    """A document that is being put in: nothing of it is to be seen before it is `kept`."""

    def __init__(self, part: Path, name: str, acl: Collection[str], most_bytes: int) -> None:
        self._part = part
        self._name = shown_name(name)
        self._acl = tuple(sorted(set(acl)))
        self._most_bytes = most_bytes
        self._digest = hashlib.sha256()
        self._size = 0
        self._head = b""
        self.path = part / stored_name(self._name)
        self._file = self.path.open("xb")

    def write(self, piece: bytes) -> None:
        """Take the next bytes. TooLongError where they are too many, ReadError as soon as it is seen that nothing reads
        such a file, StoreError where they cannot be written."""
        self._size += len(piece)
        if self._size > self._most_bytes:
            raise TooLongError(f"the document has more than {self._most_bytes:,} bytes (upload_mb): nothing was kept")
        self._look_at(piece)
        self._digest.update(piece)
        with translated(self.path):
            self._file.write(piece)

    def keep(self) -> Upload:
        """Keep what was written, for good; the document that was there before, where it is the same. UsageError where
        there is nothing, ReadError where nothing reads it."""
        if not self._size:
            raise UsageError(f"the document {self._name!r} holds no bytes: nothing was kept")
        reader_of_bytes(self._name, self._head)
        with translated(self.path):
            about = {"name": self._name, "acl": self._acl, "sha256": self._digest.hexdigest(), "size": self._size}
            self._file.flush()
            os.fsync(self._file.fileno())
            with (self._part / ABOUT).open("x", encoding="utf-8") as file:
                json.dump(about, file)
                file.flush()
                os.fsync(file.fileno())
            return self._placed()

    def close(self) -> None:
        """Let go of the file."""
        with suppress(OSError):
            self._file.close()

    def _look_at(self, piece: bytes) -> None:
        """Refuse what nothing reads by its first bytes."""
        if len(self._head) < HEAD_BYTES:
            self._head = (self._head + piece)[:HEAD_BYTES]
            if len(self._head) == HEAD_BYTES:
                reader_of_bytes(self._name, self._head)

    def _placed(self) -> Upload:
        key = _key(self._digest.hexdigest(), self._name, self._acl)
        folder = self._part.with_name(key)
        sync_folder(self._part)
        try:
            self._part.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
        sync_folder(folder.parent)
        return _read(folder)


class Uploads:
    """The documents that were put into the store in this folder."""

    def __init__(self, store: Path) -> None:
        self._folder = store / UPLOADS

    @contextmanager
    def incoming(self, name: str, acl: Collection[str], most_bytes: int) -> Iterator[Incoming]:
        """Take in a document that is called so. Whatever ends this before it is kept leaves nothing behind."""
        part = self._folder / f"{_PART}{uuid.uuid4().hex}"
        with ExitStack() as stack:
            with translated(part):
                part.mkdir(parents=True, mode=0o700)
                stack.callback(shutil.rmtree, part, ignore_errors=True)
                coming = Incoming(part, name, acl, most_bytes)
                stack.callback(coming.close)
                stack.enter_context(share(coming.path))
            yield coming

    def all(self) -> list[Upload]:
        """All that were kept, by their ids."""
        folders = [path for path in self._folder.glob("*") if len(path.name) == len(_key("", "", ()))]
        found = []
        for folder in folders:
            with suppress(OSError, ValueError, KeyError):
                found.append(_read(folder))
        return sorted(found, key=lambda upload: upload.source_id)

    def found(self, of: Collection[str] | None = None) -> list[Found]:
        """All of them, or those of these ids, as files that are to be indexed; they say nothing of later access."""
        wanted = (upload for upload in self.all() if of is None or upload.source_id in of)
        found = (examine(upload.path, upload.source_id, {"acl": upload.acl}) for upload in wanted)
        return [replace(item, says_access=False) for item in found]

    def remove(self, source_id: str) -> bool:
        """Delete the file of a document for good; whether there was one."""
        named = UPLOAD.fullmatch(source_id)
        folder = self._folder / named["key"] if named else None
        if folder is None or source_id not in {upload.source_id for upload in self.all()}:
            return False
        gone = folder.with_name(f"{_GONE}{uuid.uuid4().hex}")
        with translated(folder):
            folder.rename(gone)
            shutil.rmtree(gone)
        return True

    def clean(self) -> None:
        """Delete what was left behind by a process that was killed: documents half put in, or half deleted."""
        for folder in (*self._folder.glob(f"{_PART}*"), *self._folder.glob(f"{_GONE}*")):
            with suppress(OSError):
                is_old = time.time() - folder.stat().st_mtime > BEGINNING_SECONDS
                if is_old and all(map(is_free, folder.iterdir())):
                    shutil.rmtree(folder, ignore_errors=True)


def shown_name(name: str) -> str:
    """What a document is called that was sent under this name: its last part, whichever signs part it; no control
    characters and no half surrogates; long ones cut before their suffix."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    shown = "".join("\ufffd" if unicodedata.category(char) in _NO_TEXT else char for char in last).strip()
    stem, dot, suffix = shown.rpartition(".")
    if len(shown) > LONGEST_NAME and dot and len(suffix) <= LONGEST_SUFFIX:
        return f"{stem[: LONGEST_NAME - len(suffix) - 1]}.{suffix}"
    return shown[:LONGEST_NAME] or NAMELESS


@lru_cache(maxsize=MOST_REMEMBERED)
def _read(folder: Path) -> Upload:
    """What lies in a folder: never anything else, as long as it is there."""
    about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    source_id = f"upload:{folder.name}/{about['name']}"
    return Upload(source_id, folder / stored_name(about["name"]), tuple(about["acl"]), about["sha256"], about["size"])


def _key(content_sha256: str, name: str, acl: Collection[str]) -> str:
    said = json.dumps([content_sha256, name, *acl])
    return hashlib.sha256(said.encode("ascii")).hexdigest()[:32]
