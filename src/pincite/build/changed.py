"""Which files are no longer as they were indexed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pincite.build.editions import GIVEN
from pincite.build.sources import UPLOAD, Roots, examine
from pincite.errors import ReadError
from pincite.read.opening import opened
from pincite.records import Source
from pincite.text.names import printed_name


def change_notices(sources: Iterable[Source], roots: Roots) -> list[str]:
    """A notice for each file that changed or is gone, by a look at size and time alone.

    Documents that were handed in without a file are left out, and those whose files pincite keeps itself.
    """
    notices = []
    for source in sources:
        if source.source_type == GIVEN or UPLOAD.match(source.source_id) or not roots.folders:
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
def unchanged_file(source: Source | None, roots: Roots) -> Iterator[Path | None]:
    """The file of a source, to read from; None where its bytes are not those that were indexed."""
    if source is None:
        yield None
        return
    path, inside = roots.file_of(source.source_id)
    with ExitStack() as stack:
        found = None
        with suppress(ReadError):
            path, _ = stack.enter_context(opened(path, inside))
            found = examine(path, source.source_id).source
        yield path if found is not None and found.content_sha256 == source.content_sha256 else None
