"""Redis, for answers and limits that several servers share (docs/scaling.md). What Redis holds may go at any time."""

from __future__ import annotations

import hashlib
import math
import secrets
import zlib
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar

from pincite.errors import ServiceError, SettingsError, StoreError
from pincite.installing import install_extra
from pincite.models.breaker import Breaker
from pincite.ports import Restored
from pincite.settings import Settings, without_password
from pincite.store.answer_cache import HITS, MISSES, MOST_ANSWERS, MOST_IN_MEMORY, QUICK
from pincite.threads import LastUsed

ANSWER_SECONDS = 0.5
"""Redis answers in less than a millisecond: one that takes so long is busy or gone."""
REMOVED_AT_ONCE = 500
EPOCH_BYTES = 16
MICROSECONDS = 1_000_000

_Found = TypeVar("_Found")
_WAIT = """
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local between, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local used_up = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
local early = used_up + between - (now + window)
if early > 0 then return string.format('%.0f', early) end
local until_then = used_up + between
redis.call('SET', KEYS[1], string.format('%.0f', until_then), 'PX', math.ceil((until_then - now) / 1000) + 1)
return '0'
"""
"""What serve/traffic.py (Rates) does, by the clock of Redis: no two servers need the same time."""


class RedisServer:
    """The Redis of the settings, in which keys tell `whose` they are; one that does not answer is left alone for a
    while. SettingsError for an address that is none, ServiceError where the package redis is not installed."""

    def __init__(self, settings: Settings, whose: str, breaker: Callable[[str], Breaker]) -> None:
        try:
            from redis import Redis, RedisError
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        except ModuleNotFoundError as error:
            told = f"Redis needs a package that is not installed: run {install_extra('redis')}"
            raise ServiceError(told) from error
        options: dict[str, Any] = {"password": settings.redis_password} if settings.redis_password else {}
        try:
            self.client: Any = Redis.from_url(
                settings.redis_url,
                socket_timeout=ANSWER_SECONDS,
                socket_connect_timeout=ANSWER_SECONDS,
                retry=Retry(NoBackoff(), 0),
                client_name="pincite",
                **options,
            )
        except ValueError as error:
            told = "redis_url must be as redis://host:6379/0 (rediss:// with TLS, unix:///path of a socket)"
            raise SettingsError(told) from error
        self.shown = without_password(settings.redis_url)
        self._whose = hashlib.sha256(whose.encode()).hexdigest()[:16]
        self._breaker = breaker(f"Redis at {self.shown}")
        self._failed = RedisError

    def key(self, *parts: str) -> str:
        """A key of this store."""
        return ":".join(("pincite", self._whose, *parts))

    def call(self, ask: Callable[[], _Found]) -> _Found:
        """What `ask` gets; ServiceError where Redis does not answer, at once where it did not lately."""
        return self._breaker.call(lambda: self._asked(ask))

    def _asked(self, ask: Callable[[], _Found]) -> _Found:
        try:
            return ask()
        except (self._failed, OSError) as error:
            told = " ".join(str(error).split())
            raise ServiceError(f"Redis at {self.shown} does not answer: {told}") from error

    def version(self) -> str:
        """That of the server."""
        return str(self.call(lambda: self.client.info("server"))["redis_version"])

    def close(self) -> None:
        """Let go of the connections."""
        self.client.close()


