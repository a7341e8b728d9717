"""A list, whole and in order: the sentence that leads in, then its items, over page and chunk breaks, counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.answer.case import Case
from pincite.answer.select import Candidate
from pincite.answer.sentences import Sentence, sentences_of_chunk
from pincite.answer.statements import Passaged, locator_and_text, stated
from pincite.records import Statement

LOOKED_AT = 4
MOST_ITEMS = 15
LEAST_ITEMS = 2
MOST_CHUNKS = 4

_ASKS_LIST = re.compile(
    r"^(?:which|what)\s+(?!(?:value|year|date|day|policy|paragraph|clause|section|part|is|was)\b)|^list\b|^name\b", re.I
)
_LABEL = re.compile(r"^(?:\(?(?P<label>[a-z]|[ivx]{1,5}|\d{1,2})[.)]|[•●▪–—-])\s+", re.I)
_SEMICOLON = re.compile(r";(?:\s|$)")
_ROMAN = re.compile(r"^\(?[ivx]{1,5}[.)]", re.I)


@dataclass(slots=True)
class Item:
    """One item with all sentences that belong to it."""

    label: str
    sentences: list[Sentence] = field(default_factory=list)


def listed(case: Case) -> list[Statement]:
    """The first of the best sentences that leads into a list, with its items; none where the question asks for none."""
    if not _ASKS_LIST.search(case.question.text):
        return []
    for candidate in case.ranked[:LOOKED_AT]:
        if candidate.sentence.text.endswith(":"):
            items = items_after(case, candidate.sentence)
            if len(items) >= LEAST_ITEMS:
                return _statements(candidate, items)
    return []


def items_after(case: Case, lead_in: Sentence) -> list[Item]:
    """The items behind a lead-in, up to the end of its section; footnotes between them are left out."""
    behind = [sentence for sentence in _behind(case, lead_in) if sentence.passage.kind != "footnote"]
    items: list[Item] = []
    for sentence in behind:
        match = _LABEL.match(sentence.text)
        if match and not _is_below(items, sentence.text):
            items.append(Item(match.group("label") or ""))
        if not items:
            break
        items[-1].sentences.append(sentence)
    return (items or _unlabelled(behind))[:MOST_ITEMS]


def _unlabelled(behind: Sequence[Sentence]) -> list[Item]:
    """Items without labels: from the first sentence that ends in a semicolon, or holds one, to the first that ends in
    a stop."""
    items: list[Item] = []
    for sentence in behind:
        if sentence.passage.kind in ("table", "caption") or not (items or _SEMICOLON.search(sentence.text)):
            break
        items.append(Item("", [sentence]))
        if sentence.text.endswith("."):
            break
    return items


def with_items(case: Case, lead_in: Sentence, room: int) -> tuple[str, list[Passaged]]:
    """The text of a lead-in with as many of its items as fit in `room` characters, and what it stands on."""
    texts, cited = [lead_in.text], [(lead_in.passage, lead_in.chunk)]
    for sentence in (sentence for item in items_after(case, lead_in) for sentence in item.sentences):
        if len(" ".join([*texts, sentence.text])) > room:
            break
        texts.append(sentence.text)
        cited.append((sentence.passage, sentence.chunk))
    return " ".join(texts), cited


def _is_below(items: Sequence[Item], text: str) -> bool:
    """Whether a roman label counts inside the last item: behind one that leads in ("These are:") it does."""
    if not items or not _ROMAN.match(text):
        return False
    last = items[-1]
    return last.sentences[0].text.endswith(":") or any(s.text.endswith(":") for s in last.sentences)


def _behind(case: Case, lead_in: Sentence) -> list[Sentence]:
    """The sentences behind the lead-in in its section, also in the chunks that follow."""
    found: list[Sentence] = []
    chunk, seen = lead_in.chunk, lead_in.passage.spans[-1]
    for _ in range(MOST_CHUNKS):
        for sentence in sentences_of_chunk(chunk, lead_in.evidence, lead_in.rank):
            if sentence.passage.spans[0] > seen:
                found.append(sentence)
                seen = sentence.passage.spans[-1]
        following = case.around.following(chunk)
        if following is None or following.section_ordinal != chunk.section_ordinal:
            break
        chunk = following
    return found


def _statements(candidate: Candidate, items: Sequence[Item]) -> list[Statement]:
    sentence = candidate.sentence
    locator, text = locator_and_text(sentence.chunk.section_number, sentence.text)
    labels = [item.label for item in items if item.label]
    run = f", {labels[0]} to {labels[-1]}" if len(labels) == len(items) else ""
    is_told_apart = not any(_SEMICOLON.search(s.text[:-1]) for item in items for s in item.sentences if not item.label)
    counted = f" ({len(items)} found{run})" if is_told_apart else ":"
    lead = stated(f"{text.rstrip(': ')}{counted}", "list", [(sentence.passage, sentence.chunk)], locator=locator)
    return [lead, *(_item(item) for item in items)]


def _item(item: Item) -> Statement:
    text = " ".join(sentence.text for sentence in item.sentences)
    text = re.sub(r"[;,]?(?:\s+(?:and|or))?[;,]?$", "", text)
    return stated(text, "list", [(sentence.passage, sentence.chunk) for sentence in item.sentences])
