"""What several machines share, made as the settings say: an object store with the generations in it, a Redis with
answers and limits. Without these a store has its own."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.build.copies import REVISIONS_FILE
from pincite.build.objects import KeptFiles
from pincite.engine.views import COPIES, Objects
from pincite.ports import AnswerStore, ObjectStore, RateLimit, Telemetry
from pincite.records.prompts import REDIS
from pincite.settings import Settings
from pincite.store.answer_cache import AnswerCache
from pincite.store.copying import places_of
from pincite.store.generations import Generations
from pincite.store.sql_record import SqlRecord
from pincite.telemetry.cost import attempt
from pincite.telemetry.log import LogTelemetry
from pincite.threads import Lazy

if TYPE_CHECKING:
    from pincite.models.breaker import Breaker
    from pincite.store.redis_server import RedisServer


def make_breaker(name: str, service: str, telemetry: Telemetry) -> Breaker:
    """A breaker for a service, whose rests are counted."""
    from pincite.models.breaker import Breaker

    return Breaker(name, lambda seconds: attempt(lambda: telemetry.rests(service, seconds)))


def make_cache(settings: Settings, store: Path, place: str, telemetry: Telemetry) -> AnswerStore | None:
    """What keeps answers for some minutes: Redis where the settings name one, else a file in the store; None where they
    are not kept. `place` is where the record is."""
    if not settings.cache_minutes:
        return None
    if not settings.redis_url:
        return AnswerCache(store / "cache.sqlite", settings.cache_minutes)
    from pincite.store.redis_server import RedisAnswers

    return RedisAnswers(_redis(settings, place, telemetry), settings.cache_minutes)


def make_shared_limit(
    settings: Settings, store: Path, telemetry: Telemetry, name: str, a_minute: int
) -> RateLimit | None:
    """Counts a caller's requests on all servers that share a Redis; None where there is none, or no limit."""
    if not settings.redis_url or not a_minute:
        return None
    from pincite.store.redis_server import SharedRates

    return SharedRates(_redis(settings, str(places_of(settings, store)[0]), telemetry), name, a_minute)


def check_redis(settings: Settings) -> str:
    """Whether the Redis of the settings answers; empty where they name none. ServiceError where it does not."""
    if not settings.redis_url:
        return ""
    with closing(_redis(settings, "doctor", LogTelemetry())) as server:
        return f"ready, version {server.version()}"


def _redis(settings: Settings, whose: str, telemetry: Telemetry) -> RedisServer:
    from pincite.store.redis_server import RedisServer

    return RedisServer(settings, whose, lambda shown: make_breaker(shown, REDIS, telemetry))


def make_generations(settings: Settings, store: Path, record: SqlRecord) -> Generations:
    """The generations of a store, published in a bucket too where the settings name one."""
    if not settings.generations_url:
        return Generations(store)
    from pincite.store.shared_generations import SharedGenerations

    objects = Lazy(lambda: _object_store(settings))
    return SharedGenerations(store, settings.generations_url, objects, record.revision, (REVISIONS_FILE,))


def make_objects(settings: Settings, store: Path) -> Objects:
    """The object store of the settings, with copies of what was looked at."""
    opened = Lazy(lambda: _object_store(settings))
    copies = KeptFiles(store / COPIES, opened, most_bytes=settings.s3_kept_mb * 1_000_000)
    return Objects(opened, settings.s3_object_mb * 1_000_000, copies, settings.s3_link_seconds)


def _object_store(settings: Settings) -> ObjectStore:
    from pincite.store.s3_objects import S3Objects

    return S3Objects(settings)
