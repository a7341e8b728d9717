"""The child process of the sandbox: reads one file after another, as the parent names them on standard input.

Run as `python -m pincite.read.worker`. A request is a frame with a pickle of ((path, names inside it, options), memory,
seconds); the reply a frame with a document or with the reason why there is none.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import process_limits
from pincite.read.nested_files import Opener
from pincite.read.process_limits import allow, confine, end_with_parent, give_back_memory
from pincite.read.registry import reader_for
from pincite.read.transport import ANSWER, BEAT, HEADER, REFUSAL, pack_document, send


def main() -> None:
    """Read files until standard input ends."""
    opener = Opener()

    def read(path: bytes, inside: Sequence[str], options: ReadOptions) -> bytes:
        with opener.opened(Path(os.fsdecode(path)), inside) as (file, name):
            return pack_document(reader_for(file, name).read(file, options))

    serve(read)


def serve(work: Callable[..., bytes]) -> None:
    """Answer one request after another by `work`, which is given the parts of it, until standard input ends."""
    requests, replies = _take_streams()
    end_with_parent(requests.fileno())
    confine()
    memory_bytes, seconds = 0, 0.0

    def sign_of_life() -> None:
        allow(memory_bytes, seconds)
        send(replies, BEAT)

    process_limits.listen(sign_of_life)
    while len(header := requests.read(HEADER.size)) == HEADER.size:
        _, length = HEADER.unpack(header)
        request, memory_bytes, seconds = pickle.loads(requests.read(length))
        process_limits.beat()
        kind, payload = _answer(work, request)
        send(replies, kind, payload)
        del payload
        give_back_memory()


def _answer(work: Callable[..., bytes], request: tuple[object, ...]) -> tuple[bytes, bytes]:
    """Kind and payload of the reply to one request. Whatever goes wrong ends as a reason."""
    try:
        return ANSWER, work(*request)
    except ReadError as error:
        reason = str(error)
    except MemoryError:
        reason = "needs more memory than a file may have"
    except RecursionError:
        reason = "is nested too deeply"
    except Exception as error:  # noqa: BLE001 - the per-file loop: one bad file never stops the others
        reason = f"cannot be read: {type(error).__name__}: {error}"
    return REFUSAL, " ".join(reason.split()).encode("utf-8", "replace")


def _take_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for the frames; what an engine prints goes nowhere."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    return requests, replies


if __name__ == "__main__":
    main()
