"""A kept answer is given again only while all code that makes answers is the same."""

from __future__ import annotations

from pathlib import Path

import pincite
from pincite.audit.compare import answering_files


def test_all_code_that_makes_answers_is_in_its_digest_whatever_folder_it_lies_in() -> None:
    package = Path(pincite.__file__).parent
    digested = set(answering_files(package))

    for room in ("answer", "retrieve", "graph", "models", "text"):
        files = {path for path in (package / room).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        assert files <= digested
    assert package / "answer" / "reading" / "reading.json" in digested
    assert package / "answer" / "lexicons" / "accounts.toml" in digested
    assert package / "retrieve" / "combination.json" in digested
    assert not any("__pycache__" in path.parts for path in digested)
