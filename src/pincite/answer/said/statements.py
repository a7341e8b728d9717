"""From sentences to statements: the locator in front, a citation for each slice, where the same stands besides."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from pincite.answer.material.passages import Passage, Passaged, passages_of
from pincite.answer.material.sentences import Sentence
from pincite.answer.material.units import Unit
from pincite.records.answers import Statement, StatementKind
from pincite.records.chunks import ChunkRecord
from pincite.records.citations import Citation

_LABEL = re.compile(r"\([^()]*\)P?$")
# Text recognition reads the "1" of "(1)" as a letter.
_OWN_LABEL = re.compile(r"[^\w(]*\((?P<digits>\d{1,3}|[lI])\)(?P<principle>P?)\s+(?=\S)")
# A dash before a figure may be its sign.
_BULLET = re.compile(r"^(?:[•●▪◦■‣]\s+(?=\S)|[*–-]\s+(?=[^\W\d_]))")

Chunks = Callable[[Sequence[str]], list[ChunkRecord]]


def quoted(sentence: Sentence, confidence: float, chunks: Chunks) -> Statement:
    """The sentence itself as a statement, without the sign of an item in front."""
    locator, text = locator_and_text(sentence.chunk.section_number, _BULLET.sub("", sentence.text))
    return Statement(
        text=f"{locator}: {text}" if locator else text,
        kind="value" if sentence.passage.kind == "table" else "quote",
        citations=citations_of(sentence.passage, sentence.chunk),
        locator=locator,
        also=_also(sentence, chunks),
        confidence=round(min(1.0, max(0.0, confidence)), 4),
    )


def told_by(unit: Unit, confidence: float, chunks: Chunks) -> list[Statement]:
    """A unit sentence by sentence, in front of one that leans on a heading inside its section that heading; a list as
    one statement."""
    if not unit.is_list:
        first, *others = [quoted(sentence, confidence, chunks) for sentence in unit.sentences]
        return [_below_heading(first, unit.sentences[0]), *others]
    locator, text = locator_and_text(unit.chunk.section_number, unit.text)
    made = stated(text, "quote", [(s.passage, s.chunk) for s in unit.sentences], locator=locator)
    return [replace(made, confidence=round(confidence, 4))]


def _below_heading(statement: Statement, sentence: Sentence) -> Statement:
    """What a sentence says, behind the heading inside its section that it leans on."""
    heading = sentence.below
    if heading is None or not sentence.points_back:
        return statement
    start = len(statement.locator) + 2 if statement.locator else 0
    text = f"{statement.text[:start]}{heading.text}: {statement.text[start:]}"
    return replace(statement, text=text, citations=(*citations_of(heading, sentence.chunk), *statement.citations))


def stated(
    text: str, kind: StatementKind, cited: Sequence[Passaged], *, locator: str | None = None, part: str | None = None
) -> Statement:
    """A statement in words of our own order, on these passages of chunks."""
    citations = [citation for passage, chunk in cited for citation in citations_of(passage, chunk)]
    unique = tuple({(c.source_id, c.span): c for c in citations}.values())
    return Statement(f"{locator}: {text}" if locator else text, kind, unique, part=part, locator=locator)


def told(sentence: Sentence, kind: StatementKind, text: str | None = None) -> Statement:
    """A sentence as a statement below its locator; `text` is said in place of all of it."""
    locator, said = locator_and_text(sentence.chunk.section_number, text or sentence.text)
    return stated(said, kind, [(sentence.passage, sentence.chunk)], locator=locator)


def locator_and_text(number: str | None, text: str) -> tuple[str | None, str]:
    """The section number to print in front, and the text without the number or its last part ("(2)P", the "154" of
    "para. 154") at its start. Where the text opens with another paragraph's label, that one counts."""
    if not number:
        return None, text
    label, own = _LABEL.search(number), _OWN_LABEL.match(text)
    if label and own:
        digits = "1" if own["digits"] in "lI" else own["digits"]
        return f"{number[: label.start()]}({digits}){own['principle']}", text[own.end() :]
    paragraph = re.search(r"(?<=\s)\d+$", number)
    starts = [number, label.group() if label else number, f"{paragraph.group()}." if paragraph else number]
    for start in starts:
        if text.startswith(start) and text[len(start) :].strip():
            return number, text[len(start) :].lstrip(" .:")
    return number, text


def citations_of(passage: Passage, chunk: ChunkRecord) -> tuple[Citation, ...]:
    """One citation for each slice that the passage stands on."""
    labels = dict(zip(chunk.pages, chunk.labels, strict=False))
    return tuple(
        Citation(
            filename=chunk.filename,
            source_id=chunk.source_id,
            page=span.page if chunk.paged else None,
            locator=chunk.section_number if chunk.paged else locator,
            label=labels.get(span.page),
            chunk_id=chunk.chunk_id,
            span=span,
            quote=quote,
        )
        for span, quote, locator in zip(passage.spans, passage.quotes, passage.locators, strict=True)
    )


def _also(sentence: Sentence, chunks: Chunks) -> tuple[Citation, ...]:
    """Where the very same sentence stands in the chunks that were merged into this one."""
    if sentence.evidence is None or not sentence.evidence.also:
        return ()
    wanted = _folded(sentence.text)
    others = chunks([place.chunk_id for place in sentence.evidence.also])
    return tuple(
        citation
        for chunk in others
        for passage in passages_of(chunk)
        if _folded(passage.text) == wanted
        for citation in citations_of(passage, chunk)
    )


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
