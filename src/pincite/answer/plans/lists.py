"""A list, whole and in order: the sentence that leads in, then its items, over page and chunk breaks, counted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.asked.question import asked_kind, asks_steps, families_of
from pincite.answer.material.case import Case
from pincite.answer.material.select import Candidate
from pincite.answer.material.sentences import Sentence
from pincite.answer.material.units import ITEM_LABEL
from pincite.answer.plans.enough import LOOKED_AT, MOST_WORDS
from pincite.answer.plans.items import LEAST_ITEMS, SEMICOLON, Item, items_after
from pincite.answer.said.gate import is_supported
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.records.answers import Statement

LEAST_COVERAGE = 0.4
"""Of the question's words: a lead-in says what is listed, the others stand in the items. By eye, not measured."""
BEST_CHUNKS = 3
"""By rank: steps further behind are those of another task. By eye, not measured."""
LONGEST_STEP = 400
"""Characters: a step is told, not its commentary. By eye, not measured."""
MOST_ITEMS = 15
"""About a page of a terminal."""

_ASKS_LIST = re.compile(
    r"^(?:which|what)\s+(?!(?:value|year|date|day|policy|paragraph|clause|section|part|is|was)\b)|^list\b|^name\b", re.I
)
# "What does the knob do?", "Which knob sets the time?" ask for one thing, though it may be an item of a list.
_ASKS_FOR_ONE = re.compile(
    r"^what\s+(?:does|do|did)\b.{1,200}?\b(?:do|mean|stand for|return|say)\W*$"
    r"|^(?:which|what)\s+(?:\w+\s+){0,2}\w*[^\W_s]\s+\w+[^\W_s]s\s+"
    r"(?:the|an?|my|your|our|its|this|that|it|how|whether|when|where|what)\b",
    re.I,
)
_FOLLOWING = re.compile(r"\b(?:following|as follows|these)\b", re.I)
_JOINING = re.compile(r"[;,](?:\s(?:and|or)\b[;,]?)?$")
_ASKING_STEPS = "step need take follow procedure"


def listed(case: Case) -> list[Statement]:
    """Of the best sentences that lead into a list of what is asked the nearest, with its items; none where the question
    asks for none."""
    if not _ASKS_LIST.search(case.question.text) or _ASKS_FOR_ONE.search(case.question.text):
        return []
    kind = families_of(" ".join(asked_kind(case.question)), case.retrieval.query.languages)
    near = [item for item in case.ranked[:LOOKED_AT] if item.coverage >= LEAST_COVERAGE and _is_of(kind, item.sentence)]
    for candidate in sorted(near, key=lambda item: -item.coverage):
        items = items_after(case, candidate.sentence)
        if len(items) >= LEAST_ITEMS and _leads_in(candidate.sentence, items):
            return _statements(candidate, items)
    return []


def _is_of(kind: Sequence[frozenset[str]], lead_in: Sentence) -> bool:
    """Whether a lead-in speaks of what the question asks for ("criteria"), where the question says what that is."""
    return not kind or any(not word.isdisjoint(lead_in.roots) for word in kind)


def _leads_in(sentence: Sentence, items: Sequence[Item]) -> bool:
    """Whether a list stands behind a sentence: one that ends in a colon, or that announces the rows of a table."""
    is_table = items[0].sentences[0].passage.kind == "table"
    return sentence.text.endswith(":") or (is_table and bool(_FOLLOWING.search(sentence.text)))


def stepped(case: Case) -> list[Statement]:
    """What has to be done, one numbered step after another, where a sentence of the best chunks leads into them and
    they hold most of the question together."""
    if not asks_steps(case.question.text):
        return []
    best = sorted((s for s in case.sentences if s.rank <= BEST_CHUNKS), key=lambda s: (s.rank, s.position))
    for lead_in in (s for s in best if s.text.endswith(":") or _FOLLOWING.search(s.text)):
        items = items_after(case, lead_in)
        labels = [str(number) for number in range(1, len(items) + 1)]
        whole = [lead_in, *(sentence for item in items for sentence in item.sentences)]
        if len(items) < LEAST_ITEMS or [item.label for item in items] != labels:
            continue
        if _share_held(case, whole) >= MOST_WORDS:
            return [told(lead_in, "fact"), *(_step(item) for item in items[:MOST_ITEMS])]
    return []


def _share_held(case: Case, sentences: Sequence[Sentence]) -> float:
    """The share of the question's words that sentences and their headings hold, those that ask for steps left out."""
    asking = frozenset().union(*families_of(_ASKING_STEPS, ("en",)))
    words = [word for word in case.question.words if word.isdisjoint(asking)]
    held = frozenset().union(*(sentence.roots | sentence.context for sentence in sentences))
    return sum(not word.isdisjoint(held) for word in words) / max(1, len(words))


def _step(item: Item) -> Statement:
    """A step, its further sentences as far as there is room."""
    said = [item.sentences[0]]
    for sentence in item.sentences[1:]:
        if sum(len(s.text) for s in (*said, sentence)) > LONGEST_STEP:
            break
        said.append(sentence)
    locator, _ = locator_and_text(said[0].chunk.section_number, "")
    text = ITEM_LABEL.sub("", " ".join(s.text for s in said), count=1)
    step = f"Step {item.label}, {locator}" if locator else f"Step {item.label}"
    return stated(text, "step", [(s.passage, s.chunk) for s in said], locator=step)


def _statements(candidate: Candidate, items: Sequence[Item]) -> list[Statement]:
    sentence = candidate.sentence
    locator, text = locator_and_text(sentence.chunk.section_number, sentence.text)
    made = [(item, _item(item, is_last=item is items[-1])) for item in items]
    shown = [(item, said) for item, said in made if is_supported(said, sentence.chunk.language)]
    labels = [item.label for item, _ in shown if item.label.isalnum()]
    run = f", {labels[0]} to {labels[-1]}" if labels and len(labels) == len(shown) else ""
    is_told_apart = not any(SEMICOLON.search(s.text[:-1]) for item in items for s in item.sentences if not item.label)
    told_here = f", the first {MOST_ITEMS} here" if len(shown) > MOST_ITEMS else run
    counted = f" ({len(shown)} found{told_here})" if is_told_apart else ":"
    lead = stated(f"{text.rstrip(':. ')}{counted}", "list", [(sentence.passage, sentence.chunk)], locator=locator)
    return [lead, *(said for _, said in shown[:MOST_ITEMS])]


def _item(item: Item, *, is_last: bool) -> Statement:
    """An item without the sign, and the word behind it, that joins it to the next; the last has all its words."""
    text = item.text.rstrip(";, ") if is_last else _JOINING.sub("", item.text)
    return stated(text, "list", [(sentence.passage, sentence.chunk) for sentence in item.sentences])
