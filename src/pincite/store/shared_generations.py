"""Generations in an object store, which one process publishes and any number of servers pull (docs/scaling.md).

PREFIX/objects/SHA-256      a file of a generation; what did not change is not sent again
PREFIX/manifests/SHA-256    the manifest of a generation, as it is in a folder
PREFIX/current.json         which of them is the current one, replaced only by who has seen what it was before
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pincite.errors import ReadError, ServiceError, StoreError
from pincite.ports import ObjectStore, StoredObject
from pincite.store.database import os_advice
from pincite.store.generations import LOCK, MANIFEST, NAME, Generations, file_sha256, sync_files
from pincite.store.locks import writer_lock

CURRENT_OBJECT = "current.json"
PULL_LOCK = "pull.lock"
LARGEST_MANIFEST = 10_000_000
"""Bytes: a generation has some fifty files."""
LEFT_BY_PURGE = (
    "the bucket may keep earlier versions of its objects, and other servers their copy until they pull the next "
    "generation: remove those versions, and see that each server has pulled"
)
DAMAGED = "{} is missing or damaged: delete it, and run pincite index, which sends it again"
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Shared:
    """What `current.json` says: a generation by its name and the digest of its manifest, the revision of the record
    that it is of, and the notes that belong to it."""

    name: str
    manifest: str
    revision: int
    notes: Mapping[str, Any]

    @classmethod
    def of(cls, content: bytes) -> Shared:
        """StoreError where it says something else."""
        try:
            found = cls(**json.loads(content))
            is_known = bool(NAME.fullmatch(found.name) and _DIGEST.fullmatch(found.manifest))
            if is_known and isinstance(found.revision, int) and isinstance(found.notes, dict):
                return found
        except (ValueError, TypeError, RecursionError):
            pass
        raise StoreError(f"{CURRENT_OBJECT} of the bucket says something else than was written: run pincite index")

    def packed(self) -> bytes:
        """As it is written."""
        return json.dumps(asdict(self), sort_keys=True).encode()


class SharedGenerations(Generations):
    """Those of a folder, of which the current one lies at `address` (`s3://BUCKET/PREFIX`) too. `revision` gives that
    of the record; `notes` are the names of what is noted beside a generation and travels with it."""

    def __init__(
        self,
        folder: Path,
        address: str,
        objects: Callable[[], ObjectStore],
        revision: Callable[[], int],
        notes: Sequence[str],
    ) -> None:
        super().__init__(folder)
        self._address = address.rstrip("/")
        self._objects = objects
        self._revision = revision
        self._notes = tuple(notes)

    def share(self) -> None:
        """Send the current generation, and have it be the one that servers pull. StoreError where another process did
        meanwhile, or where a later one lies there."""
        name = self.current()
        if name is None:
            return
        folder = self._generations / name
        try:
            manifest = (folder / MANIFEST).read_bytes()
            files = json.loads(manifest)["files"]
            own = Shared(name, _sha256(manifest), _revision_of(name), self._own_notes())
            there = self._objects().find(self._at(CURRENT_OBJECT))
            before = None if there is None else self._said(there, is_sent_anew=True)
            if before is not None and before.revision > own.revision:
                raise StoreError(
                    f"{self._address} holds a later generation, of revision {before.revision}: give each store a "
                    "prefix of its own (generations_url)"
                )
            for file, digest in files.items():
                self._send(f"objects/{digest}", folder / file)
            self._send(f"manifests/{own.manifest}", folder / MANIFEST)
            if before == own:
                return
            with _file_of(own.packed()) as path:
                if not self._objects().put(self._at(CURRENT_OBJECT), path, replacing=there):
                    raise StoreError(f"another process published in {self._address} just now: run pincite index again")
        except OSError as error:
            raise StoreError(os_advice(folder, error)) from error
        except (ReadError, ServiceError) as error:
            later = "what was indexed is kept here, and sent with the next pincite index"
            raise ServiceError(f"the generation could not be sent to {self._address} ({error}): {later}") from error

    def pull(self, *, check: bool = False) -> str | None:
        """Have the generation that lies there as the current one, each file checked by its SHA-256; its name, None
        where there is none, or none yet whose revision the record has. A later one that is here stays: it is being
        sent. With `check`, the copy that is here already is checked too."""
        try:
            shared = self._there()
            if shared is None or shared.revision > self._revision():
                return None
            here = self.current()
            if here is not None and _revision_of(here) > shared.revision:
                return here
            if here != shared.name or (check and self.problems()):
                with writer_lock(self._folder / PULL_LOCK):
                    self._fetch(shared)
            for name, content in shared.notes.items():
                if name in self._notes and self.noted(name) != content:
                    self.note(name, content)
        except OSError as error:
            raise StoreError(os_advice(self._folder, error)) from error
        except ReadError as error:
            raise ServiceError(f"{self._address}: an object {error}") from error
        return shared.name

    def collect(self, *, keep_current: bool = True) -> list[str]:
        """The same, and remove from the object store what the generation that lies there does not hold."""
        removed = super().collect(keep_current=keep_current)
        try:
            shared = self._there()
            if shared is not None:
                manifest = self._manifest_of(shared)
                kept = {f"objects/{digest}" for digest in manifest["files"].values()}
                kept |= {CURRENT_OBJECT, f"manifests/{shared.manifest}"}
                self._remove_but(kept)
        except ReadError as error:
            raise ServiceError(f"{self._address}: an object {error}") from error
        return removed

    def left_by_purge(self) -> str:
        """What nobody but the owner of the bucket, and other servers, can remove."""
        return LEFT_BY_PURGE

    # --- helpers

    def _at(self, key: str) -> str:
        return f"{self._address}/{key}"

    def _own_notes(self) -> dict[str, Any]:
        return {name: content for name in self._notes if (content := self.noted(name))}

    def _there(self) -> Shared | None:
        """The current generation; None where there is none yet."""
        there = self._objects().find(self._at(CURRENT_OBJECT))
        return None if there is None else self._said(there)

    def _said(self, there: StoredObject, *, is_sent_anew: bool = False) -> Shared | None:
        """What the object says that names the current generation; StoreError where that is no sense, None where it
        `is_sent_anew`."""
        try:
            return Shared.of(self._content(there))
        except StoreError:
            if is_sent_anew:
                return None
            raise

    def _content(self, there: StoredObject) -> bytes:
        if there.size > LARGEST_MANIFEST:
            raise StoreError(f"{there.address} is too large to be what was written: run pincite index")
        with _file_of(b"") as path:
            self._objects().fetch(there, path)
            return path.read_bytes()

    def _send(self, key: str, path: Path) -> None:
        """A file that is not there, or not whole."""
        there = self._objects().find(self._at(key))
        if there is None or there.size != path.stat().st_size:
            self._objects().put(self._at(key), path, replacing=there)

    def _manifest_of(self, shared: Shared) -> Mapping[str, Any]:
        content = self._checked(f"manifests/{shared.manifest}", shared.manifest)
        manifest: Mapping[str, Any] = json.loads(content)
        return manifest

    def _checked(self, key: str, digest: str) -> bytes:
        there = self._objects().find(self._at(key))
        content = b"" if there is None else self._content(there)
        if _sha256(content) != digest:
            raise StoreError(DAMAGED.format(self._at(key)))
        return content

    def _fetch(self, shared: Shared) -> None:
        """Bring a generation into the folder; files that the one here has are copied."""
        manifest = self._checked(f"manifests/{shared.manifest}", shared.manifest)
        files: Mapping[str, str] = json.loads(manifest)["files"]
        known = self._files_here()
        aside = self._generations / f".{shared.name}.{os.getpid()}"
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        try:
            for file, digest in files.items():
                if not _is_inside(file) or not _DIGEST.fullmatch(digest):
                    raise StoreError(f"the manifest of {shared.name} in {self._address} names no files of a generation")
                (aside / file).parent.mkdir(parents=True, exist_ok=True)
                self._bring(digest, known.get(digest), aside / file)
            (aside / MANIFEST).write_bytes(manifest)
            (aside / LOCK).touch()
            sync_files(aside)
            self._replace(aside, self._generations / shared.name)
            self._point_to(shared.name)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
        super().collect()

    def _bring(self, digest: str, here: Path | None, path: Path) -> None:
        if here is not None and file_sha256(here) == digest:
            shutil.copyfile(here, path)
            return
        there = self._objects().find(self._at(f"objects/{digest}"))
        if there is not None:
            self._objects().fetch(there, path)
        if there is None or file_sha256(path) != digest:
            raise StoreError(DAMAGED.format(self._at(f"objects/{digest}")))

    def _files_here(self) -> dict[str, Path]:
        """By digest, the files of the generation that is the current one here."""
        name = self.current()
        try:
            files = json.loads((self._generations / str(name) / MANIFEST).read_bytes())["files"]
            return {digest: self._generations / str(name) / file for file, digest in files.items() if _is_inside(file)}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def _remove_but(self, kept: set[str]) -> None:
        for there in self._objects().objects(f"{self._address}/"):
            key = there.address.removeprefix(f"{self._address}/")
            if key not in kept and key.partition("/")[0] in ("objects", "manifests"):
                self._objects().remove(there.address)


@contextmanager
def _file_of(content: bytes) -> Iterator[Path]:
    """A file with this content, until the end of a block."""
    with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
        path = Path(folder) / "object"
        path.write_bytes(content)
        yield path


def _is_inside(file: str) -> bool:
    """Whether a name of a manifest stays inside its folder."""
    parts = PurePosixPath(file).parts
    return bool(parts) and ".." not in parts and not file.startswith("/") and "\\" not in file


def _revision_of(name: str) -> int:
    return int(name.partition("-")[0])


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
