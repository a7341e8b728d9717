"""Everything at once for half a minute, or for as long as `--soak SECONDS` says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
MORE_MB = 150
"""What caches may take meanwhile."""
MORE_FILES = 20
"""What threads that had nothing to do before may open."""


def test_nothing_is_wrong_and_nothing_leaks(request: pytest.FixtureRequest) -> None:
    """What it does may take longer than what the other tests do."""
    seconds = request.config.getoption("--soak")
    command = ["nice", "-n", "5", sys.executable, "-m", "tests.support.soak", str(seconds)]
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=seconds + 600)
    found: dict[str, Any] = json.loads(ended.stdout)
    assert found["wrong"] == [], "".join(found["problems"])
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
    assert late["generations_open"] <= 4
    assert late["generations"] <= 6
