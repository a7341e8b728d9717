"""Who asks too often is told when to come again, and costs nobody else anything."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.support.promises import SETTINGS
from tests.support.served import made_store

from pincite.serve import traffic
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.serve.traffic import Rates, network_of
from pincite.wiring import open_engine


class Clock:
    """Seconds that pass when the test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_minutes_requests_may_come_at_once_and_then_each_in_its_time() -> None:
    clock = Clock()
    asked = Rates(6, clock)
    assert [asked.wait("ada") for _ in range(6)] == [0.0] * 6
    assert asked.wait("ada") == pytest.approx(10.0)
    clock.now += 10.0
    assert [asked.wait("ada"), asked.wait("ada")] == [0.0, pytest.approx(10.0)]


def test_to_be_turned_down_makes_nobody_wait_longer() -> None:
    clock = Clock()
    asked = Rates(1, clock)
    assert [asked.wait("ada") > 0 for _ in range(50)] == [False, *[True] * 49]
    clock.now += 60.0
    assert asked.wait("ada") == 0.0


def test_nothing_is_counted_where_the_settings_name_no_limit() -> None:
    asked = Rates(0, Clock())
    assert {asked.wait("ada") for _ in range(1_000)} == {0.0}


def test_however_many_ask_those_who_asked_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "MOST_KNOWN", 3)
    asked = Rates(1, Clock())
    for number in range(100):
        assert asked.wait(f"asker {number}") == 0.0
    assert asked.wait("asker 99") > 0


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_network_is_one_asker(host: str, network: str) -> None:
    assert network_of(host) == network


def test_a_token_and_an_address_without_one_are_told_when_to_come_again(tmp_path: Path) -> None:
    store = made_store(tmp_path / "docs")
    secrets = {name: Tokens(store).add(name, "reader") for name in ("ada", "bo")}
    settings = replace(SETTINGS, requests_a_minute=3, unknown_requests_a_minute=2)
    with open_engine(settings, store) as engine:
        app = build_app(engine, settings, Access(Tokens(store), is_local=True))
        with TestClient(app, base_url="http://127.0.0.1") as client:

            def told(path: str, who: str) -> int:
                found = client.get(path, headers={"Authorization": f"Bearer {secrets.get(who, who)}"})
                if found.status_code == 429:
                    assert int(found.headers["Retry-After"]) >= 1
                    assert found.json()["error"]["kind"] == "often"
                return found.status_code

            assert [told("/api/documents", "ada") for _ in range(4)] == [200, 200, 200, 429]
            assert [told("/api/documents", "nobody") for _ in range(3)] == [401, 401, 429]
            assert told("/health", "ada") == 429
            assert told("/api/documents", "bo") == 200


def test_who_needs_no_token_asks_as_often_as_they_like(tmp_path: Path) -> None:
    store = made_store(tmp_path / "docs")
    settings = replace(SETTINGS, requests_a_minute=1, unknown_requests_a_minute=1)
    with open_engine(settings, store) as engine:
        app = build_app(engine, settings, Access(Tokens(store), is_local=True))
        with TestClient(app, base_url="http://127.0.0.1") as client:
            assert {client.get(path).status_code for path in ("/health", "/api/documents") * 5} == {200}
