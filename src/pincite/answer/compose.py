"""The deterministic answer: plans by kind of question first, then the best sentences; or what was not found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pincite.answer.judge.choice import LONGEST_SAID, choose_windows, is_outdone
from pincite.answer.judge.judgement import Judgement, judge
from pincite.answer.judge.missing import missing_question, missing_text, missing_words, not_found
from pincite.answer.judge.refusal import is_unknown_quantity, refusal
from pincite.answer.material.case import Case, case_of
from pincite.answer.material.parts import part_case, parts_of
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.material.windows import Window
from pincite.answer.plans.accounts import accounted, named_measures
from pincite.answer.plans.aspects import told_apart
from pincite.answer.plans.branches import branched
from pincite.answer.plans.bridges import bridged
from pincite.answer.plans.causes import caused
from pincite.answer.plans.classes import classified
from pincite.answer.plans.compare import compared
from pincite.answer.plans.definitions import defined, defined_in_part
from pincite.answer.plans.duties import duties
from pincite.answer.plans.lists import listed, stepped
from pincite.answer.plans.places import located
from pincite.answer.plans.tables import looked_up
from pincite.answer.plans.thresholds import thresholded
from pincite.answer.plans.values import valued
from pincite.answer.plans.verdicts import judged
from pincite.answer.relations.agreement import set_beside
from pincite.answer.relations.paths import find_paths
from pincite.answer.relations.support import supporting_triplets
from pincite.answer.said.citations import NOT_FOUND, printed_summary
from pincite.answer.said.gate import is_supported, unsupported_words
from pincite.answer.said.pronouns import with_names
from pincite.records import Answer, Decision, Missing, Place, Retrieval, RetrievalPolicy, Statement

MODE = "extract"
WINDOWS = "judged windows"
LEAST_OF_PART = 0.2
MOST_OF_PART = 2

Plan = Callable[[Case], list[Statement]]

# Tried in this order; the first that finds something opens the answer.
PLANS: tuple[Plan, ...] = (
    *(duties, stepped, located, told_apart, caused, accounted, compared, judged, defined),
    *(thresholded, bridged, branched, classified, looked_up, valued, defined_in_part, listed),
)
# These answer a question of several parts as a whole.
TOGETHER: tuple[Plan, ...] = (duties, told_apart, compared)


def compose_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that the evidence gives by rules; what fails verification is dropped."""
    case = case_of(retrieval, around)
    judgement = judge(case)
    decisions: list[Decision] = []
    opening = _by_parts(case, decisions) or ([] if is_unknown_quantity(case) else _opening(case, decisions))
    refused = [] if opening else refusal(judgement)
    decisions += [Decision("refusal", kept=True, text=statement.text) for statement in refused]
    if opening and is_outdone(judgement, opening):
        statements = [*_windows(judgement, (), decisions), *opening]
    else:
        statements = refused or [*opening, *_windows(judgement, opening, decisions)]
    missing = [_missing_of(statement) for statement in opening if statement.kind == "missing"]
    if refused or not statements:
        missing = [missing_question(case)]
    elif not missing:
        missing = missing_words(case, opening)
        statements += [Statement(missing_text(item), "missing", (), confidence=0.0) for item in missing]
    if not statements:
        statements = [Statement(missing_text(missing[0]), "missing", (), confidence=0.0)]
    return Answer(
        query=retrieval.query.text,
        mode=MODE,
        summary=printed_summary(statements),
        statements=tuple(statements),
        evidence=judgement.read(retrieval.evidence),
        missing=tuple(missing),
        policy=policy,
        generation=around.generation,
        paths=find_paths(case) if "graph" in policy.channels else (),
        triplets=supporting_triplets(case, statements),
        degraded=retrieval.trace.degraded,
        trace=replace(retrieval.trace, decisions=tuple(decisions)),
    )


def _by_parts(case: Case, decisions: list[Decision]) -> list[Statement]:
    """For each part of a question of several what a plan or the likeliest windows say of it, below its words, or where
    was looked in vain; nothing where none of them is found, or where a plan answers them together."""
    parts = parts_of(case.question.text)
    if not parts or any(plan(case) for plan in TOGETHER):
        return []
    said: list[Statement] = []
    for typed, part in parts:
        own = part_case(case, part)
        found = [] if is_unknown_quantity(own) else _opening(own, decisions)
        chosen = [] if found else choose_windows(judge(own), (), LONGEST_SAID // len(parts))[:MOST_OF_PART]
        near = [statement for statement in chosen if statement.confidence >= LEAST_OF_PART]
        found = found or _supported(own, near, WINDOWS, decisions)
        said += [replace(statement, part=f"{typed[0].upper()}{typed[1:]}?") for statement in found or [not_found(own)]]
    return said if any(statement.kind != "missing" for statement in said) else []


def _missing_of(statement: Statement) -> Missing:
    """What a statement says is missing, with the places that it cites."""
    places = tuple(Place(c.filename, c.source_id, c.page, c.chunk_id) for c in statement.citations)
    return Missing(NOT_FOUND.sub("", statement.text).strip("“”"), places)


def _opening(case: Case, decisions: list[Decision]) -> list[Statement]:
    """What the first plan says that finds something which its quotes bear out."""
    for plan in PLANS:
        if statements := _supported(case, plan(case), plan.__name__, decisions):
            return statements
    return []


def _windows(judgement: Judgement, opening: Sequence[Statement], decisions: list[Decision]) -> list[Statement]:
    """The windows that answer, the likeliest first, none twice.

    None stand behind a list, steps, the place of a subject, a definition with its symbol or its use, or where the
    opening says what is missing. Behind the figures of a company stand those of its documents that name the measure.
    """
    case, kinds = judgement.case, [statement.kind for statement in opening]
    if "missing" in kinds or (kinds[1:] and kinds[0] in ("definition", "list", "fact")):
        return []
    cited = [citation for statement in opening for citation in (*statement.citations, *statement.also)]
    measures = named_measures(case.question.text) if opening else []
    sources = {citation.source_id for citation in cited}

    def fits(window: Window) -> bool:
        names = any(measure.names.search(window.text) for measure in measures)
        return not measures or (names and window.chunk.source_id in sources)

    room = LONGEST_SAID - sum(len(statement.text) for statement in opening)
    chosen = choose_windows(judgement, {(c.source_id, c.span) for c in cited}, room, fits)
    return _supported(case, chosen, WINDOWS, decisions)


def _supported(case: Case, statements: Sequence[Statement], rule: str, decisions: list[Decision]) -> list[Statement]:
    """The statements of a rule that their quotes bear out, each with what other documents say to it; what was decided
    on each is noted."""
    languages = {sentence.chunk.chunk_id: sentence.chunk.language for sentence in case.sentences}
    kept = []
    for statement in with_names(case, set_beside(case, statements)):
        language = languages.get(statement.citations[0].chunk_id, "en")
        if is_supported(statement, language):
            kept.append(statement)
            decisions.append(Decision(rule, kept=True, text=statement.text))
        else:
            reason = f"not in its quotes: {', '.join(unsupported_words(statement, language))}"
            decisions.append(Decision(rule, kept=False, text=statement.text, reason=reason))
    if not statements:
        decisions.append(Decision(rule, kept=False, reason="found nothing"))
    return kept
