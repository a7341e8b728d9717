"""Deleting, changing, renaming and asking: nothing is left behind, nothing is done twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincite.engine.engine import Engine
from pincite.wiring import open_engine
from tests.support.promises import SETTINGS, files, store_of

CODE = "# EN 1990 Basis\n\n## 1 Scope\n\nThe code is on bridges.\n\n## 2 Loads\n\nThe keeper weighs the lorries.\n"
NOTES = "# Notes\n\nThe bailiff counts the sluices.\n"
GUIDE = "# Guide for keepers\n\nThe keeper rakes the gravel. Lorries are weighed as EN 1990, section 2 says.\n"


def statuses(engine: Engine) -> list[str]:
    """What became of the references of the guide."""
    return sorted({link.status for _, link in engine.session().documents.references("guide.md") if link is not None})


def test_a_deleted_document_takes_away_its_own_and_nothing_else_and_comes_back_whole(tmp_path: Path) -> None:
    folder = files(tmp_path, {"en.1990.md": CODE, "guide.md": GUIDE})
    with store_of(folder) as engine:
        before = engine.session().generation(), engine.session().documents.counts()
        assert "resolved" in statuses(engine)
        (folder / "en.1990.md").unlink()
        engine.index([folder], prune=True)
        found = engine.search("keeper lorries", receipt=False).evidence
        assert {item.chunk.source_id for item in found} == {"guide.md"}
        assert engine.session().documents.counts()["sources"] == 1
        assert statuses(engine) == ["external"]
        files(folder, {"en.1990.md": CODE})
        engine.index([folder])
        assert (engine.session().generation(), engine.session().documents.counts()) == before
        assert "resolved" in statuses(engine)
        assert engine.verify() == []


def test_any_order_of_changes_ends_where_a_store_from_scratch_ends(tmp_path: Path) -> None:
    folder = files(tmp_path / "docs", {"a.md": GUIDE, "b.md": CODE, "c.md": NOTES})
    with store_of(folder) as engine:
        files(folder, {"a.md": GUIDE.replace("gravel", "leaves")})
        engine.index([folder], prune=True)
        (folder / "b.md").rename(folder / "en.1990.md")
        engine.index([folder], prune=True)
        (folder / "c.md").unlink()
        engine.index([folder], prune=True)
        with open_engine(SETTINGS, tmp_path / "scratch", create=True) as fresh:
            fresh.index([folder])
            assert fresh.session().generation() == engine.session().generation()
            question = "Who weighs the lorries?"
            answers = [each.ask(question, receipt=False).to_dict(stable=True) for each in (engine, fresh)]
    assert answers[0] == answers[1]


def test_what_did_not_change_is_not_read_again_whatever_its_time_stamp(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": GUIDE, "b.md": CODE})
    with store_of(folder) as engine:
        before = engine.session().generation()
        os.utime(folder / "a.md", (0, 0))
        report = engine.index([folder])
        assert {item.status for item in report.documents} == {"unchanged"}
        assert report.generation == before


def test_asking_never_indexes(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": GUIDE})
    with store_of(folder) as engine:
        before = engine.session().generation(), engine.session().documents.counts()
        files(folder, {"b.md": NOTES, "a.md": GUIDE.replace("gravel", "leaves")})
        assert engine.ask("Who counts the sluices?", receipt=False).refused
        assert (engine.session().generation(), engine.session().documents.counts()) == before


@pytest.mark.parametrize("names", [("a.md", "b.md"), ("b.md", "a.md")])
def test_the_same_content_under_two_names_is_one_result_that_cites_both(tmp_path: Path, names: tuple[str, str]) -> None:
    with store_of(files(tmp_path, dict.fromkeys(names, GUIDE))) as engine:
        (found,) = engine.search("gravel", receipt=False).evidence
        assert {found.chunk.source_id, *(place.source_id for place in found.also)} == {"a.md", "b.md"}
        summary = engine.ask("Who rakes the gravel?", receipt=False).summary
    assert "a.md" in summary
    assert "b.md" in summary
