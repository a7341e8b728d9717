"""Several BEIR sets as one: python -m bench.merge_sets DATA TARGET

Ids get the set's name in front; sets of one corpus share it. Of each set a hundred questions are taken (the first by
SHA-256 of their ids), so that each weighs the same. What search is worth there does not come from knowing the set.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError
from pincite.evaluate.files import existing, json_rows
from pincite.evaluate.retrieval import BeirSet, load_set

QUESTIONS = 100


def merge(data: Path, target: Path) -> None:
    """Write corpus, queries and qrels of all sets below a folder into another."""
    (target / "qrels").mkdir(parents=True, exist_ok=True)
    corpora: dict[str, str] = {}
    rows: list[dict[str, Any]] = []
    queries: list[dict[str, Any]] = []
    judged = ["query-id\tcorpus-id\tscore"]
    for folder in sorted(path.parent for path in data.glob("*/corpus.jsonl*")):
        found = load_set(folder)
        if found.corpus_key not in corpora:
            corpora[found.corpus_key] = folder.name
            rows += (_renamed(row, folder.name) for row in json_rows(existing(folder / "corpus.jsonl")))
        chosen = _chosen(found)
        shared = corpora[found.corpus_key]
        queries += (
            {**row, "_id": f"{folder.name}:{row['_id']}"}
            for row in json_rows(existing(folder / "queries.jsonl"))
            if str(row["_id"]) in chosen
        )
        judged += [
            f"{folder.name}:{question.id}\t{shared}:{row}\t{score:g}"
            for question in found.questions
            if question.id in chosen
            for row, score in question.gold.items()
        ]
    _write(target / "corpus.jsonl.gz", rows)
    _write(target / "queries.jsonl.gz", queries)
    (target / "qrels" / "all.tsv").write_text("\n".join(judged) + "\n", encoding="utf-8")


def _chosen(found: BeirSet) -> set[str]:
    ids = sorted(
        (question.id for question in found.questions), key=lambda name: hashlib.sha256(name.encode()).hexdigest()
    )
    return set(ids[:QUESTIONS])


def _renamed(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {**row, "_id": f"{name}:{row['_id']}"}


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    try:
        merge(*map(Path, sys.argv[1:]))
    except PinciteError as error:
        sys.exit(f"not merged: {error}")
