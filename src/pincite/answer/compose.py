"""The deterministic answer: what a plan finds, what is judged to answer, or what was not found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pincite.answer.asked.question import families_of
from pincite.answer.judge.choice import LEAST_BEHIND, LONGEST_SAID, choose_windows, is_outdone
from pincite.answer.judge.judgement import Judgement, evidence_of, judge
from pincite.answer.judge.missing import (
    missing_names,
    missing_question,
    missing_text,
    missing_words,
    not_found,
    words_nowhere,
)
from pincite.answer.judge.refusal import is_unknown_quantity, refusal
from pincite.answer.material.case import Case, case_of
from pincite.answer.material.parts import part_case, parts_of
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.material.windows import Window
from pincite.answer.plans.accounts import named_measures
from pincite.answer.plans.table import PLANS, Plan
from pincite.answer.relations.agreement import set_beside
from pincite.answer.relations.paths import find_paths
from pincite.answer.relations.support import supporting_triplets
from pincite.answer.said.citations import NOT_FOUND, printed_summary
from pincite.answer.said.gate import is_supported, unsupported_words
from pincite.answer.said.lead_ins import with_what_follows
from pincite.answer.said.pronouns import with_names
from pincite.records import Answer, Decision, Hop, Missing, Place, Retrieval, RetrievalPolicy, Statement

EXTRACT = "extract"
WINDOWS, REFUSAL = "judged windows", "refusal"
"""Names of what was decided by no plan."""
MOST_OF_PART = 2
"""Windows for each part of a question."""


@dataclass(frozen=True)
class Hearing:
    """A case that is judged when the first asks: many a plan answers without."""

    case: Case

    @cached_property
    def judgement(self) -> Judgement:
        """What its windows say."""
        return judge(self.case)

    @property
    def judged(self) -> Judgement | None:
        """The judgement, if anybody asked for it."""
        return vars(self).get("judgement")


@dataclass(frozen=True, slots=True)
class Opening:
    """What a plan has found, all of it borne out by its quotes."""

    plan: Plan
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What is said of a case, by the rules or by a language model, and what was decided on the way, before it is given
    as an answer."""

    hearing: Hearing
    statements: tuple[Statement, ...]
    decisions: tuple[Decision, ...]

    @property
    def refused(self) -> bool:
        """Whether nothing was found that is likely to answer."""
        return not self.statements or any(decision.rule == REFUSAL for decision in self.decisions)


