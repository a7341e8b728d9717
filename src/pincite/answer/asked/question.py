"""What a question asks for, by rules: the kind of answer, a comparison, the words that have to be accounted for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar

from pincite.answer.words.facts import names_in
from pincite.answer.words.vocabulary import ASKING_WORDS, phrases_of, root
from pincite.graph.names import DATE_WORDS
from pincite.records.questions import Query
from pincite.text.language import FUNCTION_WORDS
from pincite.text.tokens import tokenise, tokenise_for

Expected = Literal["date", "place", "person", "number", "value", "country", "any"]
Comparison = Literal["earlier", "later", "more", "less", "same"]

MOST_TERM_WORDS = 4
"""A longer run of words without a question word is a heap of keywords. By eye, not measured."""
MOST_OWNER_WORDS = 4
"""Words behind the "of" of a quantity: a longer name of what has it is a clause. By eye, not measured."""
KEPT_TEXTS = 2048
"""Texts: more sentences and headings than the plans of one question compare. By eye, not measured."""

_Kind = TypeVar("_Kind", bound=str)
_OPENS_YES_NO = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|shall|should|must|may|will|would|need)\b", re.IGNORECASE
)
_MEASURES = phrases_of("standards", "quantities")
SOMEBODY = rf"\b(?:who|whom|whose|which (?:{phrases_of('encyclopaedia', 'people')}))\b"
"""What asks for somebody, as the pattern of an expression."""
_EXPECTED: tuple[tuple[Expected, str], ...] = (
    ("date", r"\b(?:when|what (?:year|date|day|month)|which year|date of|year of|birthday|how old|since when)\b"),
    ("country", r"\b(?:nationality|what country|which country|citizenship)\b"),
    (
        "number",
        r"\b(?:how (?:many|much|long|far|high|tall|large|big|deep|wide)|what (?:percent|number|amount))\b",
    ),
    ("value", rf"\b(?:what|which)\s+(?:(?:is|are|was|were)\s+)?(?:[\w-]+\s+){{0,4}}?(?:value|{_MEASURES})s?\b"),
    (
        "place",
        r"^(?:(?!\b(?:what|which|how)\b).)*\bwhere\b"
        r"|\b(?:(?:what|which) (?:city|town|state|county|place)|place of)\b",
    ),
    ("person", SOMEBODY),
)
_COMPARISONS: tuple[tuple[Comparison, str], ...] = (
    ("same", r"\bsame\b"),
    ("earlier", r"\b(?:earlier|first|older|oldest|earliest|before)\b"),
    ("later", r"\b(?:later|last|younger|youngest|latest|more recently|most recently|newer)\b"),
    ("more", r"\b(?:more|larger|longer|higher|bigger|greater|taller|most|largest|longest|highest|biggest)\b"),
    ("less", r"\b(?:less|fewer|smaller|shorter|lower|smallest|shortest|lowest)\b"),
)
_ASKS_WHAT = re.compile(r"\b(?:what|which|how (?:many|much))\s+(?P<rest>.+)", re.IGNORECASE)
_ASKS_STEPS = re.compile(
    r"\b(?:what|which)\s+(?:are the\s+)?steps\b|\bhow (?:do|should|would|can|must) (?:i|we|one)\b", re.IGNORECASE
)
_FOR_THING = re.compile(r"\b(?:for|of|on|to)\s(?:an?\s|the\s|my\s)?(?P<thing>[\w-]+)\W*$", re.IGNORECASE)
_BEFORE_NAME = frozenset(
    "is are was were the a an recommended value values of lowest highest minimum maximum least most largest smallest "
    "average mean typical default usual".split()
)
_AFTER_NAME = frozenset(
    "is are was were of for in on at to from with should shall must may can do does did will would that which under "
    "applies apply and or if when where before after until while unless than has have covers used use be i we".split()
)
_ARTICLES = frozenset({"a", "an", "the"})
_OF_SEVERAL = frozenset("allowed available different further other possible several supported valid various".split())
"""In front of a quantity: which of its values is asked, not what it is called."""
_TERM_WORD = re.compile(r"[^\W\d][\w-]*")
_MEANING = re.compile(r"\b(?:mean|meant by|meaning of|definition of)\b|^define\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[?.!])\s+")
_FISCAL = re.compile(r"\b(?:FY|fiscal(?: year)?)\s?'?((?:20)?\d\d)\b", re.IGNORECASE)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DEFINITION = re.compile(
    r"(?:(?:what is )?the (?:meaning|definition) of|what do(?:es)? (?:they|you|it|we|people) mean by"
    r"|what (?:is|are|does|do)|define)"
    r" (?:meant by )?(?:the |an? )?(?P<term>.+?)"
    r"(?:(?<=\w) mean(?: (?:in|by|for|under|within|here|when|on)\b.*)?)?[?.! ]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as its words say.

    `expected`: the kind of thing that answers it; `yes_no`: it is answered by a verdict; `comparison`: what is
    compared; `has_choice`: it offers alternatives ("A or B"); `names` as typed; `words` are its content
    words, each with its family in every language of the store; `name_roots`: families of words in names; `term`:
    what a meaning is asked of.
    """

    text: str
    expected: Expected
    yes_no: bool
    comparison: Comparison | None
    has_choice: bool
    names: tuple[str, ...]
    words: tuple[frozenset[str], ...]
    name_roots: frozenset[str]
    term: str | None

    @property
    def roots(self) -> frozenset[str]:
        """The families of all its content words."""
        return frozenset().union(*self.words)


