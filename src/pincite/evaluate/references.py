"""`pincite eval references`: are the references of documents found, and do they lead to the right place?
(docs/design.md section 10)"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pincite.engine.documents import Documents
from pincite.errors import UsageError
from pincite.evaluate.files import existing, json_rows, store_folder
from pincite.evaluate.measures import letters_and_digits
from pincite.evaluate.pages import stage, store_name
from pincite.evaluate.report import Evaluation, Tally, describe_machine
from pincite.evaluate.retrieval import BeirSet, Place, index_set, load_set
from pincite.records.outlines import Reference, ReferenceLink
from pincite.records.pages import Page, page_offsets
from pincite.settings import Settings
from pincite.wiring import open_engine

GoldStatus = Literal["resolved", "outside", "none"]
OUTSIDE = ("external", "dangling", "outside")
CONTEXTS = (1000, 24, 12, 6, 3, 0)


@dataclass(frozen=True, slots=True)
class GoldReference:
    """A reference as a person read it: its page (`place`), offsets in the joined text (`span`; None: not there word for
    word), the right pages (`targets`), what it points to (`kind`), and the sentence to show (`marked`)."""

    place: Place
    span: tuple[int, int] | None
    text: str
    status: GoldStatus
    targets: frozenset[Place]
    kind: str = ""
    marked: str = ""


class JoinedText:
    """The pages of one document as one text, joined by form feeds."""

    def __init__(self, pages: Iterable[Page]) -> None:
        known = list(pages)
        self.pages = tuple(page.text for page in known)
        self._starts = page_offsets(known)

    def page_of(self, offset: int) -> int:
        """The page, counted from 1, that an offset in the joined text lies on."""
        return bisect_right(self._starts, offset)

    def start_of(self, page: int) -> int:
        """The offset at which a page begins."""
        return self._starts[page - 1]


def corpus_gold(path: Path, loaded: BeirSet) -> list[GoldReference]:
    """The first form: rows that name rows of a corpus. Doubtful rows and those of other corpora are left out."""
    places = {corpus_id: place for place, corpus_id in loaded.rows.items()}
    pages = {source.source_id: document.pages for source, document in loaded.documents}
    sections = {place: _bare(pages[place[0]][place[1] - 1].section or "") for place in loaded.rows}
    return [
        GoldReference(
            place=place,
            span=_stated_span(row, pages[place[0]], place[1]),
            text=str(row["reference_text"]),
            status="outside" if _is_outside(row) else "resolved",
            targets=frozenset(_corpus_targets(row, places, sections)),
            marked=str(row.get("context") or ""),
        )
        for row in _counted_rows(path, "source_id", "reference_text")
        if (place := places.get(str(row["source_id"])))
    ]


def page_gold(path: Path, source_ids: Sequence[str], text_of: Callable[[str], JoinedText]) -> list[GoldReference]:
    """The second form: rows that name pages of files. Doubtful rows and those of files not indexed are left out."""
    gold = []
    for row in _counted_rows(path, "file", "page", "reference_text", "text", "status"):
        source_id = _source_named(str(row["file"]), source_ids)
        if source_id is not None:
            gold.append(_page_reference(row, source_id, source_ids, text_of(source_id)))
    return gold


def find_marked(text: str, marked: str) -> tuple[int, int] | None:
    """Where the part in ⟦ ⟧ of a sentence stands in a text, ignoring white space and signs: with its whole sentence,
    else with ever less around it; None where it is not there."""
    before, _, rest = marked.partition("⟦")
    inside, _, after = rest.partition("⟧")
    left, wanted, right = map(letters_and_digits, (before, inside, after))
    run, places = _run(text)
    for width in CONTEXTS if wanted else ():
        near = left[max(0, len(left) - width) :]
        at = run.find(near + wanted + right[:width])
        if at >= 0:
            first = at + len(near)
            return places[first], places[first + len(wanted) - 1] + 1
    return None


def _page_reference(
    row: Mapping[str, Any], source_id: str, source_ids: Sequence[str], text: JoinedText
) -> GoldReference:
    page, target = int(row["page"]), _source_named(str(row.get("target_file")), source_ids)
    if not 1 <= page <= len(text.pages):
        raise UsageError(f"{row['file']} has no page {page}: correct the gold file")
    found, start = find_marked(text.pages[page - 1], str(row["text"])), text.start_of(page)
    return GoldReference(
        place=(source_id, page),
        span=None if found is None else (start + found[0], start + found[1]),
        text=str(row["reference_text"]),
        status="outside" if row["status"] in OUTSIDE else "none" if row["status"] == "none" else "resolved",
        targets=frozenset() if target is None else frozenset({(target, int(row["target_page"]))}),
        kind=str(row.get("target_kind") or "other"),
        marked=str(row["text"]),
    )


def _counted_rows(path: Path, *fields: str) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(json_rows(path), start=1):
        if missing := [name for name in fields if name not in row]:
            raise UsageError(f"{path}, row {number} has no {', '.join(missing)}: correct the gold file")
        if not row.get("doubtful"):
            yield row


def _is_outside(row: Mapping[str, Any]) -> bool:
    return row.get("target_resolution") in OUTSIDE or row.get("target_id") is None


def _corpus_targets(
    row: Mapping[str, Any], places: Mapping[str, Place], sections: Mapping[Place, str]
) -> Iterator[Place]:
    target = places.get(str(row.get("target_id")))
    if target is None:
        return
    yield target
    if row.get("target_resolution") == "first_child":
        above = f"{_bare(str(row['target_section']))}."
        yield from (place for place in sections if place[0] == target[0] and sections[place].startswith(above))


def _stated_span(row: Mapping[str, Any], pages: Sequence[Page], page: int) -> tuple[int, int] | None:
    if row.get("char_start") is None:
        return None
    blocks = pages[page - 1].blocks
    start = JoinedText(pages).start_of(page) + (blocks[-1].span.start if blocks else 0) + int(row["char_start"])
    return start, start + len(str(row["reference_text"]))


def _source_named(file: str, source_ids: Iterable[str]) -> str | None:
    return next((known for known in source_ids if known == file or known.endswith(f"/{file}")), None)


def _bare(section: str) -> str:
    return section.strip().rstrip(".")


def _run(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text as one run, and where in the text each of them stands."""
    pairs = [(sign, place) for place, char in enumerate(text) for sign in letters_and_digits(char)]
    return "".join(sign for sign, _ in pairs), [place for _, place in pairs]


