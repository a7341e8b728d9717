"""Which objects are handed in, under which ids: their addresses in an object store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pincite.build.ignored import Ignored
from pincite.build.sources import INSIDE, Found, acl_of_entry, source_of_entry
from pincite.errors import UsageError
from pincite.ports import ObjectStore, StoredObject
from pincite.read.registry import version_today
from pincite.records.sources import OBJECT_SCHEME, Source, SourceState
from pincite.text.names import printed_name

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
    """All objects at and below these addresses, and those that the entries of a manifest name, by their ids.

    What is hidden, or what a pattern means, is left out, as are the empty objects that stand for folders. Raises
    ServiceError where they cannot all be listed: one that is not found because nobody answered has not vanished.
    UsageError where an entry names none.
    """
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
    """Whether an object lies below an address, stands for no folder, and is not hidden or left out."""
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
