"""What is said where a question asks it of several alike: those of the asked time, the latest, the largest, chosen from
all that the reader finds about as relevant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import PurePosixPath

from pincite.answer.asked.bounds import Bounds, Days, days_of
from pincite.answer.asked.question import families_of, roots_of
from pincite.answer.material.passages import Passaged
from pincite.answer.material.sentences import Sentence
from pincite.answer.reading.chances import UnitRead
from pincite.answer.reading.reads import CaseRead
from pincite.answer.reading.said_units import CLOSE, LONGEST_SAID
from pincite.answer.reading.table_questions import LEAST_COVERED, asked_words, tables_of, told_of_table
from pincite.answer.said.statements import citations_of, stated
from pincite.answer.words.amounts import amounts_in
from pincite.answer.words.facts import dates_in
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord
from pincite.text.looks import BOXES

ALIKE = 4.0
"""How far below the likeliest unit's relevance others may lie that tell the same of something else. On two handed cases
incidents, editions and rows of one list lie within 3.7, what stands beside them 3 to 8 below."""
MOST_TOLD = 6
"""Of those that a question asks for, and of those that are compared."""
SEVERAL_WORDS = 2
"""Of a question; fewer tell nothing of what it asks for."""

MAILS = frozenset({".eml", ".msg", ".mbox"})
_SENT = re.compile(r"^(?:Date|Sent|Datum|Gesendet): .*$|^.*\bwrote:$", re.M)
_BOX = re.compile(rf"\W{{0,3}}?(?:\[(?=.?\])|\((?=.?\)))?(?P<mark>(?<=[\[(])[ xX✓✔✗_]?(?=[\])])|[{BOXES}])[\])]?\s")
"""A box in front of an item."""


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence or a row that was read, as it is said, with what it is compared by: the days of its dates, or else of
    its document's, and its numbers by what they are counted in."""

    text: str
    passages: tuple[Passaged, ...]
    chance: float
    days: tuple[Days, ...]
    is_dated_itself: bool
    numbers: Mapping[str, float]


def told_of_several(read: CaseRead, bounds: Bounds) -> list[Statement]:
    """Those of what was read that lie in the time which the question asks for, and of these the latest or the largest
    where one is asked for, of the sentences that are about as relevant as the best or of a table that one of these
    units stands in, whichever holds more words of the question. Nothing where the question asks for neither, or where
    they do not tell."""
    near = _near(read) if read.reader is not None else []
    of_sentences = _of_sentences(read, bounds, near)
    prose = [sentence.text for unit in near if unit.unit.row is None for sentence in _evident(unit)]
    share = max((_words_held(read, text) for text in prose), default=0) / max(1, len(asked_words(read)))
    tables = tables_of(read, near)
    covering = [table for table in tables if table.covered > share]
    if of_sentences and not covering:
        return of_sentences
    fitting = covering or [table for table in tables if table.covered]
    of_tables = [told for table in fitting if (told := told_of_table(read, bounds, table)) is not None]
    return next((told for told in of_tables if told[0].kind != "missing"), of_sentences or next(iter(of_tables), []))


def told_of_tables(read: CaseRead, bounds: Bounds) -> list[Statement]:
    """The same of the table alone that holds most words of the question, where most of them stand in it or above it."""
    covering = [table for table in tables_of(read, read.units) if table.covered >= LEAST_COVERED]
    in_order = sorted(covering, key=lambda table: -table.covered)
    return next((told for table in in_order if (told := told_of_table(read, bounds, table)) is not None), [])


def _of_sentences(read: CaseRead, bounds: Bounds, near: Sequence[UnitRead]) -> list[Statement]:
    prose = [unit for unit in near if unit.unit.row is None]
    alike = [_of_sentence(read, sentence, unit.chance) for unit in prose for sentence in _evident(unit)]
    on_subject = _on_the_subject(read, alike)
    if bounds.counts and max((_words_held(read, item.text) for item in on_subject), default=0) < SEVERAL_WORDS:
        return []
    return _told(bounds, on_subject)


