"""How many steps a backtracking matcher takes, counted and not timed, and texts on which a pattern may take many.

The matcher does what the one in `re` does, in the same order, so that its steps grow as those of `re` do."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice, product
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Ends = Iterator[int]
Node = Callable[[str, int, "Count"], Ends]

UNBOUNDED = 100
"""A repeat that may be longer than this is one without a bound."""
CANDIDATES = "a1 \n\t.,;:-–—_(){}[]<>/\\'\"“’!?=+*#&%$§•…|~^`@\x00\u00ad\u200b\u0301éßЖ中。ftxsS"


class Count:
    """Steps taken so far, and what was captured."""

    def __init__(self) -> None:
        self.steps = 0
        self.groups: dict[int, tuple[int, int]] = {}


def steps_of_search(pattern: re.Pattern[str], text: str) -> int:
    """The steps of looking for all matches of a pattern in a text, as `finditer` does."""
    count, node = Count(), _matcher(pattern)
    place = 0
    while place <= len(text):
        count.steps += 1
        end = next(node(text, place, count), None)
        place = place + 1 if end is None or end == place else end
    return count.steps


def steps_of_match(pattern: re.Pattern[str], text: str, *, whole: bool = False) -> int:
    """The steps of a match at the beginning of a text, or with all of it."""
    count, node = Count(), _matcher(pattern)
    any(not whole or end == len(text) for end in node(text, 0, count))
    return count.steps


def attacks(pattern: re.Pattern[str], times: int, most: int) -> list[str]:
    """Texts that repeat what the unbounded repeats of a pattern take, behind what leads to them; evenly chosen ones
    where there are more than `most`."""
    texts = [lead + pump * times + tail for (lead, pump), tail in product(_pumps(pattern), ("", "\x00", " a", ". A"))]
    return texts[:: -(-len(texts) // most)] if texts else []


@cache
def _pumps(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    tree, flags = _parsed(pattern), pattern.flags
    letters = _representatives(tree, flags)
    found: dict[tuple[str, str], None] = {("", letter): None for letter in letters}
    for before, body in _repeats(tree, []):
        lead = _witness(before, flags)
        inside = [letter for letter in letters if _takes(body, flags, letter)]
        bodies = [*inside, *map("".join, islice(product(inside, inside), 64)), _witness(body, flags)]
        for piece in filter(None, bodies):
            found |= {(lead, piece): None, ("", lead + piece): None, ("", piece + lead): None}
    return list(found)


@cache
def _matcher(pattern: re.Pattern[str]) -> Node:
    return _sequence(_parsed(pattern), pattern.flags)


@cache
def _parsed(pattern: re.Pattern[str]) -> Any:
    return _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)


def _representatives(tree: Any, flags: int) -> list[str]:
    """One character for each way in which the classes of a pattern tell characters apart."""
    tests = [_test(op, value, flags) for op, value in _single(tree)]
    letters = dict.fromkeys([*CANDIDATES, *(chr(value) for op, value in _single(tree) if op is ops.LITERAL)])
    by_kind = {tuple(test(letter) for test in tests): letter for letter in reversed(letters)}
    return [letter for kind, letter in by_kind.items() if any(kind)]


def _single(tree: Any) -> Iterator[tuple[Any, Any]]:
    for op, value in tree:
        if op in _SINGLE:
            yield op, value
        for inner in _inner(op, value):
            yield from _single(inner)


def _inner(op: Any, value: Any) -> Sequence[Any]:
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        return [value[2]]
    if op is ops.SUBPATTERN:
        return [value[3]]
    if op is ops.BRANCH:
        return list(value[1])
    if op is ops.ATOMIC_GROUP:
        return [value]
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return [value[1]]
    return [item for item in value[1:] if item] if op is ops.GROUPREF_EXISTS else []


def _repeats(tree: Any, before: list[Any]) -> Iterator[tuple[list[Any], Any]]:
    """(what stands before it, what it repeats) of every repeat without a bound."""
    so_far = list(before)
    for op, value in tree:
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT) and value[1] > UNBOUNDED:
            yield so_far, value[2]
        for inner in _inner(op, value):
            yield from _repeats(inner, so_far)
        so_far = [*so_far, (op, value)]


def _takes(body: Any, flags: int, letter: str) -> bool:
    return any(_test(op, value, flags)(letter) for op, value in _single(body))


def _witness(tree: Any, flags: int) -> str:
    """A text that the pieces of a pattern may take, assertions left out."""
    text = ""
    for op, value in tree:
        if op in _SINGLE:
            test = _test(op, value, flags)
            letters = [chr(value)] if op is ops.LITERAL else CANDIDATES
            text += next((letter for letter in letters if test(letter)), "")
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            text += _witness(value[2], flags) * max(value[0], 1)
        elif op is ops.BRANCH:
            text += _witness(value[1][0], flags)
        elif op in (ops.SUBPATTERN, ops.ATOMIC_GROUP):
            text += _witness(_inner(op, value)[0], flags)
    return text


def _sequence(tree: Any, flags: int) -> Node:
    nodes = [_node(op, value, flags) for op, value in tree]

    def match(text: str, place: int, count: Count, index: int = 0) -> Ends:
        if index == len(nodes):
            yield place
            return
        for end in nodes[index](text, place, count):
            yield from match(text, end, count, index + 1)

    return match


def _node(op: Any, value: Any, flags: int) -> Node:
    if op in _SINGLE:
        return _one(_test(op, value, flags))
    if op is ops.AT:
        return _where(value, flags)
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return _look(value, flags, wanted=op is ops.ASSERT)
    if op is ops.BRANCH:
        return _branch([(_opening(item, flags), _sequence(item, flags)) for item in value[1]])
    if op is ops.SUBPATTERN:
        group, added, taken, inner = value
        return _captured(group, _sequence(inner, (flags | added) & ~taken))
    if op is ops.ATOMIC_GROUP:
        return _first(_sequence(value, flags))
    if op is ops.GROUPREF:
        return _again(value)
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        least, most, inner = value
        is_single = len(inner) == 1 and inner[0][0] in _SINGLE
        node = (
            _run(_test(*inner[0], flags), least, most, lazy=op is ops.MIN_REPEAT)
            if is_single
            else _repeat(_sequence(inner, flags), least, most, lazy=op is ops.MIN_REPEAT)
        )
        return _first(node) if op is ops.POSSESSIVE_REPEAT else node
    raise ValueError(f"no step is known for {op}")


def _one(test: Callable[[str], bool]) -> Node:
    def match(text: str, place: int, count: Count) -> Ends:
        count.steps += 1
        if place < len(text) and test(text[place]):
            yield place + 1

    return match


def _run(test: Callable[[str], bool], least: int, most: int, *, lazy: bool) -> Node:
    def match(text: str, place: int, count: Count) -> Ends:
        end, last = place, min(len(text), place + most)
        if lazy:
            while True:
                if end - place >= least:
                    yield end
                count.steps += 1
                if end >= last or not test(text[end]):
                    return
                end += 1
        while end < last and test(text[end]):
            end += 1
        count.steps += end - place + 1
        for taken in range(end, place + least - 1, -1):
            count.steps += 1
            yield taken

    return match


def _repeat(body: Node, least: int, most: int, *, lazy: bool) -> Node:
    def match(text: str, place: int, count: Count, done: int = 0) -> Ends:
        count.steps += 1
        if lazy and done >= least:
            yield place
        if done < most:
            for end in body(text, place, count):
                if end > place or done < least:
                    yield from match(text, end, count, done + 1)
        if not lazy and done >= least:
            yield place

    return match


def _opening(tree: Any, flags: int) -> Callable[[str], bool] | None:
    """What the first character is tested for, where each match begins with one; None where that is not plain."""
    return _test(*tree[0], flags) if len(tree) and tree[0][0] in _SINGLE else None


def _branch(branches: Sequence[tuple[Callable[[str], bool] | None, Node]]) -> Node:
    """One way after the other; those whose first character is not there are counted and not gone."""
    nodes = [node for _, node in branches]

    @cache
    def ways(letter: str) -> tuple[list[Node], int]:
        taken = [node for opens, node in branches if opens is None or (letter and opens(letter))]
        return taken, 2 * (len(nodes) - len(taken))

    def match(text: str, place: int, count: Count) -> Ends:
        taken, steps = ways(text[place : place + 1])
        count.steps += steps
        for node in taken:
            count.steps += 1
            yield from node(text, place, count)

    return match


def _captured(group: int | None, body: Node) -> Node:
    def match(text: str, place: int, count: Count) -> Ends:
        for end in body(text, place, count):
            if group is not None:
                count.groups[group] = (place, end)
            yield end

    return match


def _again(group: int) -> Node:
    def match(text: str, place: int, count: Count) -> Ends:
        start, end = count.groups.get(group, (0, -1))
        count.steps += max(end - start, 0) + 1
        if start <= end and text.startswith(text[start:end], place):
            yield place + end - start

    return match


def _first(body: Node) -> Node:
    def match(text: str, place: int, count: Count) -> Ends:
        yield from islice(body(text, place, count), 1)

    return match


def _look(value: Any, flags: int, *, wanted: bool) -> Node:
    direction, inner = value
    body = _sequence(inner, flags)
    width = inner.getwidth()[0] if direction < 0 else 0

    def match(text: str, place: int, count: Count) -> Ends:
        count.steps += 1
        found = place >= width and next(body(text, place - width, count), None) is not None
        if found == wanted:
            yield place

    return match


def _where(where: Any, flags: int) -> Node:
    def holds(text: str, place: int) -> bool:
        if (where is ops.AT_BEGINNING and not flags & re.MULTILINE) or where is ops.AT_BEGINNING_STRING:
            return place == 0
        if where is ops.AT_BEGINNING:
            return place == 0 or text[place - 1] == "\n"
        if where is ops.AT_END_STRING:
            return place == len(text)
        if where is ops.AT_END:
            return place == len(text) or (
                text[place] == "\n" and (bool(flags & re.MULTILINE) or place == len(text) - 1)
            )
        here, before = place < len(text) and _is_word(text[place]), place > 0 and _is_word(text[place - 1])
        return (here != before) == (where is ops.AT_BOUNDARY)

    def match(text: str, place: int, count: Count) -> Ends:
        count.steps += 1
        if holds(text, place):
            yield place

    return match


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


_SINGLE = (ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN)
_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    ops.CATEGORY_DIGIT: str.isdecimal,
    ops.CATEGORY_SPACE: str.isspace,
    ops.CATEGORY_WORD: _is_word,
    ops.CATEGORY_NOT_DIGIT: lambda letter: not letter.isdecimal(),
    ops.CATEGORY_NOT_SPACE: lambda letter: not letter.isspace(),
    ops.CATEGORY_NOT_WORD: lambda letter: not _is_word(letter),
}


def _test(op: Any, value: Any, flags: int) -> Callable[[str], bool]:
    """Whether one character is taken."""
    known: dict[str, bool] = {}

    def test(letter: str) -> bool:
        if letter not in known:
            cases = {letter, letter.lower(), letter.upper()} if flags & re.IGNORECASE else {letter}
            known[letter] = _is_taken(op, value, flags, cases)
        return known[letter]

    return test


def _is_taken(op: Any, value: Any, flags: int, cases: set[str]) -> bool:
    if op is ops.ANY:
        return bool(flags & re.DOTALL) or "\n" not in cases
    if op is ops.LITERAL:
        return chr(value) in cases
    if op is ops.NOT_LITERAL:
        return chr(value) not in cases
    is_negated = value[0][0] is ops.NEGATE
    found = any(_is_listed(*item, cases) for item in value[is_negated:])
    return found != is_negated


def _is_listed(op: Any, value: Any, cases: set[str]) -> bool:
    if op is ops.LITERAL:
        return chr(value) in cases
    if op is ops.RANGE:
        return any(len(case) == 1 and value[0] <= ord(case) <= value[1] for case in cases)
    return any(_CATEGORIES[value](case) for case in cases)


sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
