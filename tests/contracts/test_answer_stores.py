"""Every AnswerStore keeps its contract: the file beside the record, and Redis."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.redis_server import PASSWORD, RedisProgram

from pincite.models.breaker import Breaker
from pincite.ports import AnswerStore
from pincite.settings import Settings
from pincite.store.answer_cache import AnswerCache
from pincite.store.redis_server import RedisAnswers, RedisServer
from pincite_testing.answer_store_contract import AnswerStoreContract


class TestAnswerCache(AnswerStoreContract):
    def make(self, folder: Path) -> AnswerStore:
        return AnswerCache(folder / "cache.sqlite", 5)


class TestRedisAnswers(AnswerStoreContract):
    @pytest.fixture(autouse=True)
    def _server(self, redis: RedisProgram) -> None:
        self.url = redis.url()

    def make(self, folder: Path) -> AnswerStore:
        settings = Settings(redis_url=self.url, redis_password=PASSWORD)
        return RedisAnswers(RedisServer(settings, str(folder), lambda shown: Breaker(shown, lambda _: None)), 5)
