"""The words for what numbers count, in headings and in references: "Rule", "Table", "Anhang"."""

from __future__ import annotations

from collections.abc import Callable

from pincite.records.outlines import ReferenceKind

_WORDS: dict[str, str] = {
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
    return {word: unit for unit, known in _WORDS.items() for word in words(known).split()}


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
