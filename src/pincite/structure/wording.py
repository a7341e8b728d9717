"""How running text names places and documents, as tokens ("Rules 4.1 and 5.2", "EN 1990:2002", "the next table"); and
the names of the documents of a store: titles, short names in brackets, numbers of standards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from pincite.records.pages import Document
from pincite.records.sources import Source
from pincite.structure.places import NESTED, PLURALS, UNIT_OF

TokenKind = Literal["places", "bare", "inner", "document", "acronym", "code", "own", "other", "relative"]
_MOST_LEVELS = 12
_BRACKET = r"\(\s?(?:\d{1,3}[A-Za-z]?|[a-z]{1,2}|[ivx]{1,6}|[A-Z])\s?\)"
_BRACKETS = rf"(?:\s?{_BRACKET}){{0,{_MOST_LEVELS}}}(?:\s?P\b)?"
_LEVEL = r"(?:[\dlIO]{1,3}[A-Z]{0,2}|[A-Z](?![’']))(?!\w)"
_FIRST = r"(?:[A-Z]{1,2}\.?)?\d{1,3}[A-Z]{0,2}"
_APART = r"[A-Z]\s?\.\s?(?:\d{1,3}|[BS](?!\w))"
_DOTTED = rf"(?:{_FIRST}|{_APART})(?:\.{_LEVEL}|\.[A-Z](?=\.\d)){{0,{_MOST_LEVELS}}}"
_DEEP = rf"(?:{_FIRST}(?:\.[A-Z](?=\.\d)|\.{_LEVEL}){{1,{_MOST_LEVELS}}}|{_APART})"
_END = r"(?![\w%]|[.,]\d)"
_LETTERED = r"[IVXLC]{1,6}\b(?:\.[A-Z]\b)?|[A-Z]\b(?![’'.]?[a-z])"
_ITEM = rf"\d{{1,3}}(?:\.\d{{1,3}}){{0,{_MOST_LEVELS}}}[a-z](?:\)|(?!\w))"
_EQUATION = rf"\(\s?(?:{_DOTTED}[a-z]?|[A-Z]A)\s?\)"
_DASHED = r"(?:[A-Z]{1,2}|(?:(?<=(?i:able)\s)|(?<=(?i:gure)\s)|(?<=(?i:ig)\.\s))\d{1,2})[-–]\d{1,3}(?![\w–-])"
_IN_BRACKETS = rf"(?:{_BRACKET}){{1,{_MOST_LEVELS}}}(?:\s?P\b)?"
_NUMBER = rf"(?:{_ITEM}|{_DASHED}|{_DOTTED}{_END}{_BRACKETS}|{_LETTERED}|{_IN_BRACKETS}|{_EQUATION})"
_CODED = r"[A-Z]{1,5}\s?\d{1,3}[A-Z]?(?!\w)"
_UNIT = "|".join(re.escape(word) for word in sorted(UNIT_OF, key=len, reverse=True))
_ABBREVIATED = r"(?:(?<=(?i:fig|sec|art|par|abb|tab|eqn|eqs))\.|(?<=(?i:figs|sect|arts|apps|para))\.|(?<=(?i:eq|pp))\.)"
_MARKS = r"\s*(?:(?!><)[~|\\^*<>]{1,3}\s*)?"
_NOUN = (
    "Regulations?|Rules?|Rulebook|Act|Laws?|Code|Order|Directive|Manual|Guidance|Framework|Policy|Plan|Strategy|"
    "Standards?|Convention|Treaty|Glossary|Handbook|Constitution|Principles|Recommendations?|Specification|"
    "Papers?|Profile|Study|Reports?|Statement|Assessment|Appraisal|Review|Inventory|Document|Circular|DPD|SPD|"
    "Verordnung|Richtlinie|Gesetz"
)
_WORD = r"[A-Z][\w’'&/-]{0,60},?"
_ASIDE = r"(?:\([A-Z][a-z][^()]{1,50}\),?\s+){0,2}"
_SMALL = r"(?!(?:and|or)\s+the\s)(?:of|and|for|on|the|to|in|by|with|from|&|–|-|under|against|at|or)"
_YEAR = r"\s+(?:No\.?\s*\(?\d+\)?\s*)?(?:of\s+)?\(?(?:19|20)\d\d\)?"
_COUNT = r"(?:N[o°]\.?\s?)?\d{1,4}(?:/\d{1,4}(?:/[A-Z]{2,4})?)?(?![\w.]\w)"
_TITLE = (
    rf"(?:(?:{_WORD}\s+){{1,6}}(?:Paper|Document|Statement|Directive|Circular|Decision|Guidance)\s+{_COUNT}"
    rf"|(?!(?:The|These|Those|This|Such|Any|All|Each|Its|Our)\s)(?:{_WORD}\s+{_ASIDE}(?:{_SMALL}\s+){{0,3}}){{1,10}}?(?:{_NOUN})\b(?!\s+[A-Z]{{0,2}}\d{{1,3}}\b)"
    rf"|(?:{_WORD}\s+){{0,5}}(?:Resolution|Decision|Decree|Law|Act|Order)\s+No\.\s*\(?\d+\)?\s*of\s+(?:19|20)\d\d"
    rf"|(?:Code|Statement|Law|Inventory)\s+of\s+(?:the\s+)?{_WORD}(?:\s+(?:and\s+)?{_WORD}){{0,3}}"
    rf"|(?:Circular|Directive|Decision)\s+(?:\([A-Z]+\)\s*)?\d{{1,4}}/\d{{1,4}}(?:/[A-Z]{{2,4}})?"
    r"|[Nn]ational\s+[Aa]nnex(?:es)?)"
    rf"(?:{_YEAR})?"
    rf"(?:\s+(?:for|on)\s*(?:the)?(?:\s+{_WORD}){{1,5}}(?=\s+(?:paragraph|section|chapter|part)))?"
    r"(?:\s*\([\"“”'‘]*(?:the\s+)?[\"“”]?[A-Z][A-Za-z&]{1,9}[\"“”'’]*\))?"
)
_STANDARD = (
    r"(?:(?:BS|DIN|NF|UNE|SN|ÖNORM|NEN)[\s-])?"
    r"(?:prEN|EN|ENV|ISO|IEC|CEN|ASTM|IEEE|NIST|FIPS|RFC|ANSI|BS|DIN|CISPR|ITU|ETSI)(?:[/\s-](?:EN|ISO|IEC|TR|TS|PAS|SP)){0,4}"
    r"[\s-]?[A-Z]?\.?\d{2,6}(?:[-–.:]\d{1,4}){0,5}(?!\w)"
    r"(?:\s?,(?:(?!\b(?:EN|ISO|IEC)\b)[^;.]){3,90}?\bPart\s\d{1,2}(?:[-–]\d{1,2})+(?!\w))?"
)
_WHERE = r"following|preceding|previous|next|above|foregoing"
_TELLS = (
    r"see|described|given|mentioned|defined|listed|shown|illustrated|indicated|specified|outlined|stated|set\s+out|as"
)
_POINTED = (
    r"figure|table|equation|section|clause|paragraph|article|chapter|annex|part|schedule|rule|policy|expression|formula"
)
_TOKEN = re.compile(
    r"(?<!\w)(?=[\w(])(?:"
    rf"(?P<own>\b(?:[Tt]his|[Tt]hese)\s+(?:{_NOUN}|standard|document)\b)"
    rf"|(?P<other>\b(?:that|those|the\s+said)\s+(?:{_NOUN}|standard|document)\b(?!\s+[A-Z]{{0,2}}\d))"
    rf"|(?P<relative>(?i:\bthe\s+(?:{_WHERE})\s+(?:{_POINTED}|tables|figures|equations|expressions)\b|\bthis\s+(?:{_UNIT})\b"
    rf"|\b(?:{_TELLS})\s+(?:above|below)\b))"
    rf"|(?<![\w.])(?P<unit>(?i:{_UNIT}))(?:(?:(?<=olicy)|(?<=olicies))\s+(?P<code>{_CODED})"
    rf"|(?:\b|(?=\d)|(?<=[a-z])(?=[A-Z](?!\w))){_ABBREVIATED}?{_MARKS}(?:[Nn]o\.\s*)?(?P<place>{_NUMBER}))"
    rf"|(?<![\w/])(?P<standard>{_STANDARD})"
    rf"|(?<!\w)(?P<title>{_TITLE})"
    r"|(?<![\w.])(?P<bare_code>[A-Z]{2,5}\d{1,3}[A-Z]?)(?![\w.]\w|\w)"
    rf"|(?<![\w.])(?P<acronym>[A-Z][A-Z&]{{1,7}})(?!\w)"
    rf"|(?P<bare>(?<![\w.,/$€£=<>+*\-–]){_DEEP}{_END}{_BRACKETS}|(?<=[A-Z]\s)\d{{1,2}}[A-Z]?{_END}{_BRACKETS})"
    rf"|(?<=\s)(?P<inner>\(\s?(?:[A-Z]\.?)?\d{{1,3}}(?:\.\d{{1,3}})*[a-z]?\s?\)(?:\s?P\b)?)"
    r")"
)
_OF_GAP = re.compile(r"\s+(?:of|in)\s+(?:the\s+)?")
_OF_UNIT = re.compile(rf"\s+(?:of|in)\s+(?:the\s+)?(?i:{_UNIT})\s")
_LISTED_ON = re.compile(r"\s*[;,]\s*(?:and\s+)?(?=\d)")
_PLURAL_OF = {UNIT_OF[word]: word for word in sorted(PLURALS)}
_GLUED = re.compile(r"(?P<word>[^\W\d_]+)\d{1,3}")
_LETTERED_UNITS = frozenset(
    {"annex", "part", "schedule", "section", "table", "figure", "exhibit", "chapter", "article"}
)
_BETWEEN = re.compile(
    r"(?P<gloss>\s*\([^()\d][^()]{2,100}\))?\s*(?:,\s*(?:and|or|&)?|and(?:/or)?|or|&|;|\.(?=\s?\(\w+\.\w))"
    r"\s*(?!\d+\s*%)"
)
_UP_TO = re.compile(r"\s*(?:to|through|until|bis|[-–—])\s*")
_UNIT_AGAIN = re.compile(rf"(?P<unit>(?i:{_UNIT}))\b\.?\s*")
_PLACE = re.compile(_NUMBER)
_CODE = re.compile(_CODED)
_LETTERED_ITEM = re.compile(r"(?P<base>\d[\d.]*)(?P<letter>[a-z])\)?")
_NEXT_LETTER = re.compile(r"[b-z](?:\)|(?![\w.]\w|\w))")
_ONLY_BRACKETS = re.compile(rf"(?:\s?{_BRACKET})+(?:\s?P)?")
_OF_MANUAL = re.compile(r"[a-z]+\s?\([1-9]\)")
_BRACKET_PIECE = re.compile(rf"\s?{_BRACKET}(?:\s?P\b)?")


@dataclass(frozen=True, slots=True)
class Item:
    """One place of a list: `number` in full ("3.10.7(g)" for the "(g)" of "3.10.7(f) and (g)"), `until` the end of a
    range."""

    start: int
    end: int
    number: str
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text that names a place or document. `unit`: what the items are, "" for bare numbers; `text` is
    the name of a document or the words of a relative place."""

    kind: TokenKind
    start: int
    end: int
    text: str
    unit: str = ""
    items: tuple[Item, ...] = ()
    nested: bool = False


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens in order; none overlap."""
    position = 0
    before: Token | None = None
    while match := _TOKEN.search(text, position):
        token = _token(text, match)
        position = max(token.end, position + 1)
        if _is_chance(token) or _names_manual_page(text, token):
            continue
        yield token
        listed = _listed_on(text, before, token)
        if listed is not None:
            yield listed
            position = listed.end
        before = listed or token


def _listed_on(text: str, before: Token | None, token: Token) -> Token | None:
    """ "91" behind "paragraphs 66 and 84 of chapter 5;", where it is followed by "of chapter 7"."""
    if before is None or before.kind != "places" or not _OF_GAP.fullmatch(text[before.end : token.start]):
        return None
    word, gap = before.text.split()[0].lower(), _LISTED_ON.match(text, token.end)
    if gap is None or not token.unit or not (word in PLURALS or word[0].isdigit()):
        return None
    first = _PLACE.match(text, gap.end())
    items = () if first is None else tuple(_items(text, first.start(), first[0], _PLURAL_OF[before.unit]))
    if not items or not _OF_UNIT.match(text, items[-1].end):
        return None
    return Token("places", items[0].start, items[-1].end, text[items[0].start : items[-1].end], before.unit, items)


def _names_manual_page(text: str, token: Token) -> bool:
    """The end of a name with the number of its chapter behind it, as manual pages have it: "shorewall-rules(5)"."""
    return token.start > 1 and text[token.start - 1] == "-" and bool(_OF_MANUAL.fullmatch(token.text))


def _is_chance(token: Token) -> bool:
    """A word behind which no number was meant: "rule A person", and "policies17", where the mark of a footnote is."""
    if not token.unit:
        return False
    number = token.items[0].number
    if number.isalpha():
        return token.unit not in _LETTERED_UNITS
    if token.unit == "page" and number.startswith("("):
        return True
    glued = _GLUED.fullmatch(token.text)
    return glued is not None and (glued["word"][0].islower() or glued["word"].lower() in PLURALS)


def _token(text: str, match: re.Match[str]) -> Token:
    start, end = match.span()
    word = match["unit"]
    if word is not None:
        unit = UNIT_OF[word.lower()]
        group = "code" if match["code"] else "place"
        items = tuple(_items(text, match.start(group), match[group], word))
        return Token("places", start, items[-1].end, text[start : items[-1].end], unit, items, word.lower() in NESTED)
    if match["bare"] is not None:
        items = tuple(_items(text, start, match["bare"], ""))
        return Token("bare", start, items[-1].end, text[start : items[-1].end], "", items)
    if match["inner"] is not None:
        return Token("inner", start, end, match.group(), "", (Item(start, end, match.group()),))
    if match["bare_code"] is not None:
        return Token("code", start, end, match.group(), "policy", (Item(start, end, match.group()),))
    for kind in ("own", "other", "relative", "acronym"):
        if match[kind] is not None:
            return Token(kind, start, end, match.group())
    return Token("document", start, end, match.group())


def _items(text: str, start: int, first: str, word: str) -> Iterator[Item]:
    """The places of a list that starts here. A list goes on with numbers of the same form: "4.1, 4.3 and (b)"."""
    item = Item(start, start + len(first), first)
    while True:
        range_gap = _UP_TO.match(text, item.end)
        last = _next_place(text, range_gap, item, word) if range_gap else None
        if last is not None and item.until is None:
            item = Item(item.start, last.end, item.number, last.number)
            continue
        gap = _BETWEEN.match(text, item.end)
        following = _next_place(text, gap, item, word) if gap else None
        yield item
        if following is None:
            return
        item = following


def _next_place(text: str, gap: re.Match[str] | None, before: Item, word: str) -> Item | None:
    if gap is None or gap.end() == gap.start():
        return None
    start = gap.end()
    again = _UNIT_AGAIN.match(text, start)
    if again is not None:
        if not word or UNIT_OF[again["unit"].lower()] != UNIT_OF[word.lower()]:
            return None
        start = again.end()
    listed = _next_letter(text, start, before)
    if listed is not None:
        return listed
    match = (_CODE if _CODE.fullmatch(before.number) and word.lower().startswith("polic") else _PLACE).match(
        text, start
    )
    if match is None:
        return None
    number, base = match.group(), before.until or before.number
    if _ONLY_BRACKETS.fullmatch(number):
        if ";" in gap.group() or gap.groupdict().get("gloss") or "(" not in base:
            return None
        number = _with_last_brackets(base, number.strip())
    elif not _same_form(number, base, is_plural=word.lower() in PLURALS, again=again is not None):
        return None
    return Item(start, match.end(), number)


def _next_letter(text: str, start: int, before: Item) -> Item | None:
    """ "b" behind "paragraph 234a,"."""
    lettered, letter = _LETTERED_ITEM.fullmatch(before.number), _NEXT_LETTER.match(text, start)
    if lettered is None or letter is None or letter[0] <= lettered["letter"]:
        return None
    return Item(start, letter.end(), lettered["base"] + letter[0])


def _same_form(number: str, before: str, *, is_plural: bool, again: bool) -> bool:
    """A list goes on with a dotted number after a dotted one, "78b" after "78a", a plain one only under a plural."""
    if again:
        return True
    alike = ("." in number and "." in before) or bool(
        _LETTERED_ITEM.fullmatch(number) and _LETTERED_ITEM.fullmatch(before)
    )
    return alike or (is_plural and number[0].isdigit() == before[0].isdigit())


def _with_last_brackets(base: str, brackets: str) -> str:
    """ "3.19.3(b)(i)" and "(ii)" give "3.19.3(b)(ii)", "(2)(c)" and "(3)" give "(3)": what is exchanged starts at the
    last bracket that counts in the same way."""
    pieces = list(_BRACKET_PIECE.finditer(base))
    alike = [piece for piece in pieces if _counts_like(piece.group(), brackets)]
    kept = base[: (alike or pieces)[-1].start()]
    return kept + brackets


def _counts_like(bracket: str, other: str) -> bool:
    """Both hold a number, or both letters of the same case."""
    one, two = bracket.strip(" (")[0], other.strip(" (")[0]
    return one.isdigit() == two.isdigit() and one.isupper() == two.isupper()


_SHORT = re.compile(r"\(\s*[\"“”'‘]*(?:the\s+)?[\"“”]?([A-Z][A-Za-z&]{1,9})[\"“”'’]*\s*\)")
_YEAR_AT_END = re.compile(r"(?<!\s)\s++(?:of\s++)?\(?(?:19|20)\d\d\)?$|:\s?(?:19|20)\d\d$")
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
    yield normal_name(_YEAR_AT_END.sub("", plain))


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
