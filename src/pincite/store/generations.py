"""Generations: immutable sets of derived indexes, published by one atomic rename (docs/design.md section 5)."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import StoreError
from pincite.store.database import os_advice
from pincite.store.inverted import load_array
from pincite.store.locks import alone_with, share, stamp_of

CURRENT = "CURRENT"
FORMAT_VERSION = 3
LOCK = "lock"
MANIFEST = "manifest.json"
OWN = "manifest"
"""The manifest's key for the digest of all else that it says."""
STAMPS = "stamps"
ACCESS = "access"
"""The manifest's key for how far a generation keeps apart what different people may see."""
NAME = re.compile(r"\d+-[\w.-]+")
CHUNK_IDS = "chunk_ids.npy"
CHUNK_SOURCES = "chunk_sources.npy"
CHUNK_ORDER = "chunk_order.npy"
SOURCES = "sources.json"


@dataclass(frozen=True, slots=True)
class Ordinals:
    """Which chunk stands at which ordinal, and of which source: by source, and within one in reading order. `chunk_ids`
    (chunks, 32) are SHA-256 digests, `chunk_sources` (chunks,) positions in `sources`, `chunk_order` (chunks,) the
    ordinals by ascending digest."""

    chunk_ids: NDArray[np.uint8]
    chunk_sources: NDArray[np.int32]
    chunk_order: NDArray[np.int32]
    sources: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.chunk_sources)

    def chunk_id(self, ordinal: int) -> str:
        """The id of the chunk at this ordinal."""
        return bytes(self.chunk_ids[ordinal]).hex()

    def find(self, chunk_id: str) -> int | None:
        """The ordinal of a chunk id; None where this generation does not hold it."""
        wanted = bytes.fromhex(chunk_id)
        place = bisect_left(self.chunk_order, wanted, key=lambda ordinal: bytes(self.chunk_ids[ordinal]))
        found = int(self.chunk_order[place]) if place < len(self) else None
        return None if found is None or bytes(self.chunk_ids[found]) != wanted else found

    @classmethod
    def of(cls, chunk_ids: list[str], chunk_sources: list[str]) -> Ordinals:
        """From the chunk ids in the order of their ordinals, and the source id of each."""
        sources = sorted(set(chunk_sources))
        position = {source: index for index, source in enumerate(sources)}
        digests = np.frombuffer(bytes.fromhex("".join(chunk_ids)), np.uint8).reshape(-1, 32)
        return cls(
            digests,
            np.array([position[source] for source in chunk_sources], np.int32),
            np.lexsort(digests.view(">u8").T[::-1]).astype(np.int32),
            tuple(sources),
        )


