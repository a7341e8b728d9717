"""Which triplets does a sentence hold, each with its place, and how sure is each of them?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from math import log1p

from pincite.deadline import Deadline
from pincite.graph.extraction import Statement, Words, find_statements, predicate_name
from pincite.graph.ontology import Ontology
from pincite.graph.parser import parse
from pincite.graph.trees import Tree, Word, head_of, words_of
from pincite.records.triplets import Parse, Place, RawTriplet

WEIGHTS = "confidence.json"
DEEPEST = 6


def confidence(tree: Tree, statement: Statement) -> float:
    """Between 0 and 1, three decimals."""
    weight_of = shipped_weights().get
    total = 0.0
    for name, value in features_of(tree, statement).items():
        total += weight_of(name, 0.0) * value
    return round(min(max(total, 0.0), 1.0), 3)


def features_of(tree: Tree, statement: Statement) -> dict[str, float]:
    """The features by name; a feature that is left out is 0."""
    subject, target, *rest = statement.subject, *statement.arguments
    single = tree.tags[subject[0]] if len(subject) == 1 else ""
    return {
        f"kind {statement.kind}": 1.0,
        f"bond {statement.bond}": 1.0,
        f"verb {tree.tags[statement.anchor]}": 1.0,
        "in the main clause": float(tree.relations[statement.anchor] == "ROOT"),
        "depth": float(_depth(tree, statement.anchor)),
        "subject is a pronoun": float(single == "PRP"),
        "subject is a question word": float(single in ("WDT", "WP", "DT", "EX")),
        "name in the subject": float("NNP" in [tree.tags[word] for word in subject]),
        "name in the object": float("NNP" in [tree.tags[word] for word in target]),
        "words of the subject": log1p(len(subject)),
        "words of the relation": log1p(len(statement.relation)),
        "words of the object": log1p(len(target)),
        "words of the rest": log1p(sum(map(len, rest))),
        "quotation": float('"' in [tree.words[word].text for word in (*subject, *target)]),
        "subject first": float(subject[0] < target[0]),
    }


def _depth(tree: Tree, word: int) -> int:
    depth = 0
    while tree.heads[word] != word and depth < DEEPEST:
        word = tree.heads[word]
        depth += 1
    return depth


@lru_cache(maxsize=1)
def shipped_weights() -> Mapping[str, float]:
    """The weights that come with the package, by the name of the feature."""
    weights: dict[str, float] = json.loads((files("pincite.graph") / WEIGHTS).read_text(encoding="utf-8"))
    return weights


EXTRACTOR = "clauses"
VERSION = "2"
AT_ONCE = 64


class RuleExtractor:
    """The TripletExtractor that needs no model: rules over the trees of a small parser, which knows English alone."""

    name = "rules"

    def __init__(self, ontology: Ontology) -> None:
        self.version = f"{VERSION}/{ontology.digest}"
        self._ontology = ontology

    def extract(
        self, sentences: Sequence[str], language: str | None, *, deadline: Deadline = Deadline.never()
    ) -> list[list[RawTriplet]]:
        """The triplets of each sentence; none where the language is known and is not English."""
        deadline.check(self.name)
        return extract_all(sentences, self._ontology) if language in (None, "en") else [[] for _ in sentences]


def extract_all(sentences: Sequence[str], ontology: Ontology) -> list[list[RawTriplet]]:
    """The triplets of each sentence, in the order of what gives rise to them; none from one over 250 words. The same as
    one by one, in a fraction of the time."""
    found: list[list[RawTriplet]] = []
    for start in range(0, len(sentences), AT_ONCE):
        batch = sentences[start : start + AT_ONCE]
        trees = parse([words_of(sentence) for sentence in batch])
        found.extend(_read(sentence, tree, ontology) for sentence, tree in zip(batch, trees, strict=True))
    return found


def read_parse(sentence: str, parse: Parse, ontology: Ontology) -> list[RawTriplet]:
    """The triplets of a sentence that another parser has read."""
    words = [Word(*word) for word in parse.words]
    return _read(sentence, Tree(words, parse.tags, parse.heads, parse.relations, parse.labels), ontology)


def _read(sentence: str, tree: Tree, ontology: Ontology) -> list[RawTriplet]:
    return [_triplet(sentence, tree, statement, ontology) for statement in find_statements(tree)]


def _triplet(sentence: str, tree: Tree, statement: Statement, ontology: Ontology) -> RawTriplet:
    target = _place(tree, statement.arguments[0])
    said = [piece for piece in statement.relation if isinstance(piece, int)]
    own_words = _place(tree, tuple(said)) if said else (target[0], target[0])
    return RawTriplet(
        subject=_place(tree, statement.subject),
        predicate=own_words,
        object=target,
        name=predicate_name(tree, statement, ontology),
        relation=" ".join(
            piece if isinstance(piece, str) else _text(sentence, tree, piece) for piece in statement.relation
        ),
        subject_text=_joined(sentence, tree, statement.subject),
        arguments=tuple(_joined(sentence, tree, words) for words in statement.arguments),
        kind=statement.kind,
        confidence=confidence(tree, statement),
        extractor=EXTRACTOR,
        version=VERSION,
    )


def _place(tree: Tree, words: Words) -> Place:
    """The run of words without a gap that holds the head of all."""
    if words[-1] - words[0] == len(words) - 1:
        return tree.words[words[0]].start, tree.words[words[-1]].end
    inside, first = set(words), head_of(tree, words)
    last = first
    while first - 1 in inside:
        first -= 1
    while last + 1 in inside:
        last += 1
    return tree.words[first].start, tree.words[last].end


def _joined(sentence: str, tree: Tree, words: Words) -> str:
    """The words as they stand in the sentence, with a space where others were left out."""
    if words[-1] - words[0] == len(words) - 1:
        return sentence[tree.words[words[0]].start : tree.words[words[-1]].end]
    parts: list[str] = []
    last: int | None = None
    for word in words:
        here = tree.words[word]
        if last is not None:
            parts.append(sentence[tree.words[last].end : here.start] if word == last + 1 else " ")
        parts.append(sentence[here.start : here.end])
        last = word
    return "".join(parts)


def _text(sentence: str, tree: Tree, word: int) -> str:
    return sentence[tree.words[word].start : tree.words[word].end]
