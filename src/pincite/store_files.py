"""Which folder is a store: one with a record in it, or with a note that its record is kept by a server."""

from __future__ import annotations

from pathlib import Path

RECORD, RECEIPTS = "record.sqlite", "audit.sqlite"
RECORD_ELSEWHERE = "record.url"
"""Names the database that holds the record of this folder, without a password. It is for people: the setting
`record_url` says where the record is."""


def is_store(folder: Path) -> bool:
    """Whether the folder holds a store."""
    return any((folder / name).is_file() for name in (RECORD, RECORD_ELSEWHERE))
