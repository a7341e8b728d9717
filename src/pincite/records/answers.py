"""What answers a question, every statement with its citations, and the JSON of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pincite.records.citations import Citation, Mark, SupportingTriplet, TripletPath
from pincite.records.evidence import Evidence, Place, Trace, result_dict
from pincite.records.plain import to_plain
from pincite.records.prompts import Call
from pincite.records.questions import RetrievalPolicy

AnswerState = Literal["answered", "nearest", "not_found"]
Certainty = Literal["high", "medium", "low"]
HIGH, MEDIUM = 0.8, 0.5
"""The least chance of an answer that is called so."""
NEAREST = "Nearest, not the answer: "
"""How a statement opens that shows a passage which does not answer."""
StatementKind = Literal[
    "fact", "quote", "step", "value", "definition", "comparison", "list", "verdict", "missing", "conflict"
]


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer with its citations; `marks` are those of its words that its quotes do not hold, which
    only a language model's may have."""

    text: str
    kind: StatementKind
    citations: tuple[Citation, ...]
    part: str | None = None
    locator: str | None = None
    also: tuple[Citation, ...] = ()
    confidence: float = 1.0
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """An aspect of the question without evidence, where was looked, and what else to try."""

    aspect: str
    looked_in: tuple[Place, ...] = ()
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question. `summary` is its statements as printed; `generation` names the indexes used;
    `triplets` are those of its cited sentences and of the question's names; `beyond` is what was looked at behind the
    evidence; `model` is the language model that was asked, if any, and `calls` what it was asked and answered."""

    query: str
    mode: str
    summary: str
    statements: tuple[Statement, ...]
    evidence: tuple[Evidence, ...]
    missing: tuple[Missing, ...]
    policy: RetrievalPolicy
    generation: str
    paths: tuple[TripletPath, ...] = ()
    triplets: tuple[SupportingTriplet, ...] = ()
    degraded: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    trace: Trace = Trace()
    trace_id: str = ""
    timestamp: str = ""
    beyond: tuple[Evidence, ...] = ()
    model: str = ""
    calls: tuple[Call, ...] = ()

    @property
    def refused(self) -> bool:
        """No statement of another kind than `missing`."""
        return all(statement.kind == "missing" for statement in self.statements)

    @property
    def state(self) -> AnswerState:
        """`answered`; `nearest`: nothing answers, and the passage that comes nearest is shown; `not_found`."""
        if not self.refused:
            return "answered"
        return "nearest" if any(said.text.startswith(NEAREST) for said in self.statements) else "not_found"

    @property
    def chance(self) -> float:
        """The probability that the statements answer the question, 0 to 1; 0 for what is not an answer."""
        return max((said.confidence for said in self.statements if said.kind != "missing"), default=0.0)

    @property
    def certainty(self) -> Certainty:
        """The chance in a word."""
        return "high" if self.chance >= HIGH else "medium" if self.chance >= MEDIUM else "low"

    @property
    def searched(self) -> dict[str, int]:
        """How many passages each channel found that was searched."""
        return {channel: self.trace.counts.get(channel, 0) for channel in self.policy.channels}

    def to_dict(self, *, stable: bool = False, explain: bool = False) -> dict[str, Any]:
        """The JSON of docs/design.md section 8. `stable` leaves out what differs between two askings; `explain` adds
        to `meta` what was done for the question."""
        meta: dict[str, Any] = {
            "returned": len(self.evidence) + len(self.paths),
            "topM": self.policy.prefilter,
            "topK": self.policy.top_k,
            "profile": self.policy.profile,
            "generation": self.generation,
        }
        if self.model:
            meta["model"] = self.model
            meta["usage"] = _usage_dict(self.calls)
        if not stable:
            meta |= {"notices": list(self.notices), "trace_id": self.trace_id, "timestamp": self.timestamp}
            meta["timings_ms"] = dict(self.trace.timings_ms)
        if explain:
            told = ("query", "counts", "best", "related", "names", "places", "documents", "merged", "decisions")
            followed = ("hops",) if self.trace.hops else ()
            meta["explanation"] = {name: to_plain(getattr(self.trace, name)) for name in (*told, *followed)}
        return {
            "query": self.query,
            "mode": self.mode,
            "degraded": list(self.degraded),
            "refused": self.refused,
            "state": self.state,
            "chance": round(self.chance, 4),
            "certainty": self.certainty,
            "summary": self.summary,
            "statements": [_statement_dict(statement) for statement in self.statements],
            "results": [
                *(result_dict(item, self.triplets) for item in self.evidence),
                *(_path_dict(number, path) for number, path in enumerate(self.paths, start=1)),
            ],
            "missing": [_missing_dict(item) for item in self.missing],
            "meta": meta,
        }


def _citation_dict(citation: Citation) -> dict[str, Any]:
    return {**to_plain(citation), "span": [citation.span.start, citation.span.end]}


def _statement_dict(statement: Statement) -> dict[str, Any]:
    marks = {"marks": [[mark.start, mark.end] for mark in statement.marks]} if statement.marks else {}
    return {
        "text": statement.text,
        "kind": statement.kind,
        "citations": [_citation_dict(citation) for citation in statement.citations],
        "part": statement.part,
        "locator": statement.locator,
        "also": [_citation_dict(citation) for citation in statement.also],
        "confidence": statement.confidence,
        **marks,
    }


def _usage_dict(calls: Sequence[Call]) -> dict[str, int]:
    answered = [call.completion for call in calls if call.completion is not None]
    return {
        "calls": len(calls),
        "prompt_tokens": sum(item.prompt_tokens for item in answered),
        "completion_tokens": sum(item.completion_tokens for item in answered),
    }


def _missing_dict(missing: Missing) -> dict[str, Any]:
    places = dict.fromkeys((place.filename, place.page) for place in missing.looked_in)
    looked_in = [{"filename": filename, "page": page} for filename, page in places]
    return {"aspect": missing.aspect, "looked_in": looked_in, "suggestions": list(missing.suggestions)}


def _path_dict(number: int, path: TripletPath) -> dict[str, Any]:
    return {
        "id": f"triplet_path_{number}",
        "type": "triplet_path",
        "path": list(path.path),
        "edges": list(path.edges),
        "supporting_chunks": [
            {
                "chunk_id": citation.chunk_id,
                "filename": citation.filename,
                "page": citation.page,
                "span": [citation.span.start, citation.span.end],
                "quote": citation.quote,
            }
            for citation in path.citations
        ],
        "score": path.score,
    }
