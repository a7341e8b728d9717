"""The one place where configuration is read: the user's own `pincite.toml`, that of the folder, then the environment,
then options."""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from pincite.errors import SettingsError
from pincite.language_settings import language_tables, shown_tables
from pincite.records.plain import to_plain
from pincite.records.prompts import LanguageService
from pincite.records.questions import Profile, RetrievalPolicy

FILE_NAME = "pincite.toml"
PREFIX = "PINCITE_"
SECRET = "***"
LARGEST_CHUNK = 20_000
"""Characters of a chunk: about eight pages. More would be one place for a whole chapter, and no model reads it."""
LONGEST_ASK = 86_400
"""Seconds: a day, behind which nobody waits; much longer ones are no times that a system can wait for."""
LONGEST_LINK = 300
"""Seconds: anybody who has the link has the document."""
LEAST = {"upload_mb": 1, "requests_a_minute": 0, "unknown_requests_a_minute": 0, "rerank_batch": 1, "top_k": 1}
LONGEST_LEEWAY = 300
"""Seconds: clocks that differ by more than minutes are to be set, not borne with."""
FROM_FOLDERS = (
    *("chunk_size", "chunk_overlap", "max_chunks_per_source", "ocr", "ocr_languages", "exclude"),
    *("profile", "profiles", "top_k", "min_score", "cache_minutes"),
    *("redact", "redact_patterns"),
)
"""What the `pincite.toml` of a folder may set. Anybody may have written it, so nothing here names a service, a model, a
file or a program, guards this machine, or takes anything away; `redact` there adds to what the user's file masks."""
KEYS = {
    "openai_api_key": "openai_base_url",
    "reranker_key": "reranker_url",
    "record_password": "record_url",
    "redis_password": "redis_url",
}
"""The address that each key belongs to: a key counts only where the user also sets the address."""
ADDED = ("profiles", "redact", "redact_patterns")
"""What a folder's file adds to the user's own, and takes nothing from."""

REDACTED = ("email", "phone", "card", "iban", "national_id")
"""The kinds of what can be masked."""
NOTHING = "none"
MODES = ("extract", "follow", "generate", "agentic", "auto")
"""How answers can be made."""

KNOWN_PROFILES = ("auto", "llm", "llmless")
"""The profiles that pincite has; none of a user's own is called so."""
SWITCHES = ("merge_near_copies",)
"""What a profile may say besides weights, in a file that nobody else can have written."""


