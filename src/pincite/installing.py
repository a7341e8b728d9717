"""Which version of a package is installed, and the command that adds one that is not: with pip, pipx or uv."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

OF_EXTRA = re.compile(r"""^(?P<what>[^;]+?)\s*;.*\bextra\s*==\s*['"](?P<extra>[\w-]+)['"]""")
OTHER_SYSTEM = re.compile(r"""sys_platform\s*!=\s*['"]([\w]+)['"]""")


def install(*packages: str, alone: bool = False) -> str:
    """What adds these packages to the environment that pincite runs in; `alone`: without what they depend on."""
    options = ("--no-deps",) if alone else ()
    return " ".join((_installer(Path(sys.prefix)), *options, *map(shlex.quote, packages)))


def install_extra(extra: str) -> str:
    """What adds the packages of one of pincite's extras. They are named one by one, since `pincite[...]` itself is
    found where its source is, and nowhere else."""
    return install(*packages_of(extra))


@lru_cache(maxsize=64)
def installed_version(package: str) -> str | None:
    """The version of a package that is installed, None where it is not. Imports nothing of it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def packages_of(extra: str) -> tuple[str, ...]:
    """The packages of an extra, for this system."""
    try:
        wanted = requires("pincite") or []
    except PackageNotFoundError:
        return (f"pincite[{extra}]",)
    found = [(match, text) for text in wanted if (match := OF_EXTRA.match(text)) and match["extra"] == extra]
    return tuple(
        match["what"].replace(" ", "") for match, text in found if sys.platform not in OTHER_SYSTEM.findall(text)
    ) or (f"pincite[{extra}]",)


def _installer(prefix: Path) -> str:
    """The command up to its options; the environments of pipx and uv are known by the files that these leave there."""
    if (prefix / "pipx_metadata.json").is_file():
        return f"pipx runpip {shlex.quote(prefix.name)} install"
    if (prefix / "uv-receipt.toml").is_file():
        return f"uv pip install --python {shlex.quote(str(prefix))}"
    pip = shutil.which("pip")
    if pip is not None and Path(pip).resolve().parent == (prefix / "bin").resolve():
        return "pip install"
    return f"{shlex.quote(sys.executable)} -m pip install"
