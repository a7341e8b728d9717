"""Which role each route needs. A route that does not stand here cannot be built."""

from __future__ import annotations

from collections.abc import Mapping

from pincite.serve.tokens import ROLES

ANYBODY = "anybody"
"""Needs no token: these routes say nothing of the store."""

RULES: Mapping[str, str] = {
    "GET /": ANYBODY,
    "GET /q/{run_id}": ANYBODY,
    "GET /web/{name}": ANYBODY,
    "GET /health": ANYBODY,
    "GET /ready": ANYBODY,
    "GET /metrics": "reader",
    "GET /api/openapi.json": "reader",
    "GET /api/answer.schema.json": "reader",
    "GET /qa": "reader",
    "POST /api/ask": "reader",
    "POST /api/ask/stream": "reader",
    "POST /api/search": "reader",
    "GET /api/answers/{run_id}": "reader",
    "GET /api/export": "reader",
    "GET /v1/models": "reader",
    "GET /v1/models/{model}": "reader",
    "POST /v1/chat/completions": "reader",
    "GET /api/start": "reader",
    "GET /api/start/questions": "reader",
    "GET /api/documents": "reader",
    "POST /api/documents": "writer",
    "DELETE /api/document": "writer",
    "GET /api/indexing": "writer",
    "GET /api/indexing/stream": "writer",
    "POST /api/feedback": "reader",
    "GET /api/document": "reader",
    "GET /api/document/sections": "reader",
    "GET /api/document/anchors": "reader",
    "GET /api/document/references": "reader",
    "GET /api/document/find": "reader",
    "GET /api/document/passage": "reader",
    "GET /api/document/pages/{number}": "reader",
    "GET /api/document/pages/{number}/image": "reader",
    "GET /api/document/pages/{number}/words": "reader",
    "GET /api/document/pages/{number}/marks": "reader",
    "GET /api/document/link": "reader",
    "GET /api/document/file": "reader",
    "GET /api/section": "reader",
    "GET /api/entities": "reader",
    "GET /api/entity": "reader",
    "GET /api/entity/graph": "reader",
    "GET /api/runs": "admin",
    "GET /api/runs/{run_id}": "admin",
    "GET /api/events": "admin",
}

STREAMED = frozenset({"POST /api/documents"})
"""The routes that may be sent more than a question, since they count themselves what they read."""
MOST_BYTES = 64 * 1024
"""Of what is sent: sixteen for each character that a question may have."""
MOST_BYTES_OF: Mapping[str, int] = {"POST /v1/chat/completions": 1024 * 1024}
"""Routes that may be sent more: a chat program sends all that was said, and an answer in words has some 5 KB, so that
these are two hundred of them. By eye, not measured."""


def allows(rule: str, role: str) -> bool:
    """Whether who has this role may do what the rule is about."""
    return rule == ANYBODY or ROLES.index(role) >= ROLES.index(rule)
