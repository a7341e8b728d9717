"""What is stored of a document that was read: its edition, and whether its file is still as it was then."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

from pincite.build.chunks import CHUNKER_VERSION, cut_chunks
from pincite.build.faults import working_on
from pincite.build.objects import KeptFiles, is_object
from pincite.build.redaction import policy_digest, redacted
from pincite.build.sources import INSIDE, UPLOAD, Roots, examine
from pincite.errors import ReadError
from pincite.graph.mentions import find_mentions
from pincite.printing import printed_name
from pincite.read.nested_files import opened
from pincite.records.chunks import ChunkPolicy, Edition
from pincite.records.outlines import Outline
from pincite.records.pages import Document
from pincite.records.sources import Source, SourceState
from pincite.structure.anchors import find_anchors
from pincite.structure.furniture import in_force, without_furniture
from pincite.structure.hyperlinks import find_place_names, with_hyperlinks
from pincite.structure.lines import page_starts
from pincite.structure.references import REFERENCES_VERSION, find_references
from pincite.structure.sections import STRUCTURE_VERSION, find_sections
from pincite.structure.wording import names_of
from pincite.text.language import SAMPLE_CHARACTERS, detect_language

GIVEN = "given"


def edition_versions(reader_version: str, policy: ChunkPolicy, graph: str) -> dict[str, str]:
    """What decides, with the content, whether a source has to be read anew; `graph` is that of names and triplets."""
    return {
        "reader": reader_version,
        "structure": f"{STRUCTURE_VERSION}/{REFERENCES_VERSION}",
        "graph": graph,
        "policy": f"{policy.version}/{CHUNKER_VERSION}/{policy_digest(policy)}",
    }


def is_unchanged(state: SourceState | None, source: Source, versions: Mapping[str, str]) -> bool:
    """Whether the record holds a reading of this very content by these versions."""
    return (
        state is not None
        and state.source.content_sha256 == source.content_sha256
        and dict(state.versions) == dict(versions)
    )


def is_given_up(state: SourceState) -> bool:
    """Whether a source was refused though it may be read the next time: for no reason that lies in its content."""
    return state.status == "refused" and not state.versions


def make_edition(source: Source, document: Document, policy: ChunkPolicy, versions: dict[str, str]) -> Edition:
    """Mask what the policy masks; find the document's language, sections, chunks and mentions. A cut by the policy's
    limit becomes a warning. DocumentError where one of these fails."""
    with working_on(source.source_id, "masking it"):
        document, spans = redacted(document, policy)
    with working_on(source.source_id, "structuring"):
        if document.language is None:
            document = replace(document, language=detect_language(_sample(document)))
        outline = make_outline(source, in_force(document))
        document = without_furniture(document, outline.sections)
        valid = in_force(document)
    version = "; ".join(f"{name} {value}" for name, value in sorted(versions.items()) if name != "graph")
    with working_on(source.source_id, "cutting it into chunks"):
        chunks, cut_off = cut_chunks(source, valid, outline.sections, policy, version)
    warnings = list(document.warnings)
    if cut_off:
        warnings.append(f"{cut_off} of {cut_off + len(chunks)} chunks were cut off by max_chunks_per_source")
    if not chunks and not document.members:
        warnings.append("holds no text")
    with working_on(source.source_id, "finding names"):
        mentions = find_mentions(valid, outline.anchors)
    return Edition(source, document, versions, outline, chunks, tuple(warnings), mentions, masked=spans)


def make_outline(source: Source, document: Document) -> Outline:
    """Sections, anchors, references as written and names of a document."""
    sections = find_sections(document)
    anchors = find_anchors(document, sections)
    references, hyperlinks = with_hyperlinks(document, source.source_id, find_references(document, sections, anchors))
    parts = ((page.number, len(page.text), page.label, page.section) for page in document.pages)
    pages = page_starts(parts) if document.paged else ()
    return Outline(
        source.source_id,
        names_of(source, document),
        sections,
        anchors,
        references,
        document.paged,
        pages,
        hyperlinks,
        find_place_names(document),
    )


def content_digest(document: Document) -> str:
    """The content hash of a document without a file: SHA-256 of the canonical texts joined by form feeds."""
    joined = "\f".join(page.text for page in document.pages)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


def _sample(document: Document) -> str:
    """Text from the document's middle pages on, where front matter in another language does not mislead."""
    texts = [page.text for page in document.pages]
    middle = len(texts) // 3
    sample = ""
    for text in islice([*texts[middle:], *texts[:middle]], 200):
        sample += text + "\n"
        if len(sample) >= SAMPLE_CHARACTERS:
            break
    return sample


def change_notices(sources: Iterable[Source], roots: Roots) -> list[str]:
    """A notice for each file that changed or is gone, by size and time alone. Documents without a file, files that
    pincite keeps itself and objects are left out: no question waits for an object store."""
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
    """The file of a source, for reading; None if its bytes have changed since indexing. An object is fetched, and its
    copy kept if `keeps_copies`."""
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
