"""How citations and statements are printed (docs/design.md section 7)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from pincite.printing import printed_name
from pincite.records.answers import Statement
from pincite.records.citations import Citation

NOT_IN_SOURCE = "[?]"
"""Stands behind a word of a language model that its source does not have."""
MOST_ALSO = 4
"""Other places that are named: what stands in more of them is told as their number. By eye, not measured."""
NOT_FOUND = re.compile(r"^No information found (?:about|on) ")
"""How a statement on what was not found begins."""


def with_names_apart(statements: Sequence[Statement], source_ids: Collection[str]) -> list[Statement]:
    """The statements, each citation with as much of its path as tells it apart from the other sources."""
    cited = {c.source_id: c.filename for s in statements for c in (*s.citations, *s.also)}
    alike = dict[str, list[str]]((name, []) for name in cited.values())
    for other in source_ids:
        if (name := other.rpartition("/")[2]) in alike:
            alike[name].append(other)
    names = {source_id: _apart(source_id, alike[name]) for source_id, name in cited.items() if len(alike[name]) > 1}

    def named(citations: Sequence[Citation]) -> tuple[Citation, ...]:
        return tuple(replace(c, filename=names.get(c.source_id, c.filename)) for c in citations)

    return (
        [replace(s, citations=named(s.citations), also=named(s.also)) for s in statements] if names else [*statements]
    )


def _apart(source_id: str, alike: Collection[str]) -> str:
    """The shortest end of a path that no other has."""
    parts = source_id.split("/")
    ends = ("/".join(parts[-count:]) for count in range(2, len(parts) + 1))
    return next((end for end in ends if sum(f"/{other}".endswith(f"/{end}") for other in alike) == 1), source_id)


def ambiguous_filenames(citations: Iterable[Citation]) -> dict[str, str]:
    """For each source whose filename another cited source has too: what tells it apart (its source id)."""
    sources = {citation.source_id: citation.filename for citation in citations}
    shared = Counter(sources.values())
    return {source_id: source_id for source_id, filename in sources.items() if shared[filename] > 1}


def printed_citation(citation: Citation, told_apart: Mapping[str, str]) -> str:
    """`(filename, p.N)`, `(book.xlsx, Sheet1!B4:F9)`, `(notes.md, lines 10-14)`; a shared filename as its path."""
    name = printed_name(told_apart.get(citation.source_id, citation.filename))
    place = f"p.{citation.page}" if citation.page is not None else citation.locator
    return f"({name}, {place})" if place else f"({name})"


def printed_citations(citations: Sequence[Citation], told_apart: Mapping[str, str]) -> str:
    """Each place once, in order."""
    return " ".join(dict.fromkeys(printed_citation(citation, told_apart) for citation in citations))


def printed_statement(statement: Statement, told_apart: Mapping[str, str]) -> str:
    """The statement with its citations behind it, the first of other places that say the same in `also`; behind what
    was not found, where was looked."""
    if statement.citations and NOT_FOUND.match(statement.text):
        return f"{statement.text} (looked in: {'; '.join(_places(statement.citations, told_apart))})"
    parts = [
        _marked(statement, _text_beside_citations(statement)).rstrip(),
        printed_citations(statement.citations, told_apart),
    ]
    if statement.also:
        parts.append(f"(also: {'; '.join(_first(_places(statement.also, told_apart)))})")
    return " ".join(part for part in parts if part)


def _places(citations: Sequence[Citation], told_apart: Mapping[str, str]) -> list[str]:
    """Each place once, in order, without its brackets."""
    return list(dict.fromkeys(printed_citation(citation, told_apart)[1:-1] for citation in citations))


def _first(places: Sequence[str]) -> list[str]:
    """The first of many places, and how many more there are."""
    if len(places) <= MOST_ALSO + 1:
        return list(places)
    return [*places[:MOST_ALSO], f"{len(places) - MOST_ALSO} more"]


def _marked(statement: Statement, text: str) -> str:
    """The text with a sign behind each word that the quotes do not hold."""
    if text != statement.text:
        return text
    for mark in sorted(statement.marks, key=lambda mark: -mark.end):
        text = f"{text[: mark.end]}{NOT_IN_SOURCE}{text[mark.end :]}"
    return text


def _text_beside_citations(statement: Statement) -> str:
    """The text without the section number in front where its citations name the section."""
    named = {(citation.locator or "").partition(",")[0] for citation in statement.citations}
    if named != {f"sec. {statement.locator}"}:
        return statement.text
    return statement.text.removeprefix(f"{statement.locator}: ")


def printed_summary(statements: Sequence[Statement]) -> str:
    """All statements, one a line."""
    told_apart = ambiguous_filenames(c for s in statements for c in (*s.citations, *s.also))
    return "\n".join(printed_statement(statement, told_apart) for statement in statements)
