"""Which sentences of the evidence speak to the question: shared words, nearness in meaning, rank of the chunk."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pincite.answer.passages import Passage, passages_of
from pincite.ports import Embedder
from pincite.records import Evidence, Query
from pincite.text.tokens import tokenise

EMBEDDED = 48
LEAST_WORDS = 3
LEAST_COVERAGE = 0.34
LEAST_COSINE = 0.45
LEAST_SHARE_OF_BEST = 0.6
DEFINITION_BONUS = 0.3

_ASKS_DEFINITION = re.compile(
    r"(?:(?:what is )?the (?:meaning|definition) of|what (?:is|are|does|do)|define)"
    r" (?:meant by )?(?:the |an? )?(?P<term>.+?)(?: mean)?[?.! ]*",
    re.IGNORECASE,
)
_NUMBER_IN_FRONT = re.compile(r"^[\d.()]+P?\s+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage of a hit. `coverage` is the share of the question's words, weighted by rarity, that it holds;
    `cosine` is None where it was not embedded."""

    passage: Passage
    evidence: Evidence
    coverage: float
    cosine: float | None
    score: float


def select_passages(
    query: Query, evidence: Sequence[Evidence], embedder: Embedder | None, limit: int
) -> list[Candidate]:
    """The best passages, best first, each text once; those that share too little with the question are left out."""
    found = [(passage, item) for item in evidence for passage in passages_of(item.chunk)]
    tokens = [set(tokenise(passage.text, item.chunk.language)) for passage, item in found]
    coverages = _coverages(set(query.tokens), tokens)
    term = defined_term(query.search_text)
    first = sorted(range(len(found)), key=lambda i: (-(coverages[i] + found[i][1].scores.final), i))
    first = [i for i in first if len(tokens[i]) >= LEAST_WORDS][:EMBEDDED]
    cosines = _cosines(query, [found[i][0].text for i in first], embedder)
    candidates = [
        Candidate(
            *found[i], coverages[i], cosine, _score(coverages[i], cosine, found[i][1]) + _bonus(term, found[i][0])
        )
        for i, cosine in zip(first, cosines, strict=True)
    ]
    candidates.sort(key=lambda c: (-round(c.score, 6), c.evidence.rank, c.passage.spans))
    spoken = _distinct([c for c in candidates if _speaks(c)])
    return [c for c in spoken if c.score >= LEAST_SHARE_OF_BEST * spoken[0].score][:limit]


def defined_term(question: str) -> str | None:
    """The term that a question asks the meaning of ("What is a fragile surface?"), None for other questions."""
    match = _ASKS_DEFINITION.fullmatch(" ".join(question.split()))
    return match.group("term") if match else None


def _bonus(term: str | None, passage: Passage) -> float:
    """A passage that opens with the very term asked for, its number left out, is its definition."""
    if term is None:
        return 0.0
    opening = _NUMBER_IN_FRONT.sub("", passage.text).casefold()
    opens = opening.startswith(term.casefold()) and not opening[len(term) : len(term) + 1].isalpha()
    return DEFINITION_BONUS if opens and len(opening) > len(term) + 1 else 0.0


def _coverages(wanted: set[str], tokens: Sequence[set[str]]) -> list[float]:
    """The share of the question's words that each passage holds, rare ones counting more; words that no passage holds
    count like the average of the others."""
    frequency = Counter(token for passage in tokens for token in passage & wanted)
    weight = {token: math.log(1 + len(tokens) / count) for token, count in sorted(frequency.items())}
    total = sum(weight.values()) * len(wanted) / max(1, len(weight)) or 1.0
    return [sum(weight[token] for token in sorted(passage & wanted)) / total for passage in tokens]


def _cosines(query: Query, texts: Sequence[str], embedder: Embedder | None) -> list[float | None]:
    if embedder is None or not texts:
        return [None] * len(texts)
    question = embedder.embed_query(query.search_text)
    return [float(np.max(rows @ question)) for rows in embedder.embed(texts)]


def _score(coverage: float, cosine: float | None, evidence: Evidence) -> float:
    if cosine is None:
        return 0.7 * coverage + 0.3 * evidence.scores.final
    return 0.4 * coverage + 0.4 * max(cosine, 0.0) + 0.2 * evidence.scores.final


def _speaks(candidate: Candidate) -> bool:
    if candidate.coverage <= 0:
        return False
    if candidate.cosine is None:
        return candidate.coverage >= LEAST_COVERAGE
    near = candidate.cosine >= LEAST_COSINE
    return near or (candidate.coverage >= LEAST_COVERAGE and candidate.cosine >= LEAST_COSINE / 1.5)


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    seen: dict[str, Candidate] = {}
    for candidate in candidates:
        seen.setdefault(" ".join(candidate.passage.text.casefold().split()), candidate)
    return list(seen.values())
