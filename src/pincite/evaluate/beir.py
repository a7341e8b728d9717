"""Loading a set in BEIR layout: `corpus.jsonl`, `queries.jsonl`, `qrels/SPLIT.tsv`, each also as .gz.

Rows that share `metadata.document` are the pages of one document in file order; any other row is a document of
one page, its title a heading above its text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.evaluate.files import content_key, existing, json_rows, open_text
from pincite.records.pages import Block, Document, Page, Span
from pincite.records.sources import Source

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its relevant rows (corpus id to score above 0) and its gold answers, if the set has some."""

    id: str
    text: str
    gold: Mapping[str, float]
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BeirSet:
    """A loaded set. `rows` names the corpus row of each page as (source id, page number) to corpus id."""

    name: str
    split: str
    corpus_key: str
    documents: tuple[tuple[Source, Document], ...]
    rows: Mapping[Place, str]
    questions: tuple[Question, ...]


def load_set(folder: Path, split: str | None = None) -> BeirSet:
    """Read a set; questions without relevant rows are left out. UsageError where a file is missing or malformed."""
    corpus = existing(folder / "corpus.jsonl")
    judgements = _split_file(folder, split)
    documents, rows = _documents(json_rows(corpus))
    return BeirSet(
        name=folder.resolve().name,
        split=judgements.name.partition(".")[0],
        corpus_key=content_key(corpus),
        documents=documents,
        rows=rows,
        questions=_questions(existing(folder / "queries.jsonl"), _read_judgements(judgements)),
    )


def _split_file(folder: Path, split: str | None) -> Path:
    if split is not None:
        return existing(folder / "qrels" / f"{split}.tsv")
    found = sorted((folder / "qrels").glob("*.tsv*"))
    if len(found) != 1:
        names = ", ".join(path.name.partition(".")[0] for path in found) or "none"
        raise UsageError(f"{folder / 'qrels'} does not hold one split but {names}: choose with --split")
    return found[0]


def _read_judgements(path: Path) -> dict[str, dict[str, float]]:
    """Query id to corpus id to score; scores of 0 and below are left out, and so is the line of headings."""
    gold: dict[str, dict[str, float]] = {}
    with open_text(path) as stream:
        for number, line in enumerate(stream, start=1):
            cells = line.rstrip("\n").split("\t")
            if cells == [""] or (number == 1 and cells[-1] == "score"):
                continue
            try:
                query_id, corpus_id, score = cells[0], cells[-2], float(cells[-1])
            except (IndexError, ValueError) as error:
                raise UsageError(
                    f"{path}, line {number} is not query-id, corpus-id, score: correct the line"
                ) from error
            if score > 0:
                gold.setdefault(query_id, {})[corpus_id] = score
    return gold


def _questions(path: Path, gold: Mapping[str, Mapping[str, float]]) -> tuple[Question, ...]:
    return tuple(
        Question(str(row["_id"]), str(row["text"]), gold[str(row["_id"])], _answers(row.get("metadata") or {}))
        for row in json_rows(path)
        if str(row["_id"]) in gold
    )


def _answers(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    answer = metadata.get("answer")
    return () if not isinstance(answer, str) else (answer, *metadata.get("answer_aliases", ()))


def _documents(corpus: Iterable[Mapping[str, Any]]) -> tuple[tuple[tuple[Source, Document], ...], dict[Place, str]]:
    """Documents in the order of their first rows, and the corpus id of each page."""
    titles: dict[str, str] = {}
    pages: dict[str, list[Page]] = {}
    rows: dict[Place, str] = {}
    for row in corpus:
        corpus_id, title = str(row["_id"]), str(row.get("title") or "")
        shared = (row.get("metadata") or {}).get("document")
        source_id = str(shared or corpus_id)
        held = pages.setdefault(source_id, [])
        number = len(held) + 1
        titles.setdefault(source_id, str(shared or title or corpus_id))
        held.append(_shared_page(number, row) if shared else _single_page(title, str(row.get("text") or "")))
        rows[source_id, number] = corpus_id
    return tuple(_document(source_id, titles[source_id], held) for source_id, held in pages.items()), rows


def _shared_page(number: int, row: Mapping[str, Any]) -> Page:
    """A row without a section number gets its place as one: sections, and so chunks, never cross rows."""
    text = str(row.get("text") or "")
    return Page(number, text, _paragraph(number, text, 0), section=str(row["metadata"].get("section") or number))


def _single_page(title: str, text: str) -> Page:
    if not title:
        return Page(1, text, _paragraph(1, text, 0))
    joined = f"{title}\n{text}"
    heading = Block("heading", Span(1, 0, len(title)), level=1)
    return Page(1, joined, (heading, *_paragraph(1, joined, len(title) + 1)))


def _paragraph(number: int, text: str, start: int) -> tuple[Block, ...]:
    return (Block("paragraph", Span(number, start, len(text))),) if text[start:].strip() else ()


def _document(source_id: str, title: str, pages: list[Page]) -> tuple[Source, Document]:
    content = "\f".join(page.text for page in pages).encode("utf-8", "surrogatepass")
    source = Source(source_id, "given", hashlib.sha256(content).hexdigest(), size=len(content))
    return source, Document(tuple(pages), reader="given", title=title)