@dataclass(frozen=True, slots=True)
class Pinned:
    """A generation that a reader holds: it is not collected before `release`."""

    folder: Path
    manifest: Mapping[str, Any]
    ordinals: Ordinals
    _lock: IO[str]

    def release(self) -> None:
        """Let go of it."""
        self._lock.close()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Release it at the end of a block."""
        try:
            yield
        finally:
            self.release()


class Generations:
    """The generations of one store, below `folder/generations`, the current one named in `folder/CURRENT`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._generations = folder / "generations"

    def current(self) -> str | None:
        """The name of the current generation; None before the first, and where what stands there is no name."""
        try:
            name = (self._folder / CURRENT).read_text(encoding="utf-8", errors="replace").strip()
        except FileNotFoundError:
            return None
        return name if NAME.fullmatch(name) else None

    def pin(self) -> Pinned | None:
        """Hold the current generation; None before the first. Raises StoreError where it is damaged."""
        while (name := self.current()) is not None:
            try:
                return self._pin(name)
            except FileNotFoundError as error:
                if name == self.current():
                    raise StoreError(
                        f"the generation {name} is incomplete ({error.filename}): run pincite index to build it again"
                    ) from error
        return None

    def publish(
        self, revision: int, digest: str, ordinals: Ordinals, facts: Mapping[str, Any], fill: Callable[[Path], None]
    ) -> str:
        """Build a generation aside, sync it, make it the current one; its name.

        `fill` writes the indexes into the folder that it is given; `facts` go into the manifest.
        """
        name = f"{revision:08d}-{digest[:16]}"
        aside = self._generations / f".{name}.{os.getpid()}"
        try:
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
            _write_ordinals(aside, ordinals)
            fill(aside)
            _write_manifest(aside, {"generation": digest, "revision": revision, "chunks": len(ordinals), **facts})
            (aside / LOCK).touch()
            sync_files(aside)
            self._replace(aside, self._generations / name)
            self._point_to(name)
        except OSError as error:
            shutil.rmtree(aside, ignore_errors=True)
            raise StoreError(os_advice(aside, error)) from error
        return name

    def collect(self, *, keep_current: bool = True) -> list[str]:
        """Remove generations that no reader holds, and what a killed run left; their names."""
        current, removed = self.current() if keep_current else None, []
        for folder in sorted(self._generations.glob("*")) if self._generations.is_dir() else []:
            if folder.name != current and _remove(folder):
                removed.append(folder.name)
        return removed

    def share(self) -> None:
        """Have other machines find the current generation; there are none."""

    def pull(self, *, check: bool = False) -> str | None:
        """Have the generation that another machine shared; there is none."""
        return None

    def left_by_purge(self) -> str:
        """What of removed generations only others can remove: nothing."""
        return ""

    def problems(self) -> list[str]:
        """Files of the current generation that are missing or do not fit the manifest's SHA-256."""
        name = self.current()
        if name is None:
            return []
        folder = self._generations / name
        try:
            manifest = _manifest_of(folder)
        except OSError as error:
            return [f"generation {name}: manifest.json cannot be read ({error})"]
        except StoreError as error:
            return [str(error)]
        return [
            f"generation {name}: {file} is missing or changed"
            for file, digest in manifest["files"].items()
            if not (folder / file).is_file() or file_sha256(folder / file) != digest
        ]

    def note(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a small JSON file beside the current generation's name, as a whole or not at all."""
        aside = self._folder / f".{name}.{os.getpid()}"
        try:
            aside.write_text(json.dumps(content, sort_keys=True), encoding="utf-8")
            aside.rename(self._folder / name)
        except OSError as error:
            raise StoreError(os_advice(aside, error)) from error

    def noted(self, name: str) -> dict[str, Any]:
        """What `note` wrote; empty where there is nothing."""
        try:
            found = json.loads((self._folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _pin(self, name: str) -> Pinned:
        folder = self._generations / name
        with ExitStack() as undo:
            lock = undo.enter_context(share(folder / LOCK))
            manifest = _manifest_of(folder)
            _check_files(folder, manifest)
            if manifest["format"] != FORMAT_VERSION:
                raise StoreError(
                    f"the generation {name} was written by another version of pincite: run pincite index FOLDER"
                )
            ordinals = _read_ordinals(folder)
            undo.pop_all()
        return Pinned(folder, manifest, ordinals, lock)

    def _replace(self, aside: Path, final: Path) -> None:
        """Put the finished folder in its place; one of the same name that stands there may be in use by readers."""
        if final.exists():
            final.rename(final.with_name(f".{final.name}.{os.getpid()}.old"))
        aside.rename(final)
        sync_folder(self._generations)

    def _point_to(self, name: str) -> None:
        aside = self._folder / f".{CURRENT}.{os.getpid()}"
        with aside.open("w", encoding="utf-8") as file:
            file.write(name + "\n")
            file.flush()
            os.fsync(file.fileno())
        aside.rename(self._folder / CURRENT)
        sync_folder(self._folder)


def _remove(folder: Path) -> bool:
    """Remove a generation unless a reader holds it; whether it was. A reader that comes meanwhile finds it gone."""
    with ExitStack() as stack:
        is_whole = not folder.name.startswith(".") and (folder / LOCK).exists()
        if is_whole and not stack.enter_context(alone_with(folder / LOCK)):
            return False
        shutil.rmtree(folder, ignore_errors=True)
    return True


def _write_ordinals(folder: Path, ordinals: Ordinals) -> None:
    np.save(folder / CHUNK_IDS, ordinals.chunk_ids)
    np.save(folder / CHUNK_SOURCES, ordinals.chunk_sources)
    np.save(folder / CHUNK_ORDER, ordinals.chunk_order)
    (folder / SOURCES).write_text(json.dumps(ordinals.sources, ensure_ascii=False), encoding="utf-8")


def _read_ordinals(folder: Path) -> Ordinals:
    try:
        ids, sources, order = (load_array(folder / name) for name in (CHUNK_IDS, CHUNK_SOURCES, CHUNK_ORDER))
        return Ordinals(ids, sources, order, tuple(json.loads((folder / SOURCES).read_text(encoding="utf-8"))))
    except (ValueError, TypeError, EOFError) as error:
        raise damaged(folder, str(error)) from error


def damaged(folder: Path, what: str) -> StoreError:
    """What to say of a generation that holds something else than was written."""
    return StoreError(f"the generation {folder.name} is damaged ({what}): run pincite index to build it again")


def _manifest_of(folder: Path) -> dict[str, Any]:
    """What the manifest says; one of an older version has no digest of its own. StoreError where it was changed."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        own, has_stamps = manifest.pop(OWN, None), STAMPS in manifest
        is_whole = own == _digest_of(manifest) if own or has_stamps else {"format", "files"} <= manifest.keys()
    except (ValueError, RecursionError, AttributeError, TypeError) as error:
        raise damaged(folder, MANIFEST) from error
    if not is_whole:
        raise damaged(folder, MANIFEST)
    found: dict[str, Any] = manifest
    return found


def _check_files(folder: Path, manifest: Mapping[str, Any]) -> None:
    for file, stamp in manifest.get(STAMPS, {}).items():
        if stamp_of(folder / file) != stamp:
            raise damaged(folder, file)


def _digest_of(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _write_manifest(folder: Path, facts: Mapping[str, Any]) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder).as_posix() for path in files]
    digests = {name: file_sha256(path) for name, path in zip(names, files, strict=True)}
    stamps = {name: stamp_of(path) for name, path in zip(names, files, strict=True)}
    manifest = {"format": FORMAT_VERSION, **facts, "files": digests, STAMPS: stamps}
    manifest[OWN] = _digest_of(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")


def sync_files(folder: Path) -> None:
    """Have the disk keep what the files of a folder hold."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Have the disk remember which files a folder holds."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def file_sha256(path: Path) -> str:
    """The digest of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
