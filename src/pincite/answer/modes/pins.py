"""From a claim to its proof: the lines of what was given that bear it out, each part by the sources behind it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.answer.material.passages import Passage, Passaged
from pincite.answer.modes.claims import Claim, Part
from pincite.answer.modes.given import Given, shown
from pincite.answer.said.deeds import base_tokens
from pincite.answer.said.gate import Weighed, content_tokens, weigh
from pincite.answer.said.pieces import Piece, pieces_of
from pincite.answer.said.statements import stated
from pincite.answer.said.turned import turned
from pincite.answer.words.amounts import amounts_in
from pincite.records.answers import Statement

MOST_LINES = 3
"""Lines that one part of a claim may stand on, as many sentences as a quote may hold (docs/design.md section 7)."""
LEAST_BOUND = 0.6
"""Of the content words of a clause, for a line to bear out a number of it, and for one of several lines to bear out the
clause: else it is put together from two things. By eye, not measured."""
NUMBER_COUNTS = 3
"""How many words a number counts as, where lines are chosen. By eye, not measured."""

_PAGES = re.compile(r"\((?P<file>.+),\s*p{1,2}\.?\s*(?P<pages>\d[^()]*)\)", re.DOTALL)
_RANGE = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")
_ANAPHOR = re.compile(r"(?:it|its|this|these|those|they|their|such|he|she|his|her|both)\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;:]\s|\b(?:and|but|or|while|whereas|which|where|whose)\b", re.IGNORECASE)
_VALUE = re.compile(r"(?!(?:19|20)\d\d$)[-–(]?[$€£]?\s?[\d.,]+\s?%?\)?|[-–—]")
LONGEST_RANGE = 20
"""Pages of a source that names several; one that names more names nothing."""


@dataclass(slots=True)
class Pinned:
    """What became of the claims of an answer: statements, what fell with the reason, and how many sources were named
    that had not been given."""

    statements: list[Statement] = field(default_factory=list)
    fallen: list[tuple[str, str]] = field(default_factory=list)
    refused_sources: int = 0


Cells = tuple[frozenset[str], ...]
"""The tokens of each cell of a line of a table."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that may bear something out: its text folded, its tokens, and those of what it is read with (the headings
    above it, the heads of its table, the sentence before one that begins with "It"). `heads` are the lines of heads
    above a line of a table, cell by cell."""

    place: Passaged
    folded: str
    tokens: frozenset[str]
    context: frozenset[str]
    heads: tuple[Cells, ...] = ()

    @property
    def is_row(self) -> bool:
        """Whether it is a line of a table."""
        return self.place[0].kind == "table"


def pinned(claims: Sequence[Claim], given: Sequence[Given]) -> Pinned:
    """Each claim as a statement on the lines that bear it out.

    A part is first looked for where it says that it stands; a source that was not given counts for nothing. What is
    not borne out there is looked for in all that was given. A claim falls with any of its parts.
    """
    by_label: dict[str, list[_Line]] = {}
    for part in given:
        by_label.setdefault(part.label, []).extend(_lines(part))
    everywhere = [line for of_label in by_label.values() for line in of_label]
    found = Pinned()
    for claim in claims:
        found.refused_sources += sum(not _labels(source, by_label) for part in claim.parts for source in part.sources)
        proofs = [_proof(part, by_label, everywhere) for part in claim.parts]
        broken = [proof for proof in proofs if not proof.weighed.holds]
        if broken:
            found.fallen.append((claim.text, ", ".join(broken[0].weighed.broken) or "too few of its words"))
        else:
            found.statements.append(_statement(claim, proofs))
    return found


@dataclass(frozen=True, slots=True)
class _Proof:
    lines: tuple[Passaged, ...]
    weighed: Weighed


_NO_PROOF = _Proof((), Weighed(("its words stand in no source",), (), 0.0))


def _proof(part: Part, by_label: Mapping[str, Sequence[_Line]], everywhere: Sequence[_Line]) -> _Proof:
    """The lines that bear a part out best: those of its own sources, else of all that was given."""
    named = [line for source in part.sources for label in _labels(source, by_label) for line in by_label[label]]
    proof = _borne_out(part.text, named)
    return proof if proof.weighed.holds else _borne_out(part.text, everywhere)


def _labels(source: str, known: Mapping[str, Sequence[_Line]]) -> list[str]:
    """The sources that were given of those that a model names: as it is, or one for each page of several."""
    if source in known:
        return [source]
    match = _PAGES.fullmatch(source)
    if match is None:
        return []
    return [label for page in _pages(match["pages"]) if (label := f"({match['file'].strip()}, p.{page})") in known]


def _pages(written: str) -> Iterator[int]:
    for match in _RANGE.finditer(written):
        first, last = int(match[1]), int(match[2] or match[1])
        yield from range(first, min(last, first + LONGEST_RANGE) + 1)


def _borne_out(text: str, lines: Sequence[_Line]) -> _Proof:
    """The lines that a text stands in word by word; else the fewest that hold its words, chosen one after the other by
    how many they add."""
    if not lines:
        return _NO_PROOF
    language = lines[0].place[1].language
    if copied := _copied(text, lines):
        places = tuple(line.place for line in copied)
        weighed = weigh(stated(text, "fact", places), language)
        return _Proof(places, replace(weighed, broken=(*weighed.broken, *_turned(text, copied))))
    chosen: list[_Line] = []
    missing = set(base_tokens(text, language))
    while missing and len(chosen) < MOST_LINES:
        gains = [(sum(map(_counts, missing & line.tokens)), -len(line.tokens)) for line in lines]
        best = lines[gains.index(max(gains))]
        if missing.isdisjoint(best.tokens):
            break
        chosen.append(best)
        missing -= best.tokens
    if not chosen:
        return _NO_PROOF
    proof = _on(text, chosen)
    if proof.weighed.holds or len(chosen) == MOST_LINES:
        return proof
    wider = (_on(text, [*chosen, line]) for line in _next_best(text, lines, chosen))
    return next((other for other in wider if other.weighed.holds), proof)


def _next_best(text: str, lines: Sequence[_Line], chosen: Sequence[_Line]) -> list[_Line]:
    """The lines that share most words with a text, beside those that are chosen."""
    words = set(base_tokens(text, lines[0].place[1].language))
    others = [line for line in lines if line not in chosen and words & line.tokens]
    return sorted(others, key=lambda line: -len(words & line.tokens))[:MOST_LINES]


def _on(text: str, chosen: Sequence[_Line]) -> _Proof:
    """How far these lines bear a text out."""
    language = chosen[0].place[1].language
    places = tuple(line.place for line in chosen)
    weighed = weigh(stated(text, "fact", places), language)
    if len(chosen) > 1 and any(_is_patched(clause, language, chosen) for clause in _CLAUSES.split(text)):
        return _Proof(places, replace(weighed, broken=(*weighed.broken, "its words stand in lines apart")))
    loose = [number for number, words in _numbers_of(text, language) if not _is_bound(number, words, chosen)]
    loose += [number for line in chosen for number in _in_other_columns(text, line)]
    loose += _turned(text, chosen)
    return _Proof(places, replace(weighed, broken=(*weighed.broken, *loose)))


def _is_patched(clause: str, language: str | None, chosen: Sequence[_Line]) -> bool:
    """Whether the words of a clause come together from lines none of which speaks of what most of them say."""
    words = set(content_tokens(clause, language))
    return all(len(words & (line.tokens | line.context)) < LEAST_BOUND * len(words) for line in chosen)


def _copied(text: str, lines: Sequence[_Line]) -> tuple[_Line, ...]:
    """The lines, one behind the other, of which a text is a copy."""
    wanted = _folded(text).rstrip(" .;")
    joined, ends = "", []
    for line in lines:
        joined += f"{line.folded} "
        ends.append(len(joined))
    start = joined.find(wanted) if wanted else -1
    if start < 0:
        return ()
    first, last = bisect_right(ends, start), bisect_right(ends, start + len(wanted) - 1)
    return tuple(lines[first : last + 1])


def _turned(text: str, lines: Sequence[_Line]) -> Iterator[str]:
    """What a text says otherwise than these lines; what lines of a table say is told by their cells alone."""
    language = lines[0].place[1].language
    quoted: list[Piece] = []
    for line in lines:
        if not line.is_row:
            first, *rest = pieces_of(line.place[0].text, language)
            taken = line.context if _ANAPHOR.match(line.place[0].text) else frozenset[str]()
            quoted += [replace(first, taken_over=first.taken_over | taken), *rest]
    return turned(pieces_of(text, language), quoted) if quoted else iter(())


def _folded(text: str) -> str:
    return " ".join(shown(text).casefold().split())


def _counts(token: str) -> int:
    return NUMBER_COUNTS if token[:1].isdigit() else 1


def _numbers_of(text: str, language: str | None) -> Iterator[tuple[str, set[str]]]:
    """The numbers of a text, each with the words of its clause, those of all where that has none; units left out."""
    units = {token for amount in amounts_in(text) for token in base_tokens(amount.unit, language)}
    clauses = [content_tokens(clause, language) for clause in _CLAUSES.split(text)]
    words = [{token for token in tokens if not token[:1].isdigit()} - units for tokens in clauses]
    everything = set[str]().union(*words)
    for tokens, own in zip(clauses, words, strict=True):
        yield from ((token, own or everything) for token in tokens if token[:1].isdigit())


def _is_bound(number: str, words: set[str], chosen: Sequence[_Line]) -> bool:
    """Whether a line of a table with this number speaks of what these words speak of. A number that no line has is
    broken anyway; those of sentences are compared piece by piece."""
    holding = [line for line in chosen if number in (line.tokens | line.context if line.is_row else line.tokens)]
    if not words or not all(line.is_row for line in holding):
        return True
    return not holding or any(len(words & (line.tokens | line.context)) >= LEAST_BOUND * len(words) for line in holding)


def _in_other_columns(text: str, line: _Line) -> Iterator[str]:
    """The numbers of the heads of a table that a clause says of a value in the column of another head."""
    if not line.heads:
        return
    language, cells = line.place[1].language, _cells(line.place)
    for clause in _CLAUSES.split(text):
        numbers = {token for token in base_tokens(clause, language) if token[:1].isdigit()}
        values = [len(cells) - place for place, cell in enumerate(cells) if cell & numbers]
        for head in line.heads:
            named = (numbers & frozenset().union(*head)) - line.tokens
            columns = [head[-place] for place in values if place <= len(head)]
            if named and columns and not any(named <= column for column in columns):
                yield from sorted(named)


def _cells(place: Passaged) -> Cells:
    passage, chunk = place
    return tuple(frozenset(base_tokens(cell, chunk.language)) for cell in passage.quotes[0].split("\t"))


def _statement(claim: Claim, proofs: Sequence[_Proof]) -> Statement:
    lines = [place for proof in proofs for place in proof.lines]
    made = stated(claim.text, "fact", lines)
    weighed = weigh(made, lines[0][1].language)
    return replace(made, marks=weighed.marks, confidence=round(min(proof.weighed.share for proof in proofs), 4))


def _lines(part: Given) -> Iterator[_Line]:
    """The lines of a part with what they are read with."""
    language = part.lines[0][1].language
    path = frozenset(base_tokens(part.path, language))
    heads = path.union(*(base_tokens(passage.text, language) for passage, _ in part.heads))
    before, above = frozenset[str](), [_cells(place) for place in part.heads if place[0].kind == "table"]
    for place in (*part.headings, *part.heads, *part.lines):
        tokens, folded = frozenset(base_tokens(place[0].text, language)), _folded(place[0].text)
        if place[0].kind == "table":
            yield _Line(place, folded, tokens, heads, tuple(above))
            if _is_head(place[0]):
                heads |= tokens
                above.append(_cells(place))
        else:
            yield _Line(place, folded, tokens, path | before if _ANAPHOR.match(place[0].text) else path)
        before = tokens


def _is_head(passage: Passage) -> bool:
    """Whether a line of a table names columns: it has more words and years than values."""
    cells = passage.quotes[0].split("\t")
    return sum(map(_is_value, cells)) * 2 < len(cells)


def _is_value(cell: str) -> bool:
    return bool(_VALUE.fullmatch(cell.strip()))
