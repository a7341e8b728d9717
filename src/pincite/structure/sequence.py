"""Which of the candidates are the headings: the chain of numbers that follow each other and has most evidence.

A false candidate (a reference that opens a line, an axis of a figure, a row of a table) fits no chain, or fits one
that is worth less than the chain of true headings. One pass; for each candidate the numbers that may stand before it
are looked up, so the cost grows with the number of candidates alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.structure.contents import folded
from pincite.structure.headings import Candidate
from pincite.structure.numbering import Number

MAX_GAP = 5
FIT = 1.0
GAP_COST = 0.7
SKIPPED_LEVEL_COST = 0.4
START_COST = 2.0
RESTART_COST = 4.0
MAX_REPEATED = 0.5

_Key = tuple[str, tuple[tuple[int, str], ...]]


@dataclass(frozen=True, slots=True)
class _End:
    """A chain by its last candidate: `score` of all of it, `previous` candidate's index."""

    score: float
    index: int


def best_chain(candidates: Sequence[Candidate], fresh_starts: Sequence[int] = ()) -> list[Candidate]:
    """The candidates of the best chain, in order.

    `fresh_starts` are offsets behind which numbering may start again at no cost (where a new Part begins).
    Of chains worth the same, the one that comes later in the text wins: tables of contents come first.
    """
    search = _Search()
    waiting = list(fresh_starts)
    previous: list[int] = []
    free_from = -1.0
    group: list[tuple[int, _End]] = []
    for index, candidate in enumerate(candidates):
        if group and candidates[group[0][0]].start != candidate.start:
            _settle(search, candidates, group)
            group = []
        while waiting and waiting[0] <= candidate.start:
            waiting.pop(0)
            free_from = search.best.score
            search.free_index = search.best.index
        before = search.before(candidate.reading.number, free_from)
        previous.append(before.index)
        group.append((index, _End(before.score + candidate.weight, index)))
    _settle(search, candidates, group)
    return list(_without_repeats(_walk_back(candidates, previous, search.best.index)))


def _settle(search: _Search, candidates: Sequence[Candidate], group: Sequence[tuple[int, _End]]) -> None:
    """Enter the readings of one line together, so that none of them follows another."""
    for index, end in group:
        search.enter(candidates[index].reading.number, end)


def _walk_back(candidates: Sequence[Candidate], previous: Sequence[int], index: int) -> list[Candidate]:
    chain: list[Candidate] = []
    while index >= 0:
        chain.append(candidates[index])
        index = previous[index]
    return chain[::-1]


def _without_repeats(chain: Sequence[Candidate]) -> Iterator[Candidate]:
    """Without runs that count anew and say the same again: lists of sections in an appendix or an index."""
    known: set[tuple[str, str]] = set()
    for run in _runs(chain):
        names = [(item.reading.number.text, folded(item.title)) for item in run]
        if sum(name in known for name in names) < MAX_REPEATED * len(names):
            yield from run
        known.update(names)


def _runs(chain: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """The parts of a chain in which numbers only rise."""
    run: list[Candidate] = []
    for item in chain:
        if run and not _rank(run[-1].reading.number) < _rank(item.reading.number):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def _rank(number: Number) -> tuple[bool, tuple[tuple[int, str], ...]]:
    return number.lane == "annex", number.parts


class _Search:
    """The best chain for each number that it may end with, and for each beginning of such numbers."""

    def __init__(self) -> None:
        self.best = _End(0.0, -1)
        self.free_index = -1
        self._exact: dict[_Key, _End] = {}
        self._under: dict[_Key, _End] = {}

    def enter(self, number: Number, end: _End) -> None:
        """Note a chain that ends with this number."""
        if end.score >= self.best.score:
            self.best = end
        _keep(self._exact, (number.lane, number.parts), end)
        for depth in range(1, number.depth + 1):
            _keep(self._under, (number.lane, number.parts[:depth]), end)

    def before(self, number: Number, free_from: float) -> _End:
        """The best chain that this number may continue; index -1 where it starts one."""
        ones = number.is_ones_from(0)
        best = _End(0.0 if ones else -START_COST, -1)
        if self.best.index >= 0 and ones:
            best = max(best, _End(self.best.score - RESTART_COST, self.best.index), key=_score)
        if self.free_index >= 0 and ones:
            best = max(best, _End(free_from, self.free_index), key=_score)
        for end, bonus in self._possible(number):
            best = max(best, _End(end.score + bonus, end.index), key=_score)
        return best

    def _possible(self, number: Number) -> Iterator[tuple[_End, float]]:
        """Chains that may come before, with what the step is worth."""
        yield from self._parents(number)
        for depth in range(number.depth, 0, -1):
            deeper = number.depth - depth
            if deeper and not number.is_ones_from(depth):
                break
            yield from self._siblings(number, depth, FIT - SKIPPED_LEVEL_COST * deeper)
        if number.lane == "annex" and number.is_ones_from(1) and number.parts[0][0] <= MAX_GAP:
            cost = GAP_COST * (number.parts[0][0] - 1) + SKIPPED_LEVEL_COST * (number.depth - 1)
            main = self._under.get(("main", ()))
            if main is not None:
                yield main, FIT - cost

    def _parents(self, number: Number) -> Iterator[tuple[_End, float]]:
        for depth in range(number.depth - 1, 0, -1):
            missed = number.parts[depth][0] - 1
            end = self._exact.get((number.lane, number.parts[:depth]))
            if end is not None and missed <= 3 and number.is_ones_from(depth + 1):
                yield end, FIT - GAP_COST * max(0, missed) - SKIPPED_LEVEL_COST * (number.depth - depth - 1)

    def _siblings(self, number: Number, depth: int, worth: float) -> Iterator[tuple[_End, float]]:
        """Numbers that come shortly before on this level, or the same with an earlier suffix."""
        above, (value, suffix) = number.parts[: depth - 1], number.parts[depth - 1]
        for gap in range(1, MAX_GAP + 1):
            end = self._under.get((number.lane, (*above, (value - gap, ""))))
            if end is not None and not suffix:
                yield end, worth - GAP_COST * (gap - 1)
        for letter in _suffixes_before(suffix):
            end = self._under.get((number.lane, (*above, (value, letter))))
            if end is not None:
                yield end, worth
        if not suffix:
            for letter in "ABCDEF123456":
                end = self._under.get((number.lane, (*above, (value - 1, letter))))
                if end is not None:
                    yield end, worth


def _suffixes_before(suffix: str) -> Iterator[str]:
    """ "13" and "13A" come before "13B", Annex A1 before Annex A2."""
    if suffix:
        yield ""
        for code in range(ord("1" if suffix.isdigit() else "A"), ord(suffix[0])):
            yield chr(code)


def _keep(table: dict[_Key, _End], key: _Key, end: _End) -> None:
    known = table.get(key)
    if known is None or end.score >= known.score:
        table[key] = end
    if key[0] == "":
        general = table.get(("main", ()))
        if general is None or end.score >= general.score:
            table[("main", ())] = end


def _score(end: _End) -> float:
    return end.score
