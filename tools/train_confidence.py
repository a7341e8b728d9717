"""Fit the weights of `pincite.graph.triplets` on gold tuples (numpy alone).

    python tools/train_confidence.py CARB_FOLDER

Takes the even half (SHA-256) of the sentences. What a statement is to score is the precision of the gold tuple that
CaRB's one-to-one matching gives it, else 0; the weights are those of a ridge regression (Hoerl and Kennard 1970).
Writes `confidence.json` into the package and prints the best F1 on either half.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import pincite.graph
from pincite.evaluate.files import open_text
from pincite.evaluate.triplets import Tuple, read_gold, score_curve, score_pair
from pincite.graph.extraction import find_statements
from pincite.graph.ontology import shipped_ontology
from pincite.graph.parser import parse
from pincite.graph.trees import words_of
from pincite.graph.triplets import WEIGHTS, extract_all, features_of, shipped_weights

PENALTY = 20.0
SEEN_AT_LEAST = 10
Features = Mapping[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder with gold_dev.tsv.gz")
    folder = parser.parse_args().folder
    with open_text(folder / "gold_dev.tsv.gz") as stream:
        gold = read_gold(stream)
    even = [sentence for sentence in gold if is_even(sentence)]
    trees = parse([words_of(sentence) for sentence in even])
    features = [[features_of(tree, statement) for statement in find_statements(tree)] for tree in trees]
    found = found_tuples(even)
    targets = [matched_precision(gold[sentence], found[sentence]) for sentence in even]
    weights = ridge([each for row in features for each in row], [each for row in targets for each in row])
    place = Path(pincite.graph.__path__[0]) / WEIGHTS
    place.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    shipped_weights.cache_clear()
    for name, sentences in (("even", even), ("odd", [each for each in gold if not is_even(each)])):
        best = score_curve({each: gold[each] for each in sentences}, found_tuples(sentences)).best
        print(f"{name}: precision {best.precision:.4f} recall {best.recall:.4f} f1 {best.f1:.4f}")


def is_even(sentence: str) -> bool:
    return int(hashlib.sha256(sentence.encode()).hexdigest(), 16) % 2 == 0


def found_tuples(sentences: Sequence[str]) -> dict[str, tuple[Tuple, ...]]:
    return {
        sentence: tuple(
            Tuple(each.relation, (each.subject_text, *each.arguments), each.confidence) for each in triplets
        )
        for sentence, triplets in zip(sentences, extract_all(sentences, shipped_ontology()), strict=True)
    }


def matched_precision(gold: Sequence[Tuple], found: Sequence[Tuple]) -> list[float]:
    """The precision that each found tuple adds, when the best pairs are matched first."""
    pairs = [
        (-score_pair(wanted, each)[0], number, index)
        for number, wanted in enumerate(gold)
        for index, each in enumerate(found)
    ]
    precision, used_gold, used_found = [0.0] * len(found), set[int](), set[int]()
    for negative, number, index in sorted(pairs):
        if number not in used_gold and index not in used_found:
            used_gold.add(number)
            used_found.add(index)
            precision[index] = -negative
    return precision


def ridge(rows: Sequence[Features], targets: Sequence[float]) -> dict[str, float]:
    counts = Counter(name for row in rows for name, value in row.items() if value)
    names = sorted(name for name, count in counts.items() if count >= SEEN_AT_LEAST)
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    normal = matrix.T @ matrix + PENALTY * np.eye(len(names))
    solved = np.linalg.solve(normal, matrix.T @ np.array(targets))
    return {name: round(weight, 4) for name, weight in zip(names, solved.tolist(), strict=True)}


if __name__ == "__main__":
    main()