def compose_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that the evidence gives by rules; what fails verification is dropped."""
    return given_as_answer(drafted(Hearing(case_of(retrieval, around))), policy, EXTRACT)


def drafted(hearing: Hearing) -> Draft:
    """What the rules say of a case, all of it borne out by its quotes."""
    case, decisions = hearing.case, list[Decision]()
    statements = _by_parts(case, decisions) or _as_a_whole(hearing, decisions)
    return Draft(hearing, tuple(statements), tuple(decisions))


def given_as_answer(draft: Draft, policy: RetrievalPolicy, mode: str, hops: Sequence[Hop] = ()) -> Answer:
    """A draft with what it does not say of the question, and with what it was made from."""
    case, statements = draft.hearing.case, list(draft.statements)
    retrieval, around = case.retrieval, case.around
    missing = [_missing_of(statement) for statement in statements if statement.kind == "missing"]
    if draft.refused:
        missing = [missing_question(case)]
    elif not missing:
        missing = missing_words(case, statements, by_meaning=around.reranker is not None)
        missing += missing_names(case, statements, missing)
        statements += [Statement(missing_text(item), "missing", (), confidence=0.0) for item in missing]
    if not statements:
        statements = [Statement(missing_text(missing[0]), "missing", (), confidence=0.0)]
    return Answer(
        query=retrieval.query.text,
        mode=mode,
        summary=printed_summary(statements),
        statements=tuple(statements),
        evidence=evidence_of(retrieval, statements, draft.hearing.judged),
        missing=tuple(missing),
        policy=policy,
        generation=around.generation,
        paths=find_paths(case) if "graph" in policy.channels else (),
        triplets=supporting_triplets(case, statements),
        degraded=retrieval.trace.degraded,
        trace=replace(retrieval.trace, decisions=draft.decisions, hops=tuple(hops)),
        beyond=retrieval.beyond,
    )


def _as_a_whole(hearing: Hearing, decisions: list[Decision]) -> list[Statement]:
    """What opens the answer and what stands behind it; windows alone where no plan finds anything, or where one of them
    is far better than what a plan has found; a refusal where nothing is likely to answer."""
    case = hearing.case
    opening = None if is_unknown_quantity(case) else _opening(case, decisions)
    if opening is None:
        refused = refusal(hearing.judgement)
        decisions += [Decision(REFUSAL, kept=True, text=statement.text) for statement in refused]
        return refused or supported(case, choose_windows(hearing.judgement, ()), WINDOWS, decisions)
    if opening.plan.by_words and is_outdone(hearing.judgement, opening.statements):
        windows = supported(case, choose_windows(hearing.judgement, ()), WINDOWS, decisions)
        return [*windows, *opening.statements] if windows else list(opening.statements)
    return [*opening.statements, *_behind(hearing, opening, decisions)]


def _by_parts(case: Case, decisions: list[Decision]) -> list[Statement]:
    """For each part of a question of several what a plan or the likeliest windows say of it, below its words, or where
    was looked in vain; nothing where none of them is found, or where a plan answers them together."""
    parts = parts_of(case.question.text)
    if not parts or any(plan.whole and plan.find(case) for plan in PLANS):
        return []
    said: list[Statement] = []
    for part in parts:
        heading = f"{part.typed[0].upper()}{part.typed[1:]}?"
        said = _with_part(said, heading, _of_part(part_case(case, part.asked), decisions, part.thing))
    return said if any(statement.kind != "missing" for statement in said) else []


def _with_part(said: Sequence[Statement], part: str, found: Sequence[Statement]) -> list[Statement]:
    """What was said and what was found for one more part; what answers several parts alike is said once, below all."""
    known, texts = {statement.text for statement in said}, {statement.text for statement in found}
    if texts <= known:
        return [replace(old, part=f"{old.part} {part}") if old.text in texts else old for old in said]
    return [*said, *(replace(statement, part=part) for statement in found if statement.text not in known)]


def _of_part(case: Case, decisions: list[Decision], thing: str) -> list[Statement]:
    """What is said of a part; of one thing alone only what names it."""
    opening = None if is_unknown_quantity(case) else _opening(case, decisions)
    if opening is not None:
        return list(opening.statements)
    judgement = judge(case)
    lacks_words = judgement.reranker is None and bool(words_nowhere(case))
    is_refused = lacks_words or bool(refusal(judgement))
    chosen = [] if is_refused else choose_windows(judgement, (), LONGEST_SAID // 2, _names(case, thing))[:MOST_OF_PART]
    return supported(case, chosen, WINDOWS, decisions) or [not_found(case)]


def _missing_of(statement: Statement) -> Missing:
    """What a statement says is missing, with the places that it cites."""
    places = tuple(Place(c.filename, c.source_id, c.page, c.chunk_id) for c in statement.citations)
    return Missing(NOT_FOUND.sub("", statement.text).strip("“”"), places)


def _opening(case: Case, decisions: list[Decision]) -> Opening | None:
    """What the first plan says that finds something which its quotes bear out."""
    for plan in PLANS:
        if statements := supported(case, plan.find(case), plan.name, decisions):
            return Opening(plan, tuple(statements))
    return None


def _behind(hearing: Hearing, opening: Opening, decisions: list[Decision]) -> list[Statement]:
    """The windows that may stand behind what a plan has found, none of which says the same."""
    statements, behind = opening.statements, opening.plan.behind
    is_whole = behind == "nothing" or (behind == "windows behind one" and len(statements) > 1)
    if is_whole or any(statement.kind == "missing" for statement in statements):
        return []
    said = {(c.source_id, c.span) for statement in statements for c in (*statement.citations, *statement.also)}
    room = LONGEST_SAID - sum(len(statement.text) for statement in statements)
    if behind == "windows on the measure":
        fits, least = _on_the_measure(hearing.case, {source for source, _ in said}), 0.0
    else:
        fits, least = _is_prose, LEAST_BEHIND
    windows = choose_windows(hearing.judgement, said, room, fits, least)
    return supported(hearing.case, windows, WINDOWS, decisions)


def _is_prose(window: Window) -> bool:
    return window.kind != "table"


def _names(case: Case, thing: str) -> Callable[[Window], bool] | None:
    """Whether a window, or its headings, hold all words of a thing."""
    words = families_of(thing, case.retrieval.query.languages)

    def fits(window: Window) -> bool:
        held = window.sentences[0].context.union(*(sentence.roots for sentence in window.sentences))
        return all(not word.isdisjoint(held) for word in words)

    return fits if words else None


def _on_the_measure(case: Case, sources: set[str]) -> Callable[[Window], bool]:
    """Whether a window of these documents is a sentence that names a measure which the question names."""
    measures = named_measures(case.question.text)

    def fits(window: Window) -> bool:
        is_named = any(measure.names.search(window.text) for measure in measures)
        return is_named and _is_prose(window) and window.chunk.source_id in sources

    return fits


def supported(case: Case, statements: Sequence[Statement], rule: str, decisions: list[Decision]) -> list[Statement]:
    """The statements of a rule that their quotes bear out, each with what other documents say to it; what was decided
    on each is noted."""
    if not statements:
        decisions.append(Decision(rule, kept=False, reason="found nothing"))
        return []
    languages = {sentence.chunk.chunk_id: sentence.chunk.language for sentence in (*case.sentences, *case.beyond)}
    kept = []
    for statement in with_names(case, set_beside(case, with_what_follows(case, statements))):
        language = languages.get(statement.citations[0].chunk_id, "en")
        if is_supported(statement, language):
            kept.append(statement)
            decisions.append(Decision(rule, kept=True, text=statement.text))
        else:
            reason = f"not in its quotes: {', '.join(unsupported_words(statement, language))}"
            decisions.append(Decision(rule, kept=False, text=statement.text, reason=reason))
    return kept
