"""The fixed words of answers and questions: template words, negations, word families, and the lexicons of trades in
`lexicons/*.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any


@cache
def lexicon(name: str) -> Mapping[str, Any]:
    """A lexicon that is shipped with the package, as its file has it."""
    path = files("pincite.answer") / "lexicons" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def words_of(name: str, entry: str) -> frozenset[str]:
    """The words of an entry."""
    return frozenset(lexicon(name)[entry]["words"].split())


def phrases_of(name: str, entry: str) -> str:
    """The phrases of an entry, each a regular expression, as the alternatives of one."""
    return "|".join(lexicon(name)[entry]["phrases"])


@cache
def pattern_of(name: str, entry: str) -> re.Pattern[str]:
    """What finds an entry, whatever the case: any of its phrases as whole words, or its pattern as it stands; one that
    is spread over lines holds white space that counts for nothing."""
    found = lexicon(name)[entry]
    spread = re.VERBOSE if found.get("spread", False) else re.NOFLAG
    return re.compile(found.get("pattern") or rf"\b(?:{phrases_of(name, entry)})\b", re.IGNORECASE | spread)


TEMPLATE_WORDS = frozenset(
    "yes no step settled for where this part applies information found referred to but not in this folder "
    "nearest answer against higher lower also two figures on two bases cannot be read see the page itself "
    "expression other gives question does give symbol basis report".split()
)
LIGHT_WORDS = frozenset(
    "be am is are was were been being has have had having do does did done this that these those it its itself they "
    "them their he him his she her we our you your which who whom whose as also thus therefore so while whereas".split()
)
"""What a sentence is put together with, whatever it says."""
NEGATIONS = frozenset("not no never none without unless except nor neither cannot".split())
MODALS = frozenset("shall should must may might can could need will would".split())
NEGATIONS_AND_MODALS = NEGATIONS | MODALS
MONTHS = tuple(lexicon("encyclopaedia")["months"][form].split() for form in ("long", "short"))


# Words of questions that no answer has to hold.
ASKING_WORDS = frozenset(
    "many much often say says said tell list name give please also my our onto i we want like am".split()
)


# What questions on a section of its own ("5.3") say of it.
SECTION_WORDS = frozenset(
    "section sections clause clauses chapter part annex article paragraph rule say state states require requires"
    " provide provides contain contains tell hold holds".split()
)


REFERRING_WORDS = frozenset("refer refers referred".split())
NUMBER_WORDS = words_of("encyclopaedia", "numbers")


# Who stands in which relation to a work or a company; word families, see `root`.
ROLES = tuple(lexicon("encyclopaedia")["roles"]["words"].split())


_ENDINGS = ("ation", "ment", "tion", "ing", "ion", "or", "er", "ed", "al", "e")
LEAST_ROOT = 4
"""Letters: a shorter rest is no longer the word's own: "rope" is none of "ropes" in "roping"."""


@lru_cache(maxsize=8192)
def root(token: str) -> str:
    """What words of one family share: "director" and "directed", "born" and "birthday"."""
    if token in _family_of():
        return _family_of()[token]
    for ending in _ENDINGS:
        if token.endswith(ending) and len(token) - len(ending) >= LEAST_ROOT:
            return token[: -len(ending)]
    return token


@lru_cache(maxsize=1)
def _family_of() -> dict[str, str]:
    groups = lexicon("encyclopaedia")["families"]["groups"]
    return {stem: family.split()[0] for family in groups for stem in family.split()}
