"""What documents tell a language model to do is not done, even where the model obeys."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.poison import MARKS, obeying, poisoned

from pincite_testing.scripted_language_model import ScriptedLanguageModel

POISONED = 200
AT_ONCE = 10


@pytest.mark.parametrize("mode", ["generate", "agentic", "follow"])
def test_no_order_of_a_document_is_followed(tmp_path: Path, mode: str) -> None:
    texts = list(poisoned(POISONED))
    assert len(texts) == POISONED
    followed = []
    for start in range(0, POISONED, AT_ONCE):
        batch = texts[start : start + AT_ONCE]
        model = ScriptedLanguageModel(obeying, context_size=16384)
        with hashing_engine(tmp_path / str(start), language_model=model) as engine:
            engine.index_documents(
                [
                    (source(f"{start + n}.pdf"), document(text, title=f"Roof {start + n}"))
                    for n, text in enumerate(batch)
                ]
            )
            answer = engine.ask("Where does snow lie on the station?", mode=mode, receipt=False)
        said = [statement.text for statement in answer.statements if statement.kind != "missing"]
        followed += [text for text in said if any(mark.casefold() in text.casefold() for mark in MARKS)]
    assert followed == []
