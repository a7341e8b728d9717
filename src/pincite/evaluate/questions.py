"""Questions with known answers, and what became of those that were asked."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.evaluate.files import json_rows
from pincite.evaluate.measures import fold, holds_all, holds_any
from pincite.evaluate.report import Tally
from pincite.records.answers import Answer, Statement
from pincite.records.citations import Citation
from pincite.records.evidence import Evidence

FilePage = tuple[str, int]
Alternatives = tuple[FilePage, ...]
QUESTIONS_FILE = "questions.jsonl"


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """A question with its gold. Of each entry of `required` one page is enough; `accepted` are all pages that count as
    right; `facts` are lists of alternatives; `answerable` is None where unknown. `cites_in_missing`: citations of
    `missing` statements count."""

    id: str
    text: str
    folder: str | None = None
    required: tuple[Alternatives, ...] = ()
    accepted: frozenset[FilePage] = frozenset()
    answerable: bool | None = None
    facts: tuple[tuple[str, ...], ...] = ()
    must_not: tuple[str, ...] = ()
    cites_in_missing: bool = False

    @property
    def files(self) -> frozenset[str]:
        """The files that hold gold pages."""
        return frozenset(file for file, _ in self.accepted)


def load_questions(path: Path) -> list[PageQuestion]:
    """All rows of a file of questions; UsageError names the row that has no question or malformed pages."""
    return [page_question(row, number, path) for number, row in enumerate(json_rows(path), start=1)]


def section_questions(titles: Iterable[str], count: int, seed: int) -> list[PageQuestion]:
    """ "What does TITLE require?" for a seeded sample of section titles, in the order drawn."""
    known = sorted({title.strip() for title in titles if any(char.isalpha() for char in title)})
    drawn = random.Random(seed).sample(known, min(count, len(known)))
    return [PageQuestion(f"section-{n}", f"What does {title} require?") for n, title in enumerate(drawn, start=1)]


def page_question(row: Mapping[str, Any], number: int, path: Path) -> PageQuestion:
    """One row, the `number`th of the file at `path`; UsageError where it is malformed."""
    try:
        required, others = _gold(row)
        return PageQuestion(
            id=str(row.get("id", number)),
            text=str(row["question"]),
            folder=row.get("folder"),
            required=required,
            accepted=frozenset(place for entry in required for place in entry) | others,
            answerable=bool(required),
            facts=tuple(tuple(fact) for fact in row.get("facts") or row.get("must_have") or ()),
            must_not=tuple(row.get("must_not") or ()),
            cites_in_missing="must_cite" in row,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}, row {number} is malformed ({error!r}): see docs/evaluation.md") from error


def _gold(row: Mapping[str, Any]) -> tuple[tuple[Alternatives, ...], frozenset[FilePage]]:
    """What has to be found, and what counts as right besides."""
    if "must_cite" in row:
        return tuple(_alternatives(entry) for entry in row["must_cite"]), frozenset()
    file, pages = row.get("file"), row.get("pages") or row.get("gold_pages") or ()
    if file is None or not pages:
        return (), frozenset()
    gold = tuple((str(file), int(page)) for page in pages)
    also = tuple((str(file), int(page)) for page in row.get("also_on_pages") or ())
    required = tuple((place,) for place in gold) if row.get("pages_mode") == "all" else ((*gold, *also),)
    return required, frozenset(also)


def _alternatives(entry: Sequence[Any]) -> Alternatives:
    """One [file, page], or a list of which one is enough."""
    places = [entry] if isinstance(entry[0], str) else entry
    return tuple((str(file), int(page)) for file, page in places)


CUTS = (1, 5, 10)


def ranked_pages(evidence: Iterable[Evidence], question: PageQuestion) -> list[FilePage]:
    """The pages of the evidence, each once, best first."""
    places = (
        (_as_in_gold(item.chunk.source_id, question.files), page) for item in evidence for page in item.chunk.pages
    )
    return list(dict.fromkeys(places))


def cited_pages(statements: Iterable[Statement], question: PageQuestion) -> list[FilePage]:
    """The pages that the answer cites, each once, in order; without those of `missing` statements, as a rule."""
    citations = [
        citation
        for statement in statements
        if statement.kind != "missing" or question.cites_in_missing
        for citation in statement.citations
    ]
    places = ((_as_in_gold(c.source_id, question.files), c.page) for c in citations)
    return list(dict.fromkeys((file, page) for file, page in places if page is not None))


def score_evidence(tally: Tally, question: PageQuestion, ranked: Sequence[FilePage]) -> None:
    """`page_hit@k`, where there is gold: the required pages stand among the first k pages."""
    if question.required:
        for cut in CUTS:
            tally.add(f"page_hit@{cut}", _all_met(question, ranked[:cut]))


def score_answer(tally: Tally, question: PageQuestion, answer: Answer) -> None:
    """What is cited, said and refused."""
    if question.answerable is not None:
        tally.add("refused_answerable" if question.answerable else "refused", answer.refused)
    if question.required:
        _score_citations(tally, question, cited_pages(answer.statements, question))
    said = "\n".join(statement.text for statement in answer.statements)
    if question.facts:
        tally.add("facts", holds_all(said, question.facts))
    if question.must_not:
        tally.add("must_not", holds_any(said, question.must_not))
    tally.add("statements_mean", len(answer.statements))
    for statement in answer.statements:
        if statement.citations:
            tally.add("quote_share", is_its_quote(statement))
        for citation in statement.citations:
            tally.add("quote_chars", len(citation.quote))


def is_its_quote(statement: Statement) -> bool:
    """Whether the statement says no more and no less than its quote, its locator left aside."""
    locator = f"{statement.locator}:"
    text = statement.text.removeprefix(locator) if statement.locator else statement.text
    quote = " ".join(citation.quote for citation in statement.citations)
    return fold(text).rstrip(".") == fold(quote).rstrip(".")


def all_citations(answer: Answer) -> list[Citation]:
    """Every citation of the answer."""
    return [citation for statement in answer.statements for citation in statement.citations]


def _score_citations(tally: Tally, question: PageQuestion, cited: Sequence[FilePage]) -> None:
    tally.add("cited_page", _all_met(question, cited))
    tally.add("cited_pages_mean", len(cited))
    tally.add("right_file", any(file in question.files for file, _ in cited))
    if cited:
        tally.add("cited_page_precision", sum(place in question.accepted for place in cited) / len(cited))


def _all_met(question: PageQuestion, places: Sequence[FilePage]) -> bool:
    found = set(places)
    return all(not found.isdisjoint(entry) for entry in question.required)


def _as_in_gold(source_id: str, files: Iterable[str]) -> str:
    """The gold's name of this source where it has one (a name, or a path's last parts), else its id."""
    return next((file for file in files if source_id == file or source_id.endswith(f"/{file}")), source_id)
