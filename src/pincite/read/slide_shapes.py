"""The shapes of a slide: which are shown, in which order they are read, and what stands in them. What is said of a
picture for those who cannot see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.read.linked import PLAIN, LinkedPieces, Look
from pincite.read.markup import Element, attribute, child, descendants, local, number

_MADE_BY_MACHINE = "description automatically generated"


def described(settings: Element) -> str:
    """The alternative text that the settings of a drawing of an office file hold, without what a machine said."""
    lines = attribute(settings, "descr").split("\n")
    return " ".join(line for line in lines if _MADE_BY_MACHINE not in line.lower()).strip()


TITLES = frozenset({"title", "ctrTitle"})
_SHAPES = frozenset({"sp", "graphicFrame", "pic", "cxnSp"})
_WRAPPERS = frozenset({"AlternateContent", "Choice"})
_ON = ("1", "true")
_DEEPEST = 50
Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""
Places = Callable[[], Mapping[str, Box]]
"""Fetches where the layout of a slide puts what fills its placeholders, by index or type."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of a slide, with its settings and the mark of the placeholder of the layout that it fills."""

    element: Element
    settings: Element | None
    mark: Element | None

    @property
    def role(self) -> str:
        """What the layout takes it for ("title", "body"), empty for a free shape."""
        return attribute(self.mark, "type", "body") if self.mark is not None else ""

    @property
    def alternative_text(self) -> str:
        """What is said of it for those who cannot see it."""
        return described(self.settings) if self.settings is not None else ""


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of a slide in the order in which they are read, and how many are hidden."""

    shown: tuple[Shape, ...]
    hidden: int


def shapes_of(root: Element, places: Places) -> Shapes:
    """The shapes of a slide, its title first, the others as they stand on it, from above and from the left; in the
    order of the file where it is not known where one stands."""
    tree = child(root, "cSld", "spTree")
    if tree is None:
        return Shapes((), 0)
    hidden = sum(1 for item in descendants(tree, "cNvPr") if item.get("hidden") in _ON)
    shown = _ordered(list(_members(tree)), places, 0)
    return Shapes(tuple(sorted(shown, key=lambda shape: shape.role not in TITLES)), hidden)


def paragraphs(shape: Element) -> Iterator[str]:
    """The texts of a shape, raised, lowered and struck-out runs as such."""
    for paragraph in descendants(shape, "p"):
        pieces = LinkedPieces()
        for item in paragraph.iter("{*}t", "{*}br"):
            pieces.add("\n" if local(item) == "br" else item.text or "", _look(item.getparent()))
        yield pieces.take().text


def _look(run: Element) -> Look:
    settings = child(run, "rPr")
    if settings is None:
        return PLAIN
    height = number(settings.get("baseline", "").removesuffix("%"))
    is_struck = settings.get("strike", "noStrike") != "noStrike"
    return Look(height > 0, height < 0, is_struck) if height or is_struck else PLAIN


def _members(tree: Element) -> Iterator[Shape]:
    """The shapes and groups below that are not hidden."""
    for item in tree:
        name = local(item)
        if name in _WRAPPERS:
            yield from _members(item)
        elif name in _SHAPES or name == "grpSp":
            about = item[0] if len(item) else None
            settings = child(about, "cNvPr")
            if settings is None or settings.get("hidden") not in _ON:
                yield Shape(item, settings, child(about, "nvPr", "ph"))


def _ordered(items: Sequence[Shape], places: Places, depth: int) -> list[Shape]:
    """Shapes as they are read, those of a group together."""
    order = list(range(len(items)))
    is_title = [item.role in TITLES for item in items]
    if max(is_title.count(True), is_title.count(False)) > 1:
        boxes = [_box(item, places) for item in items]
        known = [box for box in boxes if box is not None]
        order = _by_place(known, order) if len(known) == len(items) else order
    shapes: list[Shape] = []
    for place in order:
        if local(items[place].element) != "grpSp":
            shapes.append(items[place])
        elif depth < _DEEPEST:
            shapes += _ordered(list(_members(items[place].element)), places, depth + 1)
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


def places_of(layout: Element) -> dict[str, Box]:
    """Where a layout puts what fills its placeholders, by index or type."""
    places: dict[str, Box] = {}
    for shape in descendants(layout, "sp"):
        mark, box = child(shape, "nvSpPr", "nvPr", "ph"), _own_box(shape)
        if mark is not None and box is not None:
            places.setdefault(_name(mark), box)
    return places


def _box(item: Shape, places: Places) -> Box | None:
    own = _own_box(item.element)
    return own if own is not None or item.mark is None else places().get(_name(item.mark))


def _name(mark: Element) -> str:
    """The index of a placeholder, its type where it has none."""
    return attribute(mark, "idx") or attribute(mark, "type", "body")


def _own_box(item: Element) -> Box | None:
    frame = next(item.iterchildren("{*}spPr", "{*}grpSpPr", "{*}xfrm"), None)
    frame = child(frame, "xfrm") if frame is not None and local(frame) != "xfrm" else frame
    start, size = child(frame, "off"), child(frame, "ext")
    if start is None or size is None:
        return None
    left, top = number(attribute(start, "x")), number(attribute(start, "y"))
    return left, top, left + number(attribute(size, "cx")), top + number(attribute(size, "cy"))
