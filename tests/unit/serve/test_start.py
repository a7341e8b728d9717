"""The page begins with what whoever asks may see, and with nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import document, source
from tests.support.served import CANARIES, Served

from pincite.settings import Settings
from pincite.wiring import open_engine


def told(service: Served, url: str, who: str) -> Any:
    found = service.client.get(url, headers=service.headers(who))
    assert found.status_code == 200
    return found.json()


def test_documents_are_counted_that_may_be_seen(service: Served) -> None:
    seen = told(service, "/api/start", "reader"), told(service, "/api/start", "board")
    assert seen[0]["name"] == seen[1]["name"] == service.folder.name
    assert seen[0]["documents"] + 1 == seen[1]["documents"]
    assert seen[0]["pages"] + 2 == seen[1]["pages"]


def test_types_and_tags_are_those_of_documents_that_may_be_seen(service: Served) -> None:
    seen, all_of_them = told(service, "/api/start", "reader"), told(service, "/api/start", "board")
    assert sum(seen["types"].values()) == seen["documents"]
    assert sum(all_of_them["types"].values()) == all_of_them["documents"]
    assert all(seen["tags"].get(tag, 0) <= count for tag, count in all_of_them["tags"].items())
    assert not any(word in str(seen).casefold() for word in CANARIES)


@pytest.mark.parametrize(("who", "may"), [("reader", False), ("writer", True), ("admin", True)])
def test_who_may_put_documents_in_is_told_so(service: Served, who: str, may: bool) -> None:
    assert told(service, "/api/start", who)["may_put_in"] is may


@pytest.mark.parametrize("url", ["/api/start/questions", "/api/entities"])
def test_nothing_is_suggested_out_of_what_is_closed(service: Served, url: str) -> None:
    assert not any(word in str(told(service, url, "reader")).casefold() for word in CANARIES)


def test_the_most_named_are_those_of_which_something_is_said(service: Served) -> None:
    assert "Alder Works" in [entity["name"] for entity in told(service, "/api/entities", "reader")["entities"]]


def test_words_that_only_open_sentences_are_not_among_the_most_named(tmp_path: Path) -> None:
    text = "See the Note on Alder Works. The Note names Ada Alder."
    pages = [document([("heading", f"Part {place}"), ("paragraph", text)]) for place in range(3)]
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source(f"{place}.txt"), made) for place, made in enumerate(pages)])
        names = {named.name for named in engine.session().graph.most_named(50)}
    assert "Ada Alder" in names
    assert "Note" not in names
