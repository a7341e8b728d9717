"""The words for what numbers count ("Rule", "Table", "Anhang"), and numbers of places in one form, so that "Rule 92
(4)(b)", "92(4)(b)" and "Part 8.92.(4).(b)" agree, whatever OCR made of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pincite.records.outlines import ReferenceKind

_UNIT_WORDS: dict[str, str] = {
    "rule": "rule | rules",
    "section": "section abschnitt sección § | sections sect sec subsection subsections sub-section sub-sections §§",
    "clause": "clause | clauses sub-clause sub-clauses subclause subclauses",
    "chapter": "chapter kapitel chapitre capítulo | chapters",
    "annex": "annex annexure appendix anhang anlage annexe anexo | annexes annexs appendices app apps",
    "part": "part teil partie parte | parts",
    "schedule": "schedule | schedules",
    "article": "article artikel artículo | articles art arts",
    "item": "item | items",
    "exhibit": "exhibit | exhibits",
    "book": "book title division |",
    "paragraph": "| paragraph paragraphs para paras sub-paragraph sub-paragraphs subparagraph subparagraphs absatz "
    "absätze alinéa",
    "regulation": "| regulation",
    "table": "| table tables tab tabelle tableau tabla",
    "figure": "| figure figures fig figs bild abbildung abb figura",
    "equation": "| equation equations eq eqs eqn expression expressions formula formulae formulas gleichung équation "
    "ecuación",
    "note": "| note notes",
    "point": "| point points",
    "step": "| step steps",
    "page": "| page pages pp seite",
    "policy": "| policy policies",
    "principle": "| principle principles",
    "footnote": "| footnote footnotes",
    "definition": "| definition definitions",
}
"""By unit: the words that a heading may start with, then those of running text alone."""
_HEADINGS_ALONE = frozenset({"book"})


def _unit_of(words: Callable[[str], str]) -> dict[str, str]:
    return {word: unit for unit, known in _UNIT_WORDS.items() for word in words(known).split()}


HEADED = _unit_of(lambda known: known.partition("|")[0])
"""The unit of each word that a heading may start with: "Annex B", "CHAPTER 2"."""
UNIT_OF = {
    word: unit for word, unit in _unit_of(lambda known: known.replace("|", " ")).items() if unit not in _HEADINGS_ALONE
}
"""The unit of each word that a reference may start with: "Annexes B and C", "sect. 2"."""
LANES = frozenset({"part", "chapter", "schedule", "annex", "article", "item", "exhibit", "book", "section"})
"""Units that are counted by themselves, beside the plain numbers of a document."""
PLURALS = frozenset(word for word in UNIT_OF if word.endswith(("s", "§§", "ae", "ices")))
NESTED = frozenset(
    "subsection subsections sub-section sub-sections sub-clause sub-clauses subclause subclauses "
    "sub-paragraph sub-paragraphs subparagraph subparagraphs".split()
)
KINDS: dict[str, ReferenceKind] = {
    "table": "table",
    "figure": "figure",
    "equation": "equation",
    "annex": "annex",
    "schedule": "annex",
}
DIGIT_FOR = str.maketrans("lIOoSsB", "1100558")
"""The digit that was printed, for `str.translate`; for text of which it is known that it counts in digits."""
SURE_DIGIT_FOR = str.maketrans("lIO", "110")
"""The same without the letters that numbers of annexes have."""
LETTERS_FOR = {"8": "B", "0": "DO", "5": "S", "6": "G"}
"""The letters that may have been printed, the likeliest first."""
_LANE_OF = {word: unit for word, unit in HEADED.items() if unit in LANES} | {"app": "annex"}
_WORDS = "|".join(sorted(map(re.escape, _LANE_OF), key=len, reverse=True))
_LANE = re.compile(rf"({_WORDS})(?:\.?\s*([a-z]?\d{{1,3}}[a-z]?)|\.?\s+([ivxlc]{{1,6}}|[a-z]))", re.IGNORECASE)
_WORD = re.compile(r"(?:(?<!\s)\s++)?(?:para|paragraph|policy)\b\.?\s*", re.IGNORECASE)
_CODE = re.compile(r"^([a-z]{1,5}) (\d{1,3}[a-z]?)$")
_PIECE = re.compile(r"\(\s?[^()\s]{1,5}\s?\)|[^.()]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A number in pieces. `lanes`: named levels, outermost first, such as ("part", "8"); `pieces`: the rest, such as
    ("92", "(4)", "(b)")."""

    lanes: tuple[tuple[str, str], ...]
    pieces: tuple[str, ...]


def read_place(number: str) -> Place:
    """The pieces of a number as it is written or as a heading has it; lower case, without the mark of principles P."""
    lanes: list[tuple[str, str]] = []
    pieces: list[str] = []
    for match in _PIECE.finditer(_WORD.sub("", number, count=1)):
        piece = "".join(match.group().split()) if match.group().startswith("(") else " ".join(match.group().split())
        if not piece:
            continue
        lane = _LANE.fullmatch(piece)
        if lane is not None:
            lanes.append((_LANE_OF[lane[1].lower()], (lane[2] or lane[3]).lower()))
            pieces = []
        else:
            pieces.append(_plain(piece))
    if pieces and pieces[-1] == "p" and len(pieces) > 1:
        pieces.pop()
    return Place(tuple(lanes), tuple(pieces))


def _plain(piece: str) -> str:
    """Lower case; "117a)" as "117a", and the code "CSP 5" as "csp5"."""
    return piece.lower() if "(" in piece else _CODE.sub(r"\1\2", piece.lower()).removesuffix(")")


def is_inner(piece: str) -> bool:
    """A level in brackets, "(4)" or "(b)": text often has it where headings do not."""
    return piece.startswith("(")


def mended(number: str) -> str:
    """A dotted number with the digits that OCR took for letters: "6.l0" is "6.10"."""
    return number.translate(SURE_DIGIT_FOR) if "." in number else number


def place_key(number: str) -> str:
    """One string for a number, by which places are looked up: "92 (4) (b)", "part 21"; empty where there is none."""
    place = read_place(number)
    return " ".join(place.pieces or (place.lanes[-1] if place.lanes else ()))