def told_of_boxes(read: CaseRead, bounds: Bounds) -> list[Statement]:
    """Of the list that the best unit stands in the items whose boxes are as the question asks; nothing where it asks
    for none, or where none is so."""
    boxes = [] if bounds.ticked is None else _boxes(read)
    chosen = [item for item, is_ticked in boxes if is_ticked == bounds.ticked]
    return _computed(str(len(chosen)), chosen, [item for item, _ in boxes]) if chosen else []


def _told(bounds: Bounds, alike: Sequence[Item]) -> list[Statement]:
    """Those of these that are asked for; nothing where they do not tell."""
    chosen = alike if bounds.days is None else _in_time(alike, bounds.days)
    compared = [] if bounds.extreme is None or _says_itself(bounds, chosen) else _comparable(chosen, bounds)
    if compared:
        return _computed(bounds.extreme or "", _extremes(compared), [item for item, _ in compared])
    if bounds.days is None or not chosen or (len(chosen) == len(alike) and not bounds.counts):
        return []
    if bounds.is_named and not bounds.counts and chosen[0] is alike[0]:
        return []
    in_order = sorted(chosen if bounds.counts else _shortened(chosen), key=lambda item: item.days)
    return _computed(str(len(chosen)), in_order, alike) if bounds.counts else [_statement(item) for item in in_order]


def _near(read: CaseRead) -> list[UnitRead]:
    """The units that are about as relevant as the best, the best first."""
    known = [(unit, unit.reading.relevance) for unit in read.units if unit.reading is not None]
    return [unit for unit, relevance in known if relevance >= known[0][1] - ALIKE]


def _boxes(read: CaseRead) -> list[tuple[Item, bool]]:
    """The items with a box, each with whether it is ticked: of the list that the best unit stands in, or where it
    stands in none, of all lists of its document."""
    if not read.units:
        return []
    best = read.units[0]
    boxed = [
        (sentence, match["mark"].strip(" _☐") != "")
        for sentence in sorted((*read.case.sentences, *read.case.beyond), key=lambda s: (s.chunk.index, s.position))
        if sentence.chunk.source_id == best.unit.chunk.source_id and (match := _BOX.match(sentence.text))
    ]
    beside = [item for item in boxed if item[0].chunk.chunk_id == best.unit.chunk.chunk_id]
    return [(_of_sentence(read, sentence, best.chance), is_ticked) for sentence, is_ticked in beside or boxed]


def _on_the_subject(read: CaseRead, items: Sequence[Item]) -> list[Item]:
    """Those that hold about as many words of the question as any: of those that hold several, one fewer."""
    held = [_words_held(read, item.text) for item in items]
    most = max(held, default=0)
    return [item for item, count in zip(items, held, strict=True) if most < SEVERAL_WORDS or count >= most - 1]


def _words_held(read: CaseRead, text: str) -> int:
    """How many words of the question a text holds, those of its dates left aside."""
    held = frozenset[str]().union(*families_of(text, read.case.retrieval.query.languages))
    return sum(not word.isdisjoint(held) for word in asked_words(read).values())


def _evident(read: UnitRead) -> Sequence[Sentence]:
    """The sentences of a unit that are evidence for what is asked."""
    evidence, sentences = read.reading.evidence if read.reading else (), read.unit.sentences
    if len(evidence) != len(sentences):
        return sentences
    return [s for s, logit in zip(sentences, evidence, strict=True) if logit >= max(evidence) - CLOSE]


def _of_sentence(read: CaseRead, sentence: Sentence, chance: float) -> Item:
    own = dates_in(sentence.text)
    around = [] if own else dates_in(_above(read, sentence.chunk))[:1]
    amounts = [(a.unit or a.currency, a.number) for a in amounts_in(sentence.text)]
    counts = Counter(unit for unit, _ in amounts)
    numbers = {unit: float(number) for unit, number in amounts if counts[unit] == 1 and number.count(".") < 2}
    days = tuple(map(days_of, own or around))
    return Item(sentence.text, ((sentence.passage, sentence.chunk),), chance, days, bool(own), numbers)


