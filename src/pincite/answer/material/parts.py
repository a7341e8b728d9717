"""Questions of several parts ("When was Acme founded, and what does it make?") and questions that compare things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pincite.answer.asked.question import understand
from pincite.answer.material.case import Case, long_documents
from pincite.answer.material.select import rank_sentences
from pincite.answer.words.facts import names_in

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


_LEAD = re.compile(
    r"^(?:when|if|while|with|for|in|on|at|during|after|before|under)\s(?!what|which|how|who)[^,?]+,\s", re.I
)
_TWO_OF = re.compile(r"^the\s(?:two\s)?(?:[\w-]+\s){1,3}?(?<=s\s)(?=\S+$)")
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
    """The two things whose difference, or which of which is more of something, a question asks, be it behind a clause
    ("When importing, ..."); None for others."""
    text = _LEAD.sub("", question.strip().rstrip("?!. "))
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
    """Two things, without what both are called ("the options keep and purge"); where the first lacks the
    noun that both share ("hash and tree indexes"), with it."""
    if len(things) != 2 or any(", " in thing or not thing.strip() for thing in things):
        return None
    first, second = (thing.strip(' ,“”"') for thing in things)
    if " " not in second and second[:1].islower() == (own_name := _TWO_OF.sub("", first))[:1].islower():
        first = own_name
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


_WORD = r"(?:what|which|who|whom|whose|when|where|why|how)\b"
_BETWEEN = re.compile(rf"(?:,?\s+and|,)\s+(?={_WORD})", re.I)
_AND = re.compile(rf"\band\s+{_WORD}", re.I)
_ASKS = re.compile(_WORD, re.I)
_LEANS = re.compile(r"\b(?:he|she|him|her|his|hers)\b|^(?:which|what) ones?\b|^how (?:at|for|in|of|with)\b", re.I)
_OF_IT = re.compile(r"\b(?:its|their)\b", re.I)
_IT = re.compile(r"\b(?:it|they)\b", re.I)


class Part(NamedTuple):
    """A part of a question as it is printed, as it is asked, and the one thing that it is about, where it is known."""

    typed: str
    asked: str
    thing: str = ""


def parts_of(question: str) -> list[Part]:
    """The parts of a question: those that each open with a question word,
    what is asked of two things one after the other, or what each of two things that are compared is. None where there
    is one part alone."""
    compared = compared_things(question)
    if compared:
        things = (compared.first, compared.second)
        return [Part(part, part, thing) for part, thing in zip(compared.parts, things, strict=True)]
    return [Part(part, part) for part in asked_of_two(question)] or _worded_parts(question)


def _worded_parts(question: str) -> list[Part]:
    """The parts of a question that each open with a question word: as they are typed, and with "it" in later ones as
    the name that the first has. None where there is one part alone, where one is its question word alone, or where one
    leans on another, or asks of somebody whom another asks for."""
    parts = [part.strip(" ?") for part in _BETWEEN.split(question.strip())] if _AND.search(question) else []
    if len(parts) < 2 or "?" in "".join(parts) or not all(map(_ASKS.match, parts)) or any(map(_LEANS.search, parts)):
        return []
    if any(" " not in part for part in parts):
        return []
    names = names_in(parts[0].split(" ", 1)[-1])
    if not names and any(_IT.search(part) or _OF_IT.search(part) for part in parts[1:]):
        return []
    thing = _whole_name(parts[0], _subject(parts[0], names)) if names else ""
    later = [Part(part, _IT.sub(thing, _OF_IT.sub(f"{thing}’s", part))) for part in parts[1:]]
    return [Part(parts[0], parts[0]), *later]


def part_case(case: Case, part: str) -> Case:
    """The case of one part, on the evidence of the whole question."""
    query = replace(case.retrieval.query, search_text=part)
    question = understand(query)
    ranked = rank_sentences(question, case.sentences, long=long_documents(case.sentences, case.around))
    return Case(question, replace(case.retrieval, query=query), tuple(ranked), case.around, case.beyond)


def _subject(text: str, names: Sequence[str]) -> str:
    """The last name that is no place ("on Linux", "in Paris"), else the last."""
    places = {name for name in names if re.search(rf"\b(?:at|in|on|under) (?:the )?{re.escape(name)}", text)}
    return next((name for name in reversed(names) if name not in places), names[-1])


def _whole_name(text: str, name: str) -> str:
    """A name with its article and the common noun that goes with it ("the Hardanger bridge")."""
    match = re.search(rf"\bthe\s+{re.escape(name)}(?:\s+(?!\w+ed\b)[a-z]+)?", text)
    return match.group() if match else name
