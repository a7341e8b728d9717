"""Questions that set things side by side: what is compared, and what is asked of each.

"What is the difference between A and B", "Which is larger, A or B", "What is the X of A, and the Y of B".
"""

from __future__ import annotations

import re
from typing import NamedTuple

POSITIVES = {
    "larger": "large",
    "bigger": "big",
    "smaller": "small",
    "longer": "long",
    "shorter": "short",
    "higher": "high",
    "lower": "low",
    "taller": "tall",
    "wider": "wide",
    "narrower": "narrow",
    "deeper": "deep",
    "thicker": "thick",
    "thinner": "thin",
    "heavier": "heavy",
    "lighter": "light",
    "faster": "fast",
    "slower": "slow",
    "older": "old",
    "younger": "young",
    "newer": "new",
    "stronger": "strong",
    "weaker": "weak",
    "hotter": "hot",
    "colder": "cold",
    "cheaper": "cheap",
    "safer": "safe",
}
"""The word by which the degree of one thing alone is asked ("how large"), by that which compares two."""

# Two things are what stands in front of the last "and" and behind it; those of a longer list are not split.
_DIFFERENCE = re.compile(
    r"(?:^(?:what|which) (?:is|are) the (?:main |exact )?differences? between"
    r"|^(?:explain|describe|tell me) the differences? between|^the differences? between|^compare)\s+(?P<things>\S.*)$",
    re.I,
)
_DIFFERS = re.compile(r"^how (?:do|does|is|are|did|was|were)\s+(?P<things>\S.*)$", re.I)
_DIFFERS_FROM = re.compile(r"\s(?:differ|differs|different) from\s", re.I)
_DEGREE = re.compile(
    rf"^(?:which|what|who)(?: of (?:these|them|the two))?(?: [\w-]+)? (?:is|are|was|were|has|have) (?:the )?"
    rf"(?:more (?P<more>[\w-]+)|(?P<degree>{'|'.join(POSITIVES)}))(?: [\w-]+)?\s?[,:]\s(?P<things>\S.*)$",
    re.I,
)
_IS_MORE = re.compile(
    rf"^(?P<verb>is|are|was|were) (?P<first>(?!there\b|it\b|the same\b)\S.{{0,80}}?) "
    rf"(?:more (?P<more>[\w-]+)|(?P<degree>{'|'.join(POSITIVES)})) than (?P<second>(?!\d|[a-z]+ \d)\S.{{0,80}})$",
    re.I,
)
_JOINED = re.compile(r",?\s(?:and|or|with|to|against|vs\.?|versus)\s", re.I)
_OR = re.compile(r",?\s(?:or|and)\s", re.I)
_ARTICLE = re.compile(r"^(?:the|an?)\s", re.I)
_ASKS_ONE = re.compile(r"^(?:what|which) (?:is|are|was|were)\s(?=the\s)", re.I)
_SECOND = re.compile(r",\sand\s(?=(?:the\s|an?\s)?[\w\s-]{2,60}\sof\s)|,?\sand\s(?=of\s)", re.I)


class Compared(NamedTuple):
    """Two things that a question sets side by side, and what is asked of each ("how large is", "what is")."""

    first: str
    second: str
    asks: str

    @property
    def parts(self) -> list[str]:
        """What is asked of each, as a question of its own."""
        verb = "are" if self.asks == "what is" and _is_plural(self.second) else "is"
        asks = f"{self.asks.removesuffix(' is')} {verb}"
        return [f"{asks} {thing}" for thing in (self.first, self.second)]


def compared_things(question: str) -> Compared | None:
    """The two things whose difference, or which of which is more of something, a question asks; None for others."""
    text = question.strip().rstrip("?!. ")
    if match := _DEGREE.match(text):
        degree = match["more"] or POSITIVES[match["degree"].casefold()]
        return _two(_OR.split(match["things"]), f"how {degree} is")
    if match := _IS_MORE.match(text):
        degree = match["more"] or POSITIVES[match["degree"].casefold()]
        return _two([match["first"], match["second"]], f"how {degree} is")
    if match := _DIFFERENCE.match(text):
        return _two(_JOINED.split(match["things"]), "what is")
    if (match := _DIFFERS.match(text)) and _DIFFERS_FROM.search(match["things"]):
        return _two(_DIFFERS_FROM.split(match["things"]), "what is")
    return None


def asked_of_two(question: str) -> list[str]:
    """The two questions of "What is the X of A, and the Y of B?", where "and of B" asks the X of it too."""
    text = question.strip().rstrip("?!. ")
    lead = _ASKS_ONE.match(text)
    parts = _SECOND.split(text) if lead else []
    if lead is None or len(parts) != 2 or " of " not in parts[0]:
        return []
    first, second = parts[0][lead.end() :], parts[1]
    if second.startswith("of "):
        second = f"{first.split(' of ', 1)[0]} {second}"
    return [f"{lead.group()}{first}", f"{lead.group()}{second}"]


def _two(things: list[str], asks: str) -> Compared | None:
    """Two things; where the first lacks the noun that both share ("hash and tree indexes"), with it."""
    if len(things) != 2 or any(", " in thing or not thing.strip() for thing in things):
        return None
    first, second = (thing.strip(' ,“”"') for thing in things)
    own, shared = first.split(), _ARTICLE.sub("", second).split()
    if len(own) == 1 < len(shared) and shared[-1].islower() and own[0] != shared[0] and not _stands_alone(own, shared):
        first = f"{first} {shared[-1]}"
    return Compared(first, second, asks)


def _stands_alone(own: list[str], shared: list[str]) -> bool:
    """Whether the second thing is no "tree indexes" but a noun with what is said of it ("toast in a table")."""
    return len(shared) != 2 or own[0].endswith("s")


def _is_plural(thing: str) -> bool:
    last = thing.rsplit(maxsplit=1)[-1]
    return not _ARTICLE.match(thing) and last.islower() and last.endswith("s") and not last.endswith("ss")
