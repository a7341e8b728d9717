"""Which lines are numbered headings: candidates, how much speaks for each, and the chain of numbers that follow each
other and has most evidence.

A false candidate (a reference that opens a line, an axis of a figure, a row of a table) fits no chain, or fits one that
is worth less than the chain of true headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.structure.lines import Body, Line
from pincite.structure.numbering import Number, Reading, is_policy, read_number
from pincite.structure.tree import Bookmarks, Contents, alike, folded
from pincite.text.language import FUNCTION_WORDS

MAX_TITLE = 200
MAX_WORDS = 24
HEADER_PAGES = 2
IN_TABLE = 0.2
_STATUS = re.compile(r"[(\[]([^()\[\]]{6,16})[)\]]")
_STATUSES = ("normative", "informative")
_MISREAD_SECTION = re.compile(r"^s[eco][eco][tf][il1][o0][nu](?=\s\d)", re.IGNORECASE)
_LEAD = re.compile(r"^[\s:.–—-]+")
_TERM = re.compile(r"[^\W\d_][\w\s()/-]{2,70}:.*", re.DOTALL)
_NO_TITLE = re.compile(
    r"(?:and|or|to|of|applies|apply|is|are|was|were|shall|should|may|must|can|in|for|gives?|as|the|this|that|which|with|by|"
    r"on|at|from|but|not|if|when|where|und|oder|gilt|et|ou|sont|est|y|o|e)\b|"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\s+\d{4}|[,;)(\]%°/=<>+*]"
)
_SENTENCE_END = re.compile(r"(?:[.;,:]|[.;]\d{1,3})$")
_WORD = re.compile(r"[^\W\d_]{2,}")
_RUN_IN = re.compile(r"(?P<title>[A-Z][^.:;()\n]{2,70}\.)\s+(?=[A-Z\"“‘'(])")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that may be a numbered heading. `title`: empty for a numbered paragraph; `weight`: evidence for it."""

    line: Line
    reading: Reading
    title: str
    weight: float

    @property
    def start(self) -> int:
        """Offset in the joined text."""
        return self.line.start


def numbered_candidates(
    pages: Sequence[Sequence[Line]], body: Body, contents: Contents, bookmarks: Bookmarks
) -> Iterator[Candidate]:
    """All readings of all lines that may be numbered headings, in order; one line may be read in several ways. What
    opens a page and repeats a heading of one of the two pages before is a running header.
    """
    last_page: dict[tuple[str, str], int] = {}
    for lines in pages:
        for line in lines:
            if contents.holds(line):
                continue
            for reading in read_number(line.text):
                candidate = _candidate(line, reading, body, contents, bookmarks)
                if candidate is None:
                    continue
                name = (reading.number.text, candidate.title)
                is_header = line is lines[0] and 0 < line.page - last_page.get(name, -HEADER_PAGES) <= HEADER_PAGES
                last_page[name] = line.page
                if not is_header:
                    yield candidate


def is_distinct(line: Line, body: Body) -> bool:
    """It stands out from running text: larger, bold where that is not, or a heading by the source's own word."""
    block = line.block
    larger = bool(block.font_size and body.size) and (block.font_size or 0) >= 1.08 * body.size
    return block.level is not None or (block.kind == "heading" and (larger or (block.bold and not body.bold)))


def _may_stand_here(line: Line, reading: Reading) -> bool:
    """Not in a table, but for what only looks like a row: a line without cells behind a number of several levels, or
    the first line of a frame around a policy.
    """
    if line.block.kind != "table":
        return True
    if is_policy(reading.number):
        return is_box_head(line)
    return reading.number.depth > 1 and "\t" not in line.text[reading.end :].strip()


def is_box_head(line: Line) -> bool:
    """The first line of a frame that was taken for a table: one cell, not a row of several."""
    return line.block.kind == "table" and "\t" not in line.text and line.block_text.startswith(line.text)


def _candidate(line: Line, reading: Reading, body: Body, contents: Contents, bookmarks: Bookmarks) -> Candidate | None:
    marked = bookmarks.title_at(line, reading.number.text)
    title = without_status(marked) if marked else _title(line, reading)
    known = bool(marked) or contents.promises(reading.number.text, title)
    if not known and not (_may_stand_here(line, reading) and _may_be_title(line, reading, title)):
        return None
    if not marked and _is_paragraph(line, title, reading):
        title = _run_in_title(line.text[reading.end :].strip())
        if not title and reading.number.depth == 1 and not reading.worded:
            return None
    weight = _form_weight(line, reading, title) + _looks_weight(line, reading, title, body)
    weight += _contents_weight(reading, title, contents) + (5.0 if marked else 0.0)
    return Candidate(line, reading, title[:MAX_TITLE].strip(), weight)


