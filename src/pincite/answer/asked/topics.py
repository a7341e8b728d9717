"""What a question was about, by rules: the person, the thing or the several things that a later one means by a pronoun.

The subject of a question goes before what else it names (centering: Grosz, Joshi and Weinstein, 1995); where it asked
for somebody or for a place, the answer's name goes before both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pincite.answer.asked.noun_phrases import IMPERATIVES, STOPS, head_of, is_several, opening_run, topics_of
from pincite.answer.asked.question import SOMEBODY
from pincite.answer.words.facts import names_in
from pincite.answer.words.vocabulary import words_of

_OF_WHOM = re.compile(SOMEBODY, re.I)
_OF_A_NAME = re.compile(r"^(?:which|what)\s+[a-z]+\s+(?P<verb>[a-z]+)\b|\b(?:what|which) (?:city|country|town)\b")
_LABELLED = re.compile(r"\b[a-z]+\s\d[\w.-]*")
_CITED = re.compile(r"\([^()]*\)")
_BEHIND_A_PLACE = re.compile(r"\b(?:in|at|near|from|of|for|on|by|to|with)\s+(?:the\s+)?$", re.I)


class Earlier(NamedTuple):
    """A question of a conversation as it was understood, and what was said to it."""

    question: str
    said: str


def topic_of(question: str) -> str:
    """The noun phrase that a question is about, with its article: its subject; empty where it has none but names."""
    return next(iter(topics_of(question)), "")


def person_of(turns: Sequence[Earlier]) -> str:
    """Whom "he" or "she" means: whom a question asked for, else whom it names; the latest first."""

    def people(turn: Earlier) -> Iterable[str]:
        parties = filter(_is_party, (part for topic in topics_of(turn.question) for part in (topic, _owner_of(topic))))
        told = (name for name in _people(_CITED.sub(" ", turn.said)) if " " in name)
        return (*_asked_people(turn), *_people(turn.question), *parties, *told)

    return _latest(turns, people)


def thing_of(turns: Sequence[Earlier]) -> str:
    """What "it" means: a name that a question asked for, its subject, what it numbers or names; the latest first."""

    def single(turn: Earlier) -> Iterable[str]:
        topics = sorted(topics_of(turn.question), key=lambda topic: (_is_party(topic), is_several(topic)))
        owners = (topic.split(" of ", 1)[1] if is_several(topic) and " of " in topic else topic for topic in topics)
        names = (_with_article(turn.question, name) for name in reversed(named(turn.question)))
        return (*_asked_names(turn), *owners, *_LABELLED.findall(turn.question), *names)

    return _latest(turns, single)


def several_of(turns: Sequence[Earlier]) -> str:
    """What "they" means: a subject in the plural, several names, what the answer opens with; else what "it" means."""

    def plural(turn: Earlier) -> Iterable[str]:
        topics, names = filter(is_several, topics_of(turn.question)), named(turn.question)
        opening = opening_run(turn.said)
        told = f"the {opening[:1].casefold()}{opening[1:]}" if opening and is_several(opening) else ""
        return (*topics, " and ".join(names) if len(names) > 1 else "", told)

    return _latest(turns, plural) or thing_of(turns)


def named(question: str) -> list[str]:
    """The names of a question; a word that merely opens it is none."""
    opening, _, rest = question.partition(" ")
    text = rest if opening.casefold() in STOPS | IMPERATIVES else question
    versions = (re.findall(rf"{re.escape(name)}(?:\.\d+)*", text) for name in names_in(text))
    return list(dict.fromkeys(version for found in versions for version in found))


def _latest(turns: Sequence[Earlier], candidates: Callable[[Earlier], Iterable[str]]) -> str:
    return next((found for turn in reversed(turns) for found in candidates(turn) if found), "")


def _asked_people(turn: Earlier) -> list[str]:
    """Whom the answer names, where the question asked for somebody."""
    return [name for name in _new_names(turn) if " " in name] if _OF_WHOM.search(turn.question) else []


def _asked_names(turn: Earlier) -> list[str]:
    """The one name of the answer, where the question asked for a place or for one of a kind ("Which firm bought")."""
    match = _OF_A_NAME.search(turn.question[:1].casefold() + turn.question[1:])
    if match is None or (match["verb"] and match["verb"] in STOPS):
        return []
    new = _new_names(turn)
    return new if len(new) == 1 else []


def _new_names(turn: Earlier) -> list[str]:
    asked = turn.question.casefold()
    return [name for name in named(_CITED.sub(" ", turn.said)) if name.casefold() not in asked]


def _with_article(question: str, name: str) -> str:
    return f"the {name}" if f"the {name}" in question else name


def _is_party(topic: str) -> bool:
    """Whether a noun phrase names somebody by what they do."""
    return head_of(topic).casefold() in words_of("encyclopaedia", "parties")


def _owner_of(topic: str) -> str:
    return topic.partition(" of ")[2] or topic


def _people(text: str) -> list[str]:
    """The names of a text that may be a person's: those of several words first, none that stands like a place."""
    own = [name for name in named(text) if not _BEHIND_A_PLACE.search(text[: text.find(name)])]
    return sorted(own, key=lambda name: " " not in name)
