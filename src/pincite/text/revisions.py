"""Which of two documents is the newer revision, by what their names say: rev B after rev A, v2 after v1."""

from __future__ import annotations

import re
from dataclasses import dataclass

_GAPS = re.compile(r"[\s_,;()\[\]-]+")
_REVISION = re.compile(
    r"\b(?:rev(?:ision)?|issue|edition|ed|amendment|v(?:er(?:sion)?)?)\.? ?(\d{1,4}(?:\.\d{1,4})*|[a-z])\b"
)
_DATE = re.compile(r"\b((?:19|20)\d\d)(?:[ .]?(0[1-9]|1[0-2])(?:[ .]?(0[1-9]|[12]\d|3[01]))?)?\b")
_DRAFT = re.compile(r"\b(?:draft|preliminary|wip|entwurf|brouillon|borrador)\b")
_FINAL = re.compile(r"\b(?:final|approved|released|issued)\b")

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RevisionName:
    """A name taken apart: what is left without marks, then its revision, dates, and whether it is a draft.

    A letter counts as a revision of its own kind: `lettered`.
    """

    base: str
    revision: Numbers = ()
    lettered: bool = False
    dates: tuple[Numbers, ...] = ()
    draft: bool = False


def revision_name(name: str) -> RevisionName:
    """Take a name or title apart."""
    text = _GAPS.sub(" ", name.casefold())
    stated = _REVISION.search(text)
    text = _REVISION.sub(" ", text)
    dates = tuple(tuple(int(part) for part in found if part) for found in _DATE.findall(text))
    draft = _DRAFT.search(text) is not None
    base = _FINAL.sub(" ", _DRAFT.sub(" ", _DATE.sub(" ", text)))
    letters = "".join(filter(str.isalnum, base))
    if stated is None:
        return RevisionName(letters, dates=dates, draft=draft)
    lettered = stated[1].isalpha()
    numbers = (ord(stated[1]),) if lettered else tuple(map(int, stated[1].split(".")))
    return RevisionName(letters, numbers, lettered, dates, draft)


def is_newer(name: RevisionName, other: RevisionName) -> bool:
    """Whether the first is a later revision of the same name as the second: by revision, then dates, then draft."""
    if name.base != other.base:
        return False
    if name.revision and other.revision and name.lettered == other.lettered and name.revision != other.revision:
        return name.revision > other.revision
    if name.dates != other.dates and len(name.dates) == len(other.dates):
        return name.dates > other.dates
    return other.draft and not name.draft
