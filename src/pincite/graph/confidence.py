"""How sure is a statement? A weighted sum of what it looks like: about the share of its words that a reader would keep.

The weights were fitted by `tools/train_confidence.py` on the even half of the CaRB development sentences.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from math import log1p

from pincite.graph.statement import Statement
from pincite.graph.trees import Tree

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
