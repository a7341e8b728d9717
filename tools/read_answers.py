"""Ask questions and write a page to read: python tools/read_answers.py QUESTIONS.jsonl FOLDERS STORES OUT.md

Every statement stands on a line of its own, behind a box for what its reader thinks of it: + on the point, - beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from pincite.engine.engine import Engine
from pincite.evaluate.files import json_rows
from pincite.settings import Settings, limit_threads
from pincite.wiring import open_engine


def page_of(engine: Engine, row: Mapping[str, Any]) -> Iterator[str]:
    """The lines of one question: what is asked, where the answer stands, what is said."""
    where = f"{row['file']}, p.{', '.join(map(str, row['pages']))}: {row['note']}" if row["file"] else row["note"]
    yield f"## {row['id']} ({row['folder']})\n\n{row['question']}  \n*{where}*\n"
    for statement in engine.ask(row["question"], receipt=False).statements:
        places = dict.fromkeys(f"{citation.filename}, p.{citation.page}" for citation in statement.citations)
        pins = ", ".join(places)
        yield f"- [ ] {' '.join(statement.text.split())} ({pins or statement.kind})"
    yield ""


def main(questions: Path, folders: Path, stores: Path, out: Path) -> None:
    """Index each folder, ask its questions in their order."""
    limit_threads()
    lines: list[str] = []
    for folder, rows in groupby(json_rows(questions), lambda row: str(row["folder"])):
        with open_engine(Settings(), stores / folder, create=True) as engine:
            engine.index([folders / folder])
            lines += [line for row in rows for line in page_of(engine, row)]
    out.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
