"""An answer as plain values, and back: for receipts, for the cache, for replays.

The chunks of its evidence are kept by their ids: a chunk never changes, and the record has its text. The id of its
source stands beside, by which a receipt is found when that source is purged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pincite.records.answers import Answer, Missing, Statement
from pincite.records.chunks import ChunkRecord
from pincite.records.citations import Citation, Mark, SupportingTriplet, TripletPath
from pincite.records.evidence import Decision, Evidence, Hop, Place, Retrieval, Scores, Trace
from pincite.records.pages import Span
from pincite.records.plain import to_plain
from pincite.records.prompts import Call, Completion, Message, Prompt
from pincite.records.questions import Filter, Profile, Query, RetrievalPolicy

PASSAGES = ("evidence", "beyond")
"""The fields of an answer that hold chunks."""
Plain = Mapping[str, Any]
Chunks = Callable[[Sequence[str]], list[ChunkRecord]]


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer, its bytes as they are stored, and those of what was given out of it without times and ids."""

    answer: Answer
    content: bytes
    output: bytes


def keep(answer: Answer) -> Kept:
    """The answer as it is kept."""
    return Kept(answer, packed(kept_answer(answer)), packed(answer.to_dict(stable=True)))


def restore(content: bytes, chunks: Chunks) -> Kept:
    """What was kept in these bytes."""
    answer = restored_answer(json.loads(content), chunks)
    return Kept(answer, content, packed(answer.to_dict(stable=True)))


def kept_answer(answer: Answer) -> dict[str, Any]:
    """The answer as JSON can hold it."""
    plain = {item.name: to_plain(getattr(answer, item.name)) for item in fields(answer) if item.name not in PASSAGES}
    return plain | {name: [_kept_evidence(item) for item in getattr(answer, name)] for name in PASSAGES}


def packed(value: Any) -> bytes:
    """Plain values as they are stored: JSON, in their own order."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def restored_answer(plain: Plain, chunks: Chunks) -> Answer:
    """The answer that was kept; `chunks` gives chunks by id and raises StoreError for one that is gone."""
    return Answer(
        query=plain["query"],
        mode=plain["mode"],
        summary=plain["summary"],
        statements=tuple(map(_statement, plain["statements"])),
        evidence=_evidence(plain["evidence"], chunks),
        beyond=_evidence(plain.get("beyond", ()), chunks),
        missing=tuple(map(_missing, plain["missing"])),
        policy=restored_policy(plain["policy"]),
        generation=plain["generation"],
        paths=tuple(map(_path, plain["paths"])),
        triplets=tuple(SupportingTriplet(**item) for item in plain.get("triplets", ())),
        degraded=tuple(plain["degraded"]),
        notices=tuple(plain["notices"]),
        trace=_trace(plain["trace"]),
        trace_id=plain["trace_id"],
        timestamp=plain["timestamp"],
        model=plain.get("model", ""),
        calls=restored_calls(plain),
    )


def restored_retrieval(plain: Plain, chunks: Chunks) -> Retrieval:
    """What the answer that was kept was made from: the question as it was read, and all hits by their ranks."""
    beyond = _evidence(plain.get("beyond", ()), chunks)
    ids = {item.chunk.chunk_id for item in beyond}
    evidence = [item for item in _evidence(plain["evidence"], chunks) if item.chunk.chunk_id not in ids]
    ranked = tuple(sorted(evidence, key=lambda item: item.rank))
    return Retrieval(_query(plain["trace"]["query"]), ranked, _trace(plain["trace"]), beyond)


def restored_calls(plain: Plain) -> tuple[Call, ...]:
    """What a language model was asked for the answer that was kept, and answered."""
    return tuple(map(_call, plain.get("calls", ())))


def restored_policy(plain: Plain) -> RetrievalPolicy:
    """A retrieval policy."""
    own = plain.get("weights")
    weights = None if own is None else Profile(**own)
    return RetrievalPolicy(**{**plain, "channels": tuple(plain["channels"]), "weights": weights})


def restored_filter(plain: Plain) -> Filter:
    """A filter."""
    values: dict[str, Any] = {name: tuple(item) if isinstance(item, list) else item for name, item in plain.items()}
    return Filter(**values)


def _evidence(items: Sequence[Plain], chunks: Chunks) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            chunk=chunk,
            rank=item["rank"],
            scores=Scores(**item["scores"]),
            retrieved_by=tuple(item["retrieved_by"]),
            why=tuple(item["why"]),
            also=tuple(map(_place, item["also"])),
        )
        for item, chunk in zip(items, chunks([item["chunk_id"] for item in items]), strict=True)
    )


def _trace(plain: Plain) -> Trace:
    query = plain["query"]
    return Trace(
        query=None if query is None else _query(query),
        counts=plain["counts"],
        best=plain["best"],
        names=tuple(plain["names"]),
        places=tuple(plain["places"]),
        documents=tuple(plain.get("documents", ())),
        related=tuple(plain.get("related", ())),
        merged=plain["merged"],
        decisions=tuple(Decision(**item) for item in plain["decisions"]),
        hops=tuple(Hop(**item) for item in plain.get("hops", ())),
        timings_ms=plain["timings_ms"],
        degraded=tuple(plain["degraded"]),
    )


def _query(plain: Plain) -> Query:
    return Query(
        text=plain["text"],
        search_text=plain["search_text"],
        tokens=tuple(plain["tokens"]),
        filter=restored_filter(plain["filter"]),
        languages=tuple(plain["languages"]),
    )


def _kept_evidence(item: Evidence) -> dict[str, Any]:
    return {
        "chunk_id": item.chunk.chunk_id,
        "source_id": item.chunk.source_id,
        "rank": item.rank,
        "scores": to_plain(item.scores),
        "retrieved_by": list(item.retrieved_by),
        "why": list(item.why),
        "also": to_plain(item.also),
    }


def _statement(plain: Plain) -> Statement:
    cited = {name: tuple(map(_citation, plain[name])) for name in ("citations", "also")}
    marks = tuple(Mark(**item) for item in plain.get("marks", ()))
    return Statement(**{**plain, **cited, "marks": marks})


def _call(plain: Plain) -> Call:
    prompt, completion = plain["prompt"], plain["completion"]
    messages = tuple(Message(**item) for item in prompt["messages"])
    answered = None if completion is None else Completion(**completion)
    return Call(**{**plain, "prompt": Prompt(**{**prompt, "messages": messages}), "completion": answered})


def _citation(plain: Plain) -> Citation:
    return Citation(**{**plain, "span": Span(**plain["span"])})


def _missing(plain: Plain) -> Missing:
    return Missing(plain["aspect"], tuple(map(_place, plain["looked_in"])), tuple(plain["suggestions"]))


def _place(plain: Plain) -> Place:
    return Place(**plain)


def _path(plain: Plain) -> TripletPath:
    citations = tuple(map(_citation, plain["citations"]))
    return TripletPath(tuple(plain["path"]), tuple(plain["edges"]), citations, plain["score"])
