"""Train the learned combination of `pincite.retrieve.learned` (needs lightgbm; not part of the package).

    python tools/train_combination.py DATA_FOLDER WORK_FOLDER

Fits a LambdaMART ranker (Burges 2010) on the features of `pincite.retrieve.features` for all questions of the
development sets, writes `combination.json` into the package, and prints what to expect of questions that were not
trained on: each quarter (SHA-256 of the question's id) ranked by a model of the other three, and each set by a model
of the other sets, beside the plain mean. Every set weighs the same, whatever its size.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

import pincite.retrieve
from pincite.evaluate.beir import load_set
from pincite.evaluate.measures import RANKING_MEASURES
from pincite.records import RetrievalPolicy
from pincite.retrieve.candidates import gather
from pincite.retrieve.features import FEATURES
from pincite.retrieve.learned import WEIGHTS, Combination
from pincite.retrieve.misspelt import with_names_mended
from pincite.retrieve.query import parse_query
from pincite.settings import Settings
from pincite.wiring import make_embedder, open_engine

SETS = (
    "obliqa_dev",
    "obliqa_multi_dev",
    "xref_baseline_dev",
    "xref_schema_dev",
    "scifact_train",
    "cranfield",
    "2wiki_train500",
    "hotpotqa_v1train_100",
    "musique_v1train_100",
)
SHOWN = ("recall@5", "recall@10", "map@10", "ndcg@10", "all_gold@5", "all_gold@10")
FIRST = FEATURES.index("first score")
ROUNDS = 300
QUARTERS = 4
PARAMETERS = {
    "objective": "lambdarank",
    "num_leaves": 8,
    "feature_fraction": 0.5,
    "learning_rate": 0.08,
    "min_data_in_leaf": 500,
    "lambdarank_truncation_level": 15,
    "label_gain": [0, 1],
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
    "seed": 7,
}
POLICIES: dict[Combination, RetrievalPolicy] = {
    "default": RetrievalPolicy(profile="llmless"),
    "hybrid": RetrievalPolicy(profile="llmless", channels=("vector", "keyword")),
    "keywords": RetrievalPolicy(profile="llmless"),
}


@dataclass(frozen=True, slots=True)
class Example:
    """The candidates of one question: their rows of the corpus, their features, and the relevant rows."""

    rows: tuple[str, ...]
    matrix: NDArray[np.float64]
    gold: dict[str, float]
    quarter: int


def main() -> None:
    """Collect, fit, write, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with the sets in BEIR layout")
    parser.add_argument("work", type=Path, help="folder for stores; kept for the next run")
    arguments = parser.parse_args()
    models = {}
    collected = {name: collect(arguments.data / name, arguments.work) for name in SETS}
    for combination in POLICIES:
        examples = {name: found[combination] for name, found in collected.items()}
        models[combination] = plain(fit(examples))
    target = Path(pincite.retrieve.__file__).parent / WEIGHTS
    target.write_text(json.dumps(models, separators=(",", ":")) + "\n", encoding="utf-8")
    for combination in POLICIES:
        examples = {name: found[combination] for name, found in collected.items()}
        mean = {name: means(measure(found, lambda matrix: matrix[:, FIRST])) for name, found in examples.items()}
        report(f"{combination}: plain mean", mean)
        report(f"{combination}: by quarters", by_quarters(examples))
    default = {name: found["default"] for name, found in collected.items()}
    report("default: without the set itself", {name: without(default, name) for name in SETS})


def by_quarters(examples: dict[str, list[Example]]) -> dict[str, dict[str, float]]:
    """What is reached on each set where each quarter is ranked by a model of the other three of all sets."""
    values: dict[str, list[list[float]]] = {name: [] for name in examples}
    for quarter in range(QUARTERS):
        rest = {name: [item for item in found if item.quarter != quarter] for name, found in examples.items()}
        model = fit(rest)
        for name, found in examples.items():
            values[name] += measure([item for item in found if item.quarter == quarter], model.predict)
    return {name: means(found) for name, found in values.items()}


def without(examples: dict[str, list[Example]], name: str) -> dict[str, float]:
    """What a model reaches on a set that was trained on the others."""
    others = fit({other: rows for other, rows in examples.items() if other != name})
    return means(measure(examples[name], others.predict))


