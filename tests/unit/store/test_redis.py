"""Several servers share answers and limits in a Redis; without it, or while it is away, each of them goes on alone."""

from __future__ import annotations

import signal
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from redis import Redis
from tests.support.documents import document, source
from tests.support.promises import SETTINGS
from tests.support.redis_server import PASSWORD, RedisProgram, running_redis
from tests.support.served import made_store

from pincite.cli.main import main
from pincite.engine.engine import Engine
from pincite.errors import ServiceError, SettingsError, StoreError
from pincite.models.breaker import REST, Breaker
from pincite.records.answers import Answer
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.settings import load_settings
from pincite.shared_services import make_shared_limit
from pincite.store.redis_server import RedisAnswers, RedisServer, SharedRates
from pincite.wiring import make_telemetry, open_engine

QUESTION = "Where does snow lie?"


def entries(url: str) -> list[bytes]:
    """The answers that a Redis holds, as they were given."""
    with Redis.from_url(url, password=PASSWORD) as client:
        return [zlib.decompress(client.get(key)[16:]) for key in client.scan_iter("*:answer:*")]


def server(url: str, name: str = "store", rests: Callable[[float], None] = lambda _: None) -> RedisServer:
    settings = replace(SETTINGS, redis_url=url, redis_password=PASSWORD)
    return RedisServer(settings, name, lambda shown: Breaker(shown, rests))


@pytest.fixture
def url(redis: RedisProgram) -> str:
    """An empty database."""
    url = redis.new_url()
    with Redis.from_url(url, password=PASSWORD) as client:
        client.flushdb()
    return url


@pytest.fixture
def opened(url: str, tmp_path: Path) -> Iterator[tuple[Engine, Engine]]:
    """Two engines on one store, as two servers open it."""
    settings = replace(SETTINGS, redis_url=url, redis_password=PASSWORD)
    with ExitStack() as stack:
        first, second = (stack.enter_context(open_engine(settings, tmp_path / "s", create=True)) for _ in range(2))
        texts = {"a.pdf": "Snow lies on the roof.", "b.pdf": "Wind acts on the wall."}
        first.index_documents([(source(name), document(text, title=name)) for name, text in texts.items()])
        yield first, second


@pytest.fixture
def kept(url: str) -> Iterator[RedisAnswers]:
    """A store that holds one answer."""
    with closing(RedisAnswers(server(url), 5)) as store:
        store.find("key", bytes)
        store.keep("key", b"answer")
        yield store


def is_cached(answer: Answer) -> bool:
    return set(answer.trace.timings_ms) == {"cache"}


def test_an_answer_of_one_server_is_given_again_by_another(opened: tuple[Engine, Engine], tmp_path: Path) -> None:
    answers = [engine.ask(QUESTION) for engine in opened]
    assert [is_cached(answer) for answer in answers] == [False, True]
    assert answers[0].to_dict(stable=True) == answers[1].to_dict(stable=True)
    assert opened[0].cache_counts() == {"hits": 0, "misses": 1}
    assert opened[1].cache_counts() == opened[0].cache_counts() == {"hits": 1, "misses": 1}
    assert not (tmp_path / "s" / "cache.sqlite").exists()


def test_what_one_server_purges_is_gone_from_redis(opened: tuple[Engine, Engine], url: str) -> None:
    opened[1].ask(QUESTION)
    assert any(b"the roof" in entry for entry in entries(url))
    opened[0].remove("a.pdf", purge=True)
    assert entries(url) == []
    answer = opened[1].ask(QUESTION)
    assert not is_cached(answer)
    assert "roof" not in answer.summary


def test_what_is_answered_while_all_is_forgotten_is_not_found(url: str) -> None:
    one, other = RedisAnswers(server(url), 5), RedisAnswers(server(url), 5)
    assert one.find("key", bytes) is None
    other.clear()
    one.keep("key", b"of before")
    assert [store.find("key", bytes) for store in (one, other)] == [None, None]
    for store in (one, other):
        store.close()


def test_what_redis_drops_does_not_bring_back_what_was_forgotten(kept: RedisAnswers, url: str) -> None:
    with Redis.from_url(url, password=PASSWORD) as client:
        assert client.delete(*client.scan_iter("*:epoch")) == 1
    assert kept.find("key", bytes) is None


def test_what_is_no_answer_is_not_taken_for_one(kept: RedisAnswers, url: str) -> None:
    with Redis.from_url(url, password=PASSWORD) as client:
        key = next(client.scan_iter("*:answer:*"))
        client.set(key, client.get(key)[:18] + b"garbage")
    assert kept.find("key", bytes) is None


@pytest.mark.usefixtures("kept")
def test_an_answer_goes_after_its_minutes(url: str) -> None:
    with Redis.from_url(url, password=PASSWORD) as client:
        assert 290 < client.ttl(next(client.scan_iter("*:answer:*"))) <= 300


def test_stores_do_not_share_what_they_keep(kept: RedisAnswers, url: str) -> None:
    with closing(RedisAnswers(server(url, "another store"), 5)) as other:
        assert other.find("key", bytes) is None
        other.clear()
    assert kept.find("key", bytes) == b"answer"


