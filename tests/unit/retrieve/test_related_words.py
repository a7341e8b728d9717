"""Where a question has other words than the documents, their words for it are told."""

from __future__ import annotations

from pathlib import Path

from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.cli.answer_output import explanation_lines
from pincite.records.questions import RetrievalPolicy

TEXTS = (
    "Tenants of the flat give notice to the landlord.",
    "A landlord gives notice to tenants in March.",
    "Wind acts on the wall of the quay.",
)


def test_the_words_that_the_nearest_passages_share_are_told_without_those_of_the_question(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        engine.index_documents(
            [(source(f"{place}.pdf"), document(text, title=str(place))) for place, text in enumerate(TEXTS)]
        )
        answer = engine.ask("Who gets notice of the tenants?")
        assert {"landlord"} <= set(answer.trace.related)
        assert not {"tenant", "notic"} & set(answer.trace.related)
        (line,) = (line for line in explanation_lines(answer) if line.strip().startswith("related"))
        assert "landlord" in line
        assert engine.session().audit.restored(engine.session().audit.receipt(answer.trace_id)) == answer
        assert answer.to_dict(explain=True)["meta"]["explanation"]["related"] == list(answer.trace.related)
        plain = engine.ask("Who gets notice of the tenants?", policy=RetrievalPolicy(channels=("keyword",)))
        assert plain.trace.related == ()
