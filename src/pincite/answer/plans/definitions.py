"""The definition of a term first: the text under the very term, or the sentence that opens with it; then the symbol
that stands for it, and the first duty that points back to it (docs/answers.md, 4)."""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.answer.asked.noun_phrases import is_several, is_symbol
from pincite.answer.asked.question import bare_term
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passage, headings_of, lines_of
from pincite.answer.material.sentences import Sentence, heading_of, sentences_of_chunk
from pincite.answer.said.statements import locator_and_text, stated
from pincite.answer.words.facts import folded_name
from pincite.answer.words.vocabulary import NEGATIONS_AND_MODALS, pattern_of, words_of
from pincite.graph.clauses import is_participle
from pincite.records.answers import Statement
from pincite.text.language import FUNCTION_WORDS

LEAST_OF_GLOSS = 3
"""Fewer words behind a term on its line are a note or a unit."""

_LEADING_LABEL = re.compile(r"^(?:[\d.()]+P?|[•●▪–—-])\s+")
# "In this Act, “allotment” means", "For the purposes of section 2, a “plot” is", "Description: A plot is".
_LEAD = re.compile(
    r"^(?:[A-Z]\w+:\s+)?(?P<where>(?:in|for the purposes? of|under|within)\s[^,:]{1,60}[,:]\s*(?:\(\w\)\s*)?)?"
    r"(?:(?:the (?:term|word|expression)s?|an?|the)\s)?[“\"'‘«]?",
    re.I,
)
_OF_THE_WHOLE = re.compile(r"(?:in|for the purposes? of|under|within)\s(?:this|these|the|any|section|part)\b", re.I)
# A term in quotation marks in front of what it means, wherever it stands.
_QUOTED = re.compile(r"[“\"‘](?P<term>[^“”\"‘’]{2,60})(?=[”\"’]\s(?:means?|has the meaning|refers? to|is|are)\b)")
_SYMBOLS = pattern_of("standards", "symbols_title")
_SYMBOL_ROW = re.compile(r"(?P<symbol>\S{1,8})\s+(?P<gloss>[^\[\]]+?)\s*(?:\[[^\[\]]*\])?")
_SAYS = re.compile(
    r"(?:\([^()]*\)\s*)?(?:is|are|means?|refers? to|describes?|denotes?|comprises?|represents?|gives?)\b", re.IGNORECASE
)
# "is performed", "are usually cut": what is done to a thing does not define it, but "is called" does.
_DONE_TO = re.compile(
    r"(?:\([^()]*\)\s*)?(?:is|are)\s+(?:(?:not|also|always|never|often|only|then|\w+ly)\s+)*(?P<verb>\w+)", re.I
)
_DEFINING = frozenset(
    "called composed considered defined designed intended known made meant named taken termed understood used".split()
)
_ARTICLES = ("a", "an", "the")
_NO_NOUNS = FUNCTION_WORDS["en"] | NEGATIONS_AND_MODALS | words_of("encyclopaedia", "beside_nouns")
# How verbs of a third person end ("lowers", "runs"); nouns in "ss", "us", "is" are none.
_VERB = re.compile(r"(?<![siu])s$")
_DUTY = re.compile(r"\b(?:shall|must|should)\b")


def defined(case: Case) -> list[Statement]:
    """The definition of the term that the question asks for, or that it is."""
    term = case.question.term or bare_term(case.question.text)
    return [] if term is None else _definition(case, term)


def _definition(case: Case, term: str) -> list[Statement]:
    for sentence in _candidates(case, term):
        return [_statement(sentence, term), *_symbol(case, sentence, term), *_use(case, sentence)]
    return []


def _candidates(case: Case, term: str) -> list[Sentence]:
    """The sentences that define the term, the surest first; of the evidence, else of chunks that hold its words."""
    found = [sentence for sentence in case.sentences if _defines(sentence, term)]
    if not found:
        chunks = case.around.named(term)
        rank = len(case.retrieval.evidence) + 1
        found = [s for chunk in chunks for s in sentences_of_chunk(chunk, None, rank) if _defines(s, term)]
    return sorted(found, key=lambda s: (*_unsureness(s, term), s.rank, s.position))


def _unsureness(sentence: Sentence, term: str) -> tuple[bool, bool, bool, bool]:
    """Surest is what opens the text under the term and leans on it ("This is ..."), then what says so itself, at last
    what says so of some cases ("In large yards, a plot is")."""
    lead = _LEAD.match(sentence.text)
    return (
        not _stands_under(sentence, term),
        not (sentence.opens and sentence.leans),
        not _is_said(sentence, term),
        bool(lead and lead["where"] and not _OF_THE_WHOLE.match(lead["where"])),
    )


def _is_said(sentence: Sentence, term: str) -> bool:
    """Whether a verb or a sign behind the term says what it is: surer than words that follow it."""
    text = _LEADING_LABEL.sub("", sentence.text)
    start, opening = _opening(text, term)
    return bool(opening) and _is_told(text[start + len(opening) :])


def _defines(sentence: Sentence, term: str) -> bool:
    """Whether the sentence opens with the term and goes on to say what it is, or opens the text under it as heading."""
    if not folded_name(term) or sentence.passage.kind == "table":
        return False
    text = _LEADING_LABEL.sub("", sentence.text)
    start, opening = _opening(text, term)
    if opening and (opening == term or not is_symbol(term)):
        behind = text[start + len(opening) :]
        is_line = not start and behind[:1].isspace() and not is_several(opening)
        return _is_told(behind) or (is_line and _is_gloss(behind.lstrip()))
    return sentence.opens and _stands_under(sentence, term)