class RedisAnswers:
    """Answers by key, each for some minutes, that all servers find. An entry begins with the epoch in which it was
    looked for: `clear` begins another one, so that all servers forget at once, and what was being answered meanwhile is
    not found either. An epoch is a random number: one that Redis lost does not come back."""

    def __init__(self, server: RedisServer, minutes: float) -> None:
        self._server = server
        self._seconds = math.ceil(minutes * 60)
        self._epoch = server.key("epoch")
        self._looked_for = LastUsed[str, bytes](MOST_ANSWERS)
        self._restored = LastUsed[str, tuple[bytes, Any]](MOST_IN_MEMORY)
        self._hits = 0
        self._lock = Lock()

    def find(self, key: str, restore: Callable[[bytes], Restored]) -> Restored | None:
        """What was kept under this key in the present epoch, as `restore` makes it of the bytes; what is found is
        counted."""
        asked = self._server.client.pipeline(transaction=False)
        asked.set(self._epoch, secrets.token_bytes(EPOCH_BYTES), nx=True)
        asked.mget(self._epoch, self._server.key("answer", key))
        _, (epoch, entry) = self._server.call(asked.execute)
        if not epoch or not entry or not entry.startswith(epoch):
            self._looked_for.keep(key, epoch or b"")
            return None
        known, found = self._restored.get(key) or (b"", None)
        if known != entry:
            with suppress(zlib.error):
                found = restore(zlib.decompress(entry[EPOCH_BYTES:]))
                self._restored.keep(key, (entry, found))
        with self._lock:
            self._hits += found is not None
        return found

    def keep(self, key: str, content: bytes) -> None:
        """Keep an answer that was looked for and not found."""
        epoch = self._looked_for.get(key)
        if not epoch:
            return
        entry = epoch + zlib.compress(content, QUICK)
        asked = self._server.client.pipeline(transaction=False)
        asked.set(self._server.key("answer", key), entry, ex=self._seconds)
        self._count(asked, misses=1)
        self._server.call(asked.execute)

    def clear(self) -> None:
        """Forget all answers, on all servers; StoreError where Redis cannot be told."""
        try:
            self._server.call(lambda: self._server.client.set(self._epoch, secrets.token_bytes(EPOCH_BYTES)))
            self._server.call(self._remove_all)
        except ServiceError as error:
            kept = f"it keeps answers for up to {self._seconds // 60} minutes, those from what was removed too"
            raise StoreError(f"{error}; {kept}: run the same command again when it is back") from error

    def counts(self) -> dict[str, int]:
        """How often an answer was found, and how often not, by all servers."""
        asked = self._server.client.pipeline(transaction=False)
        self._count(asked)
        asked.mget(*(self._server.key(name) for name in (HITS, MISSES)))
        found = self._server.call(asked.execute)[-1]
        return {name: int(times or 0) for name, times in zip((HITS, MISSES), found, strict=True)}

    def close(self) -> None:
        """Write down what was counted, and let go of the connections."""
        asked = self._server.client.pipeline(transaction=False)
        self._count(asked)
        with suppress(ServiceError):
            self._server.call(asked.execute)
        self._server.close()

    def _count(self, asked: Any, *, misses: int = 0) -> None:
        with self._lock:
            hits, self._hits = self._hits, 0
        for name, times in ((HITS, hits), (MISSES, misses)):
            if times:
                asked.incrby(self._server.key(name), times)

    def _remove_all(self) -> None:
        for key in self._server.client.scan_iter(self._server.key("answer", "*"), count=REMOVED_AT_ONCE):
            self._server.client.unlink(key)


class SharedRates:
    """So many requests `a_minute` for each caller, on all servers together. Redis gets a digest of who they are."""

    def __init__(self, server: RedisServer, name: str, a_minute: int) -> None:
        self._server = server
        self._name = name
        self._between = 60 * MICROSECONDS // a_minute
        self._script = server.client.register_script(_WAIT)

    def wait(self, who: str) -> float:
        """How many seconds they have to wait; 0, and the request counted, where they may make one. ServiceError where
        Redis does not answer."""
        key = self._server.key("rate", self._name, hashlib.sha256(who.encode()).hexdigest()[:32])
        arguments = [self._between, 60 * MICROSECONDS]
        return float(self._server.call(lambda: self._script(keys=[key], args=arguments))) / MICROSECONDS

    def close(self) -> None:
        """Let go of the connections."""
        self._server.close()
