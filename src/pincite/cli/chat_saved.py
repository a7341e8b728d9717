"""A conversation as a file: Markdown to read, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli.markdown import markdown_lines
from pincite.errors import UsageError
from pincite.markdown import plain_text

if TYPE_CHECKING:
    from pincite.engine.conversation import Turn

KINDS = (".md", ".json")


def check_kind(path: Path) -> None:
    """UsageError where a conversation cannot be written to a file of this name."""
    if path.suffix.casefold() not in KINDS:
        raise UsageError(f"{path} says not how it shall be written: name it {path.stem or 'talk'}.md or .json")
    if not path.expanduser().absolute().parent.is_dir():
        raise UsageError(f"there is no folder {path.parent} for {path.name}")


def save_turns(turns: Sequence[Turn], path: Path) -> None:
    """Write all turns; what stood there is replaced at once. UsageError where it cannot be written."""
    from pincite.report.writing import write_whole

    target = path.expanduser()
    written = _as_json(turns) if target.suffix.casefold() == ".json" else _as_markdown(turns)
    write_whole(target, lambda aside: aside.write_text(written, encoding="utf-8"))


def plain_turn(turn: Turn) -> dict[str, Any]:
    """A turn as JSON."""
    return {"typed": turn.typed, "question": turn.question, "answer": turn.answer.to_dict()}


def _as_json(turns: Sequence[Turn]) -> str:
    return json.dumps([plain_turn(turn) for turn in turns], ensure_ascii=False, indent=2) + "\n"


def _as_markdown(turns: Sequence[Turn]) -> str:
    return "\n\n".join("\n".join(_turn_lines(turn)) for turn in turns) + "\n"


def _turn_lines(turn: Turn) -> list[str]:
    heading, *rest = markdown_lines(turn.answer)
    typed = [] if turn.typed == turn.question else ["", f"Typed: {plain_text(turn.typed)}"]
    return [heading, *typed, *rest]
