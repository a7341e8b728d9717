"""Train the learned combination of `pincite.retrieve.profiles` (needs the packages of requirements-train.lock).

    python tools/train_combination.py DATA_FOLDER WORK_FOLDER [--pages FILE ...] [--documents FOLDER]

Fits a LambdaMART ranker (Burges 2010) on the features of `pincite.retrieve.features` for the even rows of all sets:
questions with relevant rows of a corpus, and questions whose gold is pages, paraphrases among them. What can only speak
for a candidate (RISING) never counts against it. Writes `combination.json` into the package and, beside it,
`combination.about.json`: digests of the data, versions, seed, and what is reached on the even rows (each quarter by a
model of the other three) and on the odd rows (by the model that is written), beside every channel alone; with
`--without`, on the odd rows of each kind of set by a model of the other kinds, too.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

import pincite.retrieve
from pincite.evaluate.measures import RANKING_MEASURES
from pincite.retrieve.features import FEATURES
from pincite.retrieve.profiles import ABOUT, WEIGHTS, Combination
from training_questions import POLICIES, QUARTERS, Example, Found, collect, digests, quarter_of
from tree_files import plain_trees

ROUNDS = 300
PARAMETERS = {
    "objective": "lambdarank",
    "num_leaves": 8,
    "feature_fraction": 0.5,
    "learning_rate": 0.08,
    "min_data_in_leaf": 200,
    "lambdarank_truncation_level": 15,
    "label_gain": [0, 1],
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
    "seed": 7,
}
RISING = frozenset(
    (
        *("near", "standard cosine", "rank by cosine", "near the nearest", "near before", "near after"),
        *("bm25", "bm25 over best", "rank by bm25", "context", "context over best", "rank by context", "first score"),
        *("question covered", "covered over best", "rest covered", "words of the nearest"),
        *("referred to by", "refers to", "sum of referring", "sum of referred", "asked for"),
        *("mass over best", "log of mass", "rank by mass", "titled by a concept", "names concepts"),
    )
)
FALLING = frozenset(("behind nearest",))
CONTENDING = {
    "first score": 50,
    "near": 40,
    "mass over best": 40,
    "context over best": 30,
    "bm25 over best": 20,
    "referred to by": 15,
    "refers to": 15,
    "shares an entity": 15,
}
"""A model is fitted to the candidates that are right, and to the best so many by any of these."""
ROW_MEASURES = ("ndcg@10", "recall@5", "recall@10", "map@10", "all_gold@5", "all_gold@10")
PAGE_CUTS = (1, 5, 10)
CHANNELS = {"vector": "near", "keyword": "bm25 over best"}
"""The feature that ranks as a channel alone does."""

Examples = Mapping[str, Sequence[Example]]
Score = Callable[[NDArray[np.float64]], NDArray[np.float64]]
Results = dict[str, dict[str, float]]


def main() -> None:
    """Collect, fit, write, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with the sets in BEIR layout, and with pdf/")
    parser.add_argument("work", type=Path, help="folder for stores; kept for the next run")
    parser.add_argument("--pages", type=Path, nargs="*", default=[], help="files of questions whose gold is pages")
    parser.add_argument("--documents", type=Path, default=Path(), help="where folders lie that are not in data/pdf")
    parser.add_argument("--embedder", nargs="+", default=["bge"], help="embedders to train with, one model for all")
    parser.add_argument(
        "--leave-out", nargs="*", default=[], help="sets and folders that are neither read nor measured"
    )
    parser.add_argument("--without", action="store_true", help="measure each kind by a model of the other kinds, too")
    arguments = parser.parse_args()
    found = {
        embedder: collect(
            arguments.data,
            arguments.pages,
            arguments.documents,
            arguments.work,
            embedder,
            left_out=arguments.leave_out,
        )
        for embedder in arguments.embedder
    }
    models, figures = train(found, without=arguments.without)
    about = {
        "script": Path(__file__).name,
        "data": digests(arguments.data, arguments.pages, arguments.leave_out),
        "left_out": sorted(arguments.leave_out),
        "versions": {name: version(name) for name in ("lightgbm", "numpy")} | {"python": platform.python_version()},
        "parameters": PARAMETERS | {"trees": ROUNDS, "rising": sorted(RISING), "falling": sorted(FALLING)},
        "embedders": arguments.embedder,
        "figures": figures,
    }
    write(models, about)