def _above(read: CaseRead, chunk: ChunkRecord) -> str:
    """When a mail was sent, the headings above a chunk, the innermost first, and what its document is called."""
    stem = PurePosixPath(chunk.filename).stem.replace("_", " ")
    sent = ""
    if PurePosixPath(chunk.filename).suffix.lower() in MAILS:
        section = (c for c in read.case.around.document(chunk.source_id) if c.section_ordinal == chunk.section_ordinal)
        sent = next((found.group() for part in section if (found := _SENT.search(part.raw_content))), "")
    return " | ".join([sent, *reversed(chunk.section), chunk.title or "", stem])


def _in_time(items: Sequence[Item], asked: Days) -> list[Item]:
    """Those of the asked days; where none is and their documents alone have dates, as
    editions have, those of the last edition before the end of these days."""
    dated = [item for item in items if item.days]
    found = [item for item in dated if any(first <= asked[1] and asked[0] <= last for first, last in item.days)]
    before = [item.days[0] for item in dated if item.days[0][0] <= asked[1]]
    if found or not before or any(item.is_dated_itself for item in dated):
        return found
    return [item for item in dated if item.days[0] == max(before)]


def _says_itself(bounds: Bounds, items: Sequence[Item]) -> bool:
    """Whether one of these has the very word ("the first crane"): then that is what is asked for. What is so "now" is
    said in older documents, too."""
    words = frozenset[str]() if bounds.word.casefold().endswith("now") else roots_of(bounds.word, "en")
    return bool(words) and any(words <= roots_of(item.text, "en") for item in items)


def _comparable(items: Sequence[Item], bounds: Bounds) -> list[tuple[Item, float]]:
    """Those that can be compared, each with what it is compared by, the more the more it is what is asked for: by
    their days, or by the one unit, or below the one head, that most of them have. None where they do not differ."""
    if bounds.extreme in ("latest", "earliest"):
        compared = [(item, float(item.days[0][1])) for item in items if item.days]
    else:
        counts = Counter(unit for item in items for unit in item.numbers if unit).most_common(2)
        if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
            return []
        compared = [(item, item.numbers[counts[0][0]]) for item in items if counts[0][0] in item.numbers]
    if len({value for _, value in compared}) < 2:
        return []
    sign = -1 if bounds.extreme in ("earliest", "smallest") else 1
    return [(item, sign * value) for item, value in compared]


def _extremes(compared: Sequence[tuple[Item, float]]) -> list[Item]:
    most = max(value for _, value in compared)
    return [item for item, value in compared if value == most]


def _computed(what: str, chosen: Sequence[Item], of: Sequence[Item]) -> list[Statement]:
    """The chosen ones, the first with what was computed and, where one alone was chosen, what it was compared with."""
    opening = f"Computed, {what} of {len(of)}: "
    others = [item.passages[-1] for item in of if item not in chosen][:MOST_TOLD]
    first, *rest = [_statement(item, "" if place else opening) for place, item in enumerate(_shortened(chosen))]
    beside = tuple(citation for passage, chunk in others for citation in citations_of(passage, chunk))
    return [replace(first, citations=(*first.citations, *beside)), *rest]


def _shortened(items: Sequence[Item]) -> list[Item]:
    """As many of these as are said together."""
    lengths = accumulate(len(item.text) for item in items)
    return [item for item, length in zip(items, lengths, strict=True) if length <= LONGEST_SAID or item is items[0]][
        :MOST_TOLD
    ]


def _statement(item: Item, opening: str = "") -> Statement:
    made = stated(f"{opening}{item.text}", "value", item.passages)
    return replace(made, confidence=round(item.chance, 4))
