"""Drawn formulas, and what is left of them: the text layer has their signs, but not where they stand."""

from __future__ import annotations

import re

LEAST_WORDS = 2
"""An equation of words has two of three letters or more. By eye, not measured."""
MANY_OPERATORS = 3
"""Operators: a formula has three; "a/b" and "(1)-(2)" have fewer."""
LEAST_SHARE_OF_WORDS = 0.3
"""Of the parts of a line: in what is left of a drawn formula fewer are words. By eye, not measured."""

_OPERATOR = re.compile(r"[-+*/()_^·×÷√∙−–]")
# A relation, or the number of an equation at the end.
_OF_FORMULA = re.compile(r"[=≤≥<>≈∑∫√]|\(\w?\.?\d[\d.]*\w?\)$")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")


def is_formula(line: str) -> bool:
    """An equation of several terms, or what is left of one; "Ct = 1,0" is none."""
    if len(_OPERATOR.findall(line)) < MANY_OPERATORS:
        return False
    return is_mostly_signs(line) or ("=" in line and len(_LONG_WORD.findall(line)) < LEAST_WORDS)


def is_mostly_signs(text: str) -> bool:
    """What is left of drawn formulas: several operators, and few of its parts are words."""
    if len(_OPERATOR.findall(text)) < MANY_OPERATORS:
        return False
    return len(_LONG_WORD.findall(text)) / max(1, len(text.split())) < LEAST_SHARE_OF_WORDS


def is_left_of_formula(text: str) -> bool:
    """Whether a text is mostly signs, holds a relation, or ends in the number of an equation."""
    return is_mostly_signs(text) or bool(_OF_FORMULA.search(text))
