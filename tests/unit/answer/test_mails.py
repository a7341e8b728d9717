"""Who wrote what in a correspondence, asked of mails that quote each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.engine.engine import Engine
from pincite.records.questions import Filter
from pincite.settings import Settings
from pincite.wiring import open_engine

MAIL = "From: {} <x@reed.example>\nTo: {}\nSubject: {}\nDate: {}\nMIME-Version: 1.0\n\n{}\n"
MAILS = {
    "a.eml": (
        "Ada Reed",
        "Ben Moss",
        "Bell tower",
        "Mon, 04 May 2026 09:00:00 +0000",
        "The bell weighs 900 kilograms.",
    ),
    "b.eml": (
        "Ben Moss",
        "Ada Reed",
        "Re: Bell tower",
        "Tue, 05 May 2026 09:00:00 +0000",
        "The bell weighs only 750 kilograms by my scales.\n\nThe clock strikes late.\n\n"
        "On Mon, 4 May 2026, Ada Reed <x@reed.example> wrote:\n"
        "> The bell weighs 900 kilograms.",
    ),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder: Path = tmp_path_factory.mktemp("mails")
    for name, parts in MAILS.items():
        (folder / name).write_text(MAIL.format(*parts), encoding="utf-8")
    with open_engine(Settings(embedder="none"), folder / "store", create=True) as engine:
        engine.index([folder / name for name in MAILS])
        yield engine


def test_whoever_wrote_a_sentence_is_told_beside_it(engine: Engine) -> None:
    told = [item for item in engine.ask("Who wrote that the clock strikes late?").statements if "late" in item.text]
    assert told[0].text.startswith("From: Ben Moss")
    assert told[0].citations[0].quote.startswith("From: Ben Moss")


def test_what_somebody_said_is_not_what_was_quoted(engine: Engine) -> None:
    said = engine.ask("What did Ben Moss say about the weight of the bell?").statements
    assert any("750" in statement.text for statement in said)
    assert not any("900" in statement.text for statement in said)


def test_according_to_somebody_is_what_that_one_wrote(engine: Engine) -> None:
    said = engine.ask("According to Ben, how much does the bell weigh?").statements
    assert any("750" in statement.text for statement in said)
    assert not any("900" in statement.text for statement in said)


def test_what_is_so_now_is_what_the_newest_mail_says(tmp_path: Path) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    for name, day, hour in (("one.eml", "04", "six"), ("two.eml", "18", "seven")):
        text = f"The ferry to Reed Island leaves at {hour} o'clock in the morning now."
        date = f"Mon, {day} May 2026 09:00:00 +0000"
        (folder / name).write_text(MAIL.format("Ada Reed", "Ben Moss", "Ferry", date, text), encoding="utf-8")
    with open_engine(Settings(), tmp_path / "store", create=True) as engine:
        engine.index([folder])
        first = engine.ask("When does the ferry to Reed Island leave now?").statements[0].text
    assert "seven" in first


def test_a_sentence_that_a_mail_quotes_stands_behind_who_wrote_it_and_when(engine: Engine) -> None:
    said = engine.ask("How many kilograms does the bell weigh?", filter=Filter(sources=("b.eml",))).statements
    (quoted,) = [item.text for item in said if "900" in item.text]
    assert quoted.startswith("On Mon, 4 May 2026, Ada Reed")
    assert all("wrote" not in item.text for item in said if "750" in item.text)
