"""Names that try to climb out of the folder that they belong to, each of another kind, and a file that they aim at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.support.files import files_below

CANARY = "the pelican hides 7391-4408 under the stair"
"""Stands in a file that no store holds, and nowhere else."""
GOAL = "outside/canary.txt"
_UP = [
    *("../" * depth + "{goal}" for depth in (1, 2, 3, 4, 12)),
    *("./../{goal}", "rules/../../{goal}", "rules/snow & wind.pdf/../../../{goal}", "../docs/../{goal}"),
    *("..//{goal}", "../{goal}/", "../{goal}/.", "../{goal}.", "../{goal}...", "../{goal} ", " ../{goal}", "../{GOAL}"),
    *("....//....//{goal}", "..../{goal}", ".../{goal}", "..;/{goal}", "../{goal};x", "../{goal}?x", "../{goal}#x"),
    *("away/canary.txt", "link.txt", "rules/../link.txt", "away/../outside/canary.txt"),
]
"""Up, through links, and through what some programs leave out of a name."""
_ENCODED = [
    *("%2e%2e/{goal}", "%2e%2e%2foutside%2fcanary.txt", "..%2foutside%2fcanary.txt", "%2E%2E%5Coutside%5Ccanary.txt"),
    *("%252e%252e%252foutside%252fcanary.txt", "..%252f{goal}", "%25252e%25252e%25252f{goal}", "&#46;&#46;/{goal}"),
    *("..%c0%af{goal}", "%c0%ae%c0%ae/{goal}", "..%c1%9c{goal}", "..%e0%80%af{goal}", "..%f0%80%80%af{goal}"),
    *("..%u2215{goal}", "%u002e%u002e/{goal}", "..\\x2f{goal}", "\\u002e\\u002e/{goal}", "..+/{goal}"),
]
"""Once, twice, thrice; as overlong UTF-8; as other notations write it."""
_LIKE = [
    *(
        "..\u2215{goal}",
        "..\u2044{goal}",
        "..\uff0f{goal}",
        "\uff0e\uff0e/{goal}",
        "\u2025/{goal}",
        "\u2024\u2024/{goal}",
    ),
    *("..\u29f5outside\u29f5canary.txt", "..\u200b/{goal}", "\u202e../{goal}", "..\ufeff/{goal}", "..\ud800/{goal}"),
    *("..\x00/{goal}", "../{goal}\x00.pdf", "../{goal}%00.pdf", "\x00../{goal}", "rules/snow & wind.pdf\x00/../{goal}"),
    *("..\n/{goal}", "..\r\n/{goal}", "\t../{goal}", "..\x7f/{goal}", "..\x1b[2K/{goal}"),
]
"""Signs that look like dots and strokes, that are not seen, that end a name elsewhere."""
_ELSEWHERE = [
    *(
        "{path}",
        "/{path}",
        "//{path}",
        "file://{path}",
        "file:{path}",
        "file://localhost{path}",
        "~/{goal}",
        "~root{path}",
    ),
    *(
        "..\\outside\\canary.txt",
        "..\\/outside\\/canary.txt",
        "..\\..\\..\\outside\\canary.txt",
        "\\outside\\canary.txt",
    ),
    *(
        "C:\\outside\\canary.txt",
        "C:/{goal}",
        "C:..\\outside\\canary.txt",
        "\\\\?\\C:\\{goal}",
        "\\\\localhost\\c$\\{goal}",
    ),
    *(
        "//localhost/c$/{goal}",
        "\\\\.\\pipe\\canary",
        "../{goal}::$DATA",
        "../{goal}:hidden",
        "CON",
        "nul.txt",
        "OUTSID~1",
    ),
    *(
        "/proc/self/root{path}",
        "/proc/self/cwd/../{goal}",
        "/proc/self/environ",
        "/dev/fd/0",
        "/dev/stdin",
        "/etc/passwd",
    ),
]
"""Absolute names, of all systems, and what they give names of their own to."""
_INSIDE = [
    *(".pincite/tokens.json", "./.pincite/tokens.json", "../docs/.pincite/roots.json", ".pincite/audit.sqlite"),
    *("upload:{zeros}/../../../../{goal}", "upload:../../../{goal}", "upload:{zeros}/a.txt", "upload:{zeros}!/../a"),
    *("s3://../{goal}", "s3://docs/../../{goal}", "s3:///{path}", "pack.zip!/../{goal}", "pack.zip!/../../../{goal}"),
    *("*", "../*", "**/canary.txt", "../outside/c?nary.txt", "{{..,x}}/{goal}", "[.][.]/{goal}", "$HOME/{goal}"),
    *("--", "-rf", "|cat ../{goal}", "`cat ../{goal}`", "$(cat ../{goal})", "../{goal}\n../{goal}"),
    *("{long}{goal}", "x/" * 1500 + "../" * 1501 + "{goal}", "..{strokes}{goal}", "." * 4000, "/" * 4000),
]
"""Parts of the store itself, names that pincite gives, patterns, commands, and names without end."""
_ALL = [*_UP, *_ENCODED, *_LIKE, *_ELSEWHERE, *_INSIDE]


@dataclass(frozen=True)
class Trap:
    """A file with the canary beside a folder of documents, and links in that folder that lead to it."""

    folder: Path
    documents: Path
    canary: Path

    def names(self) -> list[str]:
        """All names, as they aim at this file."""
        given = {
            "goal": GOAL,
            "GOAL": GOAL.upper(),
            "path": str(self.canary),
            "zeros": "0" * 32,
            "long": "../" * 1300,
            "strokes": "/" * 3000,
        }
        return [name.format(**given) for name in _ALL]

    def outside(self) -> dict[str, bytes]:
        """Every file beside the store, with what it holds."""
        found = files_below(self.folder, without=self.documents / ".pincite")
        return {str(path): path.read_bytes() for path in found}


def trap(folder: Path) -> Trap:
    """One in this folder; the documents are put there afterwards."""
    documents, canary = folder / "docs", folder / GOAL
    for parent in (documents, canary.parent):
        parent.mkdir()
    canary.write_text(CANARY, encoding="utf-8")
    (documents / "link.txt").symlink_to(canary)
    (documents / "away").symlink_to(canary.parent)
    return Trap(folder, documents, canary)
