"""A question of a conversation, completed by a language model where each word of what it writes was said before; else,
and where there is none, by rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pincite.answer.asked.follow_ups import completed
from pincite.answer.asked.question import roots_of
from pincite.answer.asked.topics import Earlier
from pincite.answer.modes.prompts import COMPLETE_SCHEMA, complete_prompt
from pincite.answer.modes.talk import Talk
from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.ports import LanguageModel
from pincite.text.language import FUNCTION_WORDS
from pincite.text.salvage import salvaged

MOST_TURNS = 3
"""Turns that a model is shown. By eye, not measured."""
LONGEST_SAID = 400
"""Characters of an answer that it is shown: what a pronoun means stands at the beginning. By eye, not measured."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SIGNS = re.compile(r"[:=\[\]{}<>|\"#/\\]")


def completed_question(
    typed: str, turns: Sequence[Earlier], model: LanguageModel | None = None, deadline: Deadline = Deadline.never()
) -> str:
    """The question as it is understood after these turns, oldest first; as typed where it stands alone."""
    by_rules = completed(typed, turns)
    if model is None or not turns:
        return by_rules
    shown = [Earlier(turn.question, turn.said[:LONGEST_SAID]) for turn in turns[-MOST_TURNS:]]
    try:
        answer = Talk(model, deadline).ask("complete", complete_prompt(typed, shown))
    except ServiceError:
        return by_rules
    written = " ".join(str(salvaged(answer.text, COMPLETE_SCHEMA).value["question"]).split())
    return written if written and _is_of(written, typed, turns) else by_rules


def _is_of(written: str, typed: str, turns: Iterable[Earlier]) -> bool:
    """Whether a question says all that was typed, and nothing that was not said before: neither a word, nor a number,
    nor a sign that could be read as a filter."""
    said = " ".join([typed, *(text for turn in turns for text in turn)])
    has_all = _content(typed) <= _content(written)
    return has_all and all(
        of(written) <= of(said) for of in (_content, lambda text: {*_NUMBER.findall(text), *_SIGNS.findall(text)})
    )


def _content(text: str) -> set[str]:
    """The families of its words that say what it is about."""
    return {family for family in roots_of(text, "en") if family not in FUNCTION_WORDS["en"]}
