"""The shapes of a slide: which are shown, in which order they are read, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.read.linked import PLAIN, LinkedPieces, Look
from pincite.read.markup import Element, attribute, child, descendants, local, number
from pincite.read.pictures import described

TITLES = frozenset({"title", "ctrTitle"})
_SHAPES = frozenset({"sp", "graphicFrame", "pic", "cxnSp"})
_WRAPPERS = frozenset({"AlternateContent", "Choice"})
_ON = ("1", "true")
_DEEPEST = 50
Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""
Places = Callable[[], Mapping[str, Box]]
Layout = Callable[[], Element | None]
"""Fetches the layout of a slide."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of a slide in the order in which they are read, and how many are hidden."""

    shown: tuple[Element, ...]
    hidden: int


def shapes_of(root: Element, layout: Layout) -> Shapes:
    """The shapes of a slide, its title first, the others as they stand on it, from above and from the left; in the
    order of the file where it is not known where one stands. `layout` is fetched only where it tells such a place."""
    tree = child(root, "cSld", "spTree")
    if tree is None:
        return Shapes((), 0)
    hidden = sum(1 for item in descendants(tree, "cNvPr") if item.get("hidden") in _ON)
    shown = _ordered(list(_members(tree)), lru_cache(1)(lambda: _places(layout())), 0)
    return Shapes(tuple(sorted(shown, key=lambda shape: role_of(shape) not in TITLES)), hidden)


def role_of(shape: Element) -> str:
    """What the layout takes a shape for ("title", "body"), empty for a free shape."""
    mark = _placeholder(shape)
    return attribute(mark, "type", "body") if mark is not None else ""


def alternative_text(shape: Element) -> str:
    """What is said of a shape for those who cannot see it."""
    settings = _settings(shape)
    return described(settings) if settings is not None else ""


def paragraphs(shape: Element) -> Iterator[str]:
    """The texts of a shape, raised, lowered and struck-out runs as such."""
    for paragraph in descendants(shape, "p"):
        pieces = LinkedPieces()
        for item in paragraph.iter():
            name = local(item)
            if name in ("t", "br"):
                pieces.add("\n" if name == "br" else item.text or "", _look(item.getparent()))
        yield pieces.take().text


def _look(run: Element) -> Look:
    settings = child(run, "rPr")
    if settings is None:
        return PLAIN
    height = number(attribute(settings, "baseline").removesuffix("%"))
    is_struck = attribute(settings, "strike", "noStrike") != "noStrike"
    return Look(height > 0, height < 0, is_struck) if height or is_struck else PLAIN


def _members(tree: Element) -> Iterator[Element]:
    for item in tree:
        name = local(item)
        if name in _WRAPPERS:
            yield from _members(item)
        elif (name in _SHAPES or name == "grpSp") and not _is_hidden(item):
            yield item


def _ordered(items: Sequence[Element], places: Places, depth: int) -> list[Element]:
    """Shapes as they are read, those of a group together."""
    boxes = [_box(item, places) for item in items]
    known = [box for box in boxes if box is not None]
    order = _by_place(known, list(range(len(items)))) if len(known) == len(items) else range(len(items))
    shapes: list[Element] = []
    for place in order:
        if local(items[place]) != "grpSp":
            shapes.append(items[place])
        elif depth < _DEEPEST:
            shapes += _ordered(list(_members(items[place])), places, depth + 1)
    return shapes


def _by_place(boxes: Sequence[Box], chosen: list[int]) -> list[int]:
    """What stands above a gap across before what stands below it, and then what stands left of a gap down."""
    for low, high in ((1, 3), (0, 2)):
        groups: list[list[int]] = []
        end = 0
        for place in sorted(chosen, key=lambda place: (boxes[place][low], place)):
            if not groups or boxes[place][low] >= end:
                groups.append([])
                end = boxes[place][high]
            groups[-1].append(place)
            end = max(end, boxes[place][high])
        if len(groups) > 1:
            return [place for group in groups for place in _by_place(boxes, group)]
    return sorted(chosen, key=lambda place: (boxes[place][1], boxes[place][0], place))


def _places(layout: Element | None) -> dict[str, Box]:
    """Where a layout puts what fills its placeholders, by index and by type."""
    places: dict[str, Box] = {}
    for shape in descendants(layout, "sp") if layout is not None else ():
        mark, box = _placeholder(shape), _own_box(shape)
        if mark is not None and box is not None:
            places.setdefault(attribute(mark, "idx") or attribute(mark, "type", "body"), box)
    return places


def _box(item: Element, places: Places) -> Box | None:
    own, mark = _own_box(item), _placeholder(item)
    if own is not None or mark is None:
        return own
    return places().get(attribute(mark, "idx") or attribute(mark, "type", "body"))


def _own_box(item: Element) -> Box | None:
    frame = next((found for found in item if local(found) in ("spPr", "grpSpPr", "xfrm")), None)
    frame = child(frame, "xfrm") if frame is not None and local(frame) != "xfrm" else frame
    start, size = child(frame, "off"), child(frame, "ext")
    if start is None or size is None:
        return None
    left, top = number(attribute(start, "x")), number(attribute(start, "y"))
    return left, top, left + number(attribute(size, "cx")), top + number(attribute(size, "cy"))


def _placeholder(shape: Element) -> Element | None:
    return child(shape[0], "nvPr", "ph") if len(shape) else None


def _settings(shape: Element) -> Element | None:
    return child(shape[0], "cNvPr") if len(shape) else None


def _is_hidden(shape: Element) -> bool:
    settings = _settings(shape)
    return settings is not None and settings.get("hidden") in _ON
