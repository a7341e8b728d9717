"""The tokens of the keyword index: folded, stemmed by language, bigrams where a script has no spaces."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pincite.text.language import FUNCTION_WORDS, detect_language
from pincite.text.looks import LOWERED, RAISED
from pincite.text.spelling import one_spelling

_PREFIXES = "ושהבכלמ"
_ENDINGS = ("יהם", "יות", "ותי", "ים", "ות", "ית", "יו", "יה", "ה", "ת", "י", "ו")
_LEAST_LETTERS = 3
_MOST_PREFIXES = 3
_FINAL = str.maketrans("ךםןףץ", "כמנפצ")


def stem_hebrew(word: str) -> str:
    """Without the letters in front that are words of their own ("and", "the", "in", "from"), and without its ending.

    At least three letters stay; final letters become plain ones.
    """
    for _ in range(_MOST_PREFIXES):
        if word[0] not in _PREFIXES or len(word) <= _LEAST_LETTERS:
            break
        word = word[1:]
    ending = next((item for item in _ENDINGS if word.endswith(item) and len(word) - len(item) >= _LEAST_LETTERS), "")
    return word.removesuffix(ending).translate(_FINAL)


_SNOWBALL = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sv": "swedish",
}
_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_DASHES = "-–−"
_OPTION = rf"[{_DASHES}](?<![^\s(\[{{<|,/=`'\"“‘].)[{_DASHES}]?[a-z]\w*(?:-\w+)*"
_CODE_END = r"\d*(?:(?<=\d)[a-z]+\d*\b)?"
_CODE_HEAD = re.compile(r"[^\W\d_]+\d+(?=[a-z])")
_TOKEN = re.compile(rf"[{_UNSPACED}]+|\d+(?:[.,]\d+)*|{_OPTION}|[^\W\d_{_UNSPACED}]+(?:[’'][^\W\d_]+)?{_CODE_END}")
_ASCII_TOKEN = re.compile(rf"[a-z]+(?:'[a-z]+)?{_CODE_END}|\d+(?:[.,]\d+)*|{_OPTION}")
_FIRST_UNSPACED = _UNSPACED[0]
_STARTS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_VOWEL_SIGNS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
_ARABIC_AND = re.compile("^[وف](?=ال..)")
_THOUSANDS = re.compile(r"(\d(?<![\d.,]\d)\d{0,2})((?:[ \u00a0\u202f]\d{3})+)(?!\d)")
_BEFORE_RAISED = re.compile(rf"(?:(?<=\d)|(?<=[^\W\d_{RAISED}{LOWERED}]{{4}}))(?=[{RAISED}{LOWERED}])")
"""Where a power or the mark of a note begins; behind few letters it belongs to a unit or a formula: m², H₂O."""
KEPT_STEMS = 8192
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def tokenise(text: str, language: str | None, *, without: frozenset[str] = frozenset()) -> list[str]:
    """The tokens of `text` in order, function words and the words `without` left out, stems in a language that
    Snowball knows. Words whose language cannot be told (of a small table, mostly) are stemmed as English ones.

    Numbers are folded: "0,4" and "0.4", "1 500", "1,500" and "1500" give the same token. So do "m²" and "m2"; a raised
    number behind another, or behind a word, is a token of its own. Options of commands ("-B", "--jobs") and codes with
    letters behind their digits ("S275JR") are tokens as a whole, too.
    """
    folded = _fold(text)
    stem = _stemmer(language or "en")
    function_words = FUNCTION_WORDS.get(language or "", frozenset()) | without
    tokens: list[str] = []
    for token in (_ASCII_TOKEN if folded.isascii() else _TOKEN).findall(folded):
        if token in function_words:
            continue
        if token[0] >= _FIRST_UNSPACED and _STARTS_UNSPACED.match(token):
            tokens.extend(_bigrams(token))
        elif token.isalpha():
            tokens.append(stem(token))
        elif token[0].isdigit():
            tokens.append(fold_number(token))
        else:
            tokens.extend(_named(token, stem))
    return tokens


def _named(token: str, stem: Callable[[str], str]) -> list[str]:
    """An option of a command and a code as a whole, behind it the words of the one and what the other begins with; any
    other word as its stem."""
    if token[0] in _DASHES:
        name = token.lstrip(_DASHES)
        words = name.replace("_", "-").split("-")
        return [f"-{name}", *(stem(word) for word in words if len(name) > 1 and word)]
    head = _CODE_HEAD.match(token)
    return [stem(token)] if head is None else [token, stem(head.group())]


def tokenise_for(text: str, languages: Iterable[str | None]) -> list[str]:
    """The tokens of a question for a store that holds these languages: each token once, in order of appearance.

    The question's own function words are left out in each of them: an English "the" is no German word.
    """
    return list(_tokens_for(text, tuple(sorted(set(languages), key=str))))


@lru_cache(maxsize=4096)
def _tokens_for(text: str, languages: tuple[str | None, ...]) -> tuple[str, ...]:
    """Kept, since the words of a question are asked for again and again while it is answered."""
    own = FUNCTION_WORDS.get(detect_language(text) or "", frozenset())
    found = (token for language in languages for token in tokenise(text, language, without=own))
    return tuple(dict.fromkeys(found))


def folded_words(text: str) -> list[str]:
    """The words of `text` in order, in one spelling of their letters, unstemmed; numbers are left out."""
    found = (token.lstrip(_DASHES) for token in _TOKEN.findall(_fold(text)))
    return [word for word in found if not (word[0].isdigit() or _STARTS_UNSPACED.match(word))]


def fold_number(token: str) -> str:
    """One spelling for a number: "1,500" -> "1500", "0,4" -> "0.4", "5.3.2" as it is."""
    if _GROUPED.fullmatch(token):
        return token.replace(",", "")
    return token.replace(",", ".")


def _fold(text: str) -> str:
    if text.isascii():
        text = text.casefold()
    else:
        plain = unicodedata.normalize("NFKC", _BEFORE_RAISED.sub(" ", text))
        text = _VOWEL_SIGNS.sub("", plain.casefold())
    return _THOUSANDS.sub(lambda match: re.sub(r"\D", "", match.group()), text)


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=32)
def _stemmer(language: str) -> Callable[[str], str]:
    """A function from word to stem, its possessive left out and English in one spelling; it keeps the stems of words
    that come again."""
    stem = _snowball(language)
    spelled = one_spelling if language == "en" else str

    @lru_cache(maxsize=KEPT_STEMS)
    def stemmed(word: str) -> str:
        own = spelled(word[:-2] if word.endswith(("’s", "'s")) else word)
        return stem(own) or own  # Snowball leaves nothing of some words (Greek "ίδιο")

    return stemmed


def _snowball(language: str) -> Callable[[str], str]:
    """The word itself where Snowball has no stemmer for the language."""
    import Stemmer

    if language == "he":
        return stem_hebrew
    name = _SNOWBALL.get(language)
    stem: Callable[[str], str] = Stemmer.Stemmer(name).stemWord if name in Stemmer.algorithms() else str
    return (lambda word: stem(_ARABIC_AND.sub("", word))) if language == "ar" else stem


BYTES = 8
KEPT = 16_384
"""Digests of strings that mostly come again: the words of a language."""


def hashes_of(strings: Iterable[str]) -> NDArray[np.uint64]:
    """The first eight bytes of the BLAKE2b digest of each string, as one array."""
    return np.frombuffer(b"".join(map(_digest, strings)), "<u8").astype(np.uint64)


@lru_cache(maxsize=KEPT)
def _digest(string: str) -> bytes:
    return hashlib.blake2b(string.encode("utf-8", "surrogatepass"), digest_size=BYTES).digest()
