"""What is said of the units that were read: the sentences, items and rows that likeliest state the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from pincite.answer.asked.noun_phrases import codes_in
from pincite.answer.asked.question import Question
from pincite.answer.material.columns import asked_cells, holds_of_label, names_cell, names_group, names_label
from pincite.answer.material.headed_rows import HeadedRow
from pincite.answer.material.passages import is_plain_value
from pincite.answer.material.ranges import lies_in
from pincite.answer.material.select import can_answer, is_new, says_something
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.material.units import ITEM_LABEL, Unit
from pincite.answer.reading.chances import UnitRead, log_odds
from pincite.answer.reading.reads import CaseRead
from pincite.answer.said.statements import quoted, stated, told_by
from pincite.records.answers import Statement
from pincite.records.pages import Span

LONGEST_SAID = 700
"""Characters that are said together."""
MOST_SAID = 4
"""Sentences, rows and lists of which items are said together. Of the facts of 482 written questions 3, 4 and 5 state
.69, .72 and .72, in 45, 51 and 54 words."""
NEAR = 2.0
"""How far below the likeliest unit's relevance that of others may lie: .70 of the passages cited are gold, without it
.60."""
WITHIN = 3.5
"""How far below the likeliest sentence others may lie, in logits."""
CLOSE = 1.2
"""The same within a unit, and for what answers one part of a question: with 1.2, 1.5, 2 and 2.5 .72, .72, .72 and .73
of the facts in 51 to 54 words."""
ALIKE = 0.6
"""Of the words of two sentences, for them to say the same of two things. Of 863 written questions none is answered
otherwise with .5 to .8, nor without."""
LEAST_SHARE = 0.7
"""Without a reader: of the likeliest unit's chance, for what stands behind it. Of written questions' facts .45, .6, .7
and .8 stated .40, .38, .35 and .33, in 62, 54, 48 and 43 words."""
FEW = 0.2
"""Of the units that were read: a code that more of them hold does not tell them apart. By eye, not measured."""
LEAST_BEHIND = 0.5
"""The chance of what stands behind the finding of a plan, which has answered already."""

_NAMED_ITEM = re.compile(
    r"\b(?:step|stage|phase|rule|item|point|place|rank|code|number|no\.|clause|article|paragraph|question|entry|option|"
    r"requirement|principle|day|week|month|lesson|exercise)\s(?P<mark>\d{1,2}|[ivx]{1,5}|[a-z])\b",
    re.IGNORECASE,
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL = re.compile(
    rf"\b(?P<mark>{'|'.join(_ORDINALS)})\s(?:step|stage|phase|rule|item|point|clause|article)\b", re.I
)

Said = Collection[tuple[str, Span]]
Fits = Callable[[Unit], bool]


@dataclass(frozen=True, slots=True)
class Piece:
    """What can be said of a unit by itself (a sentence, an item of a list, a row); `places` are those of its sentences,
    none for a row. How likely it states the answer is told by its `logit`: the relevance of the unit and how far it is
    evidence, which weigh alike; an item is as far evidence as its lead-in at least, which may answer without it."""

    item: UnitRead
    places: tuple[int, ...]

    @property
    def logit(self) -> float:
        """Of a unit that was not read that of its chance."""
        reading = self.item.reading
        if reading is None:
            return log_odds(self.item.chance)
        parts = [0, *self.places] if self.item.unit.is_list else self.places or range(len(reading.evidence))
        return reading.relevance + max([reading.evidence[part] for part in parts], default=0.0)

    @property
    def whole(self) -> tuple[int, ...]:
        """What it is counted as: a list whatever items of it are said."""
        unit = id(self.item.unit)
        return (unit,) if self.item.unit.is_list else (unit, *self.places)

    @property
    def text(self) -> str:
        """Its words in any case and spacing."""
        unit = self.item.unit
        text = unit.text if unit.row is not None else " ".join(unit.sentences[place].text for place in self.places)
        return " ".join(text.casefold().split())


def choose_units(
    read: CaseRead,
    said: Said,
    room: int = LONGEST_SAID,
    fits: Fits | None = None,
    *,
    least: float = 0.0,
    within: float = WITHIN,
) -> list[Statement]:
    """What to say in `room` characters of the units that fit, the likeliest first, of each what likeliest states the
    answer, and what lies `within` so many logits of that; behind what was `said` (source ids and spans), only what says
    something else; nothing of units whose chance is below `least`."""
    items = [item for item in read.units if item.chance >= least and (fits is None or fits(item.unit))]
    near = _on_the_row(read, _with_codes(read, _near(_in_range(read, items))))
    pieces = _with_mark(read, [piece for item in near for piece in _pieces_of(read, item, said, fits)])
    pieces = _without_others(read, pieces)
    by_unit: dict[int, list[Piece]] = {}
    for piece in _likeliest(pieces, room, within, is_first=not said):
        by_unit.setdefault(id(piece.item), []).append(piece)
    statements: list[Statement] = []
    for chosen in by_unit.values():
        told = [*_leading(read, chosen[0].item), *_statements(read, chosen)]
        statements += [new for new in told if not any(new.text in old.text for old in statements)]
    return statements


def trimmed(read: CaseRead, item: UnitRead) -> Unit | None:
    """What of a unit is said where it is said alone; None where nothing of it can stand alone."""
    pieces = _likeliest(_pieces_of(read, item), LONGEST_SAID, WITHIN, is_first=True)
    return _joined(read, pieces) if pieces else None


def _pieces_of(read: CaseRead, item: UnitRead, said: Said = (), fits: Fits | None = None) -> list[Piece]:
    """What can be said of a unit by itself; nothing of one that was said, nor of a row of values without heads."""
    unit, question = item.unit, read.case.question
    if not all(is_new(sentence, said) for sentence in unit.sentences):
        return []
    if unit.row is not None:
        return [Piece(item, ())] if unit.row.says_what_it_counts else []
    able = [can_answer(sentence, question) for sentence in unit.sentences]
    if unit.is_list:
        places = list(range(1, len(able))) if able[0] else []
    elif unit.kind == "table" and not all(map(says_something, unit.sentences)):
        places = []
    else:
        places = [place for place, is_able in enumerate(able) if is_able]
        places = [place for place in places if fits is None or fits(Unit((unit.sentences[place],)))]
    if item.reading is None and not unit.is_list:
        places = _nearest_sentence(read, unit, places)
    return [Piece(item, (place,)) for place in places]


def _near(items: Sequence[UnitRead]) -> list[UnitRead]:
    """The units that are about as relevant as the likeliest."""
    best = items[0].reading if items else None
    return [item for item in items if not best or not item.reading or item.reading.relevance >= best.relevance - NEAR]


def _with_codes(read: CaseRead, items: Sequence[UnitRead]) -> Sequence[UnitRead]:
    """The units that hold a code of the question ("PRELOADRM", "--depth"), where few of those that were read do."""
    codes = codes_in(read.case.question.text)
    holders = [{id(item) for item in read.units if item.unit.holds(code)} for code in codes]
    chosen = set().union(*(ids for ids in holders if len(ids) <= FEW * len(read.units)))
    return [item for item in items if id(item) in chosen] or items


def _with_mark(read: CaseRead, pieces: list[Piece]) -> list[Piece]:
    """The pieces without items of lists that have another mark than the one that the question names ("step 7")."""
    named, ordinal = (pattern.search(read.case.question.text) for pattern in (_NAMED_ITEM, _ORDINAL))
    if ordinal is not None:
        mark = str(1 + _ORDINALS.index(ordinal["mark"].casefold()))
    elif named is not None:
        mark = named["mark"].casefold()
    else:
        return pieces
    labels = [found["label"] if (found := ITEM_LABEL.match(piece.text)) else None for piece in pieces]
    if mark not in labels:
        return pieces
    return [
        piece
        for piece, label in zip(pieces, labels, strict=True)
        if label == mark or (label is None and not piece.item.unit.is_list)
    ]


def _without_others(read: CaseRead, pieces: list[Piece]) -> list[Piece]:
    """The pieces without those that say of something else what another says of what the question names ("The North
    quarry yields 310 tonnes" where it asks of the South quarry)."""
    names = [word for word in read.case.question.words if word & read.case.question.name_roots]
    if not names:
        return pieces
    roots = [frozenset().union(*(s.roots for s in _sentences_of(piece))) for piece in pieces]
    named = [
        sum(not name.isdisjoint(held | piece.item.unit.sentences[0].context) for name in names)
        for piece, held in zip(pieces, roots, strict=True)
    ]
    return [
        piece
        for place, piece in enumerate(pieces)
        if not any(
            named[other] > named[place] and len(held & roots[place]) >= ALIKE * max(len(held), len(roots[place]))
            for other, held in enumerate(roots)
        )
    ]


def _sentences_of(piece: Piece) -> list[Sentence]:
    sentences = piece.item.unit.sentences
    return [sentences[place] for place in piece.places] or list(sentences)


def _nearest_sentence(read: CaseRead, unit: Unit, places: Sequence[int]) -> list[int]:
    """The place of the sentence that is nearest the question."""
    scores = {(c.sentence.chunk.chunk_id, c.sentence.position): c.score for c in read.case.ranked}
    known = {place: scores.get((s.chunk.chunk_id, s.position), 0.0) for place, s in enumerate(unit.sentences)}
    return sorted(places, key=lambda place: -known[place])[:1]


def _in_range(read: CaseRead, items: Sequence[UnitRead]) -> list[UnitRead]:
    """The units without rows for ranges in which nothing lies that the question gives, and without those of other
    tables where it lies in the range of a row."""
    rows = {id(item): item.unit.row for item in items if item.unit.row is not None}
    fits = {key: _lies_in_row(read.case.question.text, row) for key, row in rows.items()}
    tables = {_heads(rows[key]) for key, is_inside in fits.items() if is_inside}

    def may_answer(item: UnitRead) -> bool:
        row = rows.get(id(item))
        return row is None or (fits[id(item)] is not False and (not tables or _heads(row) in tables))

    return [item for item in items if may_answer(item)]


def _lies_in_row(question: str, row: HeadedRow) -> bool | None:
    """Whether what the question gives lies in the range that a cell of a row is; None where none is one."""
    found = (lies_in(question, content, head) for head, content in row.cells)
    return next((is_inside for is_inside in found if is_inside is not None), None)


def _heads(row: HeadedRow) -> tuple[str, ...]:
    """The caption and the heads of the table of a row."""
    return (row.caption, *(head for head, _ in row.cells))


def _on_the_row(read: CaseRead, items: Sequence[UnitRead]) -> Sequence[UnitRead]:
    """The units without rows of tables of which another row has a label that the question names, stands below one, has
    such a cell, or a word of such a label; where the question names something that stands in no document, without all
    rows of which it names neither label nor cell."""
    question = read.case.question
    if read.case.names_something_unknown:
        items = [
            item
            for item in items
            if (row := item.unit.row) is None or names_label(question, row) or names_cell(question, row)
        ]
    for names in (names_label, names_group, names_cell, holds_of_label):
        items = _named_rows(read, items, names)
    return items


def _named_rows(
    read: CaseRead, items: Sequence[UnitRead], names: Callable[[Question, HeadedRow], bool]
) -> list[UnitRead]:
    question = read.case.question
    rows = [(item.unit.chunk.chunk_id, item.unit.row) for item in items if item.unit.row is not None]
    named = {chunk_id for chunk_id, row in rows if names(question, row)}
    return [
        item
        for item in items
        if (row := item.unit.row) is None or item.unit.chunk.chunk_id not in named or names(question, row)
    ]


def _likeliest(pieces: Sequence[Piece], room: int, within: float, *, is_first: bool) -> list[Piece]:
    """As many pieces as are said together, the likeliest first, each text once."""
    chosen: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: -piece.logit):
        if chosen and not _lies_within(piece, chosen[0], within):
            break
        likelier = next((other for other in chosen if other.item is piece.item), None)
        is_known = any(other.text == piece.text for other in chosen)
        if is_known or (likelier is not None and not _lies_within(piece, likelier, CLOSE)):
            continue
        has_room = len(piece.text) <= room or (is_first and not chosen)
        if has_room and len({other.whole for other in (*chosen, piece)}) <= MOST_SAID:
            chosen.append(piece)
            room -= len(piece.text) + 1
    return chosen


