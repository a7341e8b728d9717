"""Which files are indexed, under which ids (docs/design.md section 4); patterns of exclusion; and who may see what is
indexed again."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote_from_bytes

from pincite.errors import UsageError
from pincite.ports import StoredObject
from pincite.records.sources import OBJECT_SCHEME, Source
from pincite.store.database import translated

IGNORE_FILE = ".pinciteignore"


@dataclass(frozen=True, slots=True)
class Ignored:
    """Ignore patterns, each with the folder that states it and applies to what lies below. `*`, `?` and `[…]` match as
    in a shell, `*` also across slashes. A pattern without a slash names files and folders at any depth, one with a
    slash a path from its folder; one that ends in a slash means folders only."""

    patterns: tuple[tuple[Path, str], ...] = ()

    def and_these(self, folder: Path, patterns: Sequence[str]) -> Ignored:
        """With these patterns, too, for what lies below a folder."""
        return Ignored((*self.patterns, *((folder, pattern) for pattern in patterns)))

    def with_those_of(self, folder: Path) -> Ignored:
        """With the patterns that this folder states, too."""
        path = folder / IGNORE_FILE
        if not path.is_file():
            return self
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read: {error}") from error
        stated = (line.strip() for line in lines)
        return self.and_these(folder, [line for line in stated if line and not line.startswith("#")])

    def holds(self, path: Path, *, is_folder: bool = False) -> bool:
        """Whether a pattern means this file or folder."""
        return any(_means(pattern, path, folder, is_folder=is_folder) for folder, pattern in self.patterns)

    def holds_inside(self, path: Path, name: str) -> bool:
        """Whether a pattern means a file inside the one at `path`, or a folder there that it lies in."""
        inside = path.with_name(f"{path.name}!") / name
        folders = [folder for folder in inside.parents if folder.is_relative_to(path.with_name(f"{path.name}!"))]
        return self.holds(inside) or any(self.holds(folder, is_folder=True) for folder in folders)


def _means(pattern: str, path: Path, folder: Path, *, is_folder: bool) -> bool:
    bare = pattern.rstrip("/")
    if pattern.endswith("/") and not is_folder:
        return False
    relative = path.relative_to(folder).as_posix()
    return fnmatchcase(relative, bare.lstrip("/")) if "/" in bare else fnmatchcase(path.name, bare)


ROOTS_FILE = "roots.json"
INSIDE = "!/"
"""Parts the id of an archive or mail from the name of what lies inside."""
UPLOADS = "uploads"
"""The folder of a store that holds what was put in over HTTP (`build/uploads.py`)."""
UPLOAD = re.compile(r"upload:(?P<key>[0-9a-f]{32})/(?P<name>[^/]+)")
"""The id of what was put in; what lies inside it follows behind INSIDE."""
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}|$)|$)")
_PLAIN_SUFFIX = re.compile(r"\.[a-z0-9]{1,20}", re.ASCII)
MANIFEST_FIELDS = frozenset({"path", "type", "tags", "acl", "date", "uri"})


@dataclass(frozen=True, slots=True)
class Found:
    """A file that was found, or the `reason` why it was not taken (then `source` is None). What lies inside a file has
    that file's `path`, the names that lead to it (`inside`) and the version of its `reader`; `ignored` applies to what
    may be found inside. `stored` is an object of an object store, `path` its local copy. `acl` is set for good where
    the run `says_access`, else known access stays."""

    path: Path
    source_id: str
    source: Source | None = None
    reason: str | None = None
    inside: tuple[str, ...] = ()
    reader: str | None = None
    ignored: Ignored = field(default_factory=Ignored)
    stored: StoredObject | None = None
    acl: tuple[str, ...] = ()
    says_access: bool = False

    @property
    def place(self) -> Path:
        """What patterns of what is ignored are about: the path, or the address of an object."""
        return self.path if self.stored is None else Path(self.stored.address)

    @property
    def is_to_be_fetched(self) -> bool:
        """Whether it is an object that has no local copy yet."""
        return self.stored is not None and self.path == Path()


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders that source ids are relative to; the first has no name. `uploads` holds what was put in over HTTP."""

    folders: Mapping[str, Path] = field(default_factory=dict)
    uploads: Path | None = None

    @classmethod
    def load(cls, store: Path) -> Roots:
        """Those that the store remembers."""
        path = store / ROOTS_FILE
        if not path.is_file():
            return cls(uploads=store / UPLOADS)
        stored = json.loads(path.read_text(encoding="utf-8"))
        folders = {name: Path(os.path.normpath(store / folder)) for name, folder in stored.items()}
        return cls(folders, store / UPLOADS)

    def including_all(self, paths: Sequence[Path], name: str = "") -> Roots:
        """With a root for each of these paths; UsageError where one does not exist."""
        roots = self
        for path in paths:
            if not path.exists():
                raise UsageError(f"{path} does not exist: give a file or a folder")
            roots = roots.including(path, name)
        return roots

    def save(self, store: Path) -> None:
        """Write them, relative to the store where that is possible, so that a store moves with its folder."""
        stored = {name: os.path.relpath(folder, store) for name, folder in self.folders.items()}
        aside = store / f".{ROOTS_FILE}"
        with translated(aside):
            aside.write_text(json.dumps(stored, indent=1), encoding="utf-8")
            aside.replace(store / ROOTS_FILE)

    def including(self, path: Path, name: str = "") -> Roots:
        """With a root for `path`: the one that holds it already, else a new one of this name.

        Raises UsageError where a second root has no name, or a name that is taken.
        """
        if any(path.is_relative_to(folder) for folder in self.folders.values()):
            return self
        folder = path if path.is_dir() else path.parent
        if name in self.folders:
            known = self.folders[name]
            advice = f"the name {name!r} stands for {known} already" if name else f"it does not lie below {known}"
            raise UsageError(f"{path} cannot be added ({advice}): give it a name of its own with --as NAME")
        return replace(self, folders={**self.folders, name: folder})

    def source_id(self, path: Path) -> str:
        """The id of a file below one of the roots: the path relative to it, after the root's name."""
        name, folder = max(
            ((name, folder) for name, folder in self.folders.items() if path.is_relative_to(folder)),
            key=lambda item: len(item[1].parts),
        )
        relative = encode_name(os.fsencode(path.relative_to(folder).as_posix()))
        return f"{name}:{relative}" if name else relative

    def file_of(self, source_id: str) -> tuple[Path, tuple[str, ...]]:
        """The file of a source, and the names that lead to the source where it lies inside that file."""
        names = source_id.split(INSIDE)
        for count in range(len(names) - 1, 0, -1):
            holder = self.path_of(INSIDE.join(names[:count]))
            if _is_there(holder) and holder.is_file():
                return holder, tuple(names[count:])
        return self.path_of(source_id), ()

    def path_of(self, source_id: str) -> Path:
        """The path of a source id; the reverse of `source_id`."""
        put_in = UPLOAD.match(source_id)
        if put_in and self.uploads is not None:
            return self.uploads / put_in["key"] / stored_name(put_in["name"])
        name, colon, relative = source_id.partition(":")
        named = bool(colon) and name in self.folders
        folder = self.folders[name] if named else self.folders.get("", Path())
        encoded = relative if named else source_id
        literal = folder / encoded
        return literal if _is_there(literal) else folder / os.fsdecode(_decode_name(encoded))


