"""Questions in other words than the document's: what answers is found by meaning, said alone, and refused where it is
not there. With the real models; small documents of kinds that nobody tuned on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.genres import GENRES

from pincite.engine.engine import Engine
from pincite.records.pages import BlockKind
from pincite.settings import Settings
from pincite.wiring import make_reader, open_engine
from pincite_testing.scripted_language_model import ScriptedLanguageModel

pytestmark = pytest.mark.skipif(make_reader(Settings()) is None, reason="the reader is not installed")

Blocks = list[tuple[BlockKind, str]]
LEASE: Blocks = [
    ("heading", "4 Keeping animals"),
    ("paragraph", "The Tenant shall keep no dogs in the flat. The stairs are swept on Fridays by the caretaker."),
    ("heading", "7 Ending the tenancy"),
    ("paragraph", "Either party may terminate this lease by giving two months' notice in writing."),
    ("heading", "9 Charges"),
    ("paragraph", "The monthly rent of £ 940 is due in advance. Bicycles are parked in the yard."),
]
LEAFLET: Blocks = [
    ("heading", "3. How to take Somnadil"),
    ("paragraph", "Adults swallow one tablet of 5 mg with water half an hour before going to bed."),
    ("heading", "4. Possible side effects"),
    ("paragraph", "Dry mouth may affect up to 1 in 10 people. Store the blister in its carton."),
]
PUMP: Blocks = [
    ("heading", "6 Technical data"),
    ("caption", "Table 6.1 - Pumps"),
    ("table", "Model\tFlow [l/min]\tHead [m]\tMass [kg]\nAqua 10\t45\t12\t8\nAqua 20\t90\t15\t13"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(), tmp_path_factory.mktemp("judged"), create=True) as engine:
        made = {"lease.pdf": LEASE, "leaflet.pdf": LEAFLET, "pump.pdf": PUMP}
        engine.index_documents(
            (source(name, str(number) * 64), document(blocks)) for number, (name, blocks) in enumerate(made.items())
        )
        yield engine


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How long beforehand do I have to say that I am moving out?", "two months' notice in writing"),
        ("Can my puppy live with me?", "keep no dogs in the flat"),
        ("When in the evening should the sleeping pill be swallowed?", "half an hour before going to bed"),
        ("what do I pay for the apartment each month", "£ 940"),
    ],
)
def test_a_question_in_other_words_is_answered_first_and_by_few_words(folder: Engine, question: str, said: str) -> None:
    answer = folder.ask(question, receipt=False)
    assert said in answer.statements[0].text
    assert sum(len(statement.text.split()) for statement in answer.statements) <= 60


def test_a_neighbour_that_has_nothing_to_do_with_it_is_not_said(folder: Engine) -> None:
    answer = folder.ask("Can my puppy live with me?", receipt=False)
    assert "caretaker" not in answer.statements[0].text


@pytest.mark.parametrize(
    "question",
    [
        "How many rooms does the presidential palace of Bolivia have?",
        "We are building a bridge for trains across a wide river and wonder which wind speed its girders withstand "
        "at a height of forty metres above the water in winter?",
    ],
    ids=["a short one", "a long one"],
)
def test_what_belongs_to_another_folder_is_refused(folder: Engine, question: str) -> None:
    answer = folder.ask(question, receipt=False)
    assert answer.refused
    assert answer.missing


def test_results_carry_what_the_reranker_said(folder: Engine) -> None:
    answer = folder.ask("Can my puppy live with me?", receipt=False)
    best = answer.to_dict()["results"][0]
    assert 0 <= best["scores"]["rerank"] <= 1


def test_the_same_question_gives_the_same_answer_again(folder: Engine) -> None:
    first, second = (folder.ask("Can my puppy live with me?", receipt=False).to_dict(stable=True) for _ in range(2))
    assert first == second


def test_a_row_of_several_values_is_said_with_its_heads(folder: Engine) -> None:
    answer = folder.ask("What are the flow, head and mass of the Aqua 20?", receipt=False)
    said = " ".join(statement.text for statement in answer.statements)
    assert "90" in said
    assert "Flow" in said


def test_a_row_far_down_a_long_table_is_said_with_the_heads_of_its_columns(tmp_path: Path) -> None:
    rows = [f"Lantern {place} of the north quay\t{place} W\t{2 * place} m" for place in range(3, 120)]
    blocks: Blocks = [("heading", "Lanterns"), ("table", "\n".join(["Lantern\tPower\tHeight of the mast", *rows]))]
    with open_engine(Settings(), tmp_path, create=True) as engine:
        engine.index_documents([(source("lanterns.pdf"), document(blocks))])
        answer = engine.ask("How high is the mast of lantern 97 of the north quay?", receipt=False)
    assert "Height of the mast: 194 m" in answer.statements[0].text


def test_a_command_stands_behind_the_words_that_lead_to_it_and_nothing_else_does(tmp_path: Path) -> None:
    blocks: Blocks = [
        ("heading", "Turning the kiln on"),
        ("paragraph", "You can choose the glaze programme when you turn the kiln on:"),
        ("paragraph", "$ kiln start --glaze PROGRAMME"),
        ("paragraph", "The display shows the heat of the last firing."),
        ("heading", "Cleaning"),
        ("paragraph", "The kiln is swept once a month."),
    ]
    with open_engine(Settings(), tmp_path, create=True) as engine:
        engine.index_documents([(source("kiln.pdf"), document(blocks))])
        answer = engine.ask("How do I turn the kiln on with another glaze programme?", receipt=False)
    assert answer.statements[0].text.endswith("when you turn the kiln on: $ kiln start --glaze PROGRAMME")


def test_results_that_were_read_stand_in_the_order_of_what_was_found_in_them(folder: Engine) -> None:
    answer = folder.ask("Can my puppy live with me?", receipt=False)
    read = [item.scores.rerank for item in answer.evidence if item.scores.rerank is not None]
    assert read == sorted(read, reverse=True)
    assert [item.scores.rerank is None for item in answer.evidence] == sorted(
        item.scores.rerank is None for item in answer.evidence
    )


@pytest.mark.parametrize("asked", ["permitted", "allowed", "prohibited", "forbidden"])
def test_what_is_forbidden_is_answered_by_whatever_word_it_is_asked_for(tmp_path: Path, asked: str) -> None:
    with open_engine(Settings(), tmp_path, create=True) as engine:
        engine.index_documents([(source("lease.pdf"), document(GENRES["lease.pdf"]))])
        answer = engine.ask(f"Is smoking {asked} in the hallway?", receipt=False)
    assert "Smoking is not permitted in the hallway." in answer.statements[0].text
    assert answer.state == "answered"


def test_a_sentence_that_stands_twice_in_a_document_is_said_once(tmp_path: Path) -> None:
    warning = "Never open the lid of the kiln before it has cooled to 60 °C."
    blocks: Blocks = [
        ("heading", "3 Firing"),
        ("paragraph", f"{warning} Log each firing in the book."),
        ("heading", "5 Unloading"),
        ("paragraph", f"{warning} Wear the grey gloves."),
    ]
    with open_engine(Settings(), tmp_path, create=True) as engine:
        engine.index_documents([(source("kiln.pdf"), document(blocks))])
        answer = engine.ask("How cool must the kiln be before I may lift its lid?", receipt=False)
    assert [warning in statement.text for statement in answer.statements].count(True) == 1


def test_a_formula_is_said_with_the_caption_between_it_and_its_lead_in(tmp_path: Path) -> None:
    blocks: Blocks = [
        ("heading", "2 Settling"),
        ("paragraph", "The speed at which grains sink in still water is given by the law of settling:"),
        ("paragraph", "Equation 2.1. The law of settling"),
        ("paragraph", "speed = weight under water / drag of the grain"),
        ("paragraph", "Grains are counted by hand under a lens before they are dried for two days in the oven."),
    ]
    with open_engine(Settings(), tmp_path, create=True) as engine:
        engine.index_documents([(source("grains.pdf"), document(blocks))])
        answer = engine.ask("By which formula do grains sink?", receipt=False)
    assert "speed = weight under water / drag of the grain" in " ".join(s.text for s in answer.statements)


ARTICLES = {
    "Marlow Orchard": "Marlow Orchard is a garden of old pear trees. It has been tended by Greta Holm since 1988.",
    "Greta Holm": "Greta Holm is a Danish gardener. Born in Tarnby, where her father kept bees, she studied in Lund.",
    "Tomas Reed": "Tomas Reed is a gardener who was born in Vester. He planted the avenue of Fernleigh Park.",
    "Fernleigh Park": "Fernleigh Park is a park with an avenue of limes. Its first keeper was born in Ribe.",
}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where was the woman who looks after Marlow Orchard born?", "Tarnby"),
        ("In which town did the person who tends Marlow Orchard study?", "Lund"),
        ("Where was the man born who planted the limes of Fernleigh Park?", "Vester"),
    ],
)
def test_a_question_of_two_steps_is_answered_behind_the_sentence_that_leads_there(
    tmp_path: Path, question: str, said: str
) -> None:
    with open_engine(Settings(), tmp_path, create=True) as engine:
        engine.index_documents(
            (source(f"{title}.md", str(number) * 64), document([("paragraph", text)], title=title))
            for number, (title, text) in enumerate(ARTICLES.items())
        )
        texts = [statement.text for statement in engine.ask(question, receipt=False).statements]
    assert any(said in text for text in texts)
    assert len(texts) > 1


@pytest.mark.parametrize("from_hits", [False, True])
def test_an_answer_that_was_judged_is_replayed_to_the_byte(folder: Engine, *, from_hits: bool) -> None:
    answer = folder.ask("How long beforehand do I have to say that I am moving out?")
    assert folder.session().audit.replay(answer.trace_id, from_hits=from_hits).same
    assert folder.check_chain().problems == ()


@pytest.mark.parametrize("mode", ["generate", "agentic"])
@pytest.mark.parametrize(
    ("written", "stays"),
    [
        ("Bicycles are parked in the yard (lease.pdf, p.1).", False),
        ("Either party may terminate this lease by giving two months' notice (lease.pdf, p.1).", True),
    ],
)
def test_what_a_model_copies_beside_the_point_is_outdone_by_a_passage(
    tmp_path: Path, mode: str, written: str, stays: bool
) -> None:
    fact = json.dumps({"relevant": True, "facts": [written.partition(" (")[0]]})
    model = ScriptedLanguageModel(lambda prompt: fact if prompt.schema else written)
    with open_engine(Settings(), tmp_path, create=True, language_model=model) as engine:
        engine.index_documents([(source("lease.pdf"), document(LEASE))])
        answer = engine.ask("What notice must be given to terminate the lease?", mode=mode)
    assert "two months' notice" in answer.statements[0].text
    assert any("answers the question better than what scripted wrote" in text for text in answer.degraded) != stays
