"""Where a hyperlink leads: out of a collection, or to a place inside it."""

from __future__ import annotations

import re
from urllib.parse import unquote

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,40}:")
_ROOT = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,40}://[^/]*/")
_INSIDE = "!/"


def is_external(href: str) -> bool:
    """Whether an address names a scheme, a host or a file by its whole path: it leads out of every collection."""
    return bool(_SCHEME.match(href)) or href.startswith(("/", "\\"))


def address_within(source_id: str, href: str) -> tuple[str, str] | None:
    """The source id of the file that a link of this source leads to, and the name of the place in it ("" where it names
    none); None where it leads out of the collection, or out of the archive that the source lies in."""
    href = href.strip()
    if is_external(href):
        return None
    path, _, place = href.partition("#")
    path = _decoded(path.partition("?")[0])
    file = _joined(source_id, path) if path else source_id
    return None if file is None else (file, _decoded(place))


def _joined(source_id: str, path: str) -> str | None:
    """A path as seen from the folder of a source; None where it climbs too high."""
    outer, mark, inner = source_id.rpartition(_INSIDE)
    root = _ROOT.match(inner)
    top = root.group() if root else ""
    parts = inner[len(top) :].split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    closing = "/" if path.endswith("/") and parts else ""
    return f"{outer}{mark}{top}{'/'.join(parts)}{closing}"


def _decoded(quoted: str) -> str:
    """Percent signs decoded, where that gives UTF-8."""
    try:
        return unquote(quoted, errors="strict")
    except UnicodeDecodeError:
        return quoted