def stored_name(name: str) -> str:
    """What the file of a document is called that was put in under this name: of the name a plain suffix alone."""
    suffix = PurePosixPath(name).suffix.lower()
    return f"document{suffix}" if _PLAIN_SUFFIX.fullmatch(suffix) else "document"


def _is_there(path: Path) -> bool:
    """Whether there is such a file; not so where a folder above it is closed to this user."""
    try:
        return path.exists()
    except PermissionError:
        return False


def encode_name(name: bytes) -> str:
    """A name as text: UTF-8 as it is, bytes outside UTF-8 percent-encoded, nothing normalised."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        parts = name.decode("utf-8", "surrogateescape")
        return "".join(quote_from_bytes(os.fsencode(char)) if "\udc80" <= char <= "\udcff" else char for char in parts)


def _decode_name(encoded: str) -> bytes:
    """Bytes outside ASCII that stand percent-encoded become themselves; all else stays."""
    return re.sub(rb"%([89A-F][0-9A-F])", lambda match: bytes.fromhex(match.group(1).decode()), encoded.encode())


def find_sources(paths: Sequence[Path], roots: Roots, store: Path, exclude: Sequence[str] = ()) -> Iterator[Found]:
    """All files at and below these paths, by id. Left out are hidden files and folders, the store itself, symbolic
    links below a path, and what `.pinciteignore` files from the root down or `exclude` name; irregular files and what
    cannot be opened come with the reason."""
    stated = {path: _stated_above(path, roots).and_these(path, exclude) for path in paths}
    closed: dict[Path, OSError] = {}
    files = {file: ignored for path in paths for file, ignored in _walk(path, store, stated[path], closed)}
    for source_id, path in sorted((roots.source_id(path), path) for path in (*files, *closed)):
        if path in closed:
            yield Found(path, source_id, reason=_not_opened(closed[path]))
        else:
            yield replace(examine(path, source_id), ignored=files[path])


def find_all(
    paths: Sequence[Path],
    entries: Sequence[Mapping[str, Any]],
    roots: Roots,
    store: Path,
    exclude: Sequence[str] = (),
) -> list[Found]:
    """What lies at and below these paths and what the entries of a manifest name, each source once."""
    found = list(find_sources(paths, roots, store, exclude))
    found += [examine(entry["path"], roots.source_id(entry["path"]), entry) for entry in entries]
    return list({item.source_id: item for item in found}.values())


def examine(path: Path, source_id: str, entry: Mapping[str, Any] | None = None) -> Found:
    """Hash one file and describe it; `entry` may give type, tags, acl, date and URI."""
    given = entry or {}
    found = Found(path, source_id, acl=acl_of_entry(given), says_access="acl" in given)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return replace(found, reason="is not a regular file")
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return replace(found, reason=_not_opened(error))
    kind = path.suffix.lower().lstrip(".") or "file"
    source = Source(source_id, kind, digest, size=status.st_size, modified_ns=status.st_mtime_ns)
    return replace(found, source=source_of_entry(source, given))


def acl_of_entry(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The access tags in an entry of a manifest; none where everybody may see its files."""
    return tuple(sorted(set(entry.get("acl", ()))))


