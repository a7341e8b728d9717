"""Every RateLimit keeps its contract: the one of a process, and that of Redis."""

from __future__ import annotations

from itertools import count

import pytest
from tests.support.redis_server import PASSWORD, RedisProgram

from pincite.models.breaker import Breaker
from pincite.ports import RateLimit
from pincite.serve.traffic import Rates
from pincite.settings import Settings
from pincite.store.redis_server import RedisServer, SharedRates
from pincite_testing.rate_limit_contract import RateLimitContract

NAMES = count()


class TestRates(RateLimitContract):
    def make(self, a_minute: int) -> RateLimit:
        return Rates(a_minute)


class TestSharedRates(RateLimitContract):
    @pytest.fixture(autouse=True)
    def _server(self, redis: RedisProgram) -> None:
        self.settings = Settings(redis_url=redis.url(), redis_password=PASSWORD)

    def make(self, a_minute: int) -> RateLimit:
        server = RedisServer(self.settings, "store", lambda shown: Breaker(shown, lambda _: None))
        return SharedRates(server, f"limit {next(NAMES)}", a_minute)