def _is_of_calendar(name: str) -> bool:
    """Whether a run of capitalised words tells of days and months alone ("Saturdays", "March")."""
    return all(word in DATE_WORDS or word.removesuffix("s") in DATE_WORDS for word in name.casefold().split())


def understand(query: Query) -> Question:
    """Read a question; its tokens are those that retrieval searched for."""
    text = " ".join(query.search_text.split())
    lower = text.casefold()
    opening = text.split(" ", 1)[0]
    names = tuple(name for name in names_in(text) if name != opening and not _is_of_calendar(name))
    yes_no = asks_yes_no(text)
    has_choice = bool(re.search(r"\bor\b", lower))
    return Question(
        text=text,
        expected=_first(_EXPECTED, lower) or "any",
        yes_no=yes_no and not has_choice,
        comparison=_first(_COMPARISONS, lower),
        has_choice=has_choice,
        names=names,
        words=families_of(text, query.languages),
        name_roots=frozenset(
            family for name in names for word in families_of(name, query.languages) for family in word
        ),
        term=defined_term(text),
    )


def asks_yes_no(text: str) -> bool:
    """Whether a question opens with the verb of one that a verdict answers ("Is", "Must")."""
    return bool(_OPENS_YES_NO.match(text))


def asked_quantity(question: Question) -> str | None:
    """The name of the quantity whose value is asked ("partial factor"), None where no value is: words with an article
    among them hold a verb ("Which option sets the rate?")."""
    words, start, end = _asked_name(question.text)
    while start < end and words[start].lower() in _OF_SEVERAL:
        start += 1
    name = words[start:end]
    if not name or not _ARTICLES.isdisjoint(name) or not re.fullmatch(rf"(?:{_MEASURES})s?", name[-1].lower()):
        return None
    end += 2 if words[end : end + 1] == ["in"] and words[end + 2 : end + 3] == ["of"] else 0
    if len(name) == 1 and words[end : end + 1] == ["of"]:
        last = next((i for i in range(end + 1, len(words)) if words[i].lower() in _AFTER_NAME), len(words))
        name = words[start : min(last, end + 1 + MOST_OWNER_WORDS)]
    return " ".join(name) if len(name) > 1 else None


