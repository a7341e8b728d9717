"""What is masked while indexing is nowhere in the store, in no answer and on no picture; all spans stay true."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.build.editions import edition_versions
from pincite.build.redaction import redacted
from pincite.engine.engine import Engine
from pincite.errors import SettingsError, UsageError
from pincite.read.sandbox import Drawer
from pincite.records.chunks import ChunkPolicy
from pincite.records.pages import Block, Box, Document, Link, OutlineEntry, Page, Span
from pincite.settings import REDACTED, load_settings
from pincite.text.personal import KIND_NAMES, MASK
from pincite.wiring import open_engine
from tests.e2e.conftest import Run
from tests.support.made_pdfs import change
from tests.support.promises import SETTINGS, files, pages, store_of

ALL = ",".join(REDACTED)
MASKING = replace(SETTINGS, redact=ALL)
EMAIL, PHONE, CARD, IBAN = "jane.doe@example.org", "030 9018204", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00"
PASSPORT = "C01X00T47"
VALUES = (EMAIL, PHONE, CARD, IBAN, PASSPORT)
MAIL = f"""From: Jane Doe <{EMAIL}>
To: billing@example.com
Subject: Our account
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Please pay the rent to the account {IBAN} by the first of May.
Call me, Tel. {PHONE}, if the transfer fails. The number {PHONE} is answered at night too.
"""
CONTRACT = f"""# Contract of {EMAIL}

## 1 Parties

The tenant shows the passport no. {PASSPORT} and pays by card {CARD} on signing.

## 2 Standards

