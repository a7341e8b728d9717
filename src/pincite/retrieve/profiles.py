"""How channel scores become one score: named profiles (spec/llmless_retrieval.md 6, spec/llm_retrieval.md 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.records.evidence import BM25_HALF
from pincite.records.questions import Profile
from pincite.retrieve.features import Column, over_best
from pincite.retrieve.learned import relevance


@dataclass(frozen=True, slots=True)
class Columns:
    """The raw scores of all candidates, one entry each; None for a channel that is off.

    `cosine` in -1..1, `bm25` from 0, `graph` and `gear` in 0..1, `sources` the number of channels that found it;
    `features` the rows of `features.feature_matrix`, where more than one channel is on; `linked`: references were
    followed, or the graph walked.
    """

    cosine: Column | None
    bm25: Column | None
    graph: Column | None
    gear: Column | None
    sources: Column
    features: NDArray[np.float64] | None = None
    linked: bool = False


def normalised_cosine(cosine: Column) -> Column:
    """(cos + 1) / 2."""
    return (cosine + 1) / 2


def normalised_bm25(bm25: Column) -> Column:
    """s / (s + 10)."""
    return bm25 / (bm25 + BM25_HALF)


def combine(profile: str, columns: Columns, own: Profile | None = None) -> Column:
    """The final score of each candidate, in 0..1, by the weights of a user's `own` profile where there are any;
    UsageError for a profile that is not known."""
    if own is not None:
        weights = {"vec": own.vec, "bm25": own.bm25, "graph": own.graph, "gear": own.gear, "sources": own.sources}
        return _weighted(columns, **weights)
    try:
        return PROFILES[profile](columns)
    except KeyError:
        raise UsageError(f"the profile {profile!r} is not known: use one of {', '.join(sorted(PROFILES))}") from None


def weighs_paths(profile: str, own: Profile | None = None) -> bool:
    """Whether a profile gives weight to the paths of triplets (`gear`); for the others nobody follows them."""
    return profile == "llm" if own is None else own.gear > 0


def _llmless(columns: Columns) -> Column:
    """0.40 vec + 0.30 graph + 0.20 bm25 + 0.10 min(1, sources / 3)."""
    return _weighted(columns, vec=0.40, bm25=0.20, graph=0.30, gear=0.0, sources=0.10)


def _llm(columns: Columns) -> Column:
    """0.45 vec + 0.20 bm25 + 0.20 graph + 0.15 gear."""
    return _weighted(columns, vec=0.45, bm25=0.20, graph=0.20, gear=0.15, sources=0.0)


def _weighted(columns: Columns, *, vec: float, bm25: float, graph: float, gear: float, sources: float) -> Column:
    """The weighted mean of the columns that are on; the weights of those that are off go to the others. 0 where none
    of those that weigh is on."""
    terms = [
        (vec, None if columns.cosine is None else normalised_cosine(columns.cosine)),
        (bm25, None if columns.bm25 is None else normalised_bm25(columns.bm25)),
        (graph, columns.graph),
        (gear, columns.gear),
        (sources, np.minimum(1.0, columns.sources / 3)),
    ]
    present = [(weight, column) for weight, column in terms if column is not None and weight]
    if not present:
        return np.zeros_like(columns.sources)
    return np.asarray(sum(weight * column for weight, column in present) / sum(weight for weight, _ in present))


def _auto(columns: Columns) -> Column:
    """The learned combination for the channels that are on (docs/decisions/0106-learned-combination.md), else the one
    score that there is, over the best candidate's."""
    if columns.features is not None:
        if columns.cosine is None:
            return relevance(columns.features, "keywords")
        return relevance(columns.features, "default" if columns.linked else "hybrid")
    parts = [column for column in (columns.cosine, columns.bm25) if column is not None]
    if not parts:
        return np.zeros_like(columns.sources)
    return np.asarray(sum(over_best(column) for column in parts) / len(parts))


PROFILES: dict[str, Callable[[Columns], Column]] = {"auto": _auto, "llm": _llm, "llmless": _llmless}
"""The known profiles by name."""