def _setting(default: Any, help_text: str, *aliases: str, secret: bool = False) -> Any:
    return field(default=default, metadata={"help": help_text, "aliases": aliases, "secret": secret})


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults. The environment name is PINCITE_ and the name in capitals; the names of
    spec/phase3_rag.md are aliases."""

    embedder: str = _setting(
        "auto", "auto (the store's own; bge for a new store), bge, minilm, a folder of weights, ollama, openai, or none"
    )
    reranker: str = _setting("auto", "auto (the built-in reader), a folder of weights, http, or none")
    threads: int = _setting(0, "threads of embedder and reranker; 0: one per core")
    processes: int = _setting(0, "processes of pincite serve that answer; 0: one per core, up to 8")
    reranker_url: str = _setting("", "address of the reranking service, without /rerank")
    reranker_model: str = _setting("", "its model; empty for servers that have only one")
    reranker_key: str = _setting("", "its key", secret=True)
    rerank_batch: int = _setting(8, "texts per request to a reranking service")
    rerank_timeout: float = _setting(60.0, "seconds to wait for a reranking service")
    ollama_base_url: str = _setting("http://localhost:11434", "address of Ollama", "OLLAMA_BASE_URL")
    ollama_embed_model: str = _setting("nomic-embed-text", "Ollama's embedding model", "OLLAMA_EMBED_MODEL")
    openai_base_url: str = _setting(
        "http://localhost:8000/v1", "address of an OpenAI-compatible server", "OPENAI_BASE_URL"
    )
    openai_embed_model: str = _setting("", "its embedding model", "OPENAI_EMBED_MODEL")
    openai_api_key: str = _setting("", "its key", "OPENAI_API_KEY", secret=True)
    ollama_model: str = _setting("llama3.1", "Ollama's language model")
    openai_model: str = _setting("", "language model of the OpenAI-compatible server")
    language_model: str = _setting("", "the language model: one of language_models, ollama, or openai; empty: none")
    language_models: tuple[tuple[str, LanguageService], ...] = _setting(
        (),
        "language models, one table each: [language_models.mine] with url, model, api, key, context, tokens and more",
    )
    language_concurrency: int = _setting(1, "parallel requests to a language model without a table")
    language_timeout: float = _setting(120.0, "seconds a language model without a table may stay silent")
    embed_concurrency: int = _setting(1, "parallel requests to an embedding service", "INDEX_EMBED_CONCURRENCY")
    embed_timeout: float = _setting(60.0, "seconds to wait for an embedding service")
    extractor: str = _setting(
        "rules", "what finds triplets: rules, none, spacy:PIPELINE, gliner:FOLDER, relik:FOLDER, ollama, or openai"
    )
    ontology: str = _setting("", "a TOML file with predicates of your own")
    chunk_size: int = _setting(2000, "characters in a chunk", "INDEX_CHUNK_SIZE")
    chunk_overlap: int = _setting(200, "characters that neighbouring chunks share", "INDEX_CHUNK_OVERLAP")
    max_chunks_per_source: int = _setting(
        0, "most chunks of one source; 0: no limit; what is cut off is reported", "INDEX_MAX_CHUNKS_PER_SOURCE"
    )
    ocr: str = _setting("auto", "which pages are read by OCR: auto (those without usable text), never, or always")
    ocr_languages: str = _setting("eng", "languages of pages read by OCR, separated by commas")
    exclude: str = _setting("", "patterns of files to leave out, separated by commas")
    workers: int = _setting(0, "reading processes; 0: one per core")
    seconds_per_file: float = _setting(300.0, "longest processor time for reading one file")
    memory_mb: int = _setting(2000, "most memory for reading one file, in MB")
    profile: str = _setting("auto", "how channels are weighted: auto, llmless, llm, or one of profiles")
    profiles: tuple[tuple[str, Profile], ...] = _setting(
        (), "profiles of your own, one table each: [profiles.mine] with vec, bm25, graph, gear, sources"
    )
    ask_mode: str = _setting(
        "extract",
        "how answers are made: extract (sentences of the documents, by rules alone), follow (and what these refer to; "
        "chosen and written by a language model where one is configured), generate (written by a language model, every "
        "word of it checked), agentic (in small steps, for a small model), auto (generate where a language model is "
        "configured, else extract)",
    )
    top_k: int = _setting(12, "results kept as evidence", "LLM_RETRIEVAL_TOP_K")
    min_score: float = _setting(0.0, "lowest final score of a result, 0 to 1")
    ask_seconds: float = _setting(0.0, "seconds a question may wait for models; 0: as long as each of them may take")
    requests_a_minute: int = _setting(3_000, "requests over HTTP that a token may make in a minute; 0: no limit")
    unknown_requests_a_minute: int = _setting(
        6_000, "requests that an address may make in a minute without a token that counts; 0: no limit"
    )
    log_questions: bool = _setting(default=False, help_text="whether the log and traces hold the words of questions")
    otlp_endpoint: str = _setting(
        "", "OpenTelemetry collector (OTLP over HTTP) that gets a trace of each question; empty: none"
    )
    cache_minutes: int = _setting(15, "minutes an answer may be given again without searching; 0: never")
    upload_mb: int = _setting(200, "largest document that can be added over HTTP, in MB")
    redact: str = _setting(
        "", f"what is masked while indexing, separated by commas: {', '.join(REDACTED)}, or none; empty: as before"
    )
    redact_patterns: tuple[tuple[str, str], ...] = _setting(
        (), 'patterns of your own to mask, in a table: [redact_patterns] with name = "regex"'
    )
    redact_keep_original: bool = _setting(default=False, help_text="whether earlier readings that masked less are kept")

    jwt_issuer: str = _setting("", "issuer whose JWTs pincite serve accepts (iss); empty: nobody's")
    jwt_audience: str = _setting("", "audience the JWTs must be meant for (aud)")
    jwt_keys: str = _setting(
        "", "the issuer's public keys: address (https://) or file of a JWKS; empty: as the issuer says"
    )
    jwt_principals: str = _setting("groups", "claim that holds the access tags")
    jwt_role_claim: str = _setting("roles", "claim that jwt_roles turns into roles")
    jwt_roles: tuple[tuple[str, str], ...] = _setting(
        (), 'roles, in a table: [jwt_roles] with editors = "writer"; everybody else is a reader'
    )
    jwt_leeway: float = _setting(30.0, "seconds by which the issuer's clock and this machine's may differ")

    s3_endpoint: str = _setting("", "address of S3 (http:// or https://); empty: Amazon's")
    s3_region: str = _setting("", "its region; empty: as the AWS environment says")
    s3_key_id: str = _setting("", "id of the key; empty: as the AWS environment or profile says")
    s3_secret: str = _setting("", "the secret of the key", secret=True)
    s3_object_mb: int = _setting(2000, "largest object that is read, in MB")
    s3_kept_mb: int = _setting(500, "local copies of objects that were viewed, in MB altogether")
    s3_link_seconds: int = _setting(LONGEST_LINK, "seconds a link to an object stays valid, at most 300")
    record_url: str = _setting(
        "", "PostgreSQL that holds record and receipts (postgresql://user@host/database); empty: files in the store"
    )
    record_password: str = _setting("", "its password", secret=True)
    generations_url: str = _setting(
        "", "where generations are published for servers to pull (s3://BUCKET/PREFIX; needs record_url); empty: nowhere"
    )
    redis_url: str = _setting(
        "", "Redis in which several servers share answers and limits (redis://host:6379/0); empty: each has its own"
    )
    redis_password: str = _setting("", "its password", secret=True)
    retention_days: int = _setting(0, "days that gc keeps receipts and earlier editions; 0: forever")

    def shown(self) -> dict[str, Any]:
        """Names and values, secrets masked."""
        values = {
            item.name: SECRET if item.metadata["secret"] and getattr(self, item.name) else getattr(self, item.name)
            for item in fields(self)
        }
        own: dict[str, Any] = {"profiles": {name: to_plain(profile) for name, profile in self.profiles}}
        own["language_models"] = shown_tables(self.language_models, SECRET)
        own["jwt_roles"] = dict(self.jwt_roles)
        own |= {name: without_password(getattr(self, name)) for name in ("record_url", "redis_url")}
        return values | own | {"redact_patterns": {name: SECRET for name, _ in self.redact_patterns}}


class Loaded(NamedTuple):
    """The settings in force, for each name where its value came from, and a line for each file that was not obeyed in
    all that it says."""

    settings: Settings
    origins: dict[str, str]
    notices: tuple[str, ...]


def load_settings(
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Loaded:
    """The settings in force. `folder` may hold a `pincite.toml`, of which only what FROM_FOLDERS allows counts;
    `options` whose value is None are ignored. SettingsError for an unknown name or an invalid value."""
    environment = os.environ if environment is None else environment
    own, beside = _own_file(environment), (folder or Path.cwd()) / FILE_NAME
    of_folder, notices = _from_folder(beside, own) if beside != own else ({}, ())
    values: dict[str, Any] = {}
    origins = dict.fromkeys((item.name for item in fields(Settings)), "default")
    for origin, found in (
        (str(own), {} if own is None else _from_file(own)),
        (str(beside), of_folder),
        *_from_environment(environment),
        ("option", {name: value for name, value in (options or {}).items() if value is not None}),
    ):
        for name, value in found.items():
            converted = _converted(name, value, origin)
            is_added = name == "profiles" or (name in ADDED and origin == str(beside))
            values[name] = _added(name, converted, values[name]) if is_added and name in values else converted
            origins[name] = origin
    for key, url in KEYS.items():
        if key in values and url not in values:
            del values[key]
            origins[key] += f", not used: {url} does not say whose key it is"
    return Loaded(_checked(Settings(**values)), origins, notices)


def without_password(url: str) -> str:
    """A URL as it may be shown: what stands between the user's name and the host, and options of that name, masked."""
    hidden = re.sub(r"(://[^/@:]*):.*@", rf"\1:{SECRET}@", url)
    return re.sub(r"(?i)\b(\w*password)=[^&]*", rf"\1={SECRET}", hidden)


