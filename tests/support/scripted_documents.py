"""Documents full of scripts: in their titles, headings, sentences, and in the names that a graph is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from zipfile import ZipFile

from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.made_documents import Piece, heading
from tests.support.made_documents import document as made
from tests.support.office_files import docx, packed, paragraph
from tests.support.script_payloads import PAYLOADS, Payload

from pincite.deadline import Deadline
from pincite.engine.engine import Engine
from pincite.records.pages import Document
from pincite.records.sources import Source
from pincite.records.triplets import RawTriplet

TEXTS = "texts"
PART = 150
"""Payloads in a section of the text that holds them all, or headings in a document."""
TOGETHER = 8
"""Payloads in a sentence."""
TITLED = PAYLOADS[::TOGETHER]
OWNED = PAYLOADS[1::4]
NEIGHBOURS = 14
"""As many as a drawing shows of whom a sentence says something."""
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we zi".split()
LONGEST_NAME = 180
"""Bytes, as file systems have it, with some to spare for a suffix."""
ONE_LINE = [payload for payload in PAYLOADS if payload.text.isprintable()]
_OWNING = re.compile(r"(House \w+) owns «(.+?)»")


def is_path(text: str) -> bool:
    """Whether a file can be called so; a stroke makes a folder."""
    parts = text.split("/")
    return "\0" not in text and len(text.encode()) < LONGEST_NAME and not any(part[:1] in ("", ".") for part in parts)


IN_FOLDER = [payload for payload in PAYLOADS[2::5] if is_path(payload.text)]
IN_ARCHIVE = [payload for payload in PAYLOADS[3::5] if is_path(payload.text)]
UPLOADED = [payload for payload in PAYLOADS[4::2] if is_path(payload.text) and "/" not in payload.text][:160]
IN_FILES = [payload for payload in PAYLOADS[::6] if payload.text.isprintable()]
RAW = [payload.careless for payload in IN_FILES]
PROPERTIES = (
    'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


class Owning:
    """Finds what a house owns, whatever is called so."""

    name = "owning"
    version = "1"

    def extract(
        self, sentences: Sequence[str], language: str | None, *, deadline: Deadline = Deadline.never()
    ) -> list[list[RawTriplet]]:
        """The triplets of each sentence."""
        return [[self._triplet(found) for found in _OWNING.finditer(sentence)] for sentence in sentences]

    def _triplet(self, found: re.Match[str]) -> RawTriplet:
        verb = (found.end(1) + 1, found.end(1) + 5)
        told = ("owned", "owns", found[1], (found[2],), "owning", 0.9, self.name, self.version)
        return RawTriplet(found.span(1), verb, found.span(2), *told)


def houses() -> list[str]:
    """The names of the owners."""
    return [f"House {chr(65 + at // 26)}{chr(97 + at % 26)}lder" for at in range(-(-len(OWNED) // NEIGHBOURS))]


def called(payload: Payload) -> str:
    """A name of its own for what is told with this payload."""
    return "".join(SYLLABLES[payload.number // len(SYLLABLES) ** at % len(SYLLABLES)] for at in range(3)).capitalize()


def with_headings() -> list[str]:
    """The documents whose headings are scripts."""
    return [f"headings/{number}" for number in range(len(_parts(ONE_LINE)))]


def scripted_engine(folder: Path) -> Engine:
    """An engine on all of these documents."""
    engine = hashing_engine(folder, extractor=Owning())
    engine.index_documents(_documents())
    return engine


def _documents() -> Iterator[tuple[Source, Document]]:
    parts = _below([(f"Part {number}", some) for number, some in enumerate(_parts(PAYLOADS))])
    yield source(TEXTS), replace(made(parts, title="Texts"), paged=False)
    for number, some in enumerate(_parts(ONE_LINE)):
        below = _below([(payload.text, [payload]) for payload in some])
        yield source(f"headings/{number}"), replace(made(below, title=f"Headings {number}"), paged=False)
    for payload in TITLED:
        with_others = ", ".join(other.text for other in PAYLOADS[payload.number : payload.number + TOGETHER])
        text = f"{called(payload)} was calibrated with {with_others} in May 2024."
        yield source(f"titled/{payload.number}"), document(text, title=payload.text, paged=False)
    for at, house in enumerate(houses()):
        owned = OWNED[at * NEIGHBOURS : (at + 1) * NEIGHBOURS]
        text = " ".join(f"{house} owns «{payload.text}»." for payload in owned)
        yield source(f"houses/{at}"), document(text, title=house, paged=False)


def _parts(payloads: Sequence[Payload]) -> list[Sequence[Payload]]:
    return [payloads[at : at + PART] for at in range(0, len(payloads), PART)]


def _below(headings: Iterable[tuple[str, Sequence[Payload]]]) -> list[Piece]:
    """Each heading with these payloads below it, one a paragraph."""
    pieces: list[Piece] = []
    for words, payloads in headings:
        pieces.append(heading(words, level=1))
        pieces += [Piece(f"The gauge of {called(payload)} reads {payload.text}") for payload in payloads]
    return pieces


def write_files(folder: Path, named: Sequence[Payload], archived: Sequence[Payload] = ()) -> None:
    """Files that these payloads name, in the folder and in an archive, and files of some kinds with scripts in them."""
    for payload in named:
        path = folder / f"{payload.text}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"The buoy {payload.number} is red.\n", encoding="utf-8")
    packed(folder / "letters.zip", {f"{p.text}.txt": f"The letter {p.number} is white.\n" for p in archived})
    told = [escape(payload.text) for payload in IN_FILES]
    rows = "".join(f"<h2>Gauge {text}</h2><p>It reads {text}.</p>{html}" for text, html in zip(told, RAW, strict=True))
    (folder / "gauges.html").write_text(f"<title>{told[0]}</title><body onload=pwned(0)>{rows}", encoding="utf-8")
    titled = f"<cp:coreProperties {PROPERTIES}><dc:title>{told[1]}</dc:title></cp:coreProperties>"
    path = docx(folder / "gauges.docx", "".join(paragraph(text, style="Heading1") + paragraph(text) for text in told))
    with ZipFile(path, "a") as file:
        file.writestr("docProps/core.xml", titled)
    (folder / "gauges.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='pwned(0)'/>", encoding="utf-8")
