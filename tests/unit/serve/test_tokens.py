"""Who has a token may ask, from the moment it is made to the moment it is removed; its secret is kept nowhere."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from tests.support.served import Served, served

from pincite.errors import NotThereError, StoreError, UsageError
from pincite.serve.access import ANYBODY_HERE, Access
from pincite.serve.access_tokens import FILE_NAME, MARK, Tokens


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(tmp_path)


def test_a_token_is_found_by_its_secret_alone(tokens: Tokens) -> None:
    ada, bo = tokens.add("ada", "reader", ("staff", "board", "staff")), tokens.add("bo", "admin")
    assert ada.startswith(MARK)
    assert len({ada, bo}) == 2
    found = tokens.find(ada)
    assert found is not None
    assert (found.name, found.role, found.principals) == ("ada", "reader", ("board", "staff"))
    for wrong in ("", "ada", ada[:-1], ada + "x", ada.upper(), found.sha256, "\udc80", "ä"):
        assert tokens.find(wrong) is None


def test_the_file_holds_no_secret_and_is_its_owners_alone(tokens: Tokens, tmp_path: Path) -> None:
    secret = tokens.add("ada", "reader")
    path = tmp_path / FILE_NAME
    assert secret not in path.read_text()
    assert secret.removeprefix(MARK) not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [item.name for item in tmp_path.iterdir()] == [FILE_NAME]


def test_what_another_process_changes_counts_at_once(tokens: Tokens, tmp_path: Path) -> None:
    running = Tokens(tmp_path)
    assert running.all() == ()
    secret = tokens.add("ada", "reader")
    assert running.find(secret) is not None
    tokens.remove("ada")
    assert running.find(secret) is None


def test_wrong_use_is_told(tokens: Tokens) -> None:
    tokens.add("ada", "reader")
    with pytest.raises(UsageError, match="there is a token 'ada' already"):
        tokens.add("ada", "admin")
    for name in ("", "a b", "../x", "x" * 65, "ä"):
        with pytest.raises(UsageError, match="cannot name a token"):
            tokens.add(name, "reader")
    with pytest.raises(UsageError, match="role 'owner' is not known"):
        tokens.add("bo", "owner")
    with pytest.raises(NotThereError, match="no token 'bo'"):
        tokens.remove("bo")


OWNER = json.dumps({"tokens": [{"name": "x", "sha256": "0" * 64, "role": "owner", "principals": []}]})
GARBLED = OWNER.replace("owner", "admin").replace("0" * 64, "\xe4")


@pytest.mark.parametrize(
    "content", ["", "[]", '{"tokens": [1]}', '{"tokens": [{"name": "x"}]}', "\xff", OWNER, GARBLED, GARBLED[:-9]]
)
def test_a_damaged_file_lets_nobody_in(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE_NAME).write_bytes(content.encode("latin-1"))
    with pytest.raises(StoreError, match="cannot be read"):
        Tokens(tmp_path).find("x")
    with pytest.raises(StoreError, match="cannot be read"):
        Access(Tokens(tmp_path), is_local=True).caller(None)


def test_of_two_who_change_them_at_once_one_is_told(tokens: Tokens, tmp_path: Path) -> None:
    (tmp_path / f".{FILE_NAME}.part").touch()
    with pytest.raises(StoreError, match="somebody else changes the tokens"):
        tokens.add("ada", "reader")


# --- who may come in ---------------------------------------------------------------------------------------


def test_on_this_machine_nobody_needs_a_token_until_there_is_one(tokens: Tokens) -> None:
    access = Access(tokens, is_local=True)
    assert access.caller(None) == ANYBODY_HERE
    assert access.caller("Bearer any-word") == ANYBODY_HERE
    secret = tokens.add("ada", "reader")
    assert access.caller(None) is access.caller("Bearer any-word") is None
    assert access.caller(f"Bearer {secret}") is not None


def test_who_takes_the_last_token_away_opens_nothing(tokens: Tokens) -> None:
    secret = tokens.add("ada", "reader")
    access = Access(tokens, is_local=True)
    assert access.caller(None) is None
    tokens.remove("ada")
    assert access.caller(None) is None
    assert access.caller(f"Bearer {secret}") is None


def test_others_always_need_one(tokens: Tokens) -> None:
    assert Access(tokens, is_local=False).caller(None) is None


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic {}", "{}", "Bearer {} {}", "Bearer\t{}"])
def test_only_a_bearer_is_let_in(tokens: Tokens, header: str) -> None:
    secret = tokens.add("ada", "admin")
    access = Access(tokens, is_local=True)
    assert access.caller(header.format(secret, secret)) is None
    assert access.caller(f"bearer  {secret}") is not None


def test_the_service_without_tokens_answers_this_machine_and_shows_nothing_closed(fresh: Served) -> None:
    found = fresh.client.get("/qa", params={"query": "Who pays the zebra?"})
    assert found.status_code == 200
    assert "walrus" not in found.text.casefold()
    assert fresh.client.get("/api/runs").status_code == 200


def test_a_token_that_is_made_while_the_service_runs_closes_it(fresh: Served, tmp_path: Path) -> None:
    assert fresh.client.get("/api/documents").status_code == 200
    secret = Tokens(fresh.folder / ".pincite").add("ada", "reader", ("board",))
    assert fresh.client.get("/api/documents").status_code == 401
    found = fresh.client.get("/api/documents", headers={"Authorization": f"Bearer {secret}"})
    assert "salaries" in json.dumps(found.json())
    Tokens(fresh.folder / ".pincite").remove("ada")
    assert fresh.client.get("/api/documents", headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_others_are_let_in_with_a_token_alone(store: Path) -> None:
    with served(store, with_tokens=False, is_local=False) as found:
        assert found.client.get("/api/documents").status_code == 401
        assert found.client.get("/health").json() == {"status": "ok"}
