"""Words that turn or narrow what they are said with: negations, "only", "unless", modal verbs."""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.answer.words.lexicon import lexicon
from pincite.answer.words.vocabulary import MODALS

CONDITIONS = frozenset(("unless", "if"))
_WORD = re.compile(r"[^\W\d_]+")
_MONTH = "May"


def operators_in(text: str) -> frozenset[str]:
    """The operators of a text, each as the first word of its group; modal verbs as they are."""
    known = operators()
    words = (word for word in _WORD.findall(text) if word != _MONTH)
    return frozenset(name for word in words for name in known.get(word.casefold(), ()))


@lru_cache(maxsize=1)
def operators() -> dict[str, tuple[str, ...]]:
    """All operators, each with what it is compared as."""
    groups = [group.split() for group in lexicon("models")["operators"]["groups"]]
    found = {word: (group[0],) for group in groups for word in group} | {modal: (modal,) for modal in MODALS}
    return found | {"cannot": ("not", "can")}
