"""`pincite eval sections`: are sections and anchors found, by number, title, level and page?"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Levenshtein

from pincite.errors import UsageError
from pincite.evaluate.files import json_rows
from pincite.evaluate.measures import letters_and_digits
from pincite.evaluate.report import Evaluation, Tally, describe_machine
from pincite.records.outlines import Anchor, Section
from pincite.settings import Settings
from pincite.wiring import read_structures

MAX_SLIPS = 0.1
SECTION = "section"
_WORDS = re.compile(
    r"(?:section|chapter|annex|appendix|part|policy|clause|rule|article|table|figure)\b\s*", re.IGNORECASE
)
_LETTER_DOT = re.compile(r"^([a-z])\.(?=\d)")
_LOOKALIKES = str.maketrans({"i": "1", "l": "1", "|": "1", "o": "0", "d": "0", "b": "8", "s": "5", "g": "6"})
_SAME_SHAPE = str.maketrans({"i": "1", "l": "1", "o": "0"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A section or an anchor, of the gold or as found. `kind` is "section" or the kind of an anchor; `label` is how the
    gold says that the number is printed ("Annex A (normative)").
    """

    kind: str
    number: str
    title: str
    page: int
    level: int | None = None
    label: str = ""

    @property
    def named(self) -> bool:
        """It has a number or a title; a section without a title is a numbered paragraph."""
        return bool(self.title or (self.number and self.kind != SECTION))


def pair(gold: Sequence[Entry], found: Sequence[Entry]) -> list[tuple[int, int]]:
    """Indexes of what belongs together, each used once: of several that fit, the one on the nearest page."""
    free = dict(enumerate(found))
    pairs: list[tuple[int, int]] = []
    for index, wanted in enumerate(gold):
        fitting = [other for other, entry in free.items() if is_same(wanted, entry)]
        if fitting:
            nearest = min(fitting, key=lambda other: (abs(found[other].page - wanted.page), other))
            del free[nearest]
            pairs.append((index, nearest))
    return pairs


def is_same(gold: Entry, found: Entry) -> bool:
    """The same kind and number; sections, and what has no number, the same title too."""
    if gold.kind != found.kind:
        return False
    if gold.kind == SECTION and not found.number:
        return any(alike(name, found.title) for name in _names(gold))
    if gold.number and not same_number(gold.number, found.number):
        return False
    return bool(gold.number and gold.kind != SECTION) or alike(gold.title, found.title)


def is_optional(found: Entry, optional: Sequence[Entry]) -> bool:
    """One of the optional rows of this page names it, by number, by title, or by both."""
    rows = [row for row in optional if row.page == found.page and (row.kind == SECTION) == (found.kind == SECTION)]
    return any(alike(name, other) for row in rows for name in _names(row) for other in _names(found))


def alike(one: str, other: str) -> bool:
    """Two titles that differ in case, spaces, marks and at most a tenth of their characters."""
    first, second = _folded(one), _folded(other)
    if not first or not second:
        return False
    allowed = int(MAX_SLIPS * len(first))
    return abs(len(first) - len(second)) <= allowed and Levenshtein.distance(first, second) <= allowed


def same_number(one: str, other: str) -> bool:
    """Two numbers that differ in words, spaces, the dot behind a letter, and characters that OCR confuses."""
    return not _forms(one).isdisjoint(_forms(other))


def _forms(number: str) -> set[str]:
    text = _WORDS.sub("", number).casefold().replace(" ", "").rstrip(".:")
    return {text.translate(_LOOKALIKES), _LETTER_DOT.sub(r"\1", text).translate(_LOOKALIKES)}


def _names(entry: Entry) -> Iterator[str]:
    """What the entry may be called."""
    yield entry.title
    for mark in dict.fromkeys(filter(None, (entry.number, entry.label))):
        yield mark
        yield f"{mark} {entry.title}"


def _folded(title: str) -> str:
    return letters_and_digits(title).translate(_SAME_SHAPE)


KEY = "default"
ALWAYS_COUNTED = ("table", "figure", "equation")


@dataclass(frozen=True, slots=True)
class Gold:
    """What the gold says of one document; an empty list where it has no such file."""

    sections: Sequence[Entry]
    anchors: Sequence[Entry]
    optional: Sequence[Entry]


@dataclass(slots=True)
class Comparison:
    """How what was found compares with the gold: pairs of gold and found, what is missed, and false alarms."""

    pairs: list[tuple[Entry, Entry]] = field(default_factory=list)
    missed: list[Entry] = field(default_factory=list)
    false: list[Entry] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """The metrics of one document."""
        right, gold, found = len(self.pairs), len(self.pairs) + len(self.missed), len(self.pairs) + len(self.false)
        figures = {
            "f1": 2 * right / max(1, gold + found),
            "precision": right / max(1, found),
            "recall": right / max(1, gold),
            "page_exact": sum(one.page == other.page for one, other in self.pairs) / max(1, right),
        }
        levels = [one.level == other.level for one, other in self.pairs if one.level is not None]
        return figures | ({"level_exact": sum(levels) / len(levels)} if levels else {})

    def mistakes(self) -> dict[str, Any]:
        """What is wrong, row by row."""
        return {
            "missed": [asdict(entry) for entry in self.missed],
            "false": [asdict(entry) for entry in self.false],
            "wrong_page": [[asdict(one), asdict(other)] for one, other in self.pairs if one.page != other.page],
            "wrong_level": [[asdict(one), asdict(other)] for one, other in self.pairs if one.level != other.level],
        }


