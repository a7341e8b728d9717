"""Which of the most named stand together: in the passages that whoever asks may see."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.promises import SETTINGS
from tests.support.served import made_store

from pincite.wiring import open_engine


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_store(tmp_path_factory.mktemp("together") / "documents")


def test_names_of_one_passage_are_joined_for_those_alone_who_may_see_it(store: Path) -> None:
    names = ["Walrus Works", "Alder Works", "Snow", "No Such Name"]
    with open_engine(SETTINGS, store) as engine:
        board = engine.session(("board",)).graph.named_together(names)
        assert (0, 2, 1) in board
        assert all(3 not in pair[:2] for pair in board)
        assert not [pair for pair in engine.session(()).graph.named_together(names) if 0 in pair[:2]]
