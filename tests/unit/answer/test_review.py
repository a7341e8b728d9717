"""Mode `follow` with a language model: it says what to follow, and the section index alone says where that leads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.schema import checked
from tests.unit.answer.test_plans import Blocks

from pincite.answer.modes.follow import FOLLOW, MOST_FOLLOWED, MOST_ROUNDS
from pincite.answer.modes.given import MOST_PASSAGES
from pincite.answer.modes.review import LONGEST_PART, REVIEW
from pincite.cli.answer_output import explanation_lines
from pincite.deadline import Deadline
from pincite.engine.engine import Engine
from pincite.errors import ServiceError
from pincite.records.answers import Answer
from pincite.records.pages import Document
from pincite.records.prompts import Completion, Prompt
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.settings import Settings
from pincite.wiring import open_engine
from pincite_testing.scripted_language_model import ScriptedLanguageModel

FEES: Blocks = (
    ("heading", "1 Fees"),
    ("heading", "1.1 Fee of a berth"),
    ("paragraph", "The fee of a berth is 40 crowns, raised by the surcharge of 2.1."),
)
WINTER: Blocks = (
    ("heading", "2 Winter"),
    ("heading", "2.1 Surcharge"),
    ("paragraph", "Ice adds 5 crowns. The pilot declares it as described in 3.1."),
)
ICE: Blocks = (
    ("heading", "3 Signals"),
    ("heading", "3.1 Declaration"),
    ("paragraph", "The pilot hoists two lamps while the harbour is frozen."),
    ("heading", "3.2 Lamps"),
    ("paragraph", "Each of them, see above, burns whale oil."),
)
QUESTION = "What is the fee of a berth?"
FEE = "The fee of a berth is 40 crowns, raised by the surcharge of 2.1."
BEST_ALONE = RetrievalPolicy(top_k=1, looked_at=1, channels=("keyword",))
"""One passage is found; what else is read was followed to."""

Say = str | Callable[[Prompt], str]


def reviewed(**said: object) -> str:
    """What a model says of passages."""
    return json.dumps({"irrelevant": [], "follow": [], "before": [], "after": [], "enough": True} | said)


def scripted(reviews: Iterable[str] = (), decompose: str = "{}", generate: Say = FEE) -> ScriptedLanguageModel:
    """A model that says these things of the passages of each round, then that there is enough."""
    rounds = iter(reviews)

    def say(prompt: Prompt) -> str:
        if prompt.version == "decompose 1":
            return decompose
        if prompt.version == "review 1":
            return next(rounds, reviewed())
        return generate(prompt) if callable(generate) else generate

    return ScriptedLanguageModel(say)


def put(engine: Engine, **others: Document) -> None:
    engine.index_documents([(source("harbour.pdf"), document(FEES, WINTER, ICE, title="Harbour Rules"))])
    engine.index_documents([(source(f"{name}.pdf", str(len(name)) * 64), made) for name, made in others.items()])


def asked(folder: Path, model: ScriptedLanguageModel, question: str = QUESTION) -> Answer:
    """The answer of the model, which is the same when it is replayed."""
    with hashing_engine(folder, language_model=model) as engine:
        put(engine)
        answer = checked(engine.ask(question, policy=BEST_ALONE, mode=FOLLOW))
        assert engine.session().audit.replay(answer.trace_id).same
        assert engine.session().audit.replay(answer.trace_id, from_hits=True).same
    return answer


def said(answer: Answer) -> list[str]:
    return [statement.text for statement in answer.statements if statement.kind != "missing"]


def hops(answer: Answer) -> list[str]:
    return [hop.text for hop in answer.trace.hops]


def reasons(answer: Answer) -> list[str]:
    return [decision.reason for decision in answer.trace.decisions]


def shown(model: ScriptedLanguageModel, version: str) -> list[str]:
    """What the model was shown by the prompts of a version."""
    return [prompt.messages[-1].content for prompt in model.prompts if prompt.version == version]


def test_a_reference_that_the_model_names_is_followed_and_what_stands_there_is_cited(tmp_path: Path) -> None:
    model = scripted([reviewed(follow=["2.1"])], generate=f"{FEE} Ice adds 5 crowns (harbour.pdf, p.2).")
    answer = asked(tmp_path, model)
    assert said(answer) == [FEE, "Ice adds 5 crowns."]
    assert [citation.page for statement in answer.statements for citation in statement.citations] == [1, 2]
    assert hops(answer) == ["1.1 refers to 2.1 -> p.2"]
    assert (answer.mode, answer.model, answer.degraded) == (FOLLOW, "scripted", ())
    assert [call.stage for call in answer.calls] == ["decompose", REVIEW, REVIEW, "generate"]
    assert "1.1 refers to 2.1 -> p.2" in "\n".join(explanation_lines(answer))


def test_only_what_is_new_is_shown_in_the_next_round_and_stands_behind_what_led_there(tmp_path: Path) -> None:
    model = scripted([reviewed(follow=["2.1"]), reviewed(follow=["3.1"])])
    answer = asked(tmp_path, model)
    first, second, third = shown(model, "review 1")
    assert ("40 crowns" in first, "5 crowns" in first) == (True, False)
    assert ("40 crowns" in second, "5 crowns" in second) == (False, True)
    assert "two lamps" in third
    (last,) = shown(model, "generate 1")
    assert last.index("40 crowns") < last.index("5 crowns") < last.index("two lamps")
    assert hops(answer) == ["1.1 refers to 2.1 -> p.2", "2.1 refers to 3.1 -> p.3"]


@pytest.mark.parametrize("name", ["2.1", "the surcharge of 2.1", " 2.1. ", "The  surcharge of\n2.1"])
def test_a_reference_is_named_in_the_words_of_the_passage(tmp_path: Path, name: str) -> None:
    assert hops(asked(tmp_path, scripted([reviewed(follow=[name])]))) == ["1.1 refers to 2.1 -> p.2"]


@pytest.mark.parametrize("name", ["3.1", "2", "1", "Annex B", "", "../../etc/passwd", "the surcharge of 2.1.1"])
def test_a_reference_that_no_passage_holds_is_refused_and_counted(tmp_path: Path, name: str) -> None:
    model = scripted([reviewed(follow=[name, "Table 99"])])
    answer = asked(tmp_path, model)
    assert (hops(answer), said(answer)) == ([], [FEE])
    assert "2 references named that no passage holds" in reasons(answer)
    assert len(shown(model, "review 1")) == 1


def test_what_stands_above_and_below_is_read_on_request(tmp_path: Path) -> None:
    model = scripted([reviewed(before=[1], after=[1, 7])])
    answer = asked(tmp_path, model, "What burns whale oil?")
    assert hops(answer) == ["3.2 refers to what stands above -> p.3"], "nothing stands behind the last passage"
    assert "two lamps" in shown(model, "review 1")[1]


def test_what_does_not_help_is_not_written_from(tmp_path: Path) -> None:
    model = scripted([reviewed(follow=["2.1"], irrelevant=[1, 4, -1])], generate="Ice adds 5 crowns.")
    answer = asked(tmp_path, model)
    (last,) = shown(model, "generate 1")
    assert ("40 crowns" in last, "5 crowns" in last) == (False, True)
    assert "(Harbour Rules, p.1) does not help" in reasons(answer)


def test_where_it_has_not_enough_all_that_the_passages_refer_to_is_followed_within_bounds(tmp_path: Path) -> None:
    model = scripted([reviewed(enough=False)] * 20)
    answer = asked(tmp_path, model)
    assert hops(answer) == ["1.1 refers to 2.1 -> p.2", "2.1 refers to 3.1 -> p.3"]
    assert len(shown(model, "review 1")) == MOST_ROUNDS
    assert "not enough" in reasons(answer)


def test_there_is_a_bound_on_passages_a_round_and_on_steps(tmp_path: Path) -> None:
    blocks = [("heading", "1 Fee of a berth"), ("paragraph", FEE.replace("2.1", "section 2"))]
    for number in range(2, 60):
        sent = [
            f"Rule {number} is read with section {other} here." for other in range(number + 1, min(number + 20, 60))
        ]
        blocks += [("heading", f"{number} Rule"), ("paragraph", " ".join(sent) or "It is the last rule.")]
    model = scripted([reviewed(enough=False)] * 9, generate="The fee of a berth is 40 crowns.")
    with hashing_engine(tmp_path, language_model=model) as engine:
        engine.index_documents([(source("rules.pdf"), document(blocks))])  # type: ignore[arg-type]
        answer = engine.ask(QUESTION, policy=BEST_ALONE, mode=FOLLOW, receipt=False)
    counts = [text.count("\nPassage ") for text in shown(model, "review 1")]
    assert (len(counts), max(counts)) == (MOST_ROUNDS, MOST_PASSAGES)
    assert MOST_PASSAGES < len(hops(answer)) <= MOST_FOLLOWED


def test_the_last_step_is_written_from_without_one_more_review(tmp_path: Path) -> None:
    rounds = [reviewed(follow=["2.1"]), reviewed(follow=["3.1"]), reviewed(after=[1])]
    model = scripted(rounds)
    assert hops(asked(tmp_path, model))[-1] == "3.1 refers to what stands below -> p.3"
    assert "whale oil" in shown(model, "generate 1")[0]
    assert len(shown(model, "review 1")) == MOST_ROUNDS


@pytest.mark.parametrize(
    "broken", ["", "hmm", "[1, 2", '{"follow": 7', "null", '{"irrelevant": ["all"], "enough": []}']
)
def test_json_that_cannot_be_read_changes_nothing(tmp_path: Path, broken: str) -> None:
    answer = asked(tmp_path, scripted([broken] * 20, decompose=broken))
    assert (said(answer), answer.degraded) == ([FEE], ())


def test_broken_json_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    broken = 'Sure! {"irrelevant": [], "follow": ["2.1", "3.'
    assert hops(asked(tmp_path, scripted([broken]))) == ["1.1 refers to 2.1 -> p.2"]


def test_the_parts_of_a_question_are_searched_for_too(tmp_path: Path) -> None:
    parts = json.dumps({"questions": ["What burns whale oil?", QUESTION, "What does the pilot hoist?"]})
    model = scripted(decompose=parts)
    answer = asked(tmp_path, model)
    (first,) = shown(model, "review 1")
    assert first.index("40 crowns") < first.index("whale oil") < first.index("two lamps")
    assert "What burns whale oil? What does the pilot hoist?" in reasons(answer)


@pytest.mark.parametrize("part", ["ballast file:secret.pdf", "ballast company=secret", "ballast by secret.pdf"])
def test_a_filter_in_a_part_of_a_question_changes_no_filter(tmp_path: Path, part: str) -> None:
    model = scripted(decompose=json.dumps({"questions": [part, f"{part} type:xlsx"]}))
    policy, own = replace(BEST_ALONE, top_k=2), Filter(sources=("harbour.pdf",))
    with hashing_engine(tmp_path, language_model=model) as engine:
        put(engine, secret=document("Brigs carry gold ballast."), open=document("Yawls carry iron ballast."))
        narrow = engine.ask(QUESTION, policy=policy, filter=own, mode=FOLLOW, receipt=False)
        engine.ask(QUESTION, policy=policy, mode=FOLLOW, receipt=False)
    assert narrow.trace.query is not None
    assert narrow.trace.query.filter == own
    first, second = shown(model, "review 1")
    assert "ballast" not in first, "the filter of the asker holds"
    assert ("gold" in second, "iron" in second) == (True, True), "and nobody else sets one"


def test_a_part_of_a_question_is_cut_to_a_question(tmp_path: Path) -> None:
    model = scripted(
        decompose=json.dumps({"questions": ["oil\u0007\u202e lamps\n" + "fee " * 90, "?!", QUESTION.upper()]})
    )
    (part,) = (
        decision.reason for decision in asked(tmp_path, model).trace.decisions if decision.rule.startswith("decompose")
    )
    assert part.startswith("oil lamps fee fee")
    assert len(part) == LONGEST_PART


def test_files_of_one_name_that_two_rounds_bring_together_are_told_apart(tmp_path: Path) -> None:
    texts = {
        "fees": "# Fees\n\nThe fee of a berth is 40 crowns, raised by [the surcharge](../winter/rules.md#winter).\n",
        "winter": "# Winter\n\nIce adds 5 crowns.\n",
    }
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.md").write_text(text, encoding="utf-8")
    model = scripted([reviewed(follow=["the surcharge"])], generate="Ice adds 5 crowns (winter/rules.md, line 3).")
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True, language_model=model) as engine:
        engine.index([tmp_path])
        answer = engine.ask(QUESTION, policy=BEST_ALONE, mode=FOLLOW, receipt=False)
    assert "(rules.md, line" in shown(model, "review 1")[1]
    assert "(fees/rules.md, line" in shown(model, "generate 1")[0]
    assert [citation.source_id for citation in answer.statements[0].citations] == ["winter/rules.md"]


def test_a_reference_does_not_lead_into_a_closed_document(tmp_path: Path) -> None:
    fee: Blocks = (
        ("heading", "1 Fee of a berth"),
        ("paragraph", "The fee of a berth is 40 crowns, raised by the surcharge of section 2.1 of the Winter Rules."),
    )
    model = scripted([reviewed(follow=["section 2.1"], after=[1])] * 9)
    with hashing_engine(tmp_path, language_model=model) as engine:
        closed = source("winter.pdf", "1" * 64, acl=("board",))
        engine.index_documents(
            [(source("fees.pdf"), document(fee)), (closed, document(WINTER, ICE, title="Winter Rules"))]
        )
        everybody = engine.ask(QUESTION, mode=FOLLOW, receipt=False)
        seen_by_everybody = shown(model, "review 1")
        board = engine.session(["board"]).ask(QUESTION, policy=BEST_ALONE, mode=FOLLOW, receipt=False)
    assert hops(everybody) == []
    assert not any("5 crowns" in text for text in seen_by_everybody)
    assert hops(board) == []


def test_a_model_that_is_dead_leaves_the_answer_of_the_rules_with_a_word_on_it(tmp_path: Path) -> None:
    class Dead(ScriptedLanguageModel):
        def complete(self, prompt: Prompt, *, deadline: Deadline = Deadline.never(), **_: object) -> Completion:
            raise ServiceError("nobody is there")

    with hashing_engine(tmp_path) as engine:
        put(engine)
        plain = engine.ask(QUESTION, mode=FOLLOW)
    with hashing_engine(tmp_path, language_model=Dead(lambda _: "")) as engine:
        answer = checked(engine.ask(QUESTION, mode=FOLLOW))
        assert "cache" not in engine.ask(QUESTION, mode=FOLLOW).trace.timings_ms
        assert engine.session().audit.replay(answer.trace_id).same
    assert (answer.statements, hops(answer)) == (plain.statements, hops(plain))
    assert answer.degraded == ("rules made the answer: scripted wrote nothing: nobody is there",)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (scripted(generate="Bananas are yellow."), "nothing that scripted wrote stands in the passages"),
        (scripted([reviewed(irrelevant=[1])]), "scripted left no passage"),
    ],
)
def test_where_nothing_is_left_rules_answer_and_say_so(
    tmp_path: Path, model: ScriptedLanguageModel, reason: str
) -> None:
    answer = asked(tmp_path, model)
    assert any("40 crowns" in text for text in said(answer))
    assert (answer.mode, answer.degraded) == (FOLLOW, (f"rules made the answer: {reason}",))


def test_a_step_that_fails_is_left_out_and_told(tmp_path: Path) -> None:
    class Faltering(ScriptedLanguageModel):
        def complete(self, prompt: Prompt, *, deadline: Deadline = Deadline.never(), **_: object) -> Completion:
            if prompt.version != "generate 1":
                raise ServiceError("it is busy")
            return super().complete(prompt, deadline=deadline)

    answer = asked(tmp_path, Faltering(lambda _: FEE))
    assert said(answer) == [FEE]
    assert answer.degraded == (
        "the question was not taken apart: it is busy",
        "passages were not reviewed: it is busy",
    )


def test_a_replay_plays_back_the_model_that_followed_and_needs_none_for_rules(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine)
        by_rules = engine.ask(QUESTION, mode=FOLLOW)
    model = scripted([reviewed(follow=["2.1"])])
    with hashing_engine(tmp_path, language_model=model) as engine:
        assert engine.session().audit.replay(by_rules.trace_id).same
        assert model.prompts == []
        by_model = engine.ask(QUESTION, mode=FOLLOW)
        assert "cache" not in by_model.trace.timings_ms
    with hashing_engine(tmp_path) as engine:
        assert engine.session().audit.replay(by_model.trace_id).same
        assert "cache" in engine.ask(QUESTION, mode=FOLLOW).trace.timings_ms
    assert (by_rules.model, by_rules.calls) == ("", ())
    assert (by_model.model, len(by_model.calls)) == ("scripted", len(model.prompts))


def test_a_small_context_still_holds_the_best(tmp_path: Path) -> None:
    model = scripted([reviewed(enough=False)] * 9)
    model.context_size = 1200
    with hashing_engine(tmp_path, language_model=model) as engine:
        put(engine, long=document(*([f"The fee of berth {n} is {n} crowns. " * 20 for n in range(30)])))
        assert said(engine.ask(QUESTION, mode=FOLLOW, receipt=False)) == [FEE]
