"""Modules that are imported anew, as where a package that they need is missing."""

from __future__ import annotations

import sys

import pytest


def forget(monkeypatch: pytest.MonkeyPatch, *prefixes: str) -> None:
    """Until the test ends, no module whose name begins so is there yet; what it is to its package comes back, too."""
    names = [name for name in sys.modules if name.startswith(prefixes)]
    for package, leaf in [(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2]) for name in names]:
        monkeypatch.delattr(package, leaf)
    for name in names:
        monkeypatch.delitem(sys.modules, name)
