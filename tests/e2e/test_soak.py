"""Everything at once for half a minute: `python -m tests.support.soak SECONDS` does it for as long as one likes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.soak import soaked

SECONDS = 30
MORE_MB = 150
"""What caches may take meanwhile."""
MORE_FILES = 40


def test_nothing_is_wrong_and_nothing_leaks(tmp_path: Path) -> None:
    found: dict[str, Any] = soaked(tmp_path, SECONDS)
    assert found["wrong"] == []
    told = found["told"]
    assert told["200"] > 20
    assert told["documents"] >= 2
    assert told["killed"] >= 3
    assert told["pictures 200"] >= 5
    assert told["ready"] == 200
    early, late = found["early"], found["late"]
    for memory in ("memory_mb", "answering_mb"):
        assert late[memory] < early[memory] + MORE_MB
    assert late["files"] < early["files"] + MORE_FILES
    assert late["generations"] <= 6
