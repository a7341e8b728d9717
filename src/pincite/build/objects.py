"""Objects of a store such as S3 as sources: which are handed in, under which ids, and the local copies that are
read."""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Self

from pincite.build.sources import INSIDE, Found, Ignored, acl_of_entry, source_of_entry
from pincite.errors import ServiceError, UsageError
from pincite.ports import ObjectStore, StoredObject
from pincite.printing import printed_name
from pincite.read.registry import version_today
from pincite.records.sources import OBJECT_SCHEME, Source, SourceState
from pincite.store.database import translated

HAS_MARK = f"its key holds {INSIDE}, which parts an archive from what lies in it: give it another"


@dataclass(frozen=True, slots=True)
class ObjectTerms:
    """What is known of objects before they are listed: what the store holds already, the largest that is fetched in
    bytes, and patterns of what is left out."""

    known: Mapping[str, SourceState]
    most_bytes: int
    exclude: Sequence[str] = ()


def is_object(source_id: str) -> bool:
    """Whether a source lies in an object store."""
    return source_id.startswith(OBJECT_SCHEME)


def is_at_or_below(source_id: str, address: str) -> bool:
    """Whether an object is the one of this address, lies below it as if it were a folder, or lies inside of these."""
    return source_id == address or source_id.startswith((_folder(address), f"{address}{INSIDE}"))


def find_objects(
    addresses: Sequence[str], entries: Sequence[Mapping[str, Any]], objects: ObjectStore, terms: ObjectTerms
) -> list[Found]:
    """All objects at and below these addresses and those of a manifest, by id; without hidden and excluded ones and the
    empty objects that mark folders. ServiceError where the listing is incomplete (an unlisted object has not vanished),
    UsageError where an entry of the manifest matches none."""
    found = {
        item.address: _found(item, terms, {}, _patterns(address, terms))
        for address in addresses
        for item in objects.objects(_beginning(address))
        if item.address == address or _is_taken(item, address, terms)
    }
    for entry in entries:
        address = entry["path"]
        item = next((item for item in objects.objects(address) if item.address == address), None)
        if item is None:
            raise UsageError(f"{printed_name(address)} does not exist: the manifest names it")
        found[address] = _found(item, terms, entry, _patterns(address, terms))
    return [found[address] for address in sorted(found)]


def _beginning(address: str) -> str:
    """What all addresses begin with that an address means: for a bucket alone, its folder."""
    return address if "/" in address.removeprefix(OBJECT_SCHEME) else _folder(address)


def _folder(address: str) -> str:
    """An address as that of a folder."""
    return address if address.endswith("/") else f"{address}/"


def _patterns(address: str, terms: ObjectTerms) -> Ignored:
    return Ignored().and_these(Path(address), terms.exclude)


def _is_taken(item: StoredObject, address: str, terms: ObjectTerms) -> bool:
    """Whether an object is below an address, not a folder marker, and neither hidden nor excluded."""
    is_folder = item.address.endswith("/") and item.size == 0
    if is_folder or not item.address.startswith(_folder(address)):
        return False
    below = PurePosixPath(item.address).relative_to(PurePosixPath(address))
    is_hidden = any(part.startswith(".") and part not in (".", "..") for part in below.parts)
    return not is_hidden and not _is_ignored(below, Path(address), _patterns(address, terms))


def _is_ignored(below: PurePosixPath, base: Path, ignored: Ignored) -> bool:
    folders = [base / folder for folder in below.parents if folder.parts]
    return ignored.holds(base / below) or any(ignored.holds(folder, is_folder=True) for folder in folders)


def _found(item: StoredObject, terms: ObjectTerms, entry: Mapping[str, Any], ignored: Ignored) -> Found:
    """An object as a source. The digest of its bytes is known where the store has read these very bytes, else empty."""
    found = Found(Path(), item.address, acl=acl_of_entry(entry), says_access="acl" in entry)
    if INSIDE in item.address:
        return replace(found, source_id=item.address.replace(INSIDE, "!%2F"), reason=HAS_MARK)
    if item.size > terms.most_bytes:
        return replace(found, reason=_too_large(item, terms))
    digest, reader = _as_read(item, terms.known.get(item.address))
    source = source_of_entry(
        Source(
            item.address,
            PurePosixPath(item.address).suffix.lower().lstrip(".") or "file",
            digest,
            size=item.size,
            modified_ns=item.modified_ns,
            stamp=item.stamp,
        ),
        {"uri": item.address, **entry},
    )
    return replace(found, source=source, reader=reader, ignored=ignored, stored=item)


def _as_read(item: StoredObject, state: SourceState | None) -> tuple[str, str | None]:
    """The digest of an object that is as it was read, and the version that its reader has today."""
    if state is None or not item.stamp or (state.source.stamp, state.source.size) != (item.stamp, item.size):
        return "", None
    reader = version_today(state.versions.get("reader", ""))
    return (state.source.content_sha256, reader) if reader else ("", None)