def test_a_redis_that_dies_stops_no_question_and_no_purge_is_left_half(tmp_path: Path) -> None:
    with running_redis() as own:
        settings = replace(SETTINGS, redis_url=own.url(), redis_password=PASSWORD)
        with open_engine(settings, tmp_path, create=True) as engine:
            engine.index_documents([(source("a.pdf"), document("Snow lies on the roof.", title="a.pdf"))])
            assert [is_cached(engine.ask(QUESTION)) for _ in range(2)] == [False, True]
            own.kill()
            answers = [engine.ask(QUESTION) for _ in range(5)]
            assert not any(map(is_cached, answers))
            assert all("roof" in answer.summary for answer in answers)
            assert engine.cache_counts() == {}
            with pytest.raises(StoreError, match="keeps answers for up to 15 minutes"):
                engine.remove("a.pdf", purge=True)
            assert [state.source.source_id for state in engine.session().documents.sources()] == ["a.pdf"]
        own.start()
        with open_engine(settings, tmp_path) as engine:
            assert [is_cached(engine.ask(QUESTION)) for _ in range(2)] == [False, True]
            engine.remove("a.pdf", purge=True)


def test_a_redis_that_hangs_is_not_waited_for_again(url: str) -> None:
    rested: list[float] = []
    with running_redis() as own:
        store = RedisAnswers(server(own.url(), rests=rested.append), 5)
        assert own.process is not None
        own.process.send_signal(signal.SIGSTOP)
        for _ in range(3):
            with pytest.raises(ServiceError, match="does not answer"):
                store.find("key", bytes)
        assert rested == [REST]
        with pytest.raises(ServiceError, match="has not answered lately"):
            store.find("key", bytes)
        own.process.send_signal(signal.SIGCONT)
        store.close()


def test_a_wrong_password_stops_no_question_and_doctor_says_so(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(SETTINGS, redis_url=url, redis_password="another")
    with open_engine(settings, tmp_path / "s", create=True) as engine:
        engine.index_documents([(source("a.pdf"), document("Snow lies on the roof.", title="a.pdf"))])
        assert "roof" in engine.ask(QUESTION).summary
    for name, value in (("URL", url), ("PASSWORD", "another")):
        monkeypatch.setenv(f"PINCITE_REDIS_{name}", value)
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    assert main(["doctor"]) == 4
    assert "invalid username-password pair" in capsys.readouterr().out
    monkeypatch.setenv("PINCITE_REDIS_PASSWORD", PASSWORD)
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"Redis {url}: ready" in out
    assert PASSWORD not in out


@pytest.mark.parametrize("wrong", ["localhost:6379", "redis://127.0.0.1:port/0"])
def test_an_address_that_is_none_is_told(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="redis_url"):
        settings = load_settings(environment={}, options={"redis_url": wrong})[0]
        make_shared_limit(settings, tmp_path, make_telemetry(settings), "token", 60)


def test_the_password_is_never_shown() -> None:
    told = {"redis_url": "redis://ada:hush@127.0.0.1/0", "redis_password": "of all"}
    shown = str(load_settings(environment={}, options=told)[0].shown())
    assert "hush" not in shown
    assert "of all" not in shown


# --- limits -------------------------------------------------------------------------------------------------


def test_servers_count_the_requests_of_a_caller_together(url: str) -> None:
    limits = [SharedRates(server(url), "token", 50) for _ in range(4)]
    let_in: list[int] = []

    def ask(limit: SharedRates) -> None:
        let_in.append(sum(limit.wait("ada") == 0.0 for _ in range(100)))

    threads = [threading.Thread(target=ask, args=(limit,)) for limit in limits]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken_since = 3
    assert 50 <= sum(let_in) <= 50 + taken_since
    assert limits[0].wait("bo") == 0.0
    assert 0 < limits[0].wait("ada") <= 60 / 50
    with Redis.from_url(url, password=PASSWORD) as client:
        assert not any(b"ada" in key for key in client.scan_iter("*"))
        assert all(0 < client.pttl(key) <= 61_000 for key in client.scan_iter("*:rate:*"))
    for limit in limits:
        limit.close()


def test_two_services_let_a_token_in_as_often_as_one_and_go_on_when_redis_dies(tmp_path: Path) -> None:
    store = made_store(tmp_path / "docs")
    secret = Tokens(store).add("ada", "reader")
    with running_redis() as own, ExitStack() as stack:
        settings = replace(SETTINGS, redis_url=own.url(), redis_password=PASSWORD, requests_a_minute=4)

        def shared(name: str, a_minute: int) -> object:
            return make_shared_limit(settings, store, make_telemetry(settings), name, a_minute)

        clients = []
        for _ in range(2):
            engine = stack.enter_context(open_engine(settings, store))
            access = Access(Tokens(store), is_local=True)
            app = build_app(engine, settings, access, shared_limit=shared)  # type: ignore[arg-type]
            clients.append(stack.enter_context(TestClient(app, base_url="http://127.0.0.1")))

        def told(place: int) -> int:
            headers = {"Authorization": f"Bearer {secret}"}
            return clients[place].get("/api/documents", headers=headers).status_code

        assert [told(number % 2) for number in range(5)] == [200, 200, 200, 200, 429]
        assert told(1) == 429
        own.kill()
        assert [told(0) for _ in range(5)] == [200, 200, 200, 200, 429]
        assert told(1) == 200
