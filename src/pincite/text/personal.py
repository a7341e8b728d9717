"""What a text says that tells of one person: addresses, numbers and what a user's own patterns find."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pincite.text.checked_numbers import cards, ibans
from pincite.text.national_ids import national_ids
from pincite.text.own_patterns import checked_pattern
from pincite.text.phones import phone_values, phones

REDACTION_VERSION = "1"
"""Changes whenever the same text may be masked in other places."""
MASK = "\u2588"
KIND_NAMES = {
    "email": ("e-mail address", "e-mail addresses"),
    "phone": ("telephone number", "telephone numbers"),
    "card": ("card number", "card numbers"),
    "iban": ("IBAN", "IBANs"),
    "national_id": ("national id", "national ids"),
}
"""The kinds that pincite knows, with their names for one and for several."""

LONGEST_LOCAL_PART = 64
"""Characters before the @ (RFC 5321)."""
MOST_GROUPS = 8
"""Groups of signs that a number is written in, at most: an IBAN has seven or eight."""
LEAST_REPEATED = 7
"""Signs of a value that is looked for wherever else it stands: shorter ones stand everywhere."""
_LOCAL_SIGNS = frozenset("!#$%&*+-/=?^_`{|}~.")
_LABEL = r"[^\W_](?:[\w-]{0,62}+)(?>(?:(?<=-) ?\n[\w-]{1,63}+)?)"
_DOMAIN = re.compile(rf"(?>(?: ?\n)?){_LABEL}(?>(?:\.{_LABEL}){{1,8}})")
_WORD = re.compile(r"[^\W_]{1,40}+")
_BETWEEN = re.compile(r"[ \u00a0.\-–‑/()+]{0,3}+")
_PLAIN = re.compile(r"[\W_]++")


class Place(NamedTuple):
    """Where something personal stands in a text, and of which kind it is."""

    start: int
    end: int
    kind: str


class Searched(NamedTuple):
    """What is looked for: kinds that pincite knows, and a user's own patterns by their names."""

    kinds: Collection[str]
    patterns: Mapping[str, re.Pattern[str]]


_FINDERS: Mapping[str, Callable[[str, str], Iterable[tuple[int, int]]]] = {
    "email": lambda text, _: emails(text),
    "card": lambda text, _: cards(text),
    "iban": lambda text, _: ibans(text),
    "national_id": national_ids,
    "phone": phones,
}
"""In the order in which one place is told of: the first kind that takes it has it."""


def searched_for(kinds: Sequence[str], patterns: Iterable[tuple[str, str]]) -> Searched:
    """Kinds and patterns, ready to be looked for; ValueError where a pattern is not taken."""
    return Searched(frozenset(kinds), {name: checked_pattern(written) for name, written in patterns})


def find_personal(text: str, searched: Searched, head: str = "") -> list[Place]:
    """The places that say by themselves what they are, in the order of the text, none over another. `head` is what
    stands above the text in its table."""
    found = [
        Place(start, end, kind)
        for kind, finder in _FINDERS.items()
        if kind in searched.kinds
        for start, end in finder(text, head)
    ]
    for name, pattern in searched.patterns.items():
        found += [Place(*match.span(), name) for match in pattern.finditer(text) if match[0]]
    return apart(found)


def emails(text: str) -> Iterator[tuple[int, int]]:
    """Where addresses of e-mail stand, those that a line's end divides too."""
    at = text.find("@")
    while at >= 0:
        start = at
        while start > max(0, at - LONGEST_LOCAL_PART) and (
            text[start - 1].isalnum() or text[start - 1] in _LOCAL_SIGNS
        ):
            start -= 1
        while start < at and not (text[start].isalnum() or text[start] in "_+"):
            start += 1
        domain = _DOMAIN.match(text, at + 1)
        if start < at and domain and not domain[0].rpartition(".")[2][:2].strip("-").isdigit():
            yield _unbroken(text, start), domain.end()
        at = text.find("@", at + 1)


def values_of(text: str, place: Place) -> set[str]:
    """What stands at a place, as it may be written elsewhere."""
    written = text[place.start : place.end]
    if place.kind == "phone":
        return phone_values(written)
    value = _plain(written)
    return {value} if len(value) >= LEAST_REPEATED else set()


def find_again(text: str, known: Mapping[str, str]) -> Iterator[Place]:
    """Where known values (`values_of`, with their kinds) stand, however their signs are grouped."""
    beginnings = {value[:2] for value in known}
    for first in _WORD.finditer(text) if known else ():
        if _plain(first[0])[:2] not in beginnings and not first[0].startswith("0"):
            continue
        end, signs, found = first.start(), "", None
        for _ in range(MOST_GROUPS):
            word = _WORD.match(text, _BETWEEN.match(text, end).end() if signs else end)  # type: ignore[union-attr]
            if word is None:
                break
            end, signs = word.end(), signs + word[0]
            if (kind := known.get(_plain(signs))) is not None:
                found = Place(first.start(), end, kind)
        if found is not None:
            yield found


def apart(places: Iterable[Place]) -> list[Place]:
    """These places in the order of the text; those that lie over each other are one, of the first one's kind."""
    rank = {kind: number for number, kind in enumerate(_FINDERS)}
    found: list[Place] = []
    for place in sorted(places, key=lambda item: (item.start, -item.end, rank.get(item.kind, len(rank)), item.kind)):
        if found and place.start < found[-1].end:
            found[-1] = found[-1]._replace(end=max(found[-1].end, place.end))
        else:
            found.append(place)
    return found


def masked(text: str, places: Iterable[Place]) -> str:
    """The text with each sign of these places masked; ends of lines stay, and say nothing of a value."""
    parts, done = [], 0
    for place in places:
        hidden = "".join("\n" if sign == "\n" else MASK for sign in text[place.start : place.end])
        parts += [text[done : place.start], hidden]
        done = place.end
    return "".join([*parts, text[done:]])


def masked_sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """How many places of each kind are masked in all; the kinds that pincite knows first."""
    total: Counter[str] = Counter()
    for found in counts:
        total.update(found)
    return {kind: total[kind] for kind in (*KIND_NAMES, *sorted(total.keys() - KIND_NAMES.keys())) if total[kind]}


def masked_line(counts: Iterable[Mapping[str, int]]) -> str:
    """The same in words: "12 e-mail addresses and 3 card numbers masked"; empty where nothing is."""
    total = masked_sum(counts).items()
    named = [f"{count:,} {KIND_NAMES.get(kind, (kind, kind))[count != 1]}" for kind, count in total]
    return f"{' and '.join(filter(None, (', '.join(named[:-1]), *named[-1:])))} masked" if named else ""


def _plain(written: str) -> str:
    """Letters and digits alone, in capitals, without zeros in front."""
    return _PLAIN.sub("", written).upper().lstrip("0")


def _unbroken(text: str, start: int) -> int:
    """The beginning of a local part of which a line's end divides the first piece: "jane-" and "doe@"."""
    if text[start - 2 : start] != "-\n":
        return start
    place = start - 2
    while place > max(0, start - LONGEST_LOCAL_PART) and text[place - 1].isalnum():
        place -= 1
    return place
