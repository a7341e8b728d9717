"""pincite answers questions over a folder of documents and pins every sentence to its page."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.deadline import Deadline
    from pincite.engine.engine import Engine
    from pincite.errors import PinciteError
    from pincite.ports import LanguageModel
    from pincite.records.answers import Answer
    from pincite.records.evidence import Retrieval
    from pincite.records.questions import Filter, RetrievalPolicy
    from pincite.settings import Settings

_MODULES = {
    "Answer": "records.answers",
    "Deadline": "deadline",
    "Engine": "engine.engine",
    "Filter": "records.questions",
    "PinciteError": "errors",
    "Retrieval": "records.evidence",
    "RetrievalPolicy": "records.questions",
}
"""Loaded when first asked for: a process that reads files needs none of them."""


def open(  # noqa: A001
    store: Path | str,
    *,
    create: bool = False,
    settings: Settings | None = None,
    language_model: LanguageModel | None = None,
) -> Engine:
    """Open the store in a folder (`.pincite` of an indexed folder, or any other); `create` makes a new one.
    `language_model`, one of your own, is asked in place of the one that the settings name."""
    import warnings
    from pathlib import Path

    from pincite.settings import load_settings
    from pincite.wiring import open_engine

    if settings is None:
        settings, _, notices = load_settings()
        for notice in notices:
            warnings.warn(notice, stacklevel=2)
    return open_engine(settings, Path(store), create=create, language_model=language_model)


def __getattr__(name: str) -> Any:
    """`pincite.Answer` and the others, without loading them on `import pincite`."""
    if name not in _MODULES:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    return getattr(import_module(f"pincite.{_MODULES[name]}"), name)


__all__ = ["Answer", "Deadline", "Engine", "Filter", "PinciteError", "Retrieval", "RetrievalPolicy", "open"]