def evaluate_sections(folder: Path, *, settings: Settings, gold: Path | None = None) -> Evaluation:
    """Read the documents of the folder that have gold (beside them, or in `gold`), and compare.

    UsageError where no document has gold.
    """
    machine = describe_machine()
    known = {path: entry for path in _documents(folder) if (entry := load_gold(gold or path.parent, path.stem))}
    if not known:
        raise UsageError(f"no document in {folder} has a STEM.sections.jsonl in {gold or folder}: give --gold DIR")
    tally, counts, rows = Tally(), Counter[str](), []
    started = time.perf_counter()
    for path, sections, anchors in read_structures(settings, list(known)):
        compared = compare_document(known[path], sections, anchors)
        figures = {name: value for part, item in compared.items() for name, value in _prefixed(part, item)}
        for name, value in figures.items():
            tally.add(name, value)
        counts.update({"documents": 1, "sections": len(known[path].sections), "anchors": len(known[path].anchors)})
        mistakes = {part: item.mistakes() for part, item in compared.items()}
        rows.append({"id": path.relative_to(folder).as_posix(), "figures": figures, "answer": mistakes})
    return Evaluation(
        command="eval sections",
        set=folder.resolve().name,
        settings={},
        counts=dict(counts),
        results={KEY: tally.means()},
        intervals={KEY: tally.intervals()},
        per_query=sorted(rows, key=lambda row: str(row["id"])),
        timings={"seconds": time.perf_counter() - started},
        machine=machine,
    )


def load_gold(folder: Path, stem: str) -> Gold | None:
    """The gold of the document with this stem; None where there is no list of its sections."""
    lists = {part: _entries(folder, stem, part) for part in ("sections", "anchors", "optional")}
    return Gold(**lists) if lists["sections"] else None


def compare_document(gold: Gold, sections: Iterable[Section], anchors: Iterable[Anchor]) -> dict[str, Comparison]:
    """The comparison of sections, of all anchors (where the gold has any), and of each kind of them that always counts
    or that the gold has. What has no name does not count: sections without title, anchors with neither number nor
    title."""
    compared = {"": compare(gold.sections, map(_of_section, sections), gold.optional)}
    if not gold.anchors:
        return compared
    kinds = [*ALWAYS_COUNTED, *sorted({entry.kind for entry in gold.anchors} - set(ALWAYS_COUNTED))]
    found = [entry for entry in map(_of_anchor, anchors) if entry.kind in kinds]
    compared["anchor"] = compare(gold.anchors, found, gold.optional)
    for kind in kinds:
        wanted = [entry for entry in gold.anchors if entry.kind == kind]
        if wanted:
            compared[kind] = compare(wanted, (entry for entry in found if entry.kind == kind), gold.optional)
    return compared


def compare(gold: Sequence[Entry], found: Iterable[Entry], optional: Sequence[Entry]) -> Comparison:
    """Pair what was found with the gold; what an optional row names is no false alarm."""
    named = [entry for entry in found if entry.named]
    pairs = pair(gold, named)
    taken, used = {index for index, _ in pairs}, {index for _, index in pairs}
    rest = [entry for index, entry in enumerate(named) if index not in used]
    return Comparison(
        pairs=[(gold[one], named[other]) for one, other in pairs],
        missed=[entry for index, entry in enumerate(gold) if index not in taken],
        false=[entry for entry in rest if not is_optional(entry, optional)],
    )


def mistakes(evaluation: Evaluation) -> list[str]:
    """The figures of each document, and one line for each mistake."""
    lines: list[str] = []
    for row in evaluation.per_query:
        lines.append(f"{row['id']}: " + ", ".join(f"{name} {value:.3f}" for name, value in row["figures"].items()))
        for part in ("", "anchor"):
            found = row["answer"].get(part, {})
            for name in ("missed", "false"):
                lines += [f"  {name}: {_shown(entry)}" for entry in found.get(name, ())]
            for name in ("wrong_page", "wrong_level"):
                lines += [f"  {name}: {_shown(one)}, found {_shown(other)}" for one, other in found.get(name, ())]
    return lines


def _documents(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and ".jsonl" not in path.suffixes)


def _entries(folder: Path, stem: str, part: str) -> list[Entry]:
    path = folder / f"{stem}.{part}.jsonl"
    zipped = path.with_name(f"{path.name}.gz")
    existing = next((item for item in (path, zipped) if item.is_file()), None)
    return [] if existing is None else [_entry(row) for row in json_rows(existing)]


def _entry(row: dict[str, Any]) -> Entry:
    return Entry(
        kind=row.get("type") or SECTION,
        number=row.get("number") or "",
        title=row.get("title") or row.get("caption") or "",
        page=int(row["page"]),
        level=row.get("level"),
        label=row.get("label") or "",
    )


def _of_section(section: Section) -> Entry:
    return Entry(SECTION, section.number or "", section.title, section.first_page, section.level)


def _of_anchor(anchor: Anchor) -> Entry:
    return Entry(anchor.kind, anchor.number or "", anchor.title, anchor.page)


def _prefixed(part: str, compared: Comparison) -> list[tuple[str, float]]:
    """All metrics of sections and anchors; of a single kind of anchor its f1."""
    figures = compared.figures()
    if part in ("", "anchor"):
        return [(f"{part}_{name}" if part else name, value) for name, value in figures.items()]
    return [(f"{part}_f1", figures["f1"])]


def _shown(entry: dict[str, Any]) -> str:
    kind = "" if entry["kind"] == SECTION else f"{entry['kind']} "
    level = "" if entry["level"] is None else f", level {entry['level']}"
    return f"{kind}{entry['number']} {entry['title']!r} p.{entry['page']}{level}"
