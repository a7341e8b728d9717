"""What people say of results: kept in the audit chain, and used for nothing else."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field

from pincite.engine.engine import Session
from pincite.errors import NotThereError
from pincite.serve.asked import WHOLE
from pincite.serve.guard import failed, guarded_router
from pincite.serve.service import Called

router = guarded_router()


class Feedback(BaseModel):
    """What is said of one result of an answer, or of a statement that rests on it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    trace_id: Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="of the answer: meta.trace_id")]
    result: Annotated[str, Field(max_length=128, description="the id of a result, or the chunk_id of a citation")]
    said: Literal["opened", "useful", "right", "wrong", "beside the point"]
    statement: Annotated[int, Field(ge=0, description="which statement is meant, from 0"), WHOLE] | None = None


@router.post(
    "/api/feedback",
    summary="what somebody says of a result or a statement",
    status_code=HTTPStatus.NO_CONTENT,
    response_class=Response,
    responses=failed(404, 413, 422),
)
async def feedback(given: Feedback, call: Called) -> Response:
    """It stands in the audit chain as `clicked`; no ranking heeds it."""
    await call.service.writing.run(lambda: _note(call.session, given))
    return Response(status_code=HTTPStatus.NO_CONTENT)


def _note(session: Session, given: Feedback) -> None:
    """Put it into the chain. NotThereError for an answer that the asker may not see, or a result that it has not."""
    found = _result(session.audit.receipt(given.trace_id).answer or {}, given.result)
    details: dict[str, Any] = {"said": given.said, "result": given.result, "rank": found["rank"]}
    if given.statement is not None:
        details["statement"] = given.statement
    session.audit.record_event("clicked", found["source_id"], trace_id=given.trace_id, details=details)


def _result(answer: Any, chunk_id: str) -> Any:
    for item in (*answer.get("evidence", ()), *answer.get("beyond", ())):
        if item["chunk_id"] == chunk_id:
            return item
    raise NotThereError(f"the answer has no result {chunk_id!r}")
