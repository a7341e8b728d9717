"""The sentence that says itself how two things differ, or which of them is more of something."""

from __future__ import annotations

import re

from pincite.answer.asked.comparisons import compared_things
from pincite.answer.asked.question import families_of
from pincite.answer.material.case import Case
from pincite.answer.said.statements import told
from pincite.records import Statement

_SETS_APART = re.compile(
    r"\b(?:differ(?:s|ed|ence|ences|ent)?|unlike|whereas|while|but|than|rather|instead|contrast|distinguish\w*)\b", re.I
)


def contrasted(case: Case) -> list[Statement]:
    """The best sentence that names both of two compared things and sets them apart; what is said of each alone is found
    part by part."""
    compared = compared_things(case.question.text)
    if compared is None:
        return []
    languages = case.retrieval.query.languages
    words = families_of(f"{compared.first} {compared.second}", languages)
    for sentence in case.sentences:
        is_of_both = all(not word.isdisjoint(sentence.roots) for word in words)
        if words and is_of_both and sentence.passage.kind != "table" and _SETS_APART.search(sentence.text):
            return [told(sentence, "comparison")]
    return []
