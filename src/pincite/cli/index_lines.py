"""What `pincite index` says of each source, in lines that a person reads to the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from pincite.records.sources import SourceReport

LONGEST = 160
"""Characters: two lines of a usual terminal."""
LEAST = 60
"""Of a reason or warning this much is shown, however long the name before it is."""

ALONE = 3
"""So many sources that are refused for the same reason have a line each; more share one."""


def lines_of(documents: Sequence[SourceReport]) -> Iterator[str]:
    """The lines for the sources that need a word, in their order."""
    refused: dict[str, list[SourceReport]] = defaultdict(list)
    for document in documents:
        if document.status == "refused":
            refused[document.reason or ""].append(document)
    for document in documents:
        alike = refused[document.reason or ""] if document.status == "refused" else []
        if len(alike) > ALONE:
            if document is alike[0]:
                yield _line_of_alike(alike)
        elif (line := line_of(document)) is not None:
            yield line


def line_of(document: SourceReport) -> str | None:
    """The line for a source that needs a word; None for those that went well or did not change."""
    from pincite.engine.engine import printed_name

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


def _line_of_alike(refused: Sequence[SourceReport]) -> str:
    """One line for all that were refused for one reason, with the names of the first."""
    from pincite.engine.engine import printed_name

    first = ", ".join(printed_name(document.source) for document in refused[:ALONE])
    reason = refused[0].reason or "cannot be read"
    return f"refused   {len(refused)} files: {reason} ({first}, ...; pincite status lists them)"


def advice_on(documents: Sequence[SourceReport]) -> Iterator[str]:
    """What can be read, where a file was refused because it is of another kind."""
    from pincite.engine.engine import NO_READER, readable_suffixes

    if any((document.reason or "").startswith(NO_READER) for document in documents):
        yield f"can be read: {readable_suffixes()}"


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
