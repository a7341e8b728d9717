"""Names as they are printed, never able to look like a citation or to steer a terminal; and as they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches

MOST_NAMES = 5
LEAST_LIKENESS = 0.5
_LOOKS_LIKE_CITATION = re.compile(r"[()]|, p\.")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printed_name(name: str) -> str:
    """Control, bidi and newline characters escaped; in double quotes where it holds `(`, `)` or `, p.`."""
    escaped = "".join(_escaped(char) for char in name)
    if _LOOKS_LIKE_CITATION.search(escaped):
        return '"' + escaped.replace('"', '\\"') + '"'
    return escaped


def squeezed(text: str) -> str:
    """The letters and digits of a name, in small letters."""
    return re.sub(r"[\W_]", "", text).casefold()


def listed_names(names: Sequence[str]) -> str:
    """The first of these names as they are printed, and how many more there are."""
    more = len(names) - MOST_NAMES
    return ", ".join(map(printed_name, names[:MOST_NAMES])) + (f" and {more} more" if more > 0 else "")


def nearest_names(name: str, known: Sequence[str]) -> str:
    """ "nearest are 5.2, 5.3": those that look like a name or begin with it; all where none does."""
    begun = [item for item in known if name and item.startswith(name)]
    found = list(dict.fromkeys([*get_close_matches(name, known, MOST_NAMES, LEAST_LIKENESS), *begun]))
    if found:
        return f"nearest are {listed_names(found)}"
    return f"there are {listed_names(known)}" if known else "there are none"


def counted(number: int, things: str) -> str:
    """ "1 page", "2 pages"."""
    return f"{number} {things.removesuffix('s') if number == 1 else things}"


def printed_lines(first: int, last: int) -> str:
    """ "line 3", "lines 10-14"."""
    return f"lines {first}-{last}" if last > first else f"line {first}"


def printable(text: str) -> str:
    """Text of a document as a terminal may show it: control and bidi characters escaped, line ends kept."""
    return "".join(char if char in "\n\t" else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    if unicodedata.category(char) not in _HIDDEN:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
