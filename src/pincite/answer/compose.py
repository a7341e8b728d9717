"""The deterministic answer: what a plan finds, what the reader finds to answer, or what was not found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pincite.answer.asked.bounds import asked_bounds
from pincite.answer.asked.noun_phrases import codes_in
from pincite.answer.asked.question import families_of
from pincite.answer.material.case import Case, case_of
from pincite.answer.material.parts import part_case, parts_of
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.material.units import Unit
from pincite.answer.plans.accounts import named_measures
from pincite.answer.plans.table import PLANS, Plan
from pincite.answer.reading.answerable import LookedUp, chance_of_answer
from pincite.answer.reading.arithmetic import asked_operation, computed_of_row, computed_of_rows
from pincite.answer.reading.missing import (
    missing_names,
    missing_question,
    missing_text,
    missing_words,
    not_found,
    words_nowhere,
)
from pincite.answer.reading.reads import CaseRead, evidence_of, is_outdone, read_case
from pincite.answer.reading.refusal import is_unknown_quantity, looked_up, refusal
from pincite.answer.reading.said_units import CLOSE, LEAST_BEHIND, LONGEST_SAID, choose_units
from pincite.answer.reading.several import told_of_boxes, told_of_several, told_of_tables
from pincite.answer.reading.table_questions import told_of_named_row
from pincite.answer.relations.agreement import set_beside
from pincite.answer.relations.editions import with_editions
from pincite.answer.relations.paths import find_paths, supporting_triplets
from pincite.answer.said.citations import NOT_FOUND, printed_summary, with_names_apart
from pincite.answer.said.context import with_names, with_question, with_what_follows
from pincite.answer.said.gate import is_supported, unsupported_words
from pincite.answer.said.senders import with_senders
from pincite.records.answers import Answer, Missing, Statement
from pincite.records.evidence import Decision, Hop, Place, Retrieval
from pincite.records.questions import RetrievalPolicy

EXTRACT = "extract"
UNITS, REFUSAL, SEVERAL, COMPUTED = "units that were read", "refusal", "several alike", "two cells"
NAMED = "the named row"
"""Names of what was decided by no plan."""
MOST_OF_PART = 2
"""Units for each part of a question."""


@dataclass(frozen=True)
class OpenCase:
    """A case that is read when that is first needed."""

    case: Case

    @cached_property
    def read(self) -> CaseRead:
        """What its units say."""
        return read_case(self.case)

    @cached_property
    def known(self) -> LookedUp:
        """What the store tells of the question."""
        return looked_up(self.case)

    @property
    def chance(self) -> float:
        """How likely the units answer it."""
        return chance_of_answer(self.read, self.known)

    @property
    def read_so_far(self) -> CaseRead | None:
        """The same, if it was needed."""
        return vars(self).get("read")


@dataclass(frozen=True, slots=True)
class Opening:
    """What a plan has found, all of it borne out by its quotes."""

    plan: Plan
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What is said of a case, by the rules or by a language model, and what was decided on the way, before it is given
    as an answer."""

    opened: OpenCase
    statements: tuple[Statement, ...]
    decisions: tuple[Decision, ...]

    @property
    def refused(self) -> bool:
        """Whether nothing was found that is likely to answer."""
        return not self.statements or any(decision.rule == REFUSAL for decision in self.decisions)


