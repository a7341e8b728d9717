"""Answers are taken along as Markdown or as a Word document, in which each citation leads to its page."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import httpx
from docx import Document
from tests.support.served import Served

QUESTIONS = ("Who clears the snow?", "What is the price of cheese on the moon?")


def asked(service: Served) -> list[dict[str, Any]]:
    headers = service.headers("reader")
    return [dict(service.client.get("/qa", params={"query": query}, headers=headers).json()) for query in QUESTIONS]


def exported(service: Served, answers: list[dict[str, Any]], **more: str) -> httpx.Response:
    params = {"answer": [answer["meta"]["trace_id"] for answer in answers], **more}
    return service.client.get("/api/export", params=params, headers=service.headers("reader"))


def test_questions_stand_in_markdown_with_their_answers_and_a_link_for_each_citation(service: Served) -> None:
    answers = asked(service)
    (said, *_), trace_id = answers[0]["statements"], answers[0]["meta"]["trace_id"]
    blocks = exported(service, answers).text.rstrip().split("\n\n")
    own = f"http://127.0.0.1/q/{trace_id}"
    assert blocks[:2] == ["# Questions and answers", f"## [{QUESTIONS[0]}]({own})"]
    assert blocks[2].startswith("Answered. Certainty: ")
    assert blocks[3] == f"{said['text']} [\\[1\\]]({own}#asked?citation=1)"
    cited = said["citations"][0]
    source = f"- [\\[1\\] {cited['filename']} p.{cited['page']}]({own}#asked?citation=1)"
    assert source.replace("&", "\\&") in blocks
    at = blocks.index(f"## [{QUESTIONS[1]}](http://127.0.0.1/q/{answers[1]['meta']['trace_id']})")
    assert blocks[at + 1] in ("Not found", "Nearest passages, not an answer")


def test_a_word_document_of_them_has_headings_and_links(service: Served) -> None:
    answers = asked(service)
    found = exported(service, answers, form="docx")
    assert found.headers["Content-Disposition"] == 'attachment; filename="answers.docx"'
    document = Document(io.BytesIO(found.content))
    headings = [paragraph.text for paragraph in document.paragraphs if paragraph.style.name == "Heading 1"]
    assert headings == list(QUESTIONS)
    said = next(p for p in document.paragraphs if p.text.startswith(answers[0]["statements"][0]["text"]))
    assert [link.text for link in said.hyperlinks] == ["[1]"]
    assert said.hyperlinks[0].url == f"http://127.0.0.1/q/{answers[0]['meta']['trace_id']}#asked?citation=1"
    assert exported(service, answers, form="docx").content == found.content
    assert zipfile.ZipFile(io.BytesIO(found.content)).testzip() is None


def test_an_answer_that_is_gone_is_left_out_and_told(service: Served) -> None:
    answers = asked(service)
    answers[1]["meta"]["trace_id"] = "0" * 32
    assert exported(service, answers).text.endswith("\n\nNot there any more: 1 of 2 answers\n")
    assert QUESTIONS[0] in exported(service, answers).text


def test_what_is_asked_for_has_to_be_answers(service: Served) -> None:
    answers = asked(service)
    assert exported(service, []).status_code == 422
    assert exported(service, answers * 51).status_code == 422
    assert exported(service, answers, form="exe").status_code == 422
