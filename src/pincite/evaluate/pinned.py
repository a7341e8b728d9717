"""`pincite eval pinned`: approved questions asked again, and every change in what they say or cite."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite.engine.engine import Engine
from pincite.errors import UsageError
from pincite.evaluate.files import json_rows
from pincite.evaluate.questions import FilePage, PageQuestion, cited_pages, page_question
from pincite.evaluate.report import Evaluation, Tally, describe_machine
from pincite.printing import printable
from pincite.records.answers import Answer
from pincite.records.audit import Run
from pincite.records.plain import to_plain
from pincite.records.questions import Filter, Profile, RetrievalPolicy

MODE = "extract"
PLACES = {"citations": "cited otherwise", "also": "corroborated otherwise"}
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pinned:
    """An approved question: the pages that have to be cited, and the statements, where the whole answer was approved.
    `said` has the statements by their text, in order: `citations` and `also` as (source id, page, quote), `kind`."""

    question: PageQuestion
    policy: RetrievalPolicy = RetrievalPolicy()
    filter: Filter = Filter()
    said: Mapping[str, Row] | None = None


@dataclass(slots=True)
class Changes:
    """What is other than approved, a line each, by the id of the question."""

    by_question: dict[str, list[str]] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """All of them, each behind its question's id, as a terminal may show them."""
        found = (f"{key}: {line}" for key, lines in self.by_question.items() for line in lines)
        return [printable(" ".join(line.split())) for line in found]


def pinned_on_pages(run: Run, receipt: Row, pages: Sequence[FilePage]) -> dict[str, Any]:
    """The row of a question whose answer was wrong: these pages, all of them, answer it."""
    return _row(run, receipt) | {"must_cite": [list(page) for page in pages]}


def pinned_as_is(run: Run, receipt: Row) -> dict[str, Any]:
    """The row of a question whose answer was right: its pages have to be cited and its statements made again."""
    statements = [
        {
            "text": said["text"],
            "kind": said["kind"],
            **{name: [[c["source_id"], c["page"], c["quote"]] for c in said[name]] for name in PLACES},
        }
        for said in receipt["output"]["statements"]
    ]
    cited = [(source, page) for said in statements for source, page, _ in said["citations"] if page is not None]
    return _row(run, receipt) | {"must_cite": [list(page) for page in dict.fromkeys(cited)], "statements": statements}


def add_pinned(path: Path, row: Row) -> None:
    """Add a row at the end of a file of pinned questions; UsageError where it cannot be written."""
    try:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error


def load_pinned(path: Path) -> list[Pinned]:
    """The rows of a file; of several with one question and filter the last counts."""
    rows = {_key(row): (number, row) for number, row in enumerate(json_rows(path), start=1)}
    return [_pinned(row, number, path) for number, row in rows.values()]


def evaluate_pinned(engine: Engine, path: Path) -> tuple[Evaluation, Changes]:
    """Ask every pinned question and compare. `unchanged`: the share without any change; `cited_page` as in `pages`."""
    tally, changes, per_query = Tally(), Changes(), []
    machine, started = describe_machine(), time.perf_counter()
    for pinned in load_pinned(path):
        question = pinned.question
        answer = engine.ask(question.text, policy=pinned.policy, filter=pinned.filter, mode=MODE, receipt=False)
        found = list(changed(pinned, answer))
        tally.add("unchanged", not found)
        if question.required:
            tally.add("cited_page", not any(_not_cited(question, answer)))
        if found:
            changes.by_question[question.id] = [question.text, *found]
        per_query.append({"id": question.id, "ranked": {}, "answer": {"question": question.text, "changes": found}})
    evaluation = Evaluation(
        command="eval pinned",
        set=path.name,
        settings={},
        counts={"questions": len(per_query), "changed": len(changes.by_question)},
        results={MODE: tally.means()},
        intervals={MODE: tally.intervals()},
        per_query=per_query,
        timings={"ask_seconds": time.perf_counter() - started},
        machine=machine,
    )
    return evaluation, changes


def changed(pinned: Pinned, answer: Answer) -> Iterator[str]:
    """What is other than approved."""
    yield from (f"not cited: {place}" for place in _not_cited(pinned.question, answer))
    if pinned.said is None:
        return
    now = {
        statement.text: {
            "kind": statement.kind,
            "citations": [[c.source_id, c.page, c.quote] for c in statement.citations],
            "also": [[c.source_id, c.page, c.quote] for c in statement.also],
        }
        for statement in answer.statements
    }
    yield from (f"no longer said: {text}" for text in pinned.said if text not in now)
    yield from (f"newly said: {text}" for text in now if text not in pinned.said)
    kept = [text for text in pinned.said if text in now]
    for text in kept:
        yield from _changed_places(text, pinned.said[text], now[text])
    if kept != [text for text in now if text in pinned.said]:
        yield "said in another order"


def _changed_places(text: str, before: Row, now: Row) -> Iterator[str]:
    """What is other in a statement of the same text; what a row of an older form does not tell is not compared."""
    for name, change in PLACES.items():
        if name in before and before[name] != now[name]:
            yield f"{change}: {text} {_places(before[name])} before, {_places(now[name])} now"
    if before.get("kind", now["kind"]) != now["kind"]:
        yield f"said as another kind: {text} {before['kind']} before, {now['kind']} now"


def _not_cited(question: PageQuestion, answer: Answer) -> list[str]:
    cited = set(cited_pages(answer.statements, question))
    return [
        " or ".join(f"{file}, p.{page}" for file, page in entry)
        for entry in question.required
        if cited.isdisjoint(entry)
    ]


def _row(run: Run, receipt: Row) -> dict[str, Any]:
    """The question with what it was asked with, where that is not the default."""
    request = receipt["request"]
    given = {
        "filter": (request["filter"], to_plain(Filter())),
        "policy": (request["policy"], to_plain(RetrievalPolicy())),
    }
    own = {
        name: {key: value for key, value in asked.items() if value != usual[key]}
        for name, (asked, usual) in given.items()
    }
    return {"id": run.run_id, "question": request["question"]} | {name: part for name, part in own.items() if part}


def _pinned(row: Row, number: int, path: Path) -> Pinned:
    question = page_question(row, number, path)
    try:
        said = {item["text"]: item for item in row["statements"]} if "statements" in row else None
        return Pinned(question, _policy(row.get("policy", {})), Filter(**_tuples(row.get("filter", {}))), said)
    except (KeyError, TypeError) as error:
        raise UsageError(f"{path}, row {number} is malformed ({error!r}): see docs/evaluation.md") from error


def _policy(plain: Row) -> RetrievalPolicy:
    own = plain.get("weights")
    return RetrievalPolicy(**{**_tuples(plain), "weights": None if own is None else Profile(**own)})


def _key(row: Row) -> str:
    return json.dumps([row.get("question"), row.get("filter", {})], sort_keys=True)


def _tuples(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}


def _places(citations: Sequence[Sequence[Any]]) -> str:
    places = (f"{source}, p.{page}" if page else str(source) for source, page, *_ in citations)
    return "; ".join(dict.fromkeys(places)) or "nowhere"
