"""A document that something fails on, however it fails, is given up and the others go on (docs/design.md section 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from pincite.errors import PinciteError, comes_of_interruption

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class DocumentError(Exception):
    """Work of this `stage` fails on these documents: for each, by source id, with which error. It never leaves the
    indexer, which refuses them."""

    def __init__(self, stage: str, errors: Mapping[str, Exception]) -> None:
        super().__init__(internal_error(stage))
        self.errors = errors


def internal_error(stage: str) -> str:
    """The reason why a document is refused that could be read."""
    return f"internal error while {stage}: please report it; --debug shows where"


@contextmanager
def working_on(source_id: str, stage: str) -> Iterator[None]:
    """DocumentError for whatever fails inside that was not raised on purpose."""
    try:
        yield
    except Exception as error:
        if _is_meant(error):
            raise
        raise DocumentError(stage, {source_id: error}) from error


def each_alone(
    work: Callable[[Sequence[_Item]], Sequence[_Result]], items: Sequence[_Item]
) -> list[_Result | Exception]:
    """What the work makes of all items, one result each; where that fails, of each alone, or its error."""
    found = _attempt(partial(work, items))
    if not isinstance(found, Exception):
        return list(found)
    return [found] if len(items) == 1 else [each_alone(work, [item])[0] for item in items]


def all_together(
    work: Callable[[Sequence[_Item]], _Result], items: Sequence[_Item], name: Callable[[_Item], str], stage: str
) -> _Result:
    """What the work makes of a whole set. Where that fails: DocumentError for the item up to which it fails, while it
    does not up to the one before."""
    found = _attempt(partial(work, items))
    if not isinstance(found, Exception):
        return found
    good, bad = 0, len(items)
    while bad - good > 1:
        middle = (good + bad) // 2
        part = _attempt(partial(work, items[:middle]))
        if isinstance(part, Exception):
            bad, found = middle, part
        else:
            good = middle
    raise DocumentError(stage, {name(items[bad - 1]): found}) from found


def _attempt(work: Callable[[], _Result]) -> _Result | Exception:
    try:
        return work()
    except Exception as error:
        if _is_meant(error):
            raise
        return error


def _is_meant(error: Exception) -> bool:
    """Whether an error ends a run: it says what is to be done, or it comes of an interruption."""
    return isinstance(error, PinciteError | DocumentError) or comes_of_interruption(error)