def own_profile(settings: Settings) -> Profile | None:
    """The profile of the user's own that the settings name; None where it is one of pincite's. SettingsError where it
    is neither."""
    own = dict(settings.profiles)
    if settings.profile not in own and settings.profile not in KNOWN_PROFILES:
        known = ", ".join((*KNOWN_PROFILES, *sorted(own)))
        raise SettingsError(f"the profile {settings.profile!r} is not known: use one of {known}")
    return own.get(settings.profile)


def retrieval_policy(settings: Settings) -> RetrievalPolicy:
    """How results are chosen where a question does not say it. SettingsError for a profile that is not known."""
    return RetrievalPolicy(
        top_k=settings.top_k,
        min_score_threshold=settings.min_score,
        profile=settings.profile,
        weights=own_profile(settings),
    )


def known_mode(mode: str) -> str:
    """The name of a mode; SettingsError where there is none of this name."""
    if mode not in MODES:
        raise SettingsError(f"the mode {mode!r} is not known: use one of {', '.join(MODES)}")
    return mode


def language_service(settings: Settings, name: str) -> LanguageService:
    """The language model of this name: that of its table, else of the settings for Ollama or for an OpenAI-compatible
    endpoint. SettingsError where there is none."""
    own = dict(settings.language_models)
    limits: dict[str, Any] = {"concurrency": settings.language_concurrency, "timeout": settings.language_timeout}
    if name in own:
        return own[name]
    if name == "ollama":
        return LanguageService(settings.ollama_base_url, settings.ollama_model, "ollama", **limits)
    if name == "openai" and settings.openai_model:
        key = settings.openai_api_key
        return LanguageService(settings.openai_base_url, settings.openai_model, "openai", key, **limits)
    if name == "openai":
        raise SettingsError("the language model openai has no model: name it in the setting openai_model")
    known = ", ".join((*sorted(own), "ollama", "openai"))
    raise SettingsError(
        f"the language model {name!r} is not known: use one of {known}, or add [language_models.{name}]"
    )


