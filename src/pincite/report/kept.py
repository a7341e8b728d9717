"""Replies that are kept beside a report while it is made, so that a run that is cut off goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.records.plain import to_plain
from pincite.report.replies import Reply, reply_from


class KeptReplies:
    """JSON lines in `REPORT.partial`, keyed by question, generation and the terms of asking (policy, filter).

    A last line that was cut off counts for nothing.
    """

    def __init__(self, report: Path, terms: Mapping[str, Any]) -> None:
        self._path = report.with_name(f"{report.name}.partial")
        self._terms = json.dumps(terms, sort_keys=True)
        self._replies = _loaded(self._path)

    def get(self, question: str, generation: str) -> Reply | None:
        """The reply that was kept; None where there is none on these terms."""
        return self._replies.get(self._key(question, generation))

    def put(self, question: str, generation: str, reply: Reply) -> None:
        """Keep a reply; it is in the file when this returns."""
        key = self._key(question, generation)
        self._replies[key] = reply
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "reply": to_plain(reply)}) + "\n")

    def remove(self) -> None:
        """Take the file away: the report is written."""
        self._path.unlink(missing_ok=True)

    def _key(self, question: str, generation: str) -> str:
        return hashlib.sha256("\n".join((generation, self._terms, question)).encode()).hexdigest()


def _loaded(path: Path) -> dict[str, Reply]:
    if not path.is_file():
        return {}
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"".join(line + b"\n" for line in lines[:-1]))
    found: dict[str, Reply] = {}
    for line in lines[:-1]:
        try:
            row = json.loads(line)
            found[row["key"]] = reply_from(row["reply"])
        except (ValueError, KeyError, TypeError):
            continue
    return found
