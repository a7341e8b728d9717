"""What `pincite index` says of each source, in lines that a person reads to the end."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.records import SourceReport

LONGEST = 160
"""Characters: two lines of a usual terminal."""
LEAST = 60
"""Of a reason or warning this much is shown, however long the name before it is."""


def line_of(document: SourceReport) -> str | None:
    """The line for a source that needs a word; None for those that went well or did not change."""
    from pincite.engine import printed_name

    name = printed_name(document.source)
    if document.status == "refused":
        return _bounded(f"refused   {name}: ", [document.reason or "cannot be read"])
    if document.status == "vanished":
        return f"vanished  {name}: still in the store; --prune takes it out"
    if document.status == "removed":
        return f"removed   {name}"
    if document.status == "warned":
        return _bounded(f"warning   {name}: ", document.warnings)
    return None


def advice_on(documents: Sequence[SourceReport]) -> str | None:
    """What can be read, where a file was refused because it is of another kind."""
    from pincite.engine import NO_READER, readable_suffixes

    if any((document.reason or "").startswith(NO_READER) for document in documents):
        return f"can be read: {readable_suffixes()}"
    return None


def _bounded(start: str, remarks: Sequence[str]) -> str:
    """As many of these remarks as there is room for; the others are counted, the first is cut where it must be."""
    room = max(LONGEST - len(start), LEAST)
    for count in range(len(remarks), 0, -1):
        shown = "; ".join(remarks[:count]) + _rest(len(remarks) - count)
        if len(shown) <= room:
            return start + shown
    rest = _rest(len(remarks) - 1)
    return f"{start}{remarks[0][: room - len(rest) - 1].rstrip()}…{rest}"


def _rest(count: int) -> str:
    return f"; {count} more (--json)" if count else ""
