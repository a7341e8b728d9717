"""A list, whole and in order: the sentence that leads in, then its items, over page and chunk breaks, counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from pincite.answer.asked.question import asked_kind, asks_steps, families_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passaged
from pincite.answer.material.select import Candidate
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.records import Statement

LOOKED_AT = 12
LEAST_COVERAGE = 0.4
BEST_CHUNKS = 3
LEAST_OF_STEPS = 0.6
LONGEST_STEP = 400
MOST_ITEMS = 15
LEAST_ITEMS = 2
MOST_CHUNKS = 4

_ASKS_LIST = re.compile(
    r"^(?:which|what)\s+(?!(?:value|year|date|day|policy|paragraph|clause|section|part|is|was)\b)|^list\b|^name\b", re.I
)
_LABEL = re.compile(r"^(?:\(?(?P<label>[a-z]|[ivx]{1,5}|\d{1,2})[.)]|[•●▪–—-])\s+", re.I)
_FOLLOWING = re.compile(r"\b(?:following|as follows|these)\b", re.I)
_SEMICOLON = re.compile(r";(?:\s|$)")
_ROMAN = re.compile(r"^\(?[ivx]{1,5}[.)]", re.I)
_ASKING_STEPS = "step need take follow procedure"


@dataclass(slots=True)
class Item:
    """One item with all sentences that belong to it."""

    label: str
    sentences: list[Sentence] = field(default_factory=list)


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
    """The items behind a lead-in, up to the end of its section; footnotes between them are left out."""
    behind = [sentence for sentence in _behind(case, lead_in) if sentence.passage.kind != "footnote"]
    if behind and behind[0].passage.kind == "table":
        return _rows(lead_in, behind)
    items: list[Item] = []
    for sentence in behind:
        match = _LABEL.match(sentence.text)
        if match and not _is_below(items, sentence.text):
            items.append(Item(match.group("label") or ""))
        if not items:
            break
        items[-1].sentences.append(sentence)
    return items or _unlabelled(behind)


def _rows(lead_in: Sentence, behind: Sequence[Sentence]) -> list[Item]:
    """The rows of the table behind a lead-in, without its heads, which name what the lead-in announces."""
    rows = list(takewhile(lambda sentence: sentence.passage.kind == "table", behind))
    languages = (lead_in.chunk.language,)
    named = lead_in.roots.union(*families_of(lead_in.text, languages))
    heads = {s.text for s in rows[:1] if any(not word.isdisjoint(named) for word in families_of(s.text, languages))}
    return [Item("", [sentence]) for sentence in rows if sentence.text not in heads]


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
    told_here = f", the first {MOST_ITEMS} here" if len(items) > MOST_ITEMS else run
    counted = f" ({len(items)} found{told_here})" if is_told_apart else ":"
    lead = stated(f"{text.rstrip(':. ')}{counted}", "list", [(sentence.passage, sentence.chunk)], locator=locator)
    return [lead, *(_item(item) for item in items[:MOST_ITEMS])]


def _item(item: Item) -> Statement:
    text = " ".join(sentence.text for sentence in item.sentences)
    text = re.sub(r"[;,]?(?:\s+(?:and|or))?[;,]?$", "", text)
    return stated(text, "list", [(sentence.passage, sentence.chunk) for sentence in item.sentences])
