"""Which files are no longer as they were indexed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pincite.build.editions import GIVEN
from pincite.build.objects import KeptFiles, is_object
from pincite.build.sources import INSIDE, UPLOAD, Roots, examine
from pincite.errors import ReadError
from pincite.read.opening import opened
from pincite.records.sources import Source
from pincite.text.names import printed_name


def change_notices(sources: Iterable[Source], roots: Roots) -> list[str]:
    """A notice for each file that changed or is gone, by a look at size and time alone.

    Documents that were handed in without a file are left out, those whose files pincite keeps itself, and objects: no
    question waits for their service.
    """
    notices = []
    for source in sources:
        has_no_file = source.source_type == GIVEN or is_object(source.source_id)
        if has_no_file or UPLOAD.match(source.source_id) or not roots.folders:
            continue
        name = printed_name(source.source_id)
        path, inside = roots.file_of(source.source_id)
        try:
            status = path.stat()
        except PermissionError as error:
            notices.append(f"{name} cannot be looked at ({error.strerror}): whether it changed is not known")
            continue
        except OSError:
            notices.append(f"{name} is gone since it was indexed: pincite index --prune takes it out")
            continue
        size = source.size if inside else status.st_size
        if (size, status.st_mtime_ns) != (source.size, source.modified_ns):
            notices.append(f"{name} may have changed since it was indexed: pincite index reads it again")
    return notices


@contextmanager
def unchanged_file(
    source: Source | None, roots: Roots, copies: KeptFiles, *, keeps_copies: bool
) -> Iterator[Path | None]:
    """The file of a source, to read from; None where its bytes are not those that were indexed. An object is fetched,
    and its copy kept where `keeps_copies` says so."""
    if source is None:
        yield None
        return
    address, *inside = source.source_id.split(INSIDE)
    with ExitStack() as stack:
        if is_object(address):
            holder = stack.enter_context(copies.opened(address, source.stamp, keeps=keeps_copies))
        else:
            holder, names = roots.file_of(source.source_id)
            inside = list(names)
        path = None if holder is None else _as_indexed(source, holder, inside, stack)
        if path is None and is_object(address):
            copies.forget(address, source.stamp)
        yield path


def _as_indexed(source: Source, holder: Path, inside: Sequence[str], stack: ExitStack) -> Path | None:
    """What lies `inside` a file, or the file itself, until the stack is closed; None where its bytes are others now."""
    with suppress(ReadError):
        path, _ = stack.enter_context(opened(holder, inside))
        found = examine(path, source.source_id).source
        if found is not None and found.content_sha256 == source.content_sha256:
            return path
    return None
