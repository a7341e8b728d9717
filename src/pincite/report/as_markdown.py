"""A report as Markdown (CommonMark), in which nothing of a document is markup."""

from __future__ import annotations

from pathlib import Path

from pincite.markdown import escaped
from pincite.report.pieces import Piece, pieces_of
from pincite.report.replies import Report


def write_markdown(report: Report, path: Path) -> None:
    """Write it to `path`."""
    path.write_text("\n\n".join(map(_paragraph, pieces_of(report))) + "\n", encoding="utf-8", newline="\n")


def _paragraph(piece: Piece) -> str:
    text = escaped(piece.text)
    match piece.kind:
        case "title":
            return f"# {text}"
        case "heading":
            return f"## {text}"
        case "quote":
            return f"> “{text}” {escaped(piece.place)}"
        case "missing":
            return f"**Not found:** {text}"
        case "note":
            return f"*Note: {text}*"
        case _:
            return text
