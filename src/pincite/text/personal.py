"""What a text says that identifies a person: addresses, telephone and other numbers, and what a user's own patterns
find."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pincite.text.own_patterns import cards, checked_pattern, ibans, national_ids, only_digits

LEAST_DIGITS, MOST_DIGITS = 6, 15
"""An announced number in a village has six; fifteen is the most of ITU-T E.164."""
LEAST_INTERNATIONAL = 9
"""Digits with the country's code: fewer after a plus are an amount or a difference."""
_COUNTRY = re.compile(
    r"1|7|2(?:[07]|[1-689][0-9])|3(?:[0-469]|[578][0-9])|4(?:[013-9]|2[0-9])|5(?:[1-8]|[09][0-9])|6(?:[0-6]|[7-9][0-9])"
    r"|8(?:[1246]|[0578][0-9])|9(?:[0-58]|[679][0-9])"
)
WHOLE = 7
"""Digits: what has as many may end with its line, what has fewer goes on in the next one."""
_GROUP = re.compile(r"[ \u00a0.\-–‑/()]{0,3}+(?>(?:(?<=([ \-–‑)/]))(\n) ?)?)([0-9]{1,15})(?![0-9])")
_START = re.compile(r"(?<![\w+])(?<![0-9][.,\-–‑/])(?>(?:\+[ (]{0,2}|\([ +]{0,2})?)(?=[0-9])")
_NORTH_AMERICAN = re.compile(
    r"(?<![\w+])(?<![0-9][ .-])"
    r"(?:\+?1[-–‑. ])?(?:\([2-9][0-9]{2}\)[ -]{0,2}\n?[0-9]{3}[-–‑. ]"
    r"|[2-9][0-9]{2}[-–‑] ?\n?[0-9]{3}[-–‑]) ?\n?[0-9]{4}"
    r"(?![\w-]|\.[0-9])"
)
_PHONE_LABEL = (
    r"(?<![^\W_])(?:tele?phone|telefone?|telefono|teléfono|téléphone|tel|tél|tlf|phone|fon|mobile?|mobil(?:telefon|funk)"
    r"|móvil|cell ?phone|cell(?= ?[:#])|(?:tele)?fax|hotline|handy|gsm|whatsapp|(?:ruf|durchwahl)nummer|durchwahl"
    r"|contact number|portable(?= ?[:#])|call (?:us |me |him |her |them )?(?:at|on|under))"
    r"(?:[ _-]?(?:numbers?|nummer|no|nr|num)|s)?(?![^\W_])"
)
_BETWEEN_DIGITS = (
    r"[^\w\n+(]{0,6}+(?>(?:(?:no|nr|numbers?|nummer|is|at|on|under|unter|office|work|home|private|privat|direct|phone|fax)"
    r"(?![^\W_])[^\w\n+(]{0,4}+){0,3})(\n?+)[ \t]{0,3}+"
)
_ANNOUNCED = re.compile(_PHONE_LABEL + _BETWEEN_DIGITS + r"(?=[+(]{0,2}\+?[0-9])", re.IGNORECASE)
_HEAD = re.compile(_PHONE_LABEL, re.IGNORECASE)
_ANOTHER = re.compile(r" ?(?:[,;/]|or|oder|and|und|&) ?(?=[+(]{0,2}\+?[0-9])")
_DATE = re.compile(r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}")


def phones(text: str, head: str = "") -> Iterator[tuple[int, int]]:
    """Where telephone numbers stand. `head` is what stands above the text in its table."""
    announced = {match.end(): bool(match[1]) for match in _ANNOUNCED.finditer(text)}
    is_headed = bool(_HEAD.search(head))
    formed = {match.start(): match.end() for match in _NORTH_AMERICAN.finditer(text)}
    done = 0
    for match in _START.finditer(text):
        start = match.start()
        if start < done:
            continue
        end = formed.get(start) or formed.get(match.end()) or _international_end(text, start, match.end())
        if end is None and (start in announced or is_headed):
            end = _announced_end(text, start, match.end(), below=announced.get(start, False))
        if end is not None:
            yield start, end
            done = end
            if another := _ANOTHER.match(text, end):
                announced[another.end()] = True


def phone_values(written: str) -> set[str]:
    """The digits of a number as others may write it: with and without the code of its country."""
    digits = only_digits(written)
    values = {digits.lstrip("0")}
    if written.lstrip("( ").startswith(("+", "00")) and (country := _COUNTRY.match(digits.lstrip("0"))):
        own = digits.lstrip("0")[country.end() :].lstrip("0")
        values |= {own, country[0] + own}
    return {value for value in values if len(value) > LEAST_DIGITS}


def _ends(text: str, place: int) -> Iterator[int]:
    """Where the groups of digits end that may belong to one number."""
    count = 0
    while group := _GROUP.match(text, place):
        if group[2] and count >= WHOLE and group[1] not in "-–‑":
            return
        count += len(group[3])
        if count > MOST_DIGITS:
            return
        place = group.end()
        yield place


def _international_end(text: str, start: int, place: int) -> int | None:
    """Where a number ends that begins with a plus and the code of a country."""
    if "+" not in text[start:place]:
        return None
    found = [end for end in _ends(text, place) if _is_international(text[start:end])]
    return found[-1] if found and _is_ended(text, found[-1]) else None


def _is_international(written: str) -> bool:
    digits = only_digits(written)
    country = _COUNTRY.match(digits)
    if country is None or len(digits) < LEAST_INTERNATIONAL or (written.count(".") == 1 and " " not in written):
        return False
    if country[0] in "17":
        return len(digits) == 11 and digits[1] not in "01"
    return digits[country.end()] != "0" or "(0)" in written


def _announced_end(text: str, start: int, place: int, *, below: bool) -> int | None:
    """Where an announced number ends; on the line below its label it has to look like one."""
    found = list(_ends(text, place))
    if not found or not _is_ended(text, found[-1]):
        return None
    written = text[start : found[-1]]
    looks = written.startswith(("0", "+", "(")) or not below
    is_date = _DATE.fullmatch(written) is not None
    return found[-1] if looks and not is_date and len(only_digits(written)) >= LEAST_DIGITS else None


def _is_ended(text: str, end: int) -> bool:
    return not re.match(r"[^\W_]|[.,][0-9]|[ \u00a0]?%", text[end : end + 2])


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
"""Characters of a value that is looked for in the rest of the text: shorter ones occur everywhere."""
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
"""In order of precedence: a place belongs to the first kind that finds it."""


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
