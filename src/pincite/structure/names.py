"""By which names the documents of a store are called: titles, short names in brackets, numbers of standards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pincite.records.pages import Document
from pincite.records.sources import Source
from pincite.structure.wording import tokens_of

_SHORT = re.compile(r"\(\s*[\"“”'‘]*(?:the\s+)?[\"“”]?([A-Z][A-Za-z&]{1,9})[\"“”'’]*\s*\)")
_YEAR = re.compile(r"(?<!\s)\s++(?:of\s++)?\(?(?:19|20)\d\d\)?$|:\s?(?:19|20)\d\d$")
_NOT_NAME = re.compile(r"[^\w&]+")
_KIND_OF_DOCUMENT = re.compile(r"(?<!\s)\s++(?:rulebook|rules|regulations|module|manual|code)$")
_STANDARD_IN_FILENAME = re.compile(
    r"(?<![a-z])(en|iso|iec|din|bs|astm|nist|sp)[\s._-]*((?:\d[\d._-]*)+)", re.IGNORECASE
)
_PART = re.compile(r"^[^,]*+,.*\bPart(\s\d[\d–-]*+)$", re.DOTALL)
_FIRST_CHARACTERS = 3000
_LEAST_WORDS = 2


def names_of(source: Source, document: Document) -> tuple[str, ...]:
    """The names that this document itself gives for itself, in normal form, each once."""
    return tuple(dict.fromkeys(name for name in _names(source, document) if name))


def _names(source: Source, document: Document) -> Iterator[str]:
    title = document.title or ""
    yield from name_forms(title)
    stem = source.filename.rpartition(".")[0] or source.filename
    yield from name_forms(re.sub(r"[._]+", " ", stem))
    for match in _STANDARD_IN_FILENAME.finditer(stem):
        yield from standard_forms(f"{match[1]} {match[2]}")
    if document.paged and document.pages:
        first = document.pages[0].text[:_FIRST_CHARACTERS]
        standard = next((token for token in tokens_of(first) if is_standard(token.text)), None)
        if standard is not None:
            yield from standard_forms(standard.text)


def name_forms(words: str) -> Iterator[str]:
    """The ways in which a name may be written: its short name, the rest, the rest without its year."""
    for short in _SHORT.finditer(words):
        yield normal_name(short[1])
    plain = _SHORT.sub("", words).strip()
    yield normal_name(plain)
    yield normal_name(_YEAR.sub("", plain))


def standard_forms(words: str) -> Iterator[str]:
    """ "EN 1991-1-3:2003" and "en.1991.1.3.2003": the number with and without its year."""
    part = _PART.search(words)
    digits = re.findall(r"\d+", words if part is None else words.split(",", 1)[0] + part[1])
    letters = re.match(r"[A-Za-z/ ]+", words)
    if not digits or letters is None:
        return
    body = letters.group().lower().split()[-1].removeprefix("pr")
    if len(digits) > 1 and re.fullmatch(r"(?:19|20)\d\d", digits[-1]):
        yield f"{body} {' '.join(digits[:-1])}"
    yield f"{body} {' '.join(digits)}"


def is_standard(words: str) -> bool:
    """A body and a number: "ISO 4355"."""
    return (bool(re.match(r"[A-Za-z/ -]{2,16}[\s-]?\d", words)) and words[:2].isupper()) or words.startswith("prEN")


def normal_name(words: str) -> str:
    """Lower case, no marks, one space."""
    plain = " ".join(_NOT_NAME.sub(" ", words.lower()).split())
    return plain.removeprefix("the ")


class Names:
    """Which source a name means. A name that two sources have means neither."""

    def __init__(self, named: Iterable[tuple[str, Iterable[str]]]) -> None:
        self._sources: dict[str, str | None] = {}
        for source_id, names in named:
            for name in names:
                self.add(name, source_id)

    def add(self, name: str, source_id: str) -> None:
        """Let a name mean a source."""
        if name and self._sources.setdefault(name, source_id) != source_id:
            self._sources[name] = None

    def learn(self, words: str) -> None:
        """Take the short name from a full one: 'Fund Rules ("FUNDS")'."""
        source_id = self.find(_SHORT.sub("", words))
        for short in _SHORT.finditer(words):
            name = normal_name(short[1])
            if source_id is not None and name not in self._sources:
                self._sources[name] = source_id

    def find(self, words: str) -> str | None:
        """The source that these words name; words in front may be no part of the name."""
        if is_standard(words):
            return next((found for form in standard_forms(words) if (found := self._sources.get(form))), None)
        forms = list(dict.fromkeys(name_forms(words)))
        for form in [*forms, *(_KIND_OF_DOCUMENT.sub("", form) for form in forms)]:
            pieces = form.split()
            for start in range(len(pieces)):
                name = " ".join(pieces[start:])
                if (start == 0 or len(pieces) - start >= _LEAST_WORDS) and self._sources.get(name):
                    return self._sources[name]
        return None
