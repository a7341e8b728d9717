"""Which texts are copies of one another: the same to the letter, or the same but for some lines."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

LEAST_LETTERS = 16
LEAST_SHARE = 0.6
MOST_HOLDERS = 20


@dataclass(frozen=True, slots=True)
class NearCopy:
    """Two texts and the share of the longer one's lines that both have."""

    first: str
    second: str
    share: float


def near_copies(texts: Iterable[tuple[str, str]]) -> list[NearCopy]:
    """The pairs of named texts that share at least 60 % of the longer one's lines, by name.

    Lines are compared by their letters and digits; short ones, and those that many texts have, say nothing.
    """
    lines = {name: frozenset(_line_keys(text)) for name, text in texts}
    holders: dict[bytes, list[str]] = defaultdict(list)
    for name in sorted(lines):
        for key in lines[name]:
            holders[key].append(name)
    shared: Counter[tuple[str, str]] = Counter()
    for names in holders.values():
        if len(names) <= MOST_HOLDERS:
            shared.update(combinations(names, 2))
    found = (
        NearCopy(first, second, round(count / max(len(lines[first]), len(lines[second])), 3))
        for (first, second), count in shared.items()
    )
    return sorted((item for item in found if item.share >= LEAST_SHARE), key=lambda item: (item.first, item.second))


def _line_keys(text: str) -> Iterator[bytes]:
    for line in text.split("\n"):
        letters = "".join(filter(str.isalnum, line.casefold()))
        if len(letters) >= LEAST_LETTERS:
            yield hashlib.blake2b(letters.encode("utf-8", "surrogatepass"), digest_size=8).digest()