def source_of_entry(source: Source, entry: Mapping[str, Any]) -> Source:
    """A source with the type, tags, acl, date and URI that an entry of a manifest gives it."""
    return replace(
        source,
        source_type=str(entry.get("type") or source.source_type),
        tags=tuple(sorted(entry.get("tags", ()))),
        acl=acl_of_entry(entry),
        date=entry.get("date"),
        uri=entry.get("uri"),
    )


def _not_opened(error: OSError) -> str:
    return f"cannot be opened: {error.strerror or error}"


def read_manifest(path: Path) -> list[dict[str, Any]]:
    """The entries of a manifest: `{"sources": [{"path", "type", "tags", "acl", "date", "uri"}]}` or the list alone.

    Paths become absolute, relative to the manifest's folder; addresses of objects stay. Raises UsageError with the
    entry that is wrong.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_each_once)
    except (OSError, ValueError) as error:
        raise UsageError(f"the manifest {path} cannot be read: {error}") from error
    entries = content.get("sources") if isinstance(content, dict) else content
    if not isinstance(entries, list):
        raise UsageError(f'the manifest {path} holds no list: write {{"sources": [{{"path": "a.pdf"}}]}}')
    checked = [_checked(entry, number, path) for number, entry in enumerate(entries, start=1)]
    first: dict[str, int] = {}
    for number, entry in enumerate(checked, start=1):
        if (other := first.setdefault(str(entry["path"]), number)) != number:
            raise UsageError(f"entries {other} and {number} of the manifest {path} name one file: keep one of them")
    return checked


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object; ValueError where one stands in it twice."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the field {name!r} stands twice in an entry")
    return dict(pairs)


def _checked(entry: Any, number: int, manifest: Path) -> dict[str, Any]:
    where = f"entry {number} of the manifest {manifest}"
    if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
        raise UsageError(f'{where} has no "path"')
    if unknown := sorted(set(entry) - MANIFEST_FIELDS):
        known = ", ".join(sorted(MANIFEST_FIELDS))
        raise UsageError(f"{where} has unknown fields {', '.join(unknown)}: known are {known}")
    for name in ("tags", "acl"):
        stated = entry.get(name, [])
        if not isinstance(stated, list) or not all(isinstance(item, str) and item.strip() for item in stated):
            raise UsageError(f'{where}: {name} must be a list of strings, such as ["board"]')
    for name in ("type", "date", "uri"):
        if not isinstance(entry.get(name, ""), str):
            raise UsageError(f"{where}: {name} must be a string, or left out")
    if entry.get("date") and not _is_date(entry["date"]):
        raise UsageError(f"{where}: date must be a day, a month or a year, such as 2024-05-01")
    if entry["path"].startswith(OBJECT_SCHEME):
        return entry
    path = _stated_path(manifest.absolute().parent, entry["path"])
    if path.is_dir():
        raise UsageError(f"{where} names the folder {path}: write an entry for each of its files")
    return {**entry, "path": path}


def _is_date(stated: str) -> bool:
    """Whether this is an ISO date or its beginning, perhaps with a time behind it."""
    try:
        datetime.fromisoformat(f"{stated}{'0000-01-01'[len(stated) :]}")
    except ValueError:
        return False
    return _DATE.match(stated) is not None


def _stated_path(folder: Path, stated: str) -> Path:
    """The file that a manifest means; where there is none of this name, backslashes part its folders."""
    found = [Path(os.path.normpath(folder / name)) for name in (stated, stated.replace("\\", "/"))]
    return next((path for path in found if path.exists()), found[0])


def _stated_above(path: Path, roots: Roots) -> Ignored:
    """What the folders from the root down to this one, which is left out, say is not to be read."""
    ignored = Ignored()
    for folder in reversed(path.parents):
        if any(folder.is_relative_to(root) for root in roots.folders.values()):
            ignored = ignored.with_those_of(folder)
    return ignored


def _walk(path: Path, store: Path, ignored: Ignored, closed: dict[Path, OSError]) -> Iterator[tuple[Path, Ignored]]:
    """Each file with what holds for its folder. Folders that cannot be opened are put into `closed`."""
    if not path.exists():
        raise UsageError(f"{path} does not exist: give a file or a folder")
    if not path.is_dir():
        yield path, ignored
        return

    def close(error: OSError) -> None:
        closed[Path(error.filename)] = error

    stated = {path: ignored}
    for name, folders, files in os.walk(path, onerror=close):
        folder = Path(name)
        if not os.access(folder, os.X_OK):
            close(PermissionError(errno.EACCES, os.strerror(errno.EACCES), name))
            folders.clear()
            continue
        here = stated.pop(folder).with_those_of(folder)
        folders[:] = [item for item in folders if _is_taken(folder / item, store, here, is_folder=True)]
        stated |= {folder / item: here for item in folders if not (folder / item).is_symlink()}
        yield from ((folder / item, here) for item in files if _is_taken(folder / item, store, here, is_folder=False))


def _is_taken(path: Path, store: Path, ignored: Ignored, *, is_folder: bool) -> bool:
    hidden = path.name.startswith(".") or path in (store, store / UPLOADS)
    return not hidden and not path.is_symlink() and not ignored.holds(path, is_folder=is_folder)


class StoredAccess:
    """The `acl` of all sources that the store ever held, and which of them a run would have opened."""

    def __init__(self, stored: Mapping[str, tuple[str, ...]]) -> None:
        self._stored = stored
        self._kept: set[str] = set()

    @property
    def kept_closed(self) -> tuple[str, ...]:
        """The sources that the run would have opened without being asked to, by id."""
        return tuple(sorted(self._kept))

    def of_file(self, item: Found) -> Found:
        """A file with the access that it has."""
        acl = item.acl if item.says_access else self._kept_acl(item.source_id, item.acl)
        return replace(item, acl=acl, source=item.source and replace(item.source, acl=acl))

    def of_member(self, source: Source, holder: Found) -> Source:
        """What lies inside a file that is unchanged, with the access that it has."""
        return source if holder.says_access else replace(source, acl=self._kept_acl(source.source_id, source.acl))

    def of_source(self, source: Source) -> Source:
        """A source that was read elsewhere with the access that it has: tags say it, none say nothing."""
        return source if source.acl else replace(source, acl=self._kept_acl(source.source_id, ()))

    def _kept_acl(self, source_id: str, given: tuple[str, ...]) -> tuple[str, ...]:
        stored = self._stored.get(source_id, given)
        if stored and not given:
            self._kept.add(source_id)
        return stored
