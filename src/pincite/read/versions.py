"""Version strings of readers: they change whenever the same bytes may give another Document."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version


@lru_cache(maxsize=64)
def installed(distribution: str) -> str | None:
    """The installed version of a distribution, None where it is absent. Imports nothing of it."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def stamp(name: str, revision: str, *distributions: str) -> str:
    """`name revision` and each engine that is installed: "pdf 1; pdf_oxide 0.3.78; pypdfium2 5.15.2"."""
    engines = [f"{item} {found}" for item in distributions if (found := installed(item))]
    return "; ".join([f"{name} {revision}", *engines])