def train(found: Mapping[str, Mapping[str, Found]], *, without: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The model of each combination, and what it reaches; `found` has the sets of each embedder."""
    models, figures = {}, {}
    for combination in POLICIES:
        by_embedder = {
            embedder: {name: of_set[combination] for name, of_set in sets.items()} for embedder, sets in found.items()
        }
        model = fit(even_rows(by_embedder))
        models[combination] = plain_trees(model, FEATURES)
        figures[combination] = {name: tables(examples, model, combination) for name, examples in by_embedder.items()}
        if without:
            figures[combination] |= {f"{name}, kind left out": left_out(e) for name, e in by_embedder.items()}
    return models, figures


def write(models: dict[str, Any], about: dict[str, Any]) -> None:
    """Put the models into the package, and beside them what they were made of."""
    folder = Path(pincite.retrieve.__file__).parent
    (folder / WEIGHTS).write_text(json.dumps(models, separators=(",", ":")) + "\n", encoding="utf-8")
    (folder / ABOUT).write_text(json.dumps(about, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def tables(examples: Examples, model: lightgbm.Booster, combination: Combination) -> dict[str, Results]:
    """All figures of one combination with one embedder; they are printed, too."""
    even, odd = halves(examples)
    found = {"odd rows": {name: measure(rows, model.predict) for name, rows in odd.items()}}
    if combination == "default":
        found["even rows by quarters"] = by_quarters(even)
        for channel, feature in CHANNELS.items():
            place = FEATURES.index(feature)
            found[f"odd rows, {channel} alone"] = {
                name: measure(rows, lambda matrix, place=place: matrix[:, place]) for name, rows in odd.items()
            }
    for title, results in found.items():
        report(f"{combination}, {title}", results)
    return found


def left_out(examples: Examples) -> Results:
    """What a model of the even rows of all other kinds of sets reaches on the odd rows of each."""
    even, odd = halves(examples)
    found = {}
    for kind in dict.fromkeys(map(kind_of, odd)):
        model = fit({name: rows for name, rows in even.items() if kind_of(name) != kind})
        found |= {name: measure(rows, model.predict) for name, rows in odd.items() if kind_of(name) == kind}
    report("odd rows, trained without the kind", found)
    return found


def kind_of(name: str) -> str:
    """What sets of pages have in common: "paraphrased", "foreign" and so on; a set of rows is a kind of its own."""
    return name.partition(" ")[0]


def halves(examples: Examples) -> tuple[dict[str, list[Example]], dict[str, list[Example]]]:
    """Even and odd rows of each set; a set without any is left out."""
    even = {name: [item for item in rows if item.asked.is_even] for name, rows in examples.items()}
    odd = {name: [item for item in rows if not item.asked.is_even] for name, rows in examples.items()}
    return {n: rows for n, rows in even.items() if rows}, {n: rows for n, rows in odd.items() if rows}


def even_rows(by_embedder: Mapping[str, Examples]) -> dict[str, list[Example]]:
    """The even rows of each set with all embedders, one set for each."""
    return {
        f"{name}, {embedder}": rows
        for embedder, examples in by_embedder.items()
        for name, rows in halves(examples)[0].items()
    }


def by_quarters(examples: Examples) -> Results:
    """What is reached on each set where each quarter is ranked by a model of the other three of all sets."""
    values: dict[str, list[dict[str, float]]] = {name: [] for name in examples}
    for quarter in range(QUARTERS):
        rest = {name: [item for item in rows if _quarter(item) != quarter] for name, rows in examples.items()}
        model = fit(rest)
        for name, rows in examples.items():
            values[name] += [_measured(item, model.predict) for item in rows if _quarter(item) == quarter]
    return {name: _means(found) for name, found in values.items()}


def _quarter(item: Example) -> int:
    """The quarter of the even half: the second and third lowest bit of the byte whose lowest is 0."""
    return quarter_of(item.asked.id)


def fit(examples: Examples) -> lightgbm.Booster:
    """A ranker for these questions; of the n questions of a kind each weighs 1 / sqrt(n)."""
    useful = {name: [item for item in rows if item.labels.any()] for name, rows in examples.items()}
    counts: Counter[str] = Counter()
    for name, rows in useful.items():
        counts[kind_of(name)] += len(rows)
    chosen = [(kind_of(name), item, contenders(item)) for name, rows in useful.items() for item in rows]
    weight = np.concatenate([np.full(len(places), counts[kind] ** -0.5) for kind, _, places in chosen])
    data = lightgbm.Dataset(
        np.vstack([item.matrix[places] for _, item, places in chosen]),
        np.concatenate([item.labels[places] for _, item, places in chosen]),
        group=[len(places) for _, _, places in chosen],
        weight=weight / weight.mean(),
        feature_name=[name.replace(" ", "_") for name in FEATURES],
    )
    directions = [int(name in RISING) - int(name in FALLING) for name in FEATURES]
    return lightgbm.train(PARAMETERS | {"monotone_constraints": directions}, data, ROUNDS)


def contenders(item: Example) -> NDArray[np.int64]:
    """The places of the candidates that a model is fitted to, ascending."""
    chosen = item.labels > 0
    for name, count in CONTENDING.items():
        column = item.matrix[:, FEATURES.index(name)]
        if column.max() > 0:
            chosen |= column >= np.sort(column)[::-1][min(count, len(column) - 1)]
    return np.flatnonzero(chosen)


def measure(examples: Iterable[Example], score: Score) -> dict[str, float]:
    """The means over these questions, in hundredths, and their number."""
    return _means([_measured(item, score) for item in examples])


def _measured(item: Example, score: Score) -> dict[str, float]:
    order = np.lexsort((np.arange(len(item.names)), -np.round(score(item.matrix), 6)))
    ranked = list(dict.fromkeys(name for position in order for name in item.names[position]))
    if item.is_of_pages:
        required = item.asked.required
        return {
            f"page_hit@{cut}": float(all(any(name in ranked[:cut] for name in entry) for entry in required))
            for cut in PAGE_CUTS
        }
    return {name: RANKING_MEASURES[name](ranked[:100], item.asked.gold) for name in ROW_MEASURES}


def _means(values: Sequence[Mapping[str, float]]) -> dict[str, float]:
    means = {name: round(float(100 * np.mean([row[name] for row in values])), 2) for name in values[0]}
    return means | {"questions": len(values)}


def report(title: str, results: Results) -> None:
    """Print one table."""
    print(f"\n{title}")
    for name, values in results.items():
        print(f"{name:<28}" + "".join(f"{value:8.1f} {measure}" for measure, value in values.items()), flush=True)


if __name__ == "__main__":
    main()
