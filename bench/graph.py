"""Measure the graph: python -m bench.graph DATA STORES OUT.json

Building it (mentions and network) from 1,000, 10,000 and 100,000 chunks, on one core; the graph's part of a question
(names, walk, features) at 13,000 and 100,000. Triplets are read beforehand, which is not counted, and enter the
network. The chunks are the rows of all corpora in DATA; where these are too few,
they come again with a number behind each capitalised word, so that the names are others. Building is counted in
seconds of the processor.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from pathlib import Path

import numpy as np

from bench.figures import write_figures
from pincite.build.stages import LEAST_CONFIDENCE
from pincite.evaluate.retrieval import BeirSet, load_set
from pincite.graph.concepts import find_concepts
from pincite.graph.mentions import find_mentions
from pincite.graph.names import names_in, title_names
from pincite.graph.network import ChunkNames, EntityNetwork, NetworkBuilder
from pincite.graph.ontology import shipped_ontology
from pincite.graph.relations import NamesTold
from pincite.graph.triplet_sources import candidate_sentences
from pincite.graph.triplets import extract_all
from pincite.graph.walk import walk
from pincite.records.pages import Block, Document, Page
from pincite.retrieve.graph_features import QuestionInGraph, graph_features
from pincite.text.tokens import hashes_of, tokenise

SIZES = (1_000, 10_000, 100_000)
ASKED_SIZES = (13_000, 100_000)
QUESTIONS = 100
POOL = 250
SEEDS = 50
_CAPITALISED = re.compile(r"\b[A-Z][a-z]+\b")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A document of one page, and what its triplets tell: subject, object and confidence."""

    document: Document
    told: Sequence[tuple[str, str, float]]


def chunks(loaded: list[BeirSet]) -> Iterator[Chunk]:
    """A chunk for each row, without end."""
    told: dict[str, Sequence[tuple[str, str, float]]] = {}
    for turn in count():
        suffix = f"{turn}" if turn else ""
        for found in loaded:
            for page in (page for _, document in found.documents for page in document.pages):
                if page.text not in told:
                    told[page.text] = read(one_page(page, ""))
                renamed = [
                    (numbered(one, suffix), numbered(other, suffix), sure) for one, other, sure in told[page.text]
                ]
                yield Chunk(one_page(page, suffix), renamed)


def read(document: Document) -> list[tuple[str, str, float]]:
    """What the rules read in a document."""
    sentences = [sentence.text for sentence in candidate_sentences(document, find_mentions(document, ()))]
    found = chain.from_iterable(extract_all(sentences, shipped_ontology()))
    return [(raw.subject_text, raw.arguments[0], raw.confidence) for raw in found if raw.confidence >= LEAST_CONFIDENCE]


def numbered(text: str, suffix: str) -> str:
    """The text with the suffix behind each capitalised word."""
    return _CAPITALISED.sub(lambda word: word.group() + suffix, text) if suffix else text


def one_page(page: Page, suffix: str) -> Document:
    """The page alone, with the suffix behind each capitalised word."""
    parts, blocks, position = [], [], 0
    for block in page.blocks:
        text = numbered(page.text[block.span.start : block.span.end], suffix)
        blocks.append(Block(block.kind, replace(block.span, page=1, start=position, end=position + len(text))))
        parts.append(text)
        position += len(text) + 1
    return Document((Page(1, "\n".join(parts), tuple(blocks)),), reader="given")


def build(given: list[Chunk]) -> tuple[EntityNetwork, float]:
    """The network of these chunks and the processor seconds that it took; the keyword index makes the tokens anyway."""
    tokens = [tokenise(chunk.document.pages[0].text, "en") for chunk in given]
    started = time.process_time()
    builder = NetworkBuilder()
    for chunk, words in zip(given, tokens, strict=True):
        told = [NamesTold(names_in(subject), names_in(target), sure) for subject, target, sure in chunk.told]
        titles = titles_of(chunk.document.pages[0])
        builder.add(ChunkNames(titles, find_mentions(chunk.document, ()), words, told))
    return builder.build(), time.process_time() - started


def titles_of(page: Page) -> dict[str, tuple[str, ...]]:
    """The heading's names with their tokens."""
    headings = (page.text[b.span.start : b.span.end] for b in page.blocks if b.kind == "heading")
    return {name: tuple(tokenise(name, "en")) for heading in headings for name in title_names(heading)}


def ask(network: EntityNetwork, question: str) -> None:
    """The graph's part of one question; the best chunks of other channels are taken from all over the store."""
    size = len(network.chunk_sums)
    concepts = find_concepts(network, question, ("en",))
    entities = np.array(sorted({concept.entity for concept in concepts}), np.int64)
    pool = np.unique(np.linspace(0, size - 1, POOL).astype(np.int64))
    seeds = (pool[:SEEDS], np.full(SEEDS, 0.1 / SEEDS))
    walked = walk(network, (entities, np.full(len(entities), 0.9 / max(len(entities), 1))), seeds)
    asked = QuestionInGraph(hashes_of(set(tokenise(question, "en"))), hashes_of([]), entities, walked)
    graph_features(network, asked, pool, np.linspace(1, 0, len(pool)))


def main(data: Path, _: Path, target: Path) -> None:
    """Measure and write."""
    loaded = [
        load_set(folder.parent) for folder in sorted(data.glob("*/corpus.jsonl*")) if "xref" not in folder.parent.name
    ]
    questions = [question.text for found in loaded for question in found.questions if question.answers][:QUESTIONS]
    given = list(islice(chunks(loaded), max(SIZES)))
    figures: dict[str, float] = {}
    for size in SIZES:
        _, seconds = build(given[:size])
        figures[f"graph_{size}_chunks_per_second"] = size / seconds
    for size in ASKED_SIZES:
        network, _ = build(given[:size])
        times = []
        for question in [questions[0], *questions]:
            started = time.perf_counter()
            ask(network, question)
            times.append(1000 * (time.perf_counter() - started))
        figures[f"graph_query_ms_p50_{size}"] = statistics.median(times[1:])
    write_figures("graph", figures, {}, {"chunks": max(SIZES), "questions": len(questions)}, target)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
