"""A list, whole and in order: the sentence that leads in, then its items, over page and chunk breaks, counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from pincite.answer.asked.question import asked_kind, asks_steps, families_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passaged, kinds_between
from pincite.answer.material.select import Candidate
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.records import Span, Statement

LOOKED_AT = 12
LEAST_COVERAGE = 0.4
BEST_CHUNKS = 3
LEAST_OF_STEPS = 0.6
LONGEST_STEP = 400
MOST_ITEMS = 15
LEAST_ITEMS = 2
MOST_CHUNKS = 4
MOST_LOST = 3

_ASKS_LIST = re.compile(
    r"^(?:which|what)\s+(?!(?:value|year|date|day|policy|paragraph|clause|section|part|is|was)\b)|^list\b|^name\b", re.I
)
_LABEL = re.compile(r"^(?:\(?(?P<label>[a-z]|[ivx]{1,5}|\d{1,2})[.)]|(?P<sign>[•●▪–—*-]))\s+", re.I)
_FOLLOWING = re.compile(r"\b(?:following|as follows|these)\b", re.I)
_SEMICOLON = re.compile(r";(?:\s|$)")
_ROMAN = re.compile(r"[ivx]{1,5}$", re.I)
_ASKING_STEPS = "step need take follow procedure"


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


def listed(case: Case) -> list[Statement]:
    """Of the best sentences that lead into a list of what is asked the nearest, with its items; none where the question
    asks for none."""
    if not _ASKS_LIST.search(case.question.text):
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
        if _share_held(case, whole) >= LEAST_OF_STEPS:
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
    text = _LABEL.sub("", " ".join(s.text for s in said), count=1)
    step = f"Step {item.label}, {locator}" if locator else f"Step {item.label}"
    return stated(text, "step", [(s.passage, s.chunk) for s in said], locator=step)


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
    if match := _LABEL.match(sentence.text):
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
        if sentence.passage.kind in ("table", "caption") or (items and not _SEMICOLON.search(items[-1].text)):
            break
        items.append(Item("", [sentence]))
        if sentence.text.endswith("."):
            break
    return items if items and _SEMICOLON.search(items[0].text) else []


def with_items(case: Case, lead_in: Sentence, room: int) -> tuple[str, list[Passaged]]:
    """The text of a lead-in with as many of its items as fit in `room` characters, and what it stands on."""
    texts, cited = [lead_in.text], [(lead_in.passage, lead_in.chunk)]
    for sentence in (sentence for item in items_after(case, lead_in) for sentence in item.sentences):
        if len(" ".join([*texts, sentence.text])) > room:
            break
        texts.append(sentence.text)
        cited.append((sentence.passage, sentence.chunk))
    return " ".join(texts), cited


def _behind(case: Case, lead_in: Sentence) -> list[Line]:
    """The sentences behind the lead-in in its section, also in the chunks that follow, up to the next heading."""
    found: list[Line] = []
    chunk, seen = lead_in.chunk, lead_in.passage.spans[-1]
    before: Span | None = seen
    for _ in range(MOST_CHUNKS):
        for sentence in sentences_of_chunk(chunk, lead_in.evidence, lead_in.rank):
            if sentence.passage.spans[0] > seen:
                kinds = kinds_between(chunk, before, sentence.passage.spans[0])
                if "heading" in kinds and before is not None:
                    return found
                found.append(Line(sentence, bool(kinds)))
                before = seen = sentence.passage.spans[-1]
        following = case.around.following(chunk)
        if following is None or following.section_ordinal != chunk.section_ordinal:
            break
        chunk, before = following, None
    return found


def _statements(candidate: Candidate, items: Sequence[Item]) -> list[Statement]:
    sentence = candidate.sentence
    locator, text = locator_and_text(sentence.chunk.section_number, sentence.text)
    labels = [item.label for item in items if item.label.isalnum()]
    run = f", {labels[0]} to {labels[-1]}" if len(labels) == len(items) else ""
    is_told_apart = not any(_SEMICOLON.search(s.text[:-1]) for item in items for s in item.sentences if not item.label)
    told_here = f", the first {MOST_ITEMS} here" if len(items) > MOST_ITEMS else run
    counted = f" ({len(items)} found{told_here})" if is_told_apart else ":"
    lead = stated(f"{text.rstrip(':. ')}{counted}", "list", [(sentence.passage, sentence.chunk)], locator=locator)
    return [lead, *(_item(item) for item in items[:MOST_ITEMS])]


def _item(item: Item) -> Statement:
    text = re.sub(r"[;,]?(?:\s+(?:and|or))?[;,]?$", "", item.text)
    return stated(text, "list", [(sentence.passage, sentence.chunk) for sentence in item.sentences])