def asked_kind(question: Question) -> tuple[str, ...]:
    """The words for what is asked ("criteria" of "Which criteria will be used?", "years" of "How many years pass?"),
    without names and words for any measure; none where the question has none."""
    words, start, end = _asked_name(question.text)
    return tuple(
        word for word in words[start:end] if not word.istitle() and not re.fullmatch(rf"(?:{_MEASURES})s?", word)
    )


def asked_thing(text: str) -> str:
    """The one thing that a question asks something for ("for a greenhouse", "of Porthaven"), empty where it names none,
    or in more than a word."""
    match = _FOR_THING.search(text)
    return match["thing"] if match else ""


def asks_steps(text: str) -> bool:
    """Whether a question asks what has to be done, one thing after another."""
    return bool(_ASKS_STEPS.search(text))


def speaks_of(question: Question, family: str) -> bool:
    """Whether a word of this family stands in the question."""
    return any(family in word for word in question.words)


def families_of(text: str, languages: Sequence[str | None]) -> tuple[frozenset[str], ...]:
    """The words of a text that are no function words, each once, as their families."""
    return _families_of(text, tuple(languages))


@lru_cache(maxsize=KEPT_TEXTS)
def _families_of(text: str, languages: tuple[str | None, ...]) -> tuple[frozenset[str], ...]:
    """Kept, since plans ask for those of the same question and of the same names again."""
    known = set(tokenise_for(text, languages))
    words = (word for word in re.findall(r"\S+", text) if word.strip("?!.,;:").casefold() not in ASKING_WORDS)
    found = (frozenset(map(root, set(tokenise_for(word, languages)) & known)) for word in words)
    return tuple(dict.fromkeys(word for word in found if word))


def defined_term(question: str) -> str | None:
    """The term that a question asks the meaning of ("What is a fragile surface?"), None for other questions."""
    match = _DEFINITION.fullmatch(" ".join(question.split()))
    return match.group("term") if match else None


def bare_term(question: str) -> str | None:
    """The term that a question is, without a word that asks ("bloat", "advisory lock"), None for other questions."""
    words = question.strip(' .?!"“”').split()
    is_term = 0 < len(words) <= MOST_TERM_WORDS and all(map(_TERM_WORD.fullmatch, words))
    asks = any(word.casefold() in ASKING_WORDS | FUNCTION_WORDS["en"] for word in words)
    return " ".join(words) if is_term and not asks else None


def asks_meaning(question: str) -> bool:
    """Whether a question says that it asks what a word means, and not what a thing is."""
    return bool(_MEANING.search(question))


def sentences_in(question: str) -> list[str]:
    """The sentences of a question, each with its sign."""
    return _SENTENCE_END.split(question)


def years_in(question: str) -> tuple[int, ...]:
    """The years of a question, "FY22" as 2022, in its order."""
    fiscal = _FISCAL.sub(lambda match: f" {match[1] if len(match[1]) == 4 else '20' + match[1]} ", question)
    return tuple(dict.fromkeys(int(year) for year in YEAR.findall(fiscal)))


def _asked_name(text: str) -> tuple[list[str], int, int]:
    """The words behind "which", "what", "how many" or "how much", and where among them the name of what is asked begins
    and ends."""
    match = _ASKS_WHAT.search(text)
    words = re.findall(r"[\w'’-]+", match.group("rest")) if match else []
    start = next((index for index, word in enumerate(words) if word.lower() not in _BEFORE_NAME), len(words))
    end = next((i for i in range(start, len(words)) if words[i].lower() in _AFTER_NAME), len(words))
    return words, start, end


@lru_cache(maxsize=KEPT_TEXTS)
def roots_of(text: str, language: str | None) -> frozenset[str]:
    """The word families of a text; kept, since plans ask for those of the same sentences and headings again."""
    return frozenset(root(token) for token in tokenise(text, language))


def _first(patterns: Sequence[tuple[_Kind, str]], text: str) -> _Kind | None:
    return next((kind for kind, pattern in patterns if re.search(pattern, text)), None)