def _opening(text: str, term: str) -> tuple[int, str]:
    """Where the term stands at the beginning of a text, and how it is written there: in the singular or the plural,
    behind what the text leads in with."""
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    forms = _forms_of(term)
    match = forms.match(text, start) or forms.match(text)
    if match is None:
        quoted = (found for found in _QUOTED.finditer(text) if forms.fullmatch(found["term"]))
        return next(((found.start("term"), found["term"]) for found in quoted), (0, ""))
    return match.start(), match.group()


@lru_cache(maxsize=16)
def _forms_of(term: str) -> re.Pattern[str]:
    said = folded_name(term)
    forms = dict.fromkeys((said, f"{said}s", said.removesuffix("s")))
    pattern = "|".join(r"\W+".join(map(re.escape, form.split())) for form in sorted(forms, key=len, reverse=True))
    return re.compile(rf"(?:{pattern})(?!\w)", re.IGNORECASE)


def _is_told(behind: str) -> bool:
    """Whether a colon or a verb behind the term says what it is."""
    if re.match(r"[”\"'’»]?\s*(?:\([^()]*\))?\s*[:–—]", behind):
        return True
    said = re.sub(r"^\W+", "", behind)
    done = _DONE_TO.match(said)
    verb = done["verb"].lower() if done else ""
    return bool(_SAYS.match(said)) and (verb in _DEFINING or not is_participle(verb))


def _is_gloss(rest: str) -> bool:
    """Whether what stands behind a term on its line says what it is: some words that open with a noun of their own,
    where no verb tells what it does ("guard rail barrier at an edge", not "guard rail may be painted")."""
    words = rest.split()
    opens = words[0].casefold() if words else ""
    is_noun = opens in _ARTICLES or not (opens in _NO_NOUNS or _VERB.search(opens))
    return len(words) >= LEAST_OF_GLOSS and rest[:1].islower() and is_noun


def _stands_under(sentence: Sentence, term: str) -> bool:
    """Whether the innermost heading, or the last line of headings above the text, is the term itself."""
    lines = [passage.text for passage in _headings_above(sentence)]
    return any(_is_term(line, term) for line in (*lines, *([] if sentence.below else [heading_of(sentence.chunk)])))


def _headings_above(sentence: Sentence) -> list[Passage]:
    """The last line of the headings that a sentence stands under in its chunk."""
    return [sentence.below] if sentence.below else headings_of(sentence.chunk)[-1:]


def _is_term(heading: str, term: str) -> bool:
    return folded_name(_LEADING_LABEL.sub("", heading)) == folded_name(term)


def _statement(sentence: Sentence, term: str) -> Statement:
    """The definition with a colon behind the term, and with the heading in front that is the term."""
    locator, text = locator_and_text(sentence.chunk.section_number, sentence.text)
    cited = [(sentence.passage, sentence.chunk)]
    start, opening = _opening(text, term)
    behind = text[len(opening) :]
    if opening and not start and re.match(r"\s+[a-z]", behind) and not _SAYS.match(behind.lstrip()):
        text = f"{text[0].upper()}{text[1 : len(opening)]}:{behind}"
    elif not opening and (heading := _headings_above(sentence)) and _is_term(heading[0].text, term):
        text = f"{term[0].upper()}{term[1:]}: {text}"
        cited = [(heading[0], sentence.chunk), *cited]
    return stated(text, "definition", cited, locator=locator)


def _symbol(case: Case, definition: Sentence, term: str) -> list[Statement]:
    """The row of the document's symbols whose gloss is the term or its longest tail, with its unit."""
    number, tails = definition.chunk.section_number, _tails(folded_name(term))
    if number is None or not tails:
        return []
    found: dict[str, Statement] = {}
    for chunk in case.around.document(definition.chunk.source_id):
        if not any(map(_SYMBOLS.match, chunk.section)):
            continue
        for line in lines_of(chunk):
            row = _SYMBOL_ROW.fullmatch(" ".join(line.text.split()))
            if row is not None and folded_name(row["gloss"]) in tails:
                locator, _ = locator_and_text(chunk.section_number, line.text)
                made = stated(line.text, "definition", [(line, chunk)], locator=locator)
                found.setdefault(folded_name(row["gloss"]), made)
    return [found[tail] for tail in tails if tail in found][:1]


def _tails(term: str) -> list[str]:
    """The term and what is left of it without its first words, the longest first, of at least two words."""
    words = term.split()
    return [" ".join(words[start:]) for start in range(len(words) - 1)]


def _use(case: Case, definition: Sentence) -> list[Statement]:
    """The first sentence with a duty that points back to the definition by its number."""
    number = definition.chunk.section_number
    if number is None:
        return []
    pointed = re.compile(rf"\bsee (?:also )?(?:\w+ )?{re.escape(number)}(?![.\d])")
    for chunk in case.around.document(definition.chunk.source_id):
        if not pointed.search(chunk.content):
            continue
        sentences = sentences_of_chunk(chunk, None, 0)
        duty = next((s for s in sentences if _DUTY.search(s.text)), None)
        pointing = next((s for s in sentences if pointed.search(s.text)), None)
        if duty is not None and pointing is not None:
            told = [duty] if duty is pointing else [duty, pointing]
            locator, text = locator_and_text(chunk.section_number, " ".join(s.text for s in told))
            return [stated(text, "fact", [(s.passage, chunk) for s in told], locator=locator)]
    return []
