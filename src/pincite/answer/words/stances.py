"""What a clause does with what it speaks of: it requires, permits or forbids it, frees from it, states or denies it."""

from __future__ import annotations

import re
from typing import Literal

Stance = Literal["requires", "permits", "forbids", "frees", "states", "denies"]

_NECESSARY = r"(?:required|necessary|needed|mandatory|obligatory|obliged|compulsory)"
_ALLOWED = r"(?:permitted|allowed|permissible|lawful|legal|entitled)"
_BANNED = r"(?:prohibited|forbidden|banned|unlawful|illegal)"
_MODAL = r"(?:shall|must|may|should|can|could)"
# In this order, for "is not required" holds "required", and "may not" holds "may".
_SAID: tuple[tuple[Stance, str], ...] = (
    ("frees", rf"\bneed(?:s)? not\b|\bnot (?:be )?{_NECESSARY}\b|\b(?:do|does|did) not (?:need|have) to\b"),
    ("frees", rf"\b(?:no|neither)\b[^,;]{{1,60}}\b(?:is|are) {_NECESSARY}\b"),
    ("forbids", rf"\b{_MODAL}\s(?:\w+ly\s)?(?:not|never)\b|\bcannot\b|\bnot (?:be )?{_ALLOWED}\b|\b{_BANNED}\b"),
    ("forbids", r"^\W*(?:do not|don[’']t|never)\b"),
    ("forbids", rf"\b(?:no|neither)\b[^,;]{{1,60}}\b(?:{_MODAL}|is {_ALLOWED}|are {_ALLOWED})\b"),
    ("denies", r"\b(?:is|are|was|were|does|do|did|has|have|had|will|would)\s(?:\w+ly\s)?not\b|\bnever\b|\bno\b"),
    ("permits", rf"\b(?:may|can|could|might)\b|\b{_ALLOWED}\b"),
    ("requires", rf"\b(?:shall|must|should|needs? to|ha(?:s|ve) to)\b|\b{_NECESSARY}\b|\b(?:is|are) to be\b"),
)
_ASKED: tuple[tuple[Stance, str], ...] = (
    ("forbids", rf"\b{_BANNED}\b"),
    ("permits", rf"^(?:may|can|could)\b|\b{_ALLOWED}\b"),
    ("requires", rf"^(?:must|shall|should|need)\b|\bneed\b|\bha(?:s|ve) to\b|\b{_NECESSARY}\b"),
)
# What a clause of the one stance says to a question on the other; undecided where none stands here.
_DECIDED: dict[tuple[Stance, Stance], bool] = {
    ("requires", "requires"): True,
    ("requires", "frees"): False,
    ("requires", "forbids"): False,
    ("permits", "permits"): True,
    ("permits", "requires"): True,
    ("permits", "forbids"): False,
    ("forbids", "forbids"): True,
    ("forbids", "permits"): False,
    ("forbids", "requires"): False,
    ("states", "states"): True,
    ("states", "requires"): True,
    ("states", "denies"): False,
    ("states", "forbids"): False,
    ("states", "frees"): False,
}
NEGATIVE: tuple[Stance, ...] = ("forbids", "denies", "frees")
STANCE_WORDS = re.compile(rf"\b(?:{_NECESSARY}|{_ALLOWED}|{_BANNED}|needs?|ha(?:s|ve) to)\b", re.I)
"""Words of a question that a clause may say by its verb alone."""


def stance_of(clause: str) -> Stance:
    """What a clause does, its conditions left aside."""
    return next((stance for stance, pattern in _SAID if re.search(pattern, clause, re.I)), "states")


def stance_asked(question: str) -> Stance:
    """What a question that is answered by yes or no asks for."""
    return next((stance for stance, pattern in _ASKED if re.search(pattern, question, re.I)), "states")


def decided(asked: Stance, said: Stance) -> bool | None:
    """Yes or no to a question on one stance, where a clause takes another; None where it leaves that open."""
    return _DECIDED.get((asked, said))