def _title(line: Line, reading: Reading) -> str:
    """What stands behind the number: on its line, in its heading block, or below it."""
    rest = _without_repetition(line.text[reading.end :], reading)
    below = line.block_text.split("\n")[1:] if line.head else []
    if is_box_head(line):
        below = line.block_text.split("\n", 2)[1:2]
    if not rest and below:
        rest, below = _without_repetition(below[0], reading), below[1:]
    if not rest and not below and (reading.worded or line.block.kind == "heading"):
        rest = "" if read_number(line.after) else _without_repetition(line.after.partition("\n")[0], reading)
    if line.block.kind == "heading" and below and len(line.block_text) <= MAX_TITLE:
        rest = without_status(" ".join([rest, *below]))
    if rest[:1].islower() and ":" in rest:
        rest = rest.partition(":")[0]
    return " ".join(rest.split())


def _without_repetition(text: str, reading: Reading) -> str:
    """Without "Section 1" behind "1.", without "(informative)", without dashes in front."""
    text = _LEAD.sub("", _MISREAD_SECTION.sub("Section", text.strip()))
    again = read_number(text)
    if again and again[0].worded and again[0].number.parts == reading.number.parts and again[0].number.lane == "":
        text = text[again[0].end :]
    return without_status(_LEAD.sub("", text))


def without_status(text: str) -> str:
    """Without "(informative)" in front, however the OCR spaced it."""
    match = _STATUS.match(text)
    return _LEAD.sub("", text[match.end() :]) if match and _is_status(folded(match[1])) else text


def _is_status(word: str) -> bool:
    """ "normative" or "informative" as several languages and OCR write them ("infonnative")."""
    return any(alike(word, status) or (len(word) > 6 and word[:3] == status[:3]) for status in _STATUSES)


def _may_be_title(line: Line, reading: Reading, title: str) -> bool:
    """Not a cross reference that opens a line, not a quantity, not a date."""
    if not _WORD.search(title[:60]):
        return reading.worded and line.head and not line.text[reading.end :].strip()
    if _NO_TITLE.match(title):
        return False
    if title[0].islower():
        alone = not line.text[reading.end :].strip()
        return (
            line.head
            and reading.number.depth > 1
            and (alone or bool(_TERM.fullmatch(line.text[reading.end :].strip())))
        )
    if line.head or line.block.kind == "table" or is_line_of_its_own(line):
        return title[0].isalpha() or title[0] in "\"“‘'«(¿["
    return False


def is_line_of_its_own(line: Line) -> bool:
    """Inside a block, but shorter than its neighbours and not going on in the next line."""
    return len(line.text) < 0.75 * _longest_line(line.block_text) and line.text[-1] not in ",;-"


@lru_cache(maxsize=4)
def _longest_line(text: str) -> int:
    return max(map(len, text.split("\n")))


def _is_paragraph(line: Line, title: str, reading: Reading) -> bool:
    """The words behind the number are running text and no title."""
    if line.block.kind == "heading":
        return len(title) > MAX_TITLE or (bool(_SENTENCE_END.search(title)) and len(title.split()) > 8)
    if len(title.split()) > MAX_WORDS:
        return True
    if _SENTENCE_END.search(title) and len(title.split()) > 3 and not _is_in_title_case(title):
        return True
    if "\n" not in line.block_text and line.after[:1].islower():
        return True
    rest = line.text[reading.end :].strip()
    if rest.startswith(title + ":"):
        return False
    return bool(rest) and line.head and "\n" in line.block_text and not is_line_of_its_own(line)


def _run_in_title(text: str) -> str:
    """The title that a paragraph begins with ("Governing Law. This lease is"), empty where it begins with none."""
    match = _RUN_IN.match(text)
    return match["title"] if match and _is_in_title_case(match["title"]) else ""


def _is_in_title_case(title: str) -> bool:
    """Whether all words but the small ones begin with a capital, as in "Governing Law and Jurisdiction."."""
    words = _WORD.findall(title)
    return title.endswith(".") and all(word[0].isupper() for word in words if word not in FUNCTION_WORDS["en"])


def _form_weight(line: Line, reading: Reading, title: str) -> float:
    number = reading.number
    weight = 1.5 if reading.worded else {1: -0.5, 2: 0.6}.get(number.depth, 1.0)
    weight -= 0.6 * reading.repaired + 0.8 * reading.roman + 0.4 * (not title) + 1.0 * (not line.head)
    if title and title[0].islower():
        weight -= 0.4
    if number.depth == 1 and line.block.kind == "list_item" and not (reading.worded or _is_in_title_case(title)):
        weight -= 2.0
    return weight + (IN_TABLE if line.block.kind == "table" else 0.0)


def _looks_weight(line: Line, reading: Reading, title: str, body: Body) -> float:
    weight = 0.6 if line.block.kind == "heading" else 0.0
    if line.block.level is not None:
        weight += 2.0
    elif is_distinct(line, body):
        weight += 1.0
    elif body.size and reading.number.depth == 1 and not (reading.worded or _is_in_title_case(title)):
        weight -= 2.0
    elif body.size and line.block.font_size and line.block.font_size < 0.85 * body.size:
        weight -= 1.5
    return weight


def _contents_weight(reading: Reading, title: str, contents: Contents) -> float:
    if contents.promises(reading.number.text, title):
        return 2.5
    known = contents.numbers.get(reading.number.text)
    if known is None:
        return 0.0
    return 0.5 if title and alike(known[:8], folded(title)[:8]) else -0.5


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
