"""What is known of the files inside a file: members of archives, attachments of mails."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from pincite.errors import ReadError
from pincite.read.registry import reader_of_bytes
from pincite.records.pages import Member

REVISION = "1"
"""Of this page: a part of the version of every reader that finds members."""


def described(files: Iterable[tuple[str, bytes]]) -> Iterator[Member]:
    """What is known of each of these files: (name, content)."""
    for name, content in files:
        digest = hashlib.sha256(content).hexdigest()
        try:
            yield Member(name, len(content), digest, reader=reader_of_bytes(name, content).version)
        except ReadError as error:
            yield Member(name, len(content), digest, reason=str(error))
