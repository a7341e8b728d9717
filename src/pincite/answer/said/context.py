"""What a statement cannot be understood without: the block behind a colon, a command or code too; the question in front
of a "Yes" or "No". Whom a sentence that opens with a pronoun speaks of: said in brackets behind the pronoun, with
its sentence cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.answer.material.case import Case
from pincite.answer.material.passages import (
    LONGEST_QUOTE,
    Passage,
    blocks_of,
    headings_of,
    passages_of,
    slice_of,
    start_of,
)
from pincite.answer.material.sentences import EMPTY_IT, Sentence
from pincite.answer.said.statements import citations_of
from pincite.answer.words.facts import country_words, names_in
from pincite.printing import printed_lines
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord
from pincite.records.pages import Span

_LINE = re.compile(r"\d+")
_VERDICT = re.compile(r"(?:yes|no)\b\s*(?:[.,;:!–—-]|$)", re.I)

_NEXT = re.compile(r"\b(?:after|once|next)\b", re.I)
_LENGTH = re.compile(r"\bhow (?:long|many|much|soon)\b", re.I)
_NUMBERED = re.compile(r"\(?(?P<number>\d{1,2})[.)]\s")


def with_what_follows(case: Case, statements: Sequence[Statement]) -> list[Statement]:
    """The statements, those that end in a colon with what stands behind it, unless the next statement tells that; where
    the question asks what comes after something, the first, if it is a numbered item, with the next item."""
    behind = [*statements[1:], None]
    led = [_led(case, statement, after) for statement, after in zip(statements, behind, strict=False)]
    asks_next = _NEXT.search(case.question.text) is not None and _LENGTH.search(case.question.text) is None
    return [_with_next_item(case, statement) for statement in led[:1]] + led[1:] if asks_next else led


def _with_next_item(case: Case, statement: Statement) -> Statement:
    number = _NUMBERED.match(statement.text)
    if number is None or len(statement.citations) != 1:
        return statement
    cited = statement.citations[0]
    chunk = next(iter(case.around.chunks([cited.chunk_id])))
    behind = (passage for passage in passages_of(chunk) if start_of(passage) >= (cited.span.page, cited.span.end))
    item = next(behind, None)
    following = None if item is None or item.kind != "list_item" else _NUMBERED.match(item.text)
    if item is None or following is None or int(following["number"]) != int(number["number"]) + 1:
        return statement
    citations = (*statement.citations, *citations_of(item, chunk))
    return replace(statement, text=f"{statement.text} {item.text}", citations=citations)


def _led(case: Case, statement: Statement, after: Statement | None) -> Statement:
    is_told = after is not None and after.kind in ("step", "list")
    if not statement.text.endswith(":") or statement.kind in ("missing", "list") or not statement.citations or is_told:
        return statement
    last = statement.citations[-1]
    block = next((_block_behind(chunk, last.span) for chunk in case.around.chunks([last.chunk_id])), None)
    if block is None:
        return statement
    passage, chunk = block
    return replace(
        statement,
        text=f"{statement.text} {passage.text}",
        citations=(*statement.citations, *citations_of(passage, chunk)),
    )


def with_question(case: Case, statements: Sequence[Statement]) -> list[Statement]:
    """The statements, those that open with "Yes" or "No" behind the question that their text answers."""
    before = [None, *statements]
    return [_answering(case, statement, last) for statement, last in zip(statements, before, strict=False)]


def _answering(case: Case, statement: Statement, last: Statement | None) -> Statement:
    is_asked = last is not None and last.text.endswith("?")
    if is_asked or statement.kind != "quote" or statement.locator or not _VERDICT.match(statement.text):
        return statement
    cited = statement.citations[0]
    chunk = next(iter(case.around.chunks([cited.chunk_id])))
    earlier = [passage for passage in passages_of(chunk) if start_of(passage) < (cited.span.page, cited.span.start)]
    question = next(
        (passage for passage in (*earlier[-1:], *headings_of(chunk)[-1:]) if passage.text.endswith("?")), None
    )
    if question is None:
        return statement
    citations = (*statement.citations, *citations_of(question, chunk))
    return replace(statement, text=f"{question.text} {statement.text}", citations=citations)


def _block_behind(chunk: ChunkRecord, span: Span) -> tuple[Passage, ChunkRecord] | None:
    """The block that begins behind a span and is no footnote, as many of its lines as a quote may hold; None behind the
    last block, and in front of a heading."""
    place = (span.page, span.end)
    text = (block for block in blocks_of(chunk) if block and block[0].kind != "footnote")
    blocks = [block for block in text if start_of(block[0]) >= place]
    if not blocks or blocks[0][0].kind in ("heading", "caption"):
        return None
    lines: list[Passage] = []
    for line in blocks[0]:
        if sum(len(other.text) + 1 for other in (*lines, line)) > LONGEST_QUOTE:
            break
        lines.append(line)
    return (_joined(chunk, lines), chunk) if lines else None


def _joined(chunk: ChunkRecord, lines: Sequence[Passage]) -> Passage:
    """Lines of one block as one passage."""
    first, last = lines[0].spans[0], lines[-1].spans[-1]
    whole = Span(first.page, first.start, last.end)
    quote = slice_of(chunk, whole) or " ".join(line.quotes[0] for line in lines)
    return Passage(
        " ".join(line.text for line in lines),
        lines[0].kind,
        (whole,),
        (quote,),
        (_locator(lines[0].locators[0], lines[-1].locators[-1]),),
    )


def _locator(first: str | None, last: str | None) -> str | None:
    """Where a block stands by its first and its last line."""
    numbers = [int(number) for text in (first, last) for number in _LINE.findall(text or "")]
    is_lines = bool(first and first.startswith("line"))
    return printed_lines(numbers[0], numbers[-1]) if is_lines and numbers else first


MOST_BACK = 4
"""Sentences on end that may open with the same pronoun; behind more a reader has lost the name, too. By eye."""
_LEAD = r"(?:(?:In|On|At|By|From|Since|After|Before|During|Until)\s[^,.;:]{1,40}?,?\s)?"
_OPENS = re.compile(rf"(?:{_LEAD}(?P<person>he|she|his|her)|(?P<thing>it|they|its|their))\b(?!\s*\[)", re.I)
_IS_A = re.compile(r"(?P<subject>(?:(?:the|an?)\s)?[^,.;:()]{2,60}?)\s(?:is|are|was|were)\s(?:the|an?|one of)\s", re.I)
_BEHIND_PREPOSITION = re.compile(r"\b(?:in|at|of|from|near|for|on)\s+(?:the\s+)?$", re.I)


def with_names(case: Case, statements: Sequence[Statement]) -> list[Statement]:
    """The statements, those that open with a pronoun with its name in brackets."""
    return [_with_name(case, statement) for statement in statements]


def _with_name(case: Case, statement: Statement) -> Statement:
    start = len(statement.locator) + 2 if statement.locator else 0
    opening = _OPENS.match(statement.text, start)
    sentence = _sentence_of(case, statement) if opening else None
    found = None if sentence is None else _antecedent(case, sentence)
    if opening is None or found is None or statement.kind == "missing":
        return statement
    name, origin = found
    pronoun = (opening["person"] or opening["thing"]).casefold()
    is_owner = pronoun in ("his", "its", "their") or (pronoun == "her" and _owns(statement.text[opening.end() :]))
    shown = f" [{name}{'’s' if is_owner else ''}]"
    text = statement.text[: opening.end()] + shown + statement.text[opening.end() :]
    citations = (*statement.citations, *citations_of(origin.passage, origin.chunk))
    return replace(statement, text=text, citations=tuple({(c.source_id, c.span): c for c in citations}.values()))


def _owns(rest: str) -> bool:
    return bool(re.match(r"\s\w", rest))


def _sentence_of(case: Case, statement: Statement) -> Sentence | None:
    """The sentence that a statement opens with."""
    cited = statement.citations[0] if statement.citations else None
    fitting = (s for s in case.sentences if cited and s.chunk.chunk_id == cited.chunk_id)
    return next((s for s in fitting if cited and s.passage.spans[:1] == (cited.span,)), None)


def _antecedent(case: Case, sentence: Sentence) -> tuple[str, Sentence] | None:
    """The name that the pronoun at the beginning of a sentence stands for, with the sentence that has it: through
    sentences that open with the same kind of pronoun."""
    earlier = {s.position: s for s in case.sentences if s.chunk.chunk_id == sentence.chunk.chunk_id}
    current = sentence
    for _ in range(MOST_BACK):
        opening, before = _OPENS.match(current.text), earlier.get(current.position - 1)
        if opening is None or EMPTY_IT.match(current.text) or before is None or before.passage.kind != "paragraph":
            return None
        again = _OPENS.match(before.text)
        if again is None:
            name = _person(before.text) if opening["person"] else _thing(before.text)
            return (name, before) if name else None
        if bool(again["person"]) != bool(opening["person"]) or _differ(again.group(), opening.group()):
            return None
        current = before
    return None


def _differ(one: str, other: str) -> bool:
    """Whether two pronouns stand for others: "she" and "his"."""
    kinds = ({"he", "his"}, {"she", "her"}, {"it", "its"}, {"they", "their"})
    last = (one.rsplit(maxsplit=1)[-1].casefold(), other.rsplit(maxsplit=1)[-1].casefold())
    return not any(last[0] in kind and last[1] in kind for kind in kinds)


def _person(text: str) -> str | None:
    """The name of several words that opens a sentence which names nobody else: what else it names are places behind a
    preposition, and countries."""
    names = names_in(text)
    if not names or not text.startswith(names[0]) or " " not in names[0] or names[0].startswith("The "):
        return None
    countries = {word for word, _ in country_words(text)}
    others = (name for name in names[1:] if name not in countries)
    is_sure = all(" " not in name and _BEHIND_PREPOSITION.search(text[: text.find(name)]) for name in others)
    return names[0] if is_sure else None


def _thing(text: str) -> str | None:
    """What a sentence says to be something ("The Long Bridge is a bridge of steel")."""
    match = _IS_A.match(text)
    return match["subject"] if match and names_in(match["subject"]) else None
