"""Frames between a process and its children: one byte of kind, eight of length, then the payload. A child is not
trusted: its pickles may contain the records of a Document and nothing else, the spans must lie inside their pages, and
pictures and boxes must have the right types."""

from __future__ import annotations

import io
import json
import pickle
import struct
from collections.abc import Sequence
from dataclasses import astuple
from typing import BinaryIO

from pincite.errors import ReadError
from pincite.records import pages
from pincite.records.pages import Box, Document, Page, Span

HEADER = struct.Struct(">cQ")
ANSWER, REFUSAL, BEAT = b"A", b"R", b"B"
MAX_REPLY_BYTES = 512 * 1024 * 1024
PNG = b"\x89PNG\r\n\x1a\n"
NO_BOXES = "the process that draws sent something that is not the boxes of words"
ADMITTED = frozenset(
    {"Document", "Page", "Block", "Table", "Cell", "Span", "Box", "OutlineEntry", "Member", "Link", "PlaceName"}
)


class _RecordsOnly(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        if module == pages.__name__ and name in ADMITTED:
            found: type = getattr(pages, name)
            return found
        raise pickle.UnpicklingError(f"a worker sent {module}.{name}")


def send(stream: BinaryIO, kind: bytes, payload: bytes = b"") -> None:
    """Write one frame."""
    stream.write(HEADER.pack(kind, len(payload)))
    stream.write(payload)
    stream.flush()


def pack_document(document: Document) -> bytes:
    """The bytes of a document; raises ReadError where they are more than a frame may hold."""
    data = pickle.dumps(document, protocol=5)
    if len(data) > MAX_REPLY_BYTES:
        raise ReadError(f"gives more than {MAX_REPLY_BYTES // 2**20} MiB of text and tables")
    return data


def unpack_document(data: bytes) -> Document:
    """The document of a worker's bytes; raises ReadError where they are anything else."""
    try:
        document = _RecordsOnly(io.BytesIO(data)).load()
        if not isinstance(document, Document) or not all(map(_is_sound, document.pages)):
            raise ReadError("its reader sent something that is not a document")
    except (pickle.UnpicklingError, EOFError, AttributeError, TypeError, ValueError, IndexError, KeyError) as error:
        raise ReadError("its reader sent something that is not a document") from error
    return document


def pack_boxes(found: Sequence[Sequence[Box]]) -> bytes:
    """The bytes of boxes, span by span."""
    return json.dumps([[list(map(float, astuple(box))) for box in boxes] for boxes in found]).encode()


def unpack_boxes(data: bytes, count: int) -> list[list[Box]]:
    """The boxes of so many spans; raises ReadError where the bytes are anything else."""
    try:
        found = [[Box(*map(float, sides)) for sides in boxes] for boxes in json.loads(data)]
    except (ValueError, TypeError, RecursionError) as error:
        raise ReadError(NO_BOXES) from error
    if len(found) != count:
        raise ReadError(NO_BOXES)
    return found


def unpack_picture(data: bytes) -> bytes:
    """A PNG, as it is; raises ReadError where the bytes are anything else."""
    if not data.startswith(PNG):
        raise ReadError("the process that draws sent something that is not a picture")
    return data


def _is_sound(page: Page) -> bool:
    """A page whose spans lie inside its text."""
    if not isinstance(page, Page) or not isinstance(page.text, str):
        return False
    size, number = len(page.text), page.number
    spans = [block.span for block in page.blocks]
    spans += [link.span for link in page.links]
    spans += [Span(number, item.start, item.start) for item in page.place_names]
    for table in page.tables:
        spans.append(table.span)
        spans.extend(cell.span for cell in table.cells)
    return all(span.page == number and 0 <= span.start <= span.end <= size for span in spans)
