"""XML and HTML from strangers: no entities, no network, bounded depth; elements are known by their local names."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import IO, Any
from zipfile import BadZipFile

from lxml import etree

from pincite.errors import ReadError

Element = Any
MAX_SPAN = 1000
MOST_INHERITED = 20
_SAFE = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
_RESOURCE_LIMIT = "ERR_RESOURCE_LIMIT"


def parse_xml(data: bytes, name: str) -> Element:
    """The root element of an XML part; raises ReadError for malformed XML and for any document type declaration."""
    if b"<!DOCTYPE" in data.replace(b"\0", b""):
        raise ReadError(f"its part {name} declares entities, which no such file needs (an attack?)")
    try:
        return etree.fromstring(data, etree.XMLParser(**_SAFE))
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _damaged(name, error) from error


def stream_xml(file: IO[bytes], name: str, root: str, wanted: frozenset[str]) -> Iterator[Element]:
    """Each element with a local name in `wanted` below one named `root`, as it ends; it is emptied after use, so that
    memory stays flat."""
    try:
        events = etree.iterparse(
            file,
            events=("start", "end"),
            tag=[f"{{*}}{tag}" for tag in (root, *wanted)],
            **_SAFE,
        )
        for event, element in events:
            if event == "start":
                _refuse_doctype(element, name)
            elif local(element) in wanted:
                yield element
                _forget(element)
    except (etree.XMLSyntaxError, zlib.error, BadZipFile, OSError, EOFError, ValueError) as error:
        raise _damaged(name, error) from error


def parse_html(text: str) -> Element | None:
    """The root element of an HTML text, None where there is none; ReadError where it is nested too deeply."""
    parser = etree.HTMLParser(no_network=True, huge_tree=True, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise ReadError(f"cannot be parsed as HTML ({_one_line(error)})") from error
    if any(entry.type_name == _RESOURCE_LIMIT for entry in parser.error_log):
        raise ReadError("its HTML is nested too deeply")
    return root


def local(element: Element) -> str:
    """The tag without its namespace; empty for what is no element."""
    tag = element.tag
    return _local_name(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=4096)
def _local_name(tag: str) -> str:
    return tag.rpartition("}")[2]


def attribute(element: Element | None, name: str, default: str = "") -> str:
    """The value of an attribute by local name, whatever its namespace; `default` where there is none."""
    if element is None:
        return default
    value = element.get(name)
    if value is not None:
        return str(value)
    for key, value in element.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return default


def number(value: str, default: int = 0) -> int:
    """A whole number as XML writes it, `default` where it is none."""
    try:
        return int(value)
    except ValueError:
        return default


def span_of(element: Element | None, name: str) -> int:
    """How many rows or columns an attribute says that a cell covers: at least 1, at most `MAX_SPAN`."""
    return min(max(number(attribute(element, name), 1), 1), MAX_SPAN)


def child(element: Element | None, *names: str) -> Element | None:
    """The element down a path of local names (`child(p, "pPr", "numPr")`), None where a step is missing."""
    for name in names:
        if element is None:
            return None
        element = next(element.iterchildren(f"{{*}}{name}"), None)
    return element


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """The children of the element down a path of local names; none where a step is missing."""
    found = child(element, *names)
    return iter(found if found is not None else ())


def descendants(element: Element | None, name: str) -> Iterator[Element]:
    """All elements of this local name below (and including) an element, in document order."""
    return iter(element.iter(f"{{*}}{name}") if element is not None else ())


def text_of(element: Element | None) -> str:
    """The text of an element, without what stands in others below it."""
    return "" if element is None else element.text or ""


def inherited(elements: Mapping[str, Element], name: str, base_of: Callable[[Element], str]) -> list[Element]:
    """A style of this name and those that it is based on, the base first."""
    chain: list[Element] = []
    while name in elements and len(chain) < MOST_INHERITED:
        chain.append(elements[name])
        name = base_of(chain[-1])
    return chain[::-1]


def see_through(element: Element, wrappers: frozenset[str], *, choose: Callable[[Element], bool]) -> Iterator[Element]:
    """Children, with those named in `wrappers` replaced by their own children; only what `choose` accepts."""
    for item in element:
        name = local(item)
        if name in wrappers:
            yield from see_through(item, wrappers, choose=choose)
        elif choose(item):
            yield item


def _refuse_doctype(element: Element, name: str) -> None:
    if element.getroottree().docinfo.internalDTD is not None:
        raise ReadError(f"its part {name} declares entities, which no such file needs (an attack?)")


def _forget(element: Element) -> None:
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def _damaged(name: str, error: Exception) -> ReadError:
    if "Excessive depth" in str(error):
        return ReadError(f"its part {name} is nested too deeply")
    return ReadError(f"is damaged: its part {name} is no well-formed XML ({_one_line(error)})")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:120]
