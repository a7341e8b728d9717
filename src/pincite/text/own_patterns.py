"""Regular expressions of a user's own: taken only where no text can make them slow."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_WAYS = 1_000
"""So many ways may a pattern go on from one place; each is a step of the matcher, and a text has millions of places."""
LONGEST = 500
"""Characters of a pattern."""
_TOKEN = re.compile(
    r"(?P<escape>\\[dwsbDWSB.\-+*?()\[\]{}|/^$@&#' ])"
    r"|(?P<set>\[\^?(?:\\[dwsDWS\\\]\[^.\-+/@]|[^\\\]\[])+\])"
    r"|(?P<open>\((?:\?:)?(?!\?))"
    r"|(?P<close>\))|(?P<other>\|)"
    r"|(?P<repeat>\?|\{(?P<least>[0-9]{1,3})(?:,(?P<most>[0-9]{1,3}))?\})"
    r"|(?P<plain>[^\\\[\](){}|*+?^$])"
)


class _Part(NamedTuple):
    """How many ways lead through a part of a pattern."""

    ways: int
    last: int = 1
    alternatives: int = 0

    def closed(self) -> int:
        """The ways of the whole."""
        return self.alternatives + self.ways * self.last


def checked_pattern(written: str) -> re.Pattern[str]:
    """The pattern, compiled; ValueError, with a reason, where it is none, may be slow, or matches where nothing stands.

    Letters, `.`, sets, `\\d \\w \\s \\b`, groups, `|`, `?` and `{m,n}` may stand in it, and `(?i)` before it. What
    repeats says how often; look-arounds and back-references are not taken.
    """
    if len(written) > LONGEST:
        raise ValueError(f"is longer than {LONGEST} characters")
    body = written.removeprefix("(?i)")
    ways = _ways(body)
    if ways > MOST_WAYS:
        raise ValueError(f"can go on in {ways:,} ways from one place, more than {MOST_WAYS:,}: repeat less")
    try:
        compiled = re.compile(body, re.IGNORECASE if written != body else 0)
    except re.error as error:
        raise ValueError(f"is no regular expression ({error.msg})") from None
    if compiled.search(""):
        raise ValueError("matches where nothing stands: name what it looks for")
    return compiled


def _ways(body: str) -> int:
    """How many ways a pattern can go on from one place, at most."""
    stack: list[_Part] = []
    part, place = _Part(1), 0
    while place < len(body):
        token = _TOKEN.match(body, place)
        if token is None:
            raise ValueError(f"has {body[place]!r} at place {place + 1}: say how often by {{m,n}} or ?, and no more")
        place = token.end()
        match token.lastgroup if token.lastgroup not in ("least", "most") else "repeat":
            case "open":
                stack.append(part)
                part = _Part(1)
            case "close":
                if not stack:
                    raise ValueError("closes a group that is not open")
                outer = stack.pop()
                part = _Part(outer.ways * outer.last, part.closed(), outer.alternatives)
            case "other":
                part = _Part(1, 1, part.closed())
            case "repeat":
                part = _Part(part.ways, _repeated(part.last, token), part.alternatives)
            case _:
                part = _Part(part.ways * part.last, 1, part.alternatives)
        if max(part.ways, part.last, part.alternatives) > MOST_WAYS**3:
            raise ValueError(f"can go on in more than {MOST_WAYS:,} ways from one place: repeat less")
    if stack:
        raise ValueError("opens a group and does not close it")
    return part.closed()


def _repeated(ways: int, token: re.Match[str]) -> int:
    """The ways through something that repeats."""
    if token["least"] is None:
        return ways + 1
    least = int(token["least"])
    most = int(token["most"] or least)
    if ways == 1:
        return max(1, most - least + 1)
    return (most - least + 1) * int(ways ** min(most, 64))