def _too_large(item: StoredObject, terms: ObjectTerms) -> str:
    return f"has {item.size / 1e6:,.0f} MB, and no more than {terms.most_bytes / 1e6:,.0f} are fetched (s3_object_mb)"


READING, LOOKING, KEPT = "reading", "looking", "kept"
SILENT = 3
"""So many objects one after the other may fail because nobody answers; then nobody is asked any more in that run."""
IN_USE_SECONDS = 120.0
"""A copy that was asked for so lately may be open. By eye, not measured."""
LEFT_SECONDS = 600.0
"""A copy that is not kept is looked at for no longer: fetching and drawing have deadlines. By eye, not measured."""
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}", re.ASCII)


class FetchedFiles:
    """Copies for one run of indexing, each there until all that uses it is done; the store's writer lock is held. What
    a run left that was killed is removed at the beginning of the next. Use as a context manager."""

    def __init__(self, folder: Path, objects: Callable[[], ObjectStore]) -> None:
        self._folder = folder / READING
        self._objects = objects
        self._users: Counter[Path] = Counter()
        self._silent = 0

    def __enter__(self) -> Self:
        shutil.rmtree(self._folder, ignore_errors=True)
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def fetch(self, wanted: StoredObject) -> Path:
        """A copy of an object, for one user; ReadError or ServiceError where it cannot be fetched."""
        if self._silent >= SILENT:
            raise ServiceError("the object store did not answer before: try again later")
        with translated(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / _copy_name(wanted.address, wanted.stamp)
        try:
            self._objects().fetch(wanted, path)
        except ServiceError:
            self._silent += 1
            raise
        self._silent = 0
        self.use(path)
        return path

    def use(self, path: Path) -> None:
        """Keep a copy for one user more."""
        self._users[path] += 1

    def done(self, path: Path) -> None:
        """One user less; the last one's copy is removed."""
        self._users[path] -= 1
        if self._users[path] <= 0:
            del self._users[path]
            path.unlink(missing_ok=True)


class KeptFiles:
    """Copies of objects whose pages were viewed, by digests of address and stamp; together at most `most_bytes`, not
    counting those in use."""

    def __init__(self, folder: Path, objects: Callable[[], ObjectStore], *, most_bytes: int) -> None:
        self._folder = folder
        self._objects = objects
        self._most_bytes = most_bytes

    @contextmanager
    def opened(self, address: str, stamp: str, *, keeps: bool) -> Iterator[Path | None]:
        """A copy of the object with this stamp; None if it has changed or gone. It is kept if `keeps`, else removed at
        the end of the block."""
        kept = self._folder / KEPT / _copy_name(address, stamp)
        if keeps and kept.is_file():
            with suppress(OSError):
                kept.touch()
            yield kept
            return
        wanted = self._objects().find(address)
        if wanted is None or wanted.stamp != stamp:
            yield None
            return
        self.clean()
        with translated(self._folder):
            (self._folder / LOOKING).mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=self._folder / LOOKING) as aside:
            path = Path(aside) / kept.name
            self._objects().fetch(wanted, path)
            yield self._keep(path, kept) if keeps else path

    def forget(self, address: str, stamp: str) -> None:
        """Forget the copy of one, so that it is fetched again."""
        (self._folder / KEPT / _copy_name(address, stamp)).unlink(missing_ok=True)

    def clean(self) -> None:
        """Remove what was left by a process that was killed while it looked at a document."""
        for left in (self._folder / LOOKING).glob("*"):
            with suppress(OSError):
                if left.stat().st_mtime < time.time() - LEFT_SECONDS:
                    shutil.rmtree(left, ignore_errors=True)

    def clear(self) -> None:
        """Forget all that is kept."""
        shutil.rmtree(self._folder / KEPT, ignore_errors=True)

    def _keep(self, path: Path, kept: Path) -> Path:
        with translated(kept):
            kept.parent.mkdir(exist_ok=True)
            path.replace(kept)
        self._bound()
        return kept

    def _bound(self) -> None:
        """Remove what was asked for the longest time ago; others may do so at the same time."""
        found = []
        for path in (self._folder / KEPT).iterdir():
            with suppress(OSError):
                status = path.stat()
                found.append((status.st_mtime, path, status.st_size))
        total = sum(size for _, _, size in found)
        for used, path, size in sorted(found):
            if total <= self._most_bytes or used > time.time() - IN_USE_SECONDS:
                return
            path.unlink(missing_ok=True)
            total -= size


def _copy_name(address: str, stamp: str) -> str:
    """The name of a copy: nothing of the key stands in it but its suffix, by which a reader is chosen."""
    suffix = PurePosixPath(address).suffix
    return hashlib.sha256(f"{address}\n{stamp}".encode()).hexdigest() + (suffix if _SUFFIX.fullmatch(suffix) else "")