def collect(folder: Path, work: Path) -> dict[Combination, list[Example]]:
    """The candidates of every question of a set for each combination, from a store that is made or taken up again."""
    loaded, settings = load_set(folder), Settings()
    embedder = make_embedder(settings)
    if embedder is None:
        raise SystemExit("training needs an embedder: install the weights of all-MiniLM-L6-v2")
    shared = work / f"train-{loaded.corpus_key}"
    found: dict[Combination, list[Example]] = {combination: [] for combination in POLICIES}
    with open_engine(settings, shared, create=True) as engine:
        engine.index_documents(loaded.documents)
        with engine._views.at(None) as view:
            space = view.space
            for question in loaded.questions:
                query = with_names_mended(parse_query(question.text, space.languages), space.network, None)
                vector = embedder.embed_query(query.search_text)
                for combination, policy in POLICIES.items():
                    given = None if combination == "keywords" else vector
                    candidates = gather(space, query, given, policy, None)
                    chunks = space.chunks([space.chunk_id(ordinal) for ordinal in candidates.ordinals])
                    rows = tuple(loaded.rows[chunk.source_id, chunk.spans[0].page] for chunk in chunks)
                    matrix = np.asarray(candidates.columns.features)
                    found[combination].append(Example(rows, matrix, dict(question.gold), quarter_of(question.id)))
    print(f"{loaded.name}: {len(loaded.questions)} questions", flush=True)
    return found


def quarter_of(question_id: str) -> int:
    """The quarter of a set that a question belongs to."""
    return int(hashlib.sha256(question_id.encode()).hexdigest(), 16) % QUARTERS


def fit(examples: dict[str, list[Example]]) -> lightgbm.Booster:
    """A ranker for these questions."""
    matrices: list[NDArray[np.float64]] = []
    labels: list[NDArray[np.int32]] = []
    weights: list[NDArray[np.float64]] = []
    for found in examples.values():
        useful = [item for item in found if any(row in item.gold for row in item.rows)]
        for item in useful:
            matrices.append(item.matrix)
            labels.append(np.array([row in item.gold for row in item.rows], np.int32))
            weights.append(np.full(len(item.rows), 1 / np.sqrt(len(useful))))
    data = lightgbm.Dataset(
        np.vstack(matrices),
        np.concatenate(labels),
        group=[len(matrix) for matrix in matrices],
        weight=np.concatenate(weights),
        feature_name=[name.replace(" ", "_") for name in FEATURES],
    )
    return lightgbm.train(PARAMETERS, data, ROUNDS)


def measure(examples: Iterable[Example], score: Any) -> list[list[float]]:
    """The measures of each question, in the order of SHOWN."""
    values = []
    for item in examples:
        order = np.lexsort((np.arange(len(item.rows)), -np.round(score(item.matrix), 6)))
        ranked = list(dict.fromkeys(item.rows[position] for position in order))[:100]
        values.append([RANKING_MEASURES[name](ranked, item.gold) for name in SHOWN])
    return values


def means(values: list[list[float]]) -> dict[str, float]:
    """The means over all questions, in hundredths."""
    return dict(zip(SHOWN, (100 * np.mean(values, axis=0)).tolist(), strict=True))


def report(title: str, results: dict[str, dict[str, float]]) -> None:
    """Print one table."""
    print(f"\n{title:<32}" + "".join(f"{name:>12}" for name in SHOWN))
    for name, values in results.items():
        print(f"{name:<32}" + "".join(f"{values[measure_name]:>12.1f}" for measure_name in SHOWN), flush=True)


def plain(model: lightgbm.Booster) -> dict[str, Any]:
    """The trees as lists of nodes: feature, threshold, left, right, value; a leaf leads to itself."""
    trees = [_nodes(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]
    return {"features": FEATURES, "depth": max(depth for _, depth in trees), "trees": [nodes for nodes, _ in trees]}


def _nodes(root: dict[str, Any]) -> tuple[dict[str, list[float]], int]:
    lists: dict[str, list[Any]] = {name: [] for name in ("feature", "threshold", "left", "right", "value")}

    def add(node: dict[str, Any], depth: int) -> tuple[int, int]:
        number = len(lists["value"])
        is_leaf = "leaf_value" in node
        row: Sequence[Any] = (
            (0, 0.0, number, number, float(f"{node['leaf_value']:.4g}"))
            if is_leaf
            else (node["split_feature"], float(f"{node['threshold']:.4g}"), 0, 0, 0.0)
        )
        for name, value in zip(lists, row, strict=True):
            lists[name].append(value)
        deepest = depth
        for side, child in () if is_leaf else (("left", "left_child"), ("right", "right_child")):
            lists[side][number], below = add(node[child], depth + 1)
            deepest = max(deepest, below)
        return number, deepest

    depth = add(root, 0)[1]
    return lists, depth


if __name__ == "__main__":
    main()
