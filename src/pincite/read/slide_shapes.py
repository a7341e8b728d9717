"""The shapes of a slide: which are visible, their reading order and their text; alternative texts of pictures; charts
of office files as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.read.linked import PLAIN, LinkedPieces, Look
from pincite.read.markup import Element, attribute, child, descendants, local, number, text_of
from pincite.read.parts import PartBuilder, Places, RawCell, fold
from pincite.read.xlsx_values import Formats

MOST_POINTS = 20_000
"""Of a chart; what comes behind them is left out."""
_CODE = 200
"""A number that no built-in format has."""


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart is called, and its tables: one, or one for each series where they share no categories."""

    title: str
    tables: tuple[list[list[RawCell]], ...]


@dataclass(frozen=True, slots=True)
class _Series:
    name: str
    heads: tuple[str, ...]
    labels: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]


def add_chart(root: Element, builder: PartBuilder, places: Places | None = None) -> None:
    """Add the title and the tables of a chart; `places` where the part has blocks for locators."""
    chart = chart_of(root)
    builder.add("caption", chart.title, locator=places.block() if places and chart.title else None)
    for table in chart.tables:
        builder.add_table(table, locator=places.block() if places else None)


def chart_of(root: Element) -> Chart:
    """The chart of a part, of this or of a newer kind."""
    since_1904 = attribute(child(root, "date1904"), "val") == "1"
    series = [*_series(root, since_1904=since_1904), *_newer_series(root)]
    heads = child(root, "chart")
    shared = {(item.heads, item.labels) for item in series}
    groups = [series] if len(shared) == 1 else [[item] for item in series]
    return Chart(_title(heads), tuple(_table(group, _axis(root, "catAx", "dateAx")) for group in groups if group))


def _table(series: Sequence[_Series], category: str) -> list[list[RawCell]]:
    first = series[0]
    name = first.heads[0] or category
    heads = [name, *(_head(item, column) for item in series for column in range(len(item.values)))]
    rows = [[RawCell(head, header=True) for head in heads]]
    for place, label in enumerate(first.labels):
        cells = [values[place] if place < len(values) else "" for item in series for values in item.values]
        rows.append([RawCell(text) for text in (label, *cells)])
    return rows


def _head(series: _Series, column: int) -> str:
    """The name of a series; of one with several values for a category with what each is."""
    if len(series.values) == 1:
        return series.name or series.heads[1]
    return ", ".join(filter(None, (series.name, series.heads[1 + column])))


def _series(root: Element, *, since_1904: bool) -> Iterator[_Series]:
    left = MOST_POINTS
    for item in descendants(root, "ser"):
        name = fold(" ".join(map(text_of, descendants(child(item, "tx"), "v"))))
        across = child(item, "xVal")
        marked = across if across is not None else child(item, "cat")
        labels = _points(marked, since_1904=since_1904)[:left]
        kinds = ("yVal", "bubbleSize") if across is not None else ("val",)
        found = [(kind, _points(child(item, kind), since_1904=since_1904)[:left]) for kind in kinds]
        filled = [(kind, values) for kind, values in found if values]
        if not filled:
            continue
        most = max(len(values) for _, values in filled)
        labels += [str(place + 1) for place in range(len(labels), most)]
        names = {"yVal": "Y", "bubbleSize": "Size", "val": ""}
        heads = ("X" if across is not None else "", *(names[kind] for kind, _ in filled))
        yield _Series(name, heads, tuple(labels), tuple(tuple(values) for _, values in filled))
        left -= most * len(filled)
        if left <= 0:
            return


def _points(data: Element | None, *, since_1904: bool) -> list[str]:
    """The texts or numbers of a series in order, a missing one empty; the levels of categories joined."""
    if data is None:
        return []
    levels = list(descendants(data, "lvl")) or [data]
    code = next((item.text or "" for item in descendants(data, "formatCode")), "")
    texts: dict[int, list[str]] = {}
    for level in reversed(levels):
        held = ""
        points = {number(attribute(item, "idx"), -1): item for item in descendants(level, "pt")}
        for place in range(min(max([*points, *texts], default=-1) + 1, MOST_POINTS)):
            if place in points:
                held = _shown(points[place], code, since_1904=since_1904)
            if place in points or len(levels) > 1:
                texts.setdefault(place, []).append(held)
    return [", ".join(filter(None, texts.get(place, []))) for place in range(max(texts, default=-1) + 1)]


def _shown(point: Element, code: str, *, since_1904: bool) -> str:
    value = child(point, "v")
    text = fold(value.text or "") if value is not None else fold(point.text or "")
    code = attribute(point, "formatCode") or code
    return Formats({_CODE: code}, [_CODE], since_1904=since_1904).show(text, 0) if code not in ("", "General") else text


def _newer_series(root: Element) -> Iterator[_Series]:
    """The series of waterfalls, treemaps and their like."""
    data = {attribute(item, "id"): item for item in descendants(root, "data") if child(item, "numDim") is not None}
    for item in descendants(root, "series"):
        held = data.get(attribute(child(item, "dataId"), "val"))
        if held is None:
            continue
        values = _points(child(held, "numDim"), since_1904=False)
        labels = _points(child(held, "strDim"), since_1904=False)
        labels += [str(place + 1) for place in range(len(labels), len(values))]
        name = fold(text_of(child(item, "tx", "txData", "v")))
        yield _Series(name, ("", ""), tuple(labels), (tuple(values),))


def _axis(root: Element, *kinds: str) -> str:
    return next((text for kind in kinds for item in descendants(root, kind) if (text := _title(item))), "")


def _title(element: Element | None) -> str:
    title = child(element, "title")
    if title is None:
        return ""
    kinds = ("t", "v") if next(descendants(title, "t"), None) is not None else ("v",)
    return fold(" ".join(part.text or "" for part in title.iter() if local(part) == kinds[0]))


_MADE_BY_MACHINE = "description automatically generated"


def described(settings: Element | None) -> str:
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
LayoutPlaces = Callable[[], Mapping[str, Box]]
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
        """The text that replaces it for the blind."""
        return described(self.settings)


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of a slide in the order in which they are read, and how many are hidden."""

    shown: tuple[Shape, ...]
    hidden: int


def shapes_of(root: Element, places: LayoutPlaces) -> Shapes:
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


def _ordered(items: Sequence[Shape], places: LayoutPlaces, depth: int) -> list[Shape]:
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


def _box(item: Shape, places: LayoutPlaces) -> Box | None:
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
