"""Hyperlinks of Markdown, and what they call its places: headings by their words, elements by their `id`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from pincite.read.linked import LONGEST_HREF, MOST_LINKS
from pincite.records.pages import Block, Link, PlaceName, Span

_INLINE = re.compile(
    r"`[^`\n]{1,500}+`|"
    r"\[(?P<words>[^\[\]]{1,300}+)\]"
    r"(?:\(\s{0,3}+(?:<(?P<angled>[^<>\n]{1,500}+)>|(?P<href>[^\s()<>]{1,500}+))"
    r"(?:\s{1,9}+(?:\"[^\"\n]{0,300}+\"|'[^'\n]{0,300}+'))?\s{0,3}+\)"
    r"|\[(?P<label>[^\[\]\n]{0,100}+)\])?|"
    r"<a\s[^<>]{0,200}?\bhref=[\"'](?P<address>[^\"'<>\s]{1,500}+)[\"'][^<>]{0,200}+>"
    r"(?P<carrying>(?>(?:(?!</?a\b)[^\n]){1,300}))</a>",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"^ {0,3}\[(?P<label>[^\[\]\n]{1,100}+)\]:[ \t]{0,9}+<?(?P<href>[^\s<>]{1,500}+)", re.MULTILINE
)
_ELEMENT = re.compile(r"<[a-z][a-z\d]{0,10}+\s[^<>]{0,200}?\b(?:id|name)=[\"'](?P<name>[^\"'<>\s]{1,200}+)[\"']", re.I)
_STATED = re.compile(r"\{[^{}#\n]{0,100}+#(?P<name>[\w:.-]{1,200}+)[^{}\n]{0,100}+\}\s*+$")
_TARGET = re.compile(r"\]\([^()\s]{0,500}+\)")
_NOT_IN_NAME = re.compile(r"[^\w\s-]+")


def find_links(text: str, prose: Sequence[Span]) -> tuple[Link, ...]:
    """The links inside these spans of the text, in order; none in code."""
    defined = {_label(match["label"]): match["href"] for match in _DEFINITION.finditer(text)}
    return tuple(islice(_links(text, prose, defined), MOST_LINKS))


def find_names(text: str, blocks: Sequence[Block]) -> tuple[PlaceName, ...]:
    """What links call the headings and the elements of the text, in order."""
    headings = [item.span for item in blocks if item.kind == "heading"]
    named = [PlaceName(match["name"], match.start()) for match in _ELEMENT.finditer(text)]
    named += _names_of_headings(text, headings)
    return tuple(sorted(named, key=lambda item: (item.start, item.name))[:MOST_LINKS])


def _links(text: str, prose: Sequence[Span], defined: dict[str, str]) -> Iterator[Link]:
    for span in prose:
        for match in _INLINE.finditer(text, span.start, span.end):
            carrier = "carrying" if match["carrying"] else "words"
            words = match[carrier]
            if words is None or (match.start() and text[match.start() - 1] == "!"):
                continue
            written = match["address"] or match["angled"] or match["href"]
            href = written or defined.get(_label(match["label"] or words))
            if href and words.strip() and len(href) <= LONGEST_HREF:
                yield Link(Span(span.page, *match.span(carrier)), href)


def _names_of_headings(text: str, headings: Sequence[Span]) -> Iterator[PlaceName]:
    """The name that a heading states, and the one made of its words; the second of a kind has "-1" behind it."""
    counts: Counter[str] = Counter()
    for span in headings:
        words = text[span.start : span.end]
        stated = _STATED.search(words)
        if stated:
            yield PlaceName(stated["name"], span.start)
            words = words[: stated.start()]
        plain = _NOT_IN_NAME.sub("", _TARGET.sub("", words)).strip().lower()
        name = re.sub(r"\s", "-", plain)
        if name:
            yield PlaceName(f"{name}-{counts[name]}" if counts[name] else name, span.start)
            counts[name] += 1


def _label(label: str) -> str:
    return " ".join(label.casefold().split())
