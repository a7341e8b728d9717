"""A report as one HTML page that needs nothing else, loads nothing and runs nothing."""

from __future__ import annotations

from html import escape
from pathlib import Path

from pincite.report.pieces import Piece, pieces_of
from pincite.report.replies import Report

_HEAD = """\
<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }}
blockquote {{ margin: 0.5rem 0 0.5rem 1rem; padding-left: 0.8rem; border-left: 3px solid #ccc; color: #444; }}
cite, .field, .note {{ color: #666; font-style: normal; }}
.missing::before {{ content: "Not found: "; font-weight: bold; }}
</style>
</head>
<body>
"""


def write_html(report: Report, path: Path) -> None:
    """Write it to `path`."""
    body = "\n".join(map(_element, pieces_of(report)))
    page = f"{_HEAD.format(title=escape(report.title))}{body}\n</body>\n</html>\n"
    path.write_text(page, encoding="utf-8", newline="\n")


def _element(piece: Piece) -> str:
    text = escape(piece.text)
    match piece.kind:
        case "title":
            return f'<h1 dir="auto">{text}</h1>'
        case "heading":
            return f'<h2 dir="auto">{text}</h2>'
        case "quote":
            return f'<blockquote dir="auto">“{text}” <cite>{escape(piece.place)}</cite></blockquote>'
        case kind:
            return f'<p class="{kind}" dir="auto">{text}</p>'
