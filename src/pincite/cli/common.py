"""What the commands share: options, finding the store, opening the engine, the log of questions."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import SettingsError, StoreError
from pincite.printing import printable
from pincite.records.sources import OBJECT_SCHEME
from pincite.settings import MODES, Settings, load_settings, retrieval_policy, terminal_environment
from pincite.store_files import is_store

if TYPE_CHECKING:
    from pincite.engine.engine import Engine, Session
    from pincite.records.citations import Citation
STORE_NAME = ".pincite"
_OPTIONS = (
    *("embedder", "reranker", "extractor", "ocr", "workers", "chunk_size", "chunk_overlap", "redact"),
    *("top_k", "min_score", "profile", "ask_seconds", "ask_mode", "language_model"),
)


def add_common(parser: argparse.ArgumentParser) -> None:
    """--store, --json, --quiet, --debug, --embedder, --reranker and --language-model."""
    group = parser.add_argument_group("common options")
    group.add_argument(
        "--store",
        metavar="DIR",
        type=Path,
        help=f"the store, or the folder that holds it (default: {STORE_NAME}, found upwards)",
    )
    add_models(group)
    group.add_argument("--json", action="store_true", help="print JSON")
    group.add_argument("--quiet", action="store_true", help="print no progress")
    group.add_argument(
        "--debug", action="store_true", help="show where an error comes from and what each question cost"
    )


def add_models(group: argparse._ActionsContainer) -> None:
    """--embedder, --reranker and --language-model."""
    group.add_argument(
        "--embedder", metavar="NAME", help="auto, bge, minilm, a folder of weights, ollama, openai, or none"
    )
    group.add_argument(
        "--reranker", metavar="DIR", help="auto (the built-in reader), a folder of weights, http, or none"
    )
    group.add_argument(
        "--language-model", metavar="NAME", help="one from your settings (language_models), ollama, or openai"
    )


def add_mode(group: argparse._ActionsContainer) -> None:
    """--mode."""
    group.add_argument("--mode", metavar="NAME", dest="ask_mode", help=f"how answers are made: {', '.join(MODES)}")


def add_asker(group: argparse._ActionsContainer) -> None:
    """--principal."""
    group.add_argument(
        "--principal", action="append", default=[], metavar="TAG", help="access tag of whoever asks (repeatable)"
    )


def add_retrieval(parser: argparse.ArgumentParser) -> None:
    """Filters and the retrieval policy."""
    group = parser.add_argument_group("what to search")
    group.add_argument(
        "--file", action="append", default=[], metavar="NAME", help="only files with this name (* and ? work)"
    )
    group.add_argument("--type", action="append", default=[], metavar="TYPE", help="only sources of this type")
    group.add_argument("--tag", action="append", default=[], metavar="TAG", help="only sources with this tag")
    group.add_argument("--after", metavar="DATE", help="only sources of this date or later (2024, 2024-05, 2024-05-01)")
    group.add_argument("--before", metavar="DATE", help="only sources of this date or earlier")
    group.add_argument(
        "--as-of", metavar="WHEN", help="the store as it was on a day (2024-05-01) or at a revision (12)"
    )
    add_asker(group)
    group.add_argument("--top-k", type=int, metavar="N", help="number of results to keep (12)")
    group.add_argument("--min-score", type=float, metavar="S", help="lowest final score of a result, 0 to 1")
    group.add_argument("--profile", metavar="NAME", help="how channels are weighted: auto, llmless, llm, or your own")
    group.add_argument(
        "--timeout", type=float, metavar="SECONDS", dest="ask_seconds", help="how long to wait for models (0: no limit)"
    )


def place_of(text: str) -> Path | str:
    """What is to be indexed: a path, or the address of objects, in which slashes count."""
    return text if text.startswith(OBJECT_SCHEME) else Path(text)


def store_at(folder: Path) -> Path:
    """The store in this folder where it holds one, else the folder itself."""
    inside = folder / STORE_NAME
    return inside if is_store(inside) and not is_store(folder) else folder


def find_store(given: Path | None) -> Path:
    """The store that was given, else the first `.pincite` from here upwards; StoreError where there is none."""
    if given is not None:
        return store_at(given)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if is_store(folder / STORE_NAME):
            return folder / STORE_NAME
    raise StoreError(
        f"there is no {STORE_NAME} in {here} or above: run pincite index FOLDER first, or give --store DIR"
    )


def settings_of(arguments: argparse.Namespace, folder: Path | None = None) -> Settings:
    """The settings in force for this command."""
    return settings_with_origins(arguments, folder)[0]


def settings_with_origins(arguments: argparse.Namespace, folder: Path | None = None) -> tuple[Settings, dict[str, str]]:
    """The settings in force for this command, and where each came from; warns of settings that are ignored."""
    options = {name: getattr(arguments, name, None) for name in _OPTIONS}
    settings, origins, notices = load_settings(folder=folder, options=options)
    for notice in notices:
        _warn(notice)
    return settings, origins


def _warn(notice: str) -> None:
    print(f"pincite: {' '.join(printable(notice).split())}", file=sys.stderr)


def open_store(arguments: argparse.Namespace) -> Engine:
    """The engine on an existing store."""
    return open_with_settings(arguments)[0]


def open_with_settings(arguments: argparse.Namespace) -> tuple[Engine, Settings]:
    """The engine on an existing store, and the settings."""
    from pincite.wiring import open_engine

    store = find_store(arguments.store)
    settings = settings_of(arguments, settings_folder(store))
    return open_engine(settings, store), settings


@contextmanager
def open_session(arguments: argparse.Namespace) -> Iterator[Session]:
    """An existing store as those principals see it that the command names."""
    with open_store(arguments) as engine:
        yield engine.session(arguments.principal)


def retrieval_of(arguments: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    """`policy` and `filter` for Engine.search and Engine.ask."""
    from pincite.records.questions import Filter

    for name in ("after", "before"):
        value = getattr(arguments, name)
        if value is not None and not value.replace("-", "").isdigit():
            raise SettingsError(f"--{name} takes a date such as 2024-05-01, not {value!r}")
    return {
        "policy": retrieval_policy(settings),
        "filter": Filter(
            sources=tuple(arguments.file),
            types=tuple(arguments.type),
            tags=tuple(arguments.tag),
            after=arguments.after,
            before=arguments.before,
            principals=tuple(arguments.principal),
            as_of=arguments.as_of,
        ),
    }


def link_maker(session: Session) -> Callable[[Citation], str | None]:
    """A function from a citation to the address of its file and page; it gives None where no terminal shows links."""
    plain = not sys.stdout.isatty() or terminal_environment().get("TERM", "dumb") == "dumb"

    def address_of(citation: Citation) -> str | None:
        path = None if plain else session.files.file_of(citation.source_id)
        return None if path is None else f"{path.as_uri()}#page={citation.page}"

    return address_of


def print_json(value: Any) -> None:
    """JSON on standard output, indented for people; in ASCII alone where the locale is not UTF-8."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    json.dump(value, sys.stdout, ensure_ascii=encoding != "utf8", indent=2)
    sys.stdout.write("\n")


def settings_folder(store: Path) -> Path | None:
    """The indexed folder, where it has a `pincite.toml` of its own."""
    return store.absolute().parent if store.name == STORE_NAME else None


QUESTIONS = "pincite.asked"
"""Its name."""


@contextmanager
def log_of_questions(formatter: logging.Formatter, level: int) -> Iterator[None]:
    """What is logged of questions goes to standard error, as the formatter writes it; as before where it goes
    there already."""
    logger, handler = logging.getLogger(QUESTIONS), logging.StreamHandler()
    if logger.handlers:
        yield
        return
    handler.setFormatter(formatter)
    logger.addHandler(handler)
    logger.setLevel(level)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)
