"""The words for what a reference points to: "Rule", "Table", "Anhang"."""

from __future__ import annotations

from pincite.records import ReferenceKind

_WORDS: dict[str, str] = {
    "rule": "rule rules",
    "section": "section sections sect sec subsection subsections sub-section sub-sections § §§ abschnitt sección",
    "clause": "clause clauses sub-clause sub-clauses subclause subclauses",
    "paragraph": "paragraph paragraphs para paras sub-paragraph sub-paragraphs subparagraph subparagraphs absatz "
    "absätze alinéa",
    "article": "article articles art arts artikel artículo",
    "chapter": "chapter chapters kapitel chapitre capítulo",
    "part": "part parts teil partie",
    "schedule": "schedule schedules",
    "regulation": "regulation",
    "annex": "annex annexes annexs annexure appendix appendices app apps anhang anlage annexe anexo",
    "table": "table tables tab tabelle tableau tabla",
    "figure": "figure figures fig figs bild abbildung abb figura",
    "equation": "equation equations eq eqs eqn expression expressions formula formulae formulas gleichung équation "
    "ecuación",
    "note": "note notes",
    "item": "item items",
    "point": "point points",
    "step": "step steps",
    "page": "page pages pp seite",
    "policy": "policy policies",
    "principle": "principle principles",
    "footnote": "footnote footnotes",
    "definition": "definition definitions",
    "exhibit": "exhibit exhibits",
}
UNIT_OF = {word: unit for unit, words in _WORDS.items() for word in words.split()}
PLURALS = frozenset(
    word for words in _WORDS.values() for word in words.split() if word.endswith(("s", "§§", "ae", "ices"))
)
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