Found = tuple[Reference, ReferenceLink]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found at the place of one gold row (None: nothing), where it led, and whether that is right."""

    gold: GoldReference
    found: Found | None
    led_to: tuple[Place, ...]
    right: bool

    @property
    def counts_as_found(self) -> bool:
        """An ambiguous reference counts as not found."""
        return self.found is not None and self.found[1].status != "ambiguous"

    @property
    def resolved(self) -> bool:
        """It leads somewhere."""
        return self.found is not None and self.found[1].status == "resolved"


class Judge:
    """Compares gold rows with the references of one store; `text_of` gives the joined text of a document."""

    def __init__(self, documents: Documents, text_of: Callable[[str], JoinedText]) -> None:
        self._references = cache(documents.references)
        self._text_of = text_of

    def judge(self, gold: GoldReference) -> Verdict:
        """The verdict on one row."""
        found = self._best(gold)
        led_to = () if found is None else self._places(found[1])
        return Verdict(gold, found, led_to, _is_right(gold, found, led_to))

    def unlisted(self, gold: Sequence[GoldReference]) -> Iterator[tuple[Place, Found, tuple[Place, ...]]]:
        """What leads somewhere on the pages of the gold and has no row there: the page, and where it leads."""
        for place in dict.fromkeys(row.place for row in gold):
            spans = [row.span for row in gold if row.place == place and row.span is not None]
            for found in self._on_page(place):
                if found[1].status == "resolved" and not any(_shared(found[0], span) for span in spans):
                    yield place, found, self._places(found[1])

    def _best(self, gold: GoldReference) -> Found | None:
        """Of the references at the row's place the inner one ("5.2" in "5.2 of Annex B"), then the one that shares most
        with it, then the shorter one; where the place is not known, one with the row's number."""
        here, span = self._on_page(gold.place), gold.span
        if span is None:
            return next((found for found in here if _has_number(found[0], gold.text)), None)
        near = [found for found in here if _shared(found[0], span)]
        outer = {reference.within for reference, _ in near}

        def rank(found: Found) -> tuple[bool, int, int]:
            reference = found[0]
            return reference.ordinal in outer, -_shared(reference, span), reference.end - reference.start

        return min(near, key=rank, default=None)

    def _on_page(self, place: Place) -> list[Found]:
        source_id, page = place
        text = self._text_of(source_id)
        return [found for found in self._references(source_id) if text.page_of(found[0].start) == page]

    def _places(self, link: ReferenceLink) -> tuple[Place, ...]:
        targets = [(target.source_id, self._text_of(target.source_id).page_of(target.start)) for target in link.targets]
        return tuple(dict.fromkeys(targets))


