"""The items behind a sentence that leads into a list, over page and chunk breaks: labelled, in a table, or parted by
semicolons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from pincite.answer.asked.question import families_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passaged, block_starts
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.material.units import ITEM_LABEL

LEAST_ITEMS = 2
"""One item is a sentence."""
MOST_CHUNKS = 4
"""Chunks from that of the lead-in on; a longer list is a chapter. By eye, not measured."""
MOST_LOST = 3
"""Steps from one label to the next: reading a page may lose two between; a wider gap is another list. By eye."""

SEMICOLON = re.compile(r";(?:\s|$)")
"""What parts items that have no labels."""
_ROMAN = re.compile(r"[ivx]{1,5}$", re.I)


@dataclass(slots=True)
class Item:
    """One item with all sentences that belong to it."""

    label: str
    sentences: list[Sentence] = field(default_factory=list)

    @property
    def text(self) -> str:
        """As it reads."""
        return " ".join(sentence.text for sentence in self.sentences)


class Line(NamedTuple):
    """A sentence behind a lead-in, and whether a block begins with it."""

    sentence: Sentence
    opens_block: bool


def items_after(case: Case, lead_in: Sentence) -> list[Item]:
    """The items behind a lead-in, up to the end of its section; footnotes between them are left out.

    What has a label of another kind belongs to the item above it. A paragraph belongs to the item above it where the
    list goes on behind it; else the list ends there.
    """
    behind = [line for line in _behind(case, lead_in) if line.sentence.passage.kind != "footnote"]
    if behind and behind[0].sentence.passage.kind == "table":
        return _rows(lead_in, [line.sentence for line in behind])
    items: list[Item] = []
    aside: list[Sentence] = []
    for sentence, opens_block in behind:
        label = _label(sentence, opens_block=opens_block)
        if label is not None and (not items or _follows(items, label)):
            if items and _introduces(aside):
                break
            _add(items, aside)
            items.append(Item(label))
        elif not items or (label is not None and aside):
            break
        elif aside or (label is None and opens_block):
            aside.append(sentence)
            continue
        items[-1].sentences.append(sentence)
    return items or _unlabelled([line.sentence for line in behind])


def _add(items: Sequence[Item], aside: list[Sentence]) -> None:
    """Give the last item the paragraphs that turned out to be its own."""
    if items:
        items[-1].sentences += aside
    aside.clear()


def _introduces(aside: Sequence[Sentence]) -> bool:
    """Whether a paragraph between items leads into another list."""
    return bool(aside) and aside[-1].text.endswith(":")


def _label(sentence: Sentence, *, opens_block: bool) -> str | None:
    """The label that a sentence opens with ("b", "2", "•"), empty for an item of a list without one; None for what is
    no item."""
    if match := ITEM_LABEL.match(sentence.text):
        return match["label"] or match["sign"]
    return "" if opens_block and sentence.passage.kind == "list_item" else None


def _follows(items: Sequence[Item], label: str) -> bool:
    """Whether a label is the next of a list, or one of the few behind it, where labels between them are lost."""
    last = items[-1]
    if not items[0].label.isalnum() or not label.isalnum():
        return label == items[0].label
    if _ROMAN.match(label) and label != "i" and items[0].label == "i":
        return True
    if _ROMAN.match(label) and last.sentences[-1].text.endswith(":"):
        return False
    if label.isdigit() and last.label.isdigit():
        return 0 < int(label) - int(last.label) <= MOST_LOST
    both_letters = len(label) == len(last.label) == 1 and label.isalpha() and last.label.isalpha()
    return both_letters and 0 < ord(label.casefold()) - ord(last.label.casefold()) <= MOST_LOST


def _rows(lead_in: Sentence, behind: Sequence[Sentence]) -> list[Item]:
    """The rows of the table behind a lead-in, without its heads, which name what the lead-in announces."""
    rows = list(takewhile(lambda sentence: sentence.passage.kind == "table", behind))
    languages = (lead_in.chunk.language,)
    named = lead_in.roots.union(*families_of(lead_in.text, languages))
    heads = {s.text for s in rows[:1] if any(not word.isdisjoint(named) for word in families_of(s.text, languages))}
    return [Item("", [sentence]) for sentence in rows if sentence.text not in heads]


def _unlabelled(behind: Sequence[Sentence]) -> list[Item]:
    """Items without labels: each but the last ends in a semicolon, or holds one, and the last in a stop."""
    items: list[Item] = []
    for sentence in behind:
        if sentence.passage.kind in ("table", "caption") or (items and not SEMICOLON.search(items[-1].text)):
            break
        items.append(Item("", [sentence]))
        if sentence.text.endswith("."):
            break
    return items if items and SEMICOLON.search(items[0].text) else []


def with_items(case: Case, lead_in: Sentence, room: int) -> tuple[str, list[Passaged]]:
    """The text of a lead-in with as many of its items as fit in `room` characters, and what it stands on."""
    texts, cited = [lead_in.text], [(lead_in.passage, lead_in.chunk)]
    if room <= len(lead_in.text):
        return lead_in.text, cited
    for sentence in (sentence for item in items_after(case, lead_in) for sentence in item.sentences):
        if len(" ".join([*texts, sentence.text])) > room:
            break
        texts.append(sentence.text)
        cited.append((sentence.passage, sentence.chunk))
    return " ".join(texts), cited


def _behind(case: Case, lead_in: Sentence) -> list[Line]:
    """The sentences behind the lead-in in its section, also in the chunks that follow, up to the next heading; the
    one that a further chunk opens with is that of the section."""
    found: list[Line] = []
    chunk, seen = lead_in.chunk, lead_in.passage.spans[-1]
    before = (seen.page, seen.start)
    for _ in range(MOST_CHUNKS):
        starts, goes_on = block_starts(chunk), chunk is not lead_in.chunk
        for sentence in sentences_of_chunk(chunk, lead_in.evidence, lead_in.rank):
            place = sentence.passage.spans[0]
            if place > seen:
                begun = [kind for page, start, kind in starts if before < (page, start) <= (place.page, place.start)]
                if "heading" in begun and not goes_on:
                    return found
                goes_on = False
                found.append(Line(sentence, bool(begun)))
                seen = sentence.passage.spans[-1]
                before = (seen.page, seen.start)
        following = case.around.following(chunk)
        if following is None or following.section_ordinal != chunk.section_ordinal:
            break
        chunk = following
    return found
