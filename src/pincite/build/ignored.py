"""What is not to be read: the patterns of a folder's `.pinciteignore`, one a line, and those that were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from pincite.errors import UsageError

IGNORE_FILE = ".pinciteignore"


@dataclass(frozen=True, slots=True)
class Ignored:
    """Patterns, each with the folder that states it and holds for what lies below.

    `*`, `?` and `[…]` match as in a shell, `*` also over slashes. A pattern without a slash is the name of a file or
    folder at any depth, one with a slash a path from the folder that states it; one that ends in a slash means folders.
    """

    patterns: tuple[tuple[Path, str], ...] = ()

    def and_these(self, folder: Path, patterns: Sequence[str]) -> Ignored:
        """With these patterns, too, for what lies below a folder."""
        return Ignored((*self.patterns, *((folder, pattern) for pattern in patterns)))

    def with_those_of(self, folder: Path) -> Ignored:
        """With the patterns that this folder states, too."""
        path = folder / IGNORE_FILE
        if not path.is_file():
            return self
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read: {error}") from error
        stated = (line.strip() for line in lines)
        return self.and_these(folder, [line for line in stated if line and not line.startswith("#")])

    def holds(self, path: Path, *, is_folder: bool = False) -> bool:
        """Whether a pattern means this file or folder."""
        return any(_means(pattern, path, folder, is_folder=is_folder) for folder, pattern in self.patterns)

    def holds_inside(self, path: Path, name: str) -> bool:
        """Whether a pattern means a file inside the one at `path`, or a folder there that it lies in."""
        inside = path.with_name(f"{path.name}!") / name
        folders = [folder for folder in inside.parents if folder.is_relative_to(path.with_name(f"{path.name}!"))]
        return self.holds(inside) or any(self.holds(folder, is_folder=True) for folder in folders)


def _means(pattern: str, path: Path, folder: Path, *, is_folder: bool) -> bool:
    bare = pattern.rstrip("/")
    if pattern.endswith("/") and not is_folder:
        return False
    relative = path.relative_to(folder).as_posix()
    return fnmatchcase(relative, bare.lstrip("/")) if "/" in bare else fnmatchcase(path.name, bare)