def _is_right(gold: GoldReference, found: Found | None, led_to: Sequence[Place]) -> bool:
    status = None if found is None else found[1].status
    if gold.status == "outside":
        return status in ("external", "dangling")
    if gold.status == "none":
        return status != "resolved"
    return status == "resolved" and not gold.targets.isdisjoint(led_to)


def _shared(reference: Reference, span: tuple[int, int]) -> int:
    return max(0, min(reference.end, span[1]) - max(reference.start, span[0]))


def _has_number(reference: Reference, text: str) -> bool:
    wanted = letters_and_digits(text)
    return wanted in map(letters_and_digits, (reference.number or "", reference.until or "", reference.text))


KEY = "default"
Namer = Callable[[Place], str]


@dataclass(slots=True)
class Measured:
    """What the comparison gave: figures, and a row for each reference."""

    tally: Tally = field(default_factory=Tally)
    derived: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)


def evaluate_references(
    folder: Path, *, settings: Settings, gold: Path, limit: int | None = None, store: Path | None = None
) -> Evaluation:
    """Index a set in BEIR layout or a folder of documents, without vectors, and compare its references with the gold.
    UsageError for a malformed set or gold."""
    machine, started = describe_machine(), time.perf_counter()
    is_corpus = any((folder / name).is_file() for name in ("corpus.jsonl", "corpus.jsonl.gz"))
    measure = measure_corpus if is_corpus else measure_folder
    measured = measure(folder, existing(gold), replace(settings, embedder="none"), limit, store)
    return Evaluation(
        command="eval references",
        set=folder.resolve().name,
        settings={"gold": gold.name, "limit": limit},
        counts=measured.counts,
        results={KEY: measured.tally.means() | measured.derived},
        intervals={KEY: measured.tally.intervals()},
        per_query=measured.rows,
        timings={"seconds": time.perf_counter() - started},
        machine=machine,
    )


def measure_corpus(folder: Path, gold: Path, settings: Settings, limit: int | None, store: Path | None) -> Measured:
    """The first form: SET is a BEIR folder, the gold names its rows."""
    loaded = load_set(folder)
    texts = {source.source_id: JoinedText(document.pages) for source, document in loaded.documents}
    with store_folder(store, f"references-{loaded.corpus_key}") as path:
        index_set(settings, path, loaded)
        with open_engine(settings, path) as engine:
            return score_corpus(
                Judge(engine.session().documents, texts.__getitem__), corpus_gold(gold, loaded)[:limit], loaded.rows
            )