def describe_settings() -> list[tuple[str, Any, str, tuple[str, ...]]]:
    """(name, default, help, aliases) of every setting."""
    return [(item.name, item.default, item.metadata["help"], item.metadata["aliases"]) for item in fields(Settings)]


def ontology_text(settings: Settings) -> str:
    """What stands in the user's ontology; nothing where the settings name none. SettingsError where it cannot be
    read."""
    if not settings.ontology:
        return ""
    try:
        return Path(settings.ontology).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"the ontology {settings.ontology} cannot be read ({error}): correct the setting"
        ) from error


def terminal_environment() -> dict[str, str]:
    """Those variables that say how a terminal wants to be written to."""
    return {name: os.environ[name] for name in ("NO_COLOR", "TERM", "COLUMNS") if name in os.environ}


def _own_file(environment: Mapping[str, str]) -> Path | None:
    """Where the user keeps settings of their own; None where the environment knows no home."""
    for name, inside in (("XDG_CONFIG_HOME", ""), ("HOME", ".config")):
        if Path(environment.get(name, "")).is_absolute():
            return Path(environment[name], inside, "pincite", FILE_NAME)
    return None


def _from_folder(path: Path, own: Path | None) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What a file beside documents may set, and notices about the rest."""
    found, switches = _without_switches(_from_file(path))
    names = Settings.__dataclass_fields__
    refused = sorted([*(name for name in found if name in names and name not in FROM_FOLDERS), *switches])
    if not refused:
        return found, ()
    where = f"{own}, the environment or options" if own else "the environment or options"
    notice = f"{path} may not set {', '.join(refused)}: anybody may have written it; what is yours goes into {where}"
    return {name: value for name, value in found.items() if name not in refused}, (notice,)


def _without_switches(found: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """What a file says, its profiles without their switches, and these."""
    profiles = found.get("profiles")
    if not isinstance(profiles, dict):
        return found, set()
    tables = [table for table in profiles.values() if isinstance(table, dict)]
    switches = {name for table in tables for name in table if name in SWITCHES}
    for table in tables:
        for name in switches & table.keys():
            del table[name]
    return found, switches


def _from_file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error


def _from_environment(environment: Mapping[str, str]) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for item in fields(Settings):
        names = (*item.metadata["aliases"], PREFIX + item.name.upper())
        found += [(f"environment {name}", {item.name: environment[name]}) for name in names if name in environment]
    return found


def _converted(name: str, value: Any, origin: str) -> Any:
    kinds = get_type_hints(Settings)
    if name not in kinds:
        raise SettingsError(f"{origin}: there is no setting {name!r}: pincite doctor --settings lists them")
    if name == "profiles":
        return _profiles(value, origin)
    if name == "redact_patterns":
        return _redact_patterns(value, origin)
    if name == "jwt_roles":
        return _roles(value, origin)
    if name == "language_models":
        return language_tables(value, origin)
    if kinds[name] is bool:
        return _switch(name, value, origin)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise SettingsError(f"{origin}: {name} must be {kinds[name].__name__}, not {value!r}")
    try:
        return kinds[name](value)
    except ValueError:
        raise SettingsError(f"{origin}: {name} must be {kinds[name].__name__}, not {value!r}") from None


def _profiles(value: Any, origin: str) -> tuple[tuple[str, Profile], ...]:
    if not isinstance(value, dict):
        raise SettingsError(f"{origin}: profiles must be tables ([profiles.mine], vec = 0.5), not {value!r}")
    return tuple((name, _profile(name, table, origin)) for name, table in sorted(value.items()))


def _redact_patterns(value: Any, origin: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or not all(isinstance(pattern, str) for pattern in value.values()):
        raise SettingsError(
            f'{origin}: redact_patterns must be a table of patterns ([redact_patterns], name = "regex")'
        )
    for name in value:
        if name in REDACTED or not name.isidentifier():
            raise SettingsError(
                f"{origin}: redact_patterns: {name!r} cannot be a name: use letters and digits of your own"
            )
    return tuple(sorted(value.items()))


def _roles(value: Any, origin: str) -> tuple[tuple[str, str], ...]:
    """What a table of roles says; in an environment it is TOML."""
    try:
        table = tomllib.loads(value) if isinstance(value, str) else value
    except ValueError:
        table = None
    if not isinstance(table, dict) or not all(isinstance(role, str) for role in table.values()):
        raise SettingsError(f'{origin}: jwt_roles must be a table of roles ([jwt_roles], editors = "writer")')
    return tuple(sorted(table.items()))


def _switch(name: str, value: Any, origin: str) -> bool:
    known = {"true": True, "1": True, "false": False, "0": False}
    found = known.get(str(value).casefold())
    if found is None:
        raise SettingsError(f"{origin}: {name} must be true or false, not {value!r}")
    return found


def _profile(name: str, table: Any, origin: str) -> Profile:
    if name in KNOWN_PROFILES:
        raise SettingsError(f"{origin}: the profile {name} has a name of pincite's own: give it another")
    if not isinstance(table, dict):
        raise SettingsError(f"{origin}: the profile {name} must be a table of weights, not {table!r}")
    known = sorted(item.name for item in fields(Profile))
    for key, value in table.items():
        if key not in known:
            raise SettingsError(f"{origin}: the profile {name} knows no {key!r}: it may have {', '.join(known)}")
        if key in SWITCHES and not isinstance(value, bool):
            raise SettingsError(f"{origin}: the profile {name}: {key} must be true or false, not {value!r}")
        if key not in SWITCHES and not _is_weight(value):
            raise SettingsError(f"{origin}: the profile {name}: {key} must be a number, 0 or more, not {value!r}")
    if not any(value for key, value in table.items() if key not in SWITCHES):
        raise SettingsError(f"{origin}: the profile {name} has no weight above 0: it would find all alike")
    values: dict[str, Any] = {key: value if key in SWITCHES else float(value) for key, value in table.items()}
    return Profile(**values)


def _is_weight(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _added(name: str, found: Any, first: Any) -> Any:
    """What was there first, and what was found besides: none takes the place of another."""
    if name == "redact":
        return ",".join(kind for kind in dict.fromkeys(f"{first},{found}".split(",")) if kind not in ("", NOTHING))
    return tuple(sorted((dict(found) | dict(first)).items()))


def _checked(settings: Settings) -> Settings:
    if settings.chunk_size < 200:
        raise SettingsError(f"chunk_size must be at least 200 characters, not {settings.chunk_size}")
    if settings.chunk_size > LARGEST_CHUNK:
        raise SettingsError(f"chunk_size must be at most {LARGEST_CHUNK:,} characters, not {settings.chunk_size:,}")
    if not 0 <= settings.chunk_overlap < settings.chunk_size:
        raise SettingsError(f"chunk_overlap must be from 0 to less than chunk_size, not {settings.chunk_overlap}")
    if settings.ocr not in ("auto", "never", "always"):
        raise SettingsError(f"ocr must be auto, never or always, not {settings.ocr!r}")
    if settings.cache_minutes != 0 and not 5 <= settings.cache_minutes <= 60:
        raise SettingsError(f"cache_minutes must be 0 or from 5 to 60, not {settings.cache_minutes}")
    if not 0 <= settings.ask_seconds <= LONGEST_ASK:
        raise SettingsError(f"ask_seconds must be from 0 to {LONGEST_ASK:,}, not {settings.ask_seconds:g}")
    for name, example in (("s3_endpoint", ""), ("otlp_endpoint", ", as in http://127.0.0.1:4318")):
        if getattr(settings, name) and not getattr(settings, name).startswith(("http://", "https://")):
            raise SettingsError(f"{name} must begin with http:// or https://{example}")
    if settings.generations_url and not settings.generations_url.startswith("s3://"):
        raise SettingsError("generations_url must be as s3://BUCKET/PREFIX")
    if settings.generations_url and not settings.record_url:
        raise SettingsError("generations_url needs record_url: servers read texts and rights from there")
    if settings.redis_url and not settings.redis_url.startswith(("redis://", "rediss://", "unix://")):
        raise SettingsError("redis_url must begin with redis://, rediss:// (TLS) or unix:// (the path of a socket)")
    if bool(settings.s3_key_id) != bool(settings.s3_secret):
        raise SettingsError("s3_key_id and s3_secret are one key: set both, or none to use that of the AWS environment")
    if not 1 <= settings.s3_link_seconds <= LONGEST_LINK:
        raise SettingsError(f"s3_link_seconds must be from 1 to {LONGEST_LINK}, not {settings.s3_link_seconds}")
    if min(settings.s3_object_mb, settings.s3_kept_mb) < 1:
        raise SettingsError("s3_object_mb and s3_kept_mb must be at least 1")
    if settings.jwt_issuer and not settings.jwt_audience:
        raise SettingsError("jwt_audience must say whom JWTs are meant for: those for others prove nothing here")
    if not 0 <= settings.jwt_leeway <= LONGEST_LEEWAY:
        raise SettingsError(f"jwt_leeway must be from 0 to {LONGEST_LEEWAY} seconds, not {settings.jwt_leeway:g}")
    if settings.retention_days < 0:
        raise SettingsError(f"retention_days must be 0 or more, not {settings.retention_days}")
    unknown = sorted(set(redacted_kinds(settings.redact)) - {*REDACTED, NOTHING})
    if unknown:
        raise SettingsError(f"redact knows no {', '.join(unknown)}: use {', '.join(REDACTED)}, or {NOTHING}")
    known_mode(settings.ask_mode)
    for name, least in LEAST.items():
        if getattr(settings, name) < least:
            raise SettingsError(f"{name} must be at least {least}, not {getattr(settings, name)}")
    return settings


def redacted_kinds(redact: str) -> tuple[str, ...]:
    """The kinds of a setting `redact`, each once, sorted."""
    return tuple(sorted({kind.strip() for kind in redact.split(",")} - {""}))


def limit_threads() -> None:
    """One thread for numpy's matrix products, unless the environment says otherwise: they are small here, and waking
    threads costs more than these save (docs/decisions/0104). Works before numpy is loaded."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
