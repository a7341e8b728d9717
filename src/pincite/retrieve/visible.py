"""Which sources a question may see: by its filter, and by the asker's tags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase

from pincite.records.outlines import ReferenceLink
from pincite.records.questions import Filter
from pincite.records.sources import Source
from pincite.structure.resolve import NO_DOCUMENT


def is_visible(source: Source, wanted: Filter) -> bool:
    """Whether the filter and the source's `acl` let its chunks through."""
    date = source.date or ""
    return (
        all(not tags.isdisjoint(wanted.principals) for tags in source.readers)
        and (not wanted.sources or any(_names(source, pattern) for pattern in wanted.sources))
        and not any(_names(source, pattern) for pattern in wanted.without)
        and (not wanted.companies or any(map(_letters(source.source_id).__contains__, map(_letters, wanted.companies))))
        and (not wanted.types or source.source_type in wanted.types)
        and (not wanted.tags or bool(set(source.tags) & set(wanted.tags)))
        and (wanted.after is None or (bool(date) and date >= wanted.after))
        and (wanted.before is None or (bool(date) and date[: len(wanted.before)] <= wanted.before))
    )


def visible_link(link: ReferenceLink, sees: Callable[[str], bool]) -> ReferenceLink:
    """A reference's link to those of its targets that lie in documents which an asker sees; where there are none it is
    one to a document that the store does not hold."""
    targets = tuple(target for target in link.targets if sees(target.source_id))
    if len(targets) == len(link.targets):
        return link
    if not targets:
        return replace(link, status="external", targets=(), reason=NO_DOCUMENT)
    return replace(link, status="resolved" if len(targets) == 1 else link.status, targets=targets)


def _names(source: Source, pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in (source.source_id, source.filename))


def _letters(name: str) -> str:
    """The letters and digits of a name: "Johnson & Johnson" stands in `Johnson_Johnson_2022.pdf`."""
    return "".join(filter(str.isalnum, name.casefold()))