def measure_folder(folder: Path, gold: Path, settings: Settings, limit: int | None, store: Path | None) -> Measured:
    """The second form: SET is a folder of documents, the gold names files and pages."""
    with (
        store_folder(store, f"references-{store_name(folder)}") as place,
        open_engine(settings, place / "store", create=True) as engine,
    ):
        stage(folder, place / "documents")
        engine.index([place / "documents"], prune=True)
        documents = engine.session().documents
        source_ids = [state.source.source_id for state in documents.sources()]
        text_of = cache(lambda source_id: JoinedText(documents.pages(source_id)))
        return score_pages(Judge(documents, text_of), page_gold(gold, source_ids, text_of)[:limit])


def score_corpus(judge: Judge, gold: Sequence[GoldReference], names: Mapping[Place, str]) -> Measured:
    """`precision` over what was found, `recall` over all rows, and `f1`."""
    measured = Measured(counts={"references": len(gold)})
    for row in gold:
        verdict = judge.judge(row)
        measured.tally.add("recall", verdict.right)
        if verdict.counts_as_found:
            measured.tally.add("precision", verdict.right)
        measured.rows.append(_row(verdict, names.__getitem__))
    means = measured.tally.means()
    precision, recall = means.get("precision", 0.0), means.get("recall", 0.0)
    measured.derived["f1"] = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return measured


def score_pages(judge: Judge, gold: Sequence[GoldReference]) -> Measured:
    """`resolved_precision` over what leads somewhere, `resolved_rate` over what exists; and both by kind.

    `right` is the share of all rows that lead to the right page, or have the right status.
    """
    verdicts = [judge.judge(row) for row in gold]
    unlisted = [_unlisted_row(*item) for item in judge.unlisted(gold)]
    measured = Measured(
        counts={"references": len(gold), "resolved ones without gold": len(unlisted)},
        rows=[*(_row(verdict, _page_name) for verdict in verdicts), *unlisted],
    )
    for verdict in verdicts:
        measured.tally.add("right", verdict.right)
    _tally_resolved(measured.tally, "", verdicts)
    for kind in sorted({verdict.gold.kind for verdict in verdicts}):
        _tally_resolved(measured.tally, f"{kind}_", [verdict for verdict in verdicts if verdict.gold.kind == kind])
    return measured


def mistakes(evaluation: Evaluation) -> list[str]:
    """One line for each row that is wrong: what the gold is, what was found, and where it led."""
    return [
        f"{row['id']}: gold {_shown(row['gold'])}, found {_shown(row['answer'])}"
        for row in evaluation.per_query
        if not row["right"]
    ]


def _tally_resolved(tally: Tally, prefix: str, verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        if verdict.resolved:
            tally.add(f"{prefix}resolved_precision", verdict.right)
        if verdict.gold.status == "resolved":
            tally.add(f"{prefix}resolved_rate", verdict.resolved)


def _row(verdict: Verdict, name: Namer) -> dict[str, Any]:
    gold = verdict.gold
    return {
        "id": f"{name(gold.place)}: {gold.text}",
        "right": verdict.right,
        "gold": {"status": gold.status, "led_to": sorted(map(name, gold.targets)), "text": gold.marked or gold.text},
        "answer": {} if verdict.found is None else _answer(verdict.found, verdict.led_to, name),
    }


def _unlisted_row(place: Place, found: Found, led_to: Sequence[Place]) -> dict[str, Any]:
    return {"id": _page_name(place), "right": None, "gold": {}, "answer": _answer(found, led_to, _page_name)}


def _answer(found: Found, led_to: Sequence[Place], name: Namer) -> dict[str, Any]:
    reference, link = found
    return {"status": link.status, "led_to": [name(place) for place in led_to], "text": reference.text}


def _page_name(place: Place) -> str:
    return f"{place[0]}, p.{place[1]}"


def _shown(side: Mapping[str, Any]) -> str:
    if not side:
        return "nothing"
    return f"{side['text']!r} {side['status']}" + "".join(f" -> {place}" for place in side["led_to"])