def compose_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that the evidence gives by rules; what fails verification is dropped."""
    return given_as_answer(drafted(OpenCase(case_of(retrieval, around))), policy, EXTRACT)


def drafted(opened: OpenCase) -> Draft:
    """What the rules say of a case, all of it borne out by its quotes."""
    decisions = list[Decision]()
    statements = _of_cells(opened, decisions) or _by_parts(opened, decisions) or _as_a_whole(opened, decisions)
    return Draft(opened, tuple(statements), tuple(decisions))


def given_as_answer(draft: Draft, policy: RetrievalPolicy, mode: str, hops: Sequence[Hop] = ()) -> Answer:
    """A draft with what it does not say of the question, and with what it was made from."""
    case, statements = draft.opened.case, list(draft.statements)
    retrieval, around = case.retrieval, case.around
    missing = [_missing_of(statement) for statement in statements if statement.kind == "missing"]
    if draft.refused:
        missing = [missing_question(case)]
    elif not missing:
        missing = missing_words(case, statements, by_meaning=around.reader is not None)
        missing += missing_names(case, statements, missing)
        statements += [Statement(missing_text(item), "missing", (), confidence=0.0) for item in missing]
    if not statements:
        statements = [Statement(missing_text(missing[0]), "missing", (), confidence=0.0)]
    statements = with_editions(case.question.text, statements)
    statements = with_names_apart(statements, around.visible_sources())
    return Answer(
        query=retrieval.query.text,
        mode=mode,
        summary=printed_summary(statements),
        statements=tuple(statements),
        evidence=evidence_of(retrieval, statements, draft.opened.read_so_far),
        missing=tuple(missing),
        policy=policy,
        generation=around.generation,
        paths=find_paths(case) if "graph" in policy.channels else (),
        triplets=supporting_triplets(case, statements),
        degraded=retrieval.trace.degraded,
        trace=replace(retrieval.trace, decisions=draft.decisions, hops=tuple(hops)),
        beyond=retrieval.beyond,
    )


def _as_a_whole(opened: OpenCase, decisions: list[Decision]) -> list[Statement]:
    """What a plan proposes and the reader finds no unit better than, with what stands behind it; else the best units;
    a refusal where nothing is likely to answer."""
    case = opened.case
    if several := _of_several(opened, decisions):
        return several
    opening = None if is_unknown_quantity(case) else _opening(opened, decisions)
    if opening is not None:
        return [*opening.statements, *_behind(opened, opening, decisions)]
    refused = refusal(opened.read, opened.known)
    decisions += [Decision(REFUSAL, kept=True, text=statement.text) for statement in refused]
    return refused or supported(case, _with_chance(choose_units(opened.read, ()), opened.chance), UNITS, decisions)


def _of_cells(opened: OpenCase, decisions: list[Decision]) -> list[Statement]:
    """What is computed of two cells of a row or of a column."""
    operation = asked_operation(opened.case.question.text)
    if operation is None:
        return []
    is_refused = bool(refusal(opened.read, opened.known))
    told = [] if is_refused else computed_of_row(opened.read, operation)
    told = told or computed_of_rows(opened.read, operation)
    return supported(opened.case, told, COMPUTED, decisions) if told else []


def _of_several(opened: OpenCase, decisions: list[Decision]) -> list[Statement]:
    """What lies in an asked time, is the latest or the largest of several alike, or has its box ticked or not."""
    bounds = asked_bounds(opened.case.question.text)
    if bounds is None:
        named = told_of_named_row(opened.read)
        return supported(opened.case, named, NAMED, decisions) if named else []
    told = told_of_boxes(opened.read, bounds)
    if not told:
        find = told_of_tables if refusal(opened.read, opened.known) else told_of_several
        told = find(opened.read, bounds)
    if told and told[0].kind == "missing":
        decisions.append(Decision(REFUSAL, kept=True, text=told[0].text))
        return told
    return supported(opened.case, told, SEVERAL, decisions) if told else []


def _by_parts(opened: OpenCase, decisions: list[Decision]) -> list[Statement]:
    """For each part of a question of several what a plan or the likeliest units say of it, below its words, or where
    was looked in vain, behind what sets two things side by side; nothing where none of them is found, or where a plan
    answers them together."""
    case = opened.case
    parts = parts_of(case.question.text)
    if not parts or any(plan.whole and plan.find(case) for plan in PLANS):
        return []
    said = _of_both(opened, [part.thing for part in parts], decisions)
    for part in parts:
        heading = f"{part.typed[0].upper()}{part.typed[1:]}?"
        said = _with_part(said, heading, _of_part(part_case(case, part.asked), decisions, part.thing))
    return said if any(statement.kind != "missing" for statement in said) else []


def _of_both(opened: OpenCase, things: Sequence[str], decisions: list[Decision]) -> list[Statement]:
    """The likeliest units that name both of two compared things and answer the question."""
    words = [families_of(thing, opened.case.retrieval.query.languages) for thing in things]
    if not all(words) or refusal(opened.read, opened.known):
        return []

    def names_both(unit: Unit) -> bool:
        held = frozenset[str]().union(*(sentence.roots for sentence in unit.sentences))
        return all(not word.isdisjoint(held) for thing in words for word in thing)

    units = choose_units(opened.read, (), LONGEST_SAID // 2, names_both, least=LEAST_BEHIND)
    return supported(opened.case, units, UNITS, decisions)


def _with_part(said: Sequence[Statement], part: str, found: Sequence[Statement]) -> list[Statement]:
    """What was said and what was found for one more part; what answers several parts alike is said once, below all."""
    known, texts = {statement.text for statement in said}, {statement.text for statement in found}
    if texts <= known:
        return [replace(old, part=f"{old.part} {part}") if old.text in texts else old for old in said]
    return [*said, *(replace(statement, part=part) for statement in found if statement.text not in known)]


def _of_part(case: Case, decisions: list[Decision], thing: str) -> list[Statement]:
    """What is said of a part; of one thing alone only what names it."""
    opened = OpenCase(case)
    opening = None if is_unknown_quantity(case) else _opening(opened, decisions)
    if opening is not None:
        return list(opening.statements)
    read = opened.read
    lacks_words = read.reader is None and bool(words_nowhere(case))
    is_refused = lacks_words or bool(refusal(read, opened.known))
    fits = _names(case, thing)
    chosen = [] if is_refused else choose_units(read, (), LONGEST_SAID // 2, fits, within=CLOSE)[:MOST_OF_PART]
    return supported(case, chosen, UNITS, decisions) or [not_found(case)]


def _missing_of(statement: Statement) -> Missing:
    """What a statement says is missing, with the places that it cites."""
    places = tuple(Place(c.filename, c.source_id, c.page, c.chunk_id) for c in statement.citations)
    return Missing(NOT_FOUND.sub("", statement.text).strip("“”"), places)


def _opening(opened: OpenCase, decisions: list[Decision]) -> Opening | None:
    """What the first plan says that finds something which its quotes bear out, and which no unit outdoes."""
    for plan in PLANS:
        statements = supported(opened.case, plan.find(opened.case), plan.name, decisions)
        if not statements:
            continue
        chance = opened.read.chance_of(statements)
        if plan.by_words and chance is not None and is_outdone(opened.read, chance):
            decisions.append(Decision(plan.name, kept=False, reason="a passage answers the question better"))
            continue
        return Opening(plan, tuple(_with_chance(statements, opened.chance if chance is None else chance)))
    return None


def _with_chance(statements: Sequence[Statement], chance: float) -> list[Statement]:
    """Statements that together answer so likely."""
    return [replace(statement, confidence=round(chance, 4)) for statement in statements]


def _behind(opened: OpenCase, opening: Opening, decisions: list[Decision]) -> list[Statement]:
    """The units that may stand behind what a plan has found, none of which says the same; prose only where a reader
    finds that it answers."""
    statements, behind = opening.statements, opening.plan.behind
    is_whole = behind == "nothing" or (behind == "units behind one" and len(statements) > 1)
    if is_whole or any(statement.kind == "missing" for statement in statements):
        return []
    said = {(c.source_id, c.span) for statement in statements for c in (*statement.citations, *statement.also)}
    room = LONGEST_SAID - sum(len(statement.text) for statement in statements)
    if behind == "units on the measure":
        fits, least = _on_the_measure(opened.case, {source for source, _ in said}), 0.0
    elif opened.read.reader is None:
        return []
    else:
        fits, least = _is_prose, LEAST_BEHIND
    units = choose_units(opened.read, said, room, fits, least=least)
    return supported(opened.case, units, UNITS, decisions)


def _is_prose(unit: Unit) -> bool:
    return unit.kind != "table"


def _names(case: Case, thing: str) -> Callable[[Unit], bool] | None:
    """Whether a unit, or its headings, hold all words of a thing, or its code ("the PRELOAD lines of a list")."""
    codes = codes_in(thing)
    words = () if thing in codes else families_of(thing, case.retrieval.query.languages)

    def fits(unit: Unit) -> bool:
        if any(map(unit.holds, codes)):
            return True
        held = unit.sentences[0].context.union(*(sentence.roots for sentence in unit.sentences))
        return bool(words) and all(not word.isdisjoint(held) for word in words)

    return fits if words or codes else None


def _on_the_measure(case: Case, sources: set[str]) -> Callable[[Unit], bool]:
    """Whether a unit of these documents is a sentence that names a measure which the question names."""
    measures = named_measures(case.question.text)

    def fits(unit: Unit) -> bool:
        is_named = any(measure.names.search(unit.text) for measure in measures)
        return is_named and _is_prose(unit) and unit.chunk.source_id in sources

    return fits


def supported(case: Case, statements: Sequence[Statement], rule: str, decisions: list[Decision]) -> list[Statement]:
    """The statements of a rule that their quotes bear out, each with what other documents say to it; what was decided
    on each is noted."""
    if not statements:
        decisions.append(Decision(rule, kept=False, reason="found nothing"))
        return []
    languages = {sentence.chunk.chunk_id: sentence.chunk.language for sentence in (*case.sentences, *case.beyond)}
    kept = []
    whole = with_senders(case, with_question(case, with_what_follows(case, statements)))
    for statement in with_names(case, set_beside(case, whole)):
        language = languages.get(statement.citations[0].chunk_id, "en")
        if is_supported(statement, language):
            kept.append(statement)
            decisions.append(Decision(rule, kept=True, text=statement.text))
        else:
            reason = f"not in its quotes: {', '.join(unsupported_words(statement, language))}"
            decisions.append(Decision(rule, kept=False, text=statement.text, reason=reason))
    return kept
