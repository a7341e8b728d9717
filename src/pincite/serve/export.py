"""Answers that were given as one file, Word document or Markdown, in which each citation leads to its page here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Literal, NamedTuple

from fastapi import Query, Response
from pydantic import StringConstraints

from pincite.engine.engine import Session
from pincite.errors import NotThereError
from pincite.records.answers import Answer, Statement
from pincite.records.citations import Citation
from pincite.rendering import escaped
from pincite.report.word import Paragraph, Run, word_document
from pincite.serve.guard import failed, guarded_router
from pincite.serve.service import Called

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
TITLE = "Questions and answers"
MOST_ANSWERS = 100
"""By eye, not measured."""
_STATES: Mapping[str, str] = {
    "answered": "Answered",
    "nearest": "Nearest passages, not an answer",
    "not_found": "Not found",
}
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""What no Word document may hold, and what turns the direction of words that stand behind it."""
Form = Literal["md", "docx"]
RunId = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
Key = tuple[str, int | str | None]
router = guarded_router()


@router.get(
    "/api/export",
    summary="answers that were given, as one file",
    response_class=Response,
    responses={200: {"content": {"text/markdown": {}, MEDIA_TYPE: {}}}, **failed(422)},
)
async def export(
    answer: Annotated[list[RunId], Query(min_length=1, max_length=MOST_ANSWERS, description="their trace ids")],
    call: Called,
    form: Annotated[Form, Query(description="Markdown, or a Word document")] = "md",
) -> Response:
    """In this order. What was purged, or rests on what is closed to whoever asks, is left out, and the end says so."""
    write, media_type = _FORMS[form]
    at = str(call.request.base_url).rstrip("/")
    content = await call.service.reading.run(lambda: write(list(_paragraphs(call.session, answer, at))))
    headers = {"Content-Disposition": f'attachment; filename="answers.{form}"'}
    return Response(content, media_type=media_type, headers=headers)


def _paragraphs(session: Session, ids: Sequence[str], at: str) -> Iterator[Paragraph]:
    """The file of these answers of the service at this address."""
    yield Paragraph("Title", (Run(TITLE),))
    missed = 0
    for run_id in ids:
        answer = None
        with suppress(NotThereError):
            answer = session.audit.restored(session.audit.receipt(run_id))
        if answer is None:
            missed += 1
        else:
            yield from _exported(answer, f"{at}/q/{run_id}")
    if missed:
        yield Paragraph("Normal", (Run(f"Not there any more: {missed} of {len(ids)} answers"),))


class _Cited(NamedTuple):
    """A page that an answer cites, its number, and which of the chips on the page of the service is its first."""

    citation: Citation
    number: int
    chip: int


def _exported(answer: Answer, address: str) -> Iterator[Paragraph]:
    """The question, the statements, and the pages that they rest on."""
    yield Paragraph("Heading 1", (Run(_squeezed(answer.query), address),))
    likely = f". Certainty: {answer.certainty} ({answer.chance:.0%})" if answer.state == "answered" else ""
    yield Paragraph("Normal", (Run(_STATES[answer.state] + likely),))
    pages = _pages(answer)

    def link(page: _Cited, words: str) -> Run:
        return Run(words, f"{address}#asked?citation={page.chip}" if answer.state == "answered" else address)

    for said in answer.statements:
        cited = dict.fromkeys(pages[_key(citation)] for citation in said.citations)
        links = (run for page in cited for run in (Run(" "), link(page, f"[{page.number}]")))
        yield Paragraph("Normal", (Run(_squeezed(said.text)), *links))
    names = Counter({page.citation.source_id: page.citation.filename for page in pages.values()}.values())
    for page in pages.values():
        name = page.citation.source_id if names[page.citation.filename] > 1 else page.citation.filename
        yield Paragraph("Quote", (link(page, _squeezed(f"[{page.number}] {name} {_place(page.citation)}")),))


def _pages(answer: Answer) -> dict[Key, _Cited]:
    """Each page that is cited once, in the order of the chips."""
    found: dict[Key, _Cited] = {}
    chips = (citation for said in answer.statements for citation in _chips(said))
    for chip, citation in enumerate(chips, start=1):
        found.setdefault(_key(citation), _Cited(citation, len(found) + 1, chip))
    return found


def _chips(said: Statement) -> Iterator[Citation]:
    """One citation for each page of a statement, and for each other page that says the same."""
    for citations in (said.citations, said.also):
        first: dict[Key, Citation] = {}
        for citation in citations:
            first.setdefault(_key(citation), citation)
        yield from first.values()


def _key(citation: Citation) -> Key:
    return citation.source_id, citation.page if citation.page is not None else citation.locator


def _place(citation: Citation) -> str:
    if citation.page is None:
        return citation.locator or ""
    own = citation.label in (None, "", str(citation.page))
    return f"p.{citation.page}" if own else f"p.{citation.page} (“{citation.label}”)"


def _squeezed(text: str) -> str:
    return _UNFIT.sub("", " ".join(text.split()))


_MARKUP: Mapping[str, str] = {"Title": "# ", "Heading 1": "## ", "Quote": "- "}


def _markdown(paragraphs: Sequence[Paragraph]) -> bytes:
    lines = (_MARKUP.get(paragraph.style, "") + "".join(map(_linked, paragraph.runs)) for paragraph in paragraphs)
    return ("\n\n".join(lines) + "\n").encode()


def _linked(run: Run) -> str:
    words = escaped(run.words)
    return f"[{words}]({run.address})" if run.address else words


_FORMS: Mapping[Form, tuple[Callable[[Sequence[Paragraph]], bytes], str]] = {
    "md": (_markdown, "text/markdown"),
    "docx": (partial(word_document, TITLE), MEDIA_TYPE),
}