The walls follow EN 1992-1-1:2004, clause 5.3.2, and cost EUR 1 234 567.89 from 12.05.2024 on.
"""
CUSTOMERS = f"""name,phone,e-mail,passport_no,amount
Ada Lovelace,{PHONE},ada@example.net,{PASSPORT},1200
Alan Turing,030 7654321,alan@example.net,X98Z76543,1300
"""
PAGE = f"""<html><head><title>Contact {EMAIL}</title></head><body><h1 id="{EMAIL}">Team</h1>
<p>The gardener Jane is asked by <a href="mailto:{EMAIL}">letter</a>, <a href="tel:+4930901820">call</a> or
<a href="contract.md">contract</a>.</p></body></html>"""


def documents(folder: Path) -> Path:
    """A mail, a contract, a list of customers, a page of the web and a PDF that all tell of persons."""
    texts = {"mail.eml": MAIL, "contract.md": CONTRACT, "customers.csv": CUSTOMERS, "team.html": PAGE}
    files(folder, texts)
    letter = pages(
        folder / "letter.pdf", f"The keeper answers at {EMAIL}.\nIn the park dogs are kept on a leash.", "Next"
    )

    def described(pdf: pikepdf.Pdf) -> None:
        pdf.docinfo["/Title"] = f"Letter to {EMAIL}"
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem(f"Write to {EMAIL}", 0))

    change(letter, described)
    return folder


def bytes_of(folder: Path) -> bytes:
    """All that stands in the files of a store, logs of the database included."""
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def leaks(store: Path) -> list[str]:
    """Values, whole or without spaces, that stand in any file of a store."""
    held = bytes_of(store)
    return [
        value
        for value in (*VALUES, "ada@example", "7654321")
        for written in {value, value.replace(" ", "")}
        if written.encode() in held
    ]


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, Path]]:
    """An engine on the masked store of all these documents, and its folder."""
    folder = documents(tmp_path_factory.mktemp("redaction"))
    with store_of(folder, MASKING) as engine:
        yield engine, folder


def test_no_masked_value_reaches_the_store_while_it_is_open_or_closed(masked: tuple[Engine, Path]) -> None:
    engine, folder = masked
    engine.ask("To which account is the rent paid?")
    assert leaks(folder / ".pincite") == []


def test_answers_quote_the_text_with_its_mask(masked: tuple[Engine, Path]) -> None:
    answer = masked[0].ask("To which account is the rent paid?", receipt=False)
    quotes = [item.quote for said in answer.statements for item in said.citations]
    assert any("pay the rent to the account " + MASK * len(IBAN) in quote for quote in quotes), quotes
    assert not any(value in json.dumps(answer.to_dict(explain=True)) for value in VALUES)


@pytest.mark.parametrize("source", ["mail.eml", "contract.md", "customers.csv", "team.html", "letter.pdf"])
def test_each_genre_of_document_is_masked_in_all_that_is_told_of_it(masked: tuple[Engine, Path], source: str) -> None:
    session = masked[0].session()
    documents = session.documents
    told = f"{documents.pages(source)} {documents.outline(source)} {documents.references(source)}"
    told += f"{session.graph.triplets(source)}"
    assert [value for value in (*VALUES, "ada@", "7654321", "901820") if value in told] == []
    assert MASK in told


def test_standards_amounts_dates_and_names_stay(masked: tuple[Engine, Path]) -> None:
    engine = masked[0]
    contract, customers = (
        engine.session().documents.pages("contract.md")[0].text,
        engine.session().documents.pages("customers.csv")[0].text,
    )
    assert "EN 1992-1-1:2004, clause 5.3.2, and cost EUR 1 234 567.89 from 12.05.2024" in contract
    assert "Ada Lovelace" in customers
    assert "1200" in customers


def test_pages_keep_their_lengths_and_masked_spans_their_kinds(masked: tuple[Engine, Path], tmp_path: Path) -> None:
    engine, _ = masked
    with store_of(documents(tmp_path)) as plain:
        for state in plain.session().documents.sources():
            source = state.source.source_id
            hidden = {page.number: page.text for page in engine.session().documents.pages(source)}
            shown = {page.number: page.text for page in plain.session().documents.pages(source)}
            assert {number: len(text) for number, text in hidden.items()} == {n: len(text) for n, text in shown.items()}
            for item in engine.session().documents.masked(source):
                part = slice(item.span.start, item.span.end)
                assert set(hidden[item.span.page][part]) <= {MASK, "\n"}
            assert state.masked == {}


def test_what_was_masked_is_counted(masked: tuple[Engine, Path]) -> None:
    counts = {state.source.source_id: dict(state.masked) for state in masked[0].session().documents.sources()}
    assert counts["contract.md"] == {"email": 1, "national_id": 1, "card": 1}
    assert counts["customers.csv"] == {"phone": 2, "email": 2, "national_id": 2}
    assert counts["mail.eml"]["phone"] == 2
    assert counts["letter.pdf"] == {"email": 1}


def test_a_page_is_drawn_with_what_is_masked_black(masked: tuple[Engine, Path], tmp_path: Path) -> None:
    engine = masked[0]
    (spot,) = engine.session().documents.masked("letter.pdf")
    with store_of(documents(tmp_path)) as plain:
        assert plain.session().files.picture("letter.pdf", 1) != engine.session().files.picture("letter.pdf", 1)
        assert plain.session().files.picture("letter.pdf", 2) == engine.session().files.picture("letter.pdf", 2)
    assert spot.span.page == 1


class BlindDrawer(Drawer):
    def boxes(self, path: Path, spans: Sequence[Span]) -> list[list[Box]]:
        return [[] for _ in spans]


def test_a_page_is_not_drawn_where_it_is_not_known_what_to_black_out(tmp_path: Path) -> None:
    with store_of(documents(tmp_path), MASKING) as engine:
        engine._parts = replace(engine._parts, drawer=BlindDrawer(memory_bytes=10**9))
        with pytest.raises(UsageError, match="cannot be drawn: where its masked words stand is not known"):
            engine.session().files.picture("letter.pdf", 1)


def test_a_store_goes_on_masking_what_it_masked(tmp_path: Path) -> None:
    folder = files(tmp_path, {"contract.md": CONTRACT})
    with store_of(folder, MASKING):
        pass
    with open_engine(SETTINGS, folder / ".pincite") as engine:
        assert [item.status for item in engine.index([folder]).documents] == ["unchanged"]
    with open_engine(replace(SETTINGS, redact="none"), folder / ".pincite") as engine:
        assert [item.status for item in engine.index([folder]).documents] == ["indexed"]
        assert EMAIL in engine.session().documents.pages("contract.md")[0].text


@pytest.mark.parametrize("keep", [False, True])
def test_masking_later_forgets_what_was_read_before_unless_it_is_to_be_kept(tmp_path: Path, *, keep: bool) -> None:
    folder = documents(tmp_path)
    with store_of(folder) as engine:
        engine.ask("To which account is the rent paid?")
    assert EMAIL in leaks(folder / ".pincite")
    with open_engine(replace(MASKING, redact_keep_original=keep), folder / ".pincite") as engine:
        assert {item.status for item in engine.index([folder]).documents} == {"indexed"}
        assert engine.verify() == []
    assert bool(leaks(folder / ".pincite")) is keep


def test_other_kinds_make_another_reading_and_keeping_the_original_makes_none() -> None:
    def policy(**settings: object) -> str:
        return edition_versions("r", ChunkPolicy(**settings), "g")["policy"]  # type: ignore[arg-type]

    made = [policy(), policy(redact=("email",)), policy(redact=("card",)), policy(redact_patterns=(("a", "b"),))]
    assert len(set(made)) == len(made)
    assert policy(redact=("email",), keep_original=True) == policy(redact=("email",))
    assert policy().endswith("/5083ab411e4ad2c5")


def test_a_store_of_before_redaction_is_not_read_again(tmp_path: Path) -> None:
    folder = files(tmp_path, {"contract.md": CONTRACT})
    with store_of(folder):
        pass
    with sqlite3.connect(folder / ".pincite" / "record.sqlite") as old:
        old.execute("DROP TABLE masked_span")
        old.execute("UPDATE meta SET value = '5' WHERE name = 'schema_version'")
    old.close()
    with open_engine(SETTINGS, folder / ".pincite") as engine:
        assert [item.status for item in engine.index([folder]).documents] == ["unchanged"]


def test_own_patterns_are_masked_and_stand_nowhere_themselves(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": "# Files\n\nThe case K-12345 was closed by Ada Lovelace in spring."})
    own = replace(SETTINGS, redact_patterns=(("case", r"\bK-\d{5}\b"), ("person", "Ada Lovelace")))
    with store_of(folder, own) as engine:
        assert engine.session().documents.sources()[0].masked == {"case": 1, "person": 1}
    held = bytes_of(folder / ".pincite")
    assert b"K-12345" not in held
    assert b"Lovelace" not in held
    with pytest.raises(SettingsError, match=r"masked by patterns that the settings lack \(case, person\)"):
        open_engine(SETTINGS, folder / ".pincite", create=True)


def test_a_slow_pattern_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"the pattern slow of redact_patterns has '\+' at place 3: say how often"):
        open_engine(replace(SETTINGS, redact_patterns=(("slow", "(a+)+b"),)), tmp_path, create=True)


def test_settings_name_kinds_patterns_and_whether_the_original_stays(tmp_path: Path) -> None:
    own = tmp_path / "config" / "pincite"
    own.mkdir(parents=True)
    own.joinpath("pincite.toml").write_text(
        'redact = "email"\nredact_keep_original = true\n[redact_patterns]\na = "b"\n'
    )
    tmp_path.joinpath("pincite.toml").write_text(
        'redact = "card"\nredact_keep_original = true\n[redact_patterns]\nc = "d"\n'
    )
    loaded = load_settings(folder=tmp_path, environment={"XDG_CONFIG_HOME": str(tmp_path / "config")})
    assert loaded.settings.redact == "email,card"
    assert loaded.settings.redact_patterns == (("a", "b"), ("c", "d"))
    assert loaded.settings.redact_keep_original is True
    assert "redact_keep_original" in loaded.notices[0]
    assert loaded.settings.shown()["redact_patterns"] == {"a": "***", "c": "***"}
    with pytest.raises(
        SettingsError, match="redact knows no e-mail: use email, phone, card, iban, national_id, or none"
    ):
        load_settings(environment={}, folder=tmp_path / "config", options={"redact": "e-mail"})
    assert set(REDACTED) == set(KIND_NAMES)


def test_the_command_says_how_much_it_masked(command: Run, tmp_path: Path) -> None:
    folder = files(tmp_path, {"contract.md": CONTRACT})
    done = command("index", folder, "--redact", "email,card")
    assert done.stdout.endswith("1 e-mail address and 1 card number masked\n")
    told = command("status", "--store", folder)
    assert "1 e-mail address and 1 card number masked" in told.stdout
    plain = json.loads(command("status", "--store", folder, "--json").stdout)
    assert plain["masked"] == {"email": 1, "card": 1}
    assert plain["sources"][0]["masked"] == {"card": 1, "email": 1}


def test_documents_that_masking_has_not_reached_are_named(command: Run, tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": CONTRACT, "b.md": CONTRACT})
    command("index", folder)
    done = command("index", folder / "a.md", "--redact", "email")
    assert "1 document in the store may be masked less (b.md): index them too" in done.stderr
    assert "masked less" not in command("index", folder).stderr


def test_what_is_masked_in_a_closed_document_is_told_to_its_members_alone(tmp_path: Path) -> None:
    listed = json.dumps({"sources": [{"path": "contract.md", "acl": ["board"]}]})
    folder = files(tmp_path, {"contract.md": CONTRACT, "list.json": listed})
    with open_engine(MASKING, folder / ".pincite", create=True) as engine:
        engine.index(manifest=folder / "list.json")
        assert (
            engine.session().documents.masked("contract.md")
            == engine.session(["staff"]).documents.masked("contract.md")
            == []
        )
        assert len(engine.session(["board"]).documents.masked("contract.md")) == 3


PIECES = st.sampled_from([*VALUES, "Tel. ", "The rent ", "\n", "EN 1992-1-1 ", "+49 30 901820", "@", " ", "4111", ", "])
TEXTS = st.lists(PIECES, max_size=10).map("".join)


@given(st.lists(TEXTS, min_size=1, max_size=3), TEXTS)
def test_every_span_of_a_masked_document_is_masked_and_nothing_else_changes(texts: list[str], title: str) -> None:
    made = tuple(
        Page(
            number,
            text,
            (Block("paragraph", Span(number, 0, len(text)), locator=title),),
            links=(Link(Span(number, 0, 0), title),),
        )
        for number, text in enumerate(texts, 1)
    )
    before = Document(made, "r", title, outline=(OutlineEntry(title, 1, 1),), metadata={"author": title})
    after, spans = redacted(before, ChunkPolicy(redact=REDACTED))
    hidden = {(item.span.page, at) for item in spans for at in range(item.span.start, item.span.end)}
    for page, text in zip(after.pages, texts, strict=True):
        assert len(page.text) == len(text)
        for at, sign in enumerate(text):
            assert page.text[at] == (MASK if (page.number, at) in hidden and sign != "\n" else sign)
    assert EMAIL not in f"{after}"
    assert CARD not in after.pages[0].text or CARD + " " in texts[0] or "4111" in texts[0]
