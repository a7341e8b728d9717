"""A value that is given for a class: the row that says which class it is, then the table or note with its value.

"What load for a roof that is not accessible?" is answered by "H: roofs not accessible", then by what stands for
"category H" (docs/answers.md, 3 and 3b).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.answer.asked.question import asked_quantity, families_of, roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passage, Passaged, lines_of
from pincite.answer.material.rows import CAPTION, table_label
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.plans.enough import MOST_CHUNKS, MOST_CONDITIONS, READ_WHOLE
from pincite.answer.said.statements import stated, told
from pincite.answer.words.facts import has_value
from pincite.answer.words.vocabulary import pattern_of, phrases_of, words_of
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

LEAST_PRECISION = 0.6
"""Of the words of a description: with less, another class has as many. By eye, not measured."""
FOLLOWED = 2
"""Places: a note that points to more is a list of references. By eye, not measured."""
MOST_SOURCES = 2
"""Documents: those beyond the two best have classes of other things. By eye, not measured."""

_HEAD = re.compile(rf"\b(?P<head>{phrases_of('standards', 'classes')})\b", re.I)
# The row of a table of classes: a short label, then words and no number.
_ROW = re.compile(
    r"^(?:[-•–]\s*)?(?P<label>[A-Z]{1,2}\d?|[IVX]{1,4}|\d{1,2})[\s:.)]+(?P<what>(?!is\b|are\b|the\b)[^\W\d_][^\d]{5,})"
)
_CLASS_TABLE = re.compile(r"^(?:Table|Tab\.)\s[^\n]*\b(?:categor|classi|class|type|zone|group)", re.I | re.M)
_TABLES = re.compile(r"\bTable\s+[A-Z]?\.?\d+(?:[.\-]\d+)*")
_NOTE = re.compile(r"\bNOTE(?:\s+\d+)?\b")
# The note behind the first one, to its end.
_NEXT_NOTE = re.compile(r"\s+NOTE\s+\d+\b.*$", re.S)
_RECOMMENDED = pattern_of("standards", "recommended_values")
_MAY_BE_SET = pattern_of("standards", "may_be_set")
_SEE_ALSO = re.compile(r"\bsee also\s+(?P<number>[A-Z]?\.?\d+(?:\.\d+)*\s?\(\d+\))", re.I)
# A range that reading lost an end of: "2,0 to 1,5 to 4,5", "2,0 to".
_LOST_CELL = re.compile(r"\bto\s+[\d.,]+\s+to\b|\bto\s*$|\bto[^\w\s]+\S*\d?")


@dataclass(frozen=True, slots=True)
class ClassRow:
    """The row of a table that says what a class is: `name` is "category H", `table` the label of its table."""

    name: str
    line: Passage
    chunk: ChunkRecord
    table: str | None


def classified(case: Case) -> list[Statement]:
    """What stands for the class that the question describes: its value, the class, and who may set another."""
    if case.question.expected not in ("number", "value"):
        return []
    row = max(_rows(case), key=lambda found: found[0], default=None)
    if row is None:
        return []
    chunk = _value_chunk(case, row[1])
    if chunk is None:
        return []
    values = _cell(chunk, row[1]) or _recommended(chunk, row[1])
    return [*values, _class_itself(row[1]), *_conditions(chunk, row[1]), *_see_also(case, chunk)] if values else []


def _rows(case: Case) -> Iterator[tuple[tuple[int, float, int], ClassRow]]:
    """The rows whose description the question holds, apart from the name of the quantity, with how well."""
    languages = case.retrieval.query.languages
    quantity = frozenset().union(*families_of(asked_quantity(case.question) or "", languages), frozenset())
    asked = case.question.roots - quantity
    plain = quantity.union(*families_of(" ".join(words_of("standards", "class_words")), ("en",)))
    for rank, chunk in enumerate(_class_tables(case)):
        head, table = None, None
        for line in lines_of(chunk):
            text = " ".join(line.text.split())
            caption = CAPTION.match(text)
            head, table = _HEAD.search(text) or head, caption["label"] if caption else table
            match = _ROW.match(text)
            if match is None or head is None:
                continue
            words = [word for word in families_of(match["what"], (chunk.language,)) if word.isdisjoint(plain)]
            hits = sum(not word.isdisjoint(asked) for word in words)
            if hits and hits / len(words) >= LEAST_PRECISION:
                name = f"{_singular(head['head'])} {match['label']}"
                yield (hits, hits / len(words), -rank), ClassRow(name, line, chunk, table)


def _class_tables(case: Case) -> list[ChunkRecord]:
    """The best chunks, and those of their documents that hold a table of classes."""
    near = [item.chunk for item in case.retrieval.evidence[:READ_WHOLE]]
    sources = list(dict.fromkeys(chunk.source_id for chunk in near))[:MOST_SOURCES]
    whole = [chunk for source_id in sources for chunk in case.around.document(source_id)[:MOST_CHUNKS]]
    tables = [chunk for chunk in whole if _CLASS_TABLE.search(chunk.content)]
    return list({chunk.chunk_id: chunk for chunk in (*near, *tables)}.values())


def _singular(head: str) -> str:
    lower = head.lower()
    return {"categories": "category", "classes": "class"}.get(
        lower, lower.removesuffix("s") if lower != "class" else lower
    )


def _value_chunk(case: Case, row: ClassRow) -> ChunkRecord | None:
    """The chunk that speaks of this class and most of the question in a caption, and holds values."""
    pattern = _pattern(row)
    best: tuple[int, ChunkRecord | None] = (0, None)
    for chunk in case.around.document(row.chunk.source_id)[:MOST_CHUNKS]:
        if not pattern.search(chunk.content) or chunk.chunk_id == row.chunk.chunk_id or not has_value(chunk.content):
            continue
        captions = " ".join(line.text for line in lines_of(chunk) if CAPTION.match(line.text))
        held = roots_of(captions, chunk.language)
        score = sum(not word.isdisjoint(held) for word in case.question.words) + bool(pattern.search(captions))
        if score > best[0]:
            best = (score, chunk)
    return best[1]


def _pattern(row: ClassRow) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(row.name)}\b", re.I)


def _cell(chunk: ChunkRecord, row: ClassRow) -> list[Statement]:
    """The row of the class in the table of values, as it stands; a row that lost cells is said to have."""
    caption = None
    for line in lines_of(chunk):
        caption = line if CAPTION.match(line.text) else caption
        if caption is None or not re.match(rf"{re.escape(row.name)}\b.*\d", line.text, re.I):
            continue
        cited = [(caption, chunk), (line, chunk)]
        name = line.text[: len(row.name)]
        text = f"{name}: cannot be read, see the page itself" if _LOST_CELL.search(line.text) else line.text
        return [stated(text, "value", cited, locator=table_label(caption))]
    return []


def _recommended(chunk: ChunkRecord, row: ClassRow) -> list[Statement]:
    """The recommended values behind the first sentence on the class, with the note that they stand in."""
    sentences = sentences_of_chunk(chunk, None, 0)
    pattern, table, note, named = _pattern(row), None, None, None
    for index, sentence in enumerate(sentences):
        table = table_label(sentence.passage) or table
        note = next(iter(_NOTE.findall(sentence.text)), note)
        named = sentence if pattern.search(sentence.text) and has_value(sentence.text) else named
        following = sentences[index + 1] if index + 1 < len(sentences) else None
        if named is None or not _RECOMMENDED.search(sentence.text):
            continue
        told = [sentence, following] if sentence.text.endswith(":") and following else [sentence]
        said = _NEXT_NOTE.sub("", " ".join(item.text for item in told))
        if has_value(said):
            locator = ", ".join(part for part in (table, note) if part) or None
            found = pattern.search(named.text)
            opening = f"For {found.group() if found else row.name}: "
            return [stated(f"{opening}{said}", "value", _passaged([named, *told]), locator=locator)]
    return []


def _passaged(sentences: Sequence[Sentence]) -> list[Passaged]:
    return [(sentence.passage, sentence.chunk) for sentence in sentences]


def _class_itself(row: ClassRow) -> Statement:
    return stated(row.line.text, "definition", [(row.line, row.chunk)], locator=row.table)


def _conditions(chunk: ChunkRecord, row: ClassRow) -> list[Statement]:
    """What else the clause says of the class: its range, which values are recommended, who may set others. What speaks
    of another table is left out."""
    pattern, made = _pattern(row), []
    sentences = sentences_of_chunk(chunk, None, 0)
    own = {label for s in sentences if (label := table_label(s.passage))}
    for sentence in sentences:
        text = _NEXT_NOTE.sub("", sentence.text)
        tells = (_RECOMMENDED.search(text) and not text.endswith(":")) or _MAY_BE_SET.search(text)
        others = set(_TABLES.findall(text)) - own
        if sentence.passage.kind not in ("caption", "table") and not others and (pattern.search(text) or tells):
            made.append(told(sentence, "fact", text))
    return made[:MOST_CONDITIONS]


def _see_also(case: Case, chunk: ChunkRecord) -> list[Statement]:
    """The first sentences of the places that the notes of the clause point to ("See also 3.3.2 (1)")."""
    pointed = [
        target
        for reference, target in case.around.targets(chunk)
        if re.search(rf"\bsee also\s+(?:\w+\s+)?{re.escape(reference.text)}", chunk.content, re.I)
    ]
    made = []
    for target in (pointed or _numbered(case, chunk))[:FOLLOWED]:
        sentences = [s for s in sentences_of_chunk(target, None, 0) if s.passage.kind != "caption"]
        made += [told(sentence, "fact") for sentence in sentences[:1]]
    return made


def _numbered(case: Case, chunk: ChunkRecord) -> list[ChunkRecord]:
    """The clauses of the same document whose bare numbers stand behind "see also"."""
    numbers = {"".join(match["number"].split()) for match in _SEE_ALSO.finditer(chunk.content)}
    whole = case.around.document(chunk.source_id) if numbers else []
    return [other for other in whole if (other.section_number or "").removesuffix("P") in numbers]
