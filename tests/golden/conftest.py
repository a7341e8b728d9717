"""Golden files: what reading, sections and answers give for the demo documents, as JSON that a person can review.

`pytest tests/golden --update-golden` writes them anew; a run with that option always fails, so it cannot stay on.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXPECTED = Path(__file__).parent / "expected"
TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo PDFs."""
    folder = tmp_path_factory.mktemp("golden")
    subprocess.run([sys.executable, TOOLS / "make_demo_documents.py", folder], check=True, capture_output=True)
    return folder


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Any], None]:
    """Compare a value with the golden file of this name."""

    def compare(name: str, value: Any) -> None:
        path = EXPECTED / f"{name}.json"
        found = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
        if request.config.getoption("--update-golden"):
            path.write_text(found, encoding="utf-8")
            pytest.fail(f"{path.name} was written anew: look at the difference and run without --update-golden")
        assert found == path.read_text(encoding="utf-8")

    return compare
