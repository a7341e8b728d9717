"""The charts of office files as tables: a row for each category, a column for each series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.read.markup import Element, attribute, child, descendants, local, number
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
    since_1904 = attribute(mark, "val") == "1" if (mark := child(root, "date1904")) is not None else False
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
        named = child(item, "tx")
        name = fold(" ".join(part.text or "" for part in descendants(named, "v"))) if named is not None else ""
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
        mark = child(item, "dataId")
        held = data.get(attribute(mark, "val")) if mark is not None else None
        if held is None:
            continue
        values = _points(child(held, "numDim"), since_1904=False)
        labels = _points(child(held, "strDim"), since_1904=False)
        labels += [str(place + 1) for place in range(len(labels), len(values))]
        name = child(item, "tx", "txData", "v")
        yield _Series(fold(name.text or "") if name is not None else "", ("", ""), tuple(labels), (tuple(values),))


def _axis(root: Element, *kinds: str) -> str:
    return next((text for kind in kinds for item in descendants(root, kind) if (text := _title(item))), "")


def _title(element: Element | None) -> str:
    title = child(element, "title")
    if title is None:
        return ""
    kinds = ("t", "v") if next(descendants(title, "t"), None) is not None else ("v",)
    return fold(" ".join(part.text or "" for part in title.iter() if local(part) == kinds[0]))