def _lies_within(piece: Piece, best: Piece, within: float) -> bool:
    if piece.item.reading is None or best.item.reading is None:
        return piece.item.chance >= LEAST_SHARE * best.item.chance
    return piece.logit >= best.logit - within


def _joined(read: CaseRead, pieces: Sequence[Piece]) -> Unit:
    """Pieces of one unit in the order of its text: items behind their lead-in, a sentence behind the one that it leans
    on, be it the last of the unit before, with the value behind it ("Ct = 1,0"); of a row the cells that are asked
    for."""
    item = pieces[0].item
    unit, question = item.unit, read.case.question
    if unit.row is not None:
        return replace(unit, row=asked_cells(question, unit.row, item.evidence_of_cells))
    places = {place for piece in pieces for place in piece.places}
    if unit.is_list:
        places.update([0, *(part for place in places for part in unit.item_up_to(place))])
    else:
        leaning = {place - 1 for place in places if place and unit.sentences[place].points_back}
        values = {place + 1 for place in places if any(is_plain_value(s.text) for s in unit.sentences[place + 1 :][:1])}
        able = (place for place in leaning | values if can_answer(unit.sentences[place], question))
        places.update(able)
    before = _before(unit.sentences[0]) if 0 in places and not unit.is_list else []
    chosen = [unit.sentences[place] for place in sorted(places)]
    return Unit((*(sentence for sentence in before if can_answer(sentence, question)), *chosen))


def _before(sentence: Sentence) -> list[Sentence]:
    """The sentence in front of one that leans on it; none below a heading inside its section, which is said instead."""
    if not sentence.leans or sentence.opens or sentence.below is not None:
        return []
    other = sentences_of_chunk(sentence.chunk, sentence.evidence, sentence.rank)[sentence.position - 1]
    return [other] if other.passage.kind == sentence.passage.kind else []


def _statements(read: CaseRead, pieces: Sequence[Piece]) -> list[Statement]:
    """What the chosen pieces of one unit say."""
    item, unit = pieces[0].item, _joined(read, pieces)
    if unit.row is not None:
        return [replace(stated(unit.text, "value", unit.quoted), confidence=round(item.chance, 4))]
    return told_by(unit, item.chance, read.case.around.chunks)


def _leading(read: CaseRead, item: UnitRead) -> list[Statement]:
    """The sentence that leads to a unit."""
    return [] if item.lead is None else [quoted(item.lead, item.chance, read.case.around.chunks)]
