"""The noun phrases of a question, its subject first, and the names in it: identifiers, codes, quoted words.

No parser is asked: questions are short, and what parts their phrases are words that are known (articles, prepositions,
auxiliaries). Where a verb follows its subject without any, its form tells ("load applies", "values apply").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from pincite.answer.words.vocabulary import MODALS
from pincite.text.language import FUNCTION_WORDS

QUESTION_WORDS = frozenset("what which who whom whose when where why how".split())
TO_BE = frozenset("is are was were be been being".split())
TO_DO = frozenset("do does did".split())
AUXILIARIES = TO_BE | TO_DO | frozenset("has have had".split()) | MODALS - {"need"}
PREPOSITIONS = frozenset(
    "in on of for at by to with from about above below under over per between during within without before after "
    "against since until through near into as than".split()
)
DETERMINERS = frozenset("the a an my our your each every any all this that these those some no".split())
IMPERATIVES = frozenset("compare define describe explain find give list name show summarise summarize tell".split())
STOPS = FUNCTION_WORDS["en"] | frozenset(["i"]) | QUESTION_WORDS | AUXILIARIES | PREPOSITIONS | DETERMINERS
_PARTICIPLES = frozenset(
    "kept held made sold built sent paid done set put cut laid lost won met bought brought left found told born".split()
)
_OWNING = frozenset("of for on".split())
_KEPT_ARTICLES = frozenset("my our your each every any all".split())
_WORD = re.compile(r"[^\s?!.,;:]+(?:[.,]\d+)*")


def topics_of(question: str) -> list[str]:
    """The noun phrases of a question that are no names, with their articles, the subject first."""
    return _Words(question).topics()


def opening_run(sentence: str) -> str:
    """The words with which a sentence opens, up to a stop ("Cracks in the slab.")."""
    words = _Words(sentence)
    return " ".join(words.typed[: words.end_of_run(0)])


def is_several(phrase: str) -> bool:
    """Whether a noun phrase is in the plural, by its head."""
    return _is_plural(head_of(phrase).casefold())


def head_of(phrase: str) -> str:
    """The noun of a noun phrase: "width" of "the maximum width of an escape route"."""
    words = phrase.split()
    end = _first(range(1, len(words)), lambda index: words[index] in _OWNING)
    return " ".join(words[:end]).rpartition(" ")[2]


class _Words:
    """The words of a question as typed and in lower case. A run is a stretch of them `[begin, end)` without a stop."""

    def __init__(self, question: str) -> None:
        self.typed = _WORD.findall(question)
        self.lower = [word.casefold() for word in self.typed]

    def topics(self) -> list[str]:
        lower = self.lower
        how_many = lower[:2] in (["how", "many"], ["how", "much"])
        begin = 2 if how_many else 1 if lower[:1] in (["which"], ["what"]) else 0
        if begin == 0 or self._is_stop(begin):
            return self._unasked()
        end = self._end_without_verb(begin, self.end_of_run(begin))
        owned = self._end_of_owner(end)
        kind, rest = self._said("the", begin, owned), self._with_articles(owned)
        behind = [*lower[end : end + 2], "", ""]
        if rest and behind[0] in TO_BE and behind[1] in DETERMINERS:
            return [f"{kind} of {rest[0]}", *rest[1:]]
        if behind[0] in TO_DO and lower[-1] == "have":
            return [self._said(f"{kind} of", end + 1, len(lower) - 1)]
        return [*rest, kind] if how_many and behind[0] in TO_DO else [kind, *rest]

    def _unasked(self) -> list[str]:
        """Those of a question that asks for none of a kind: what stands without an article behind the verb that opens
        it ("What does write-ahead logging do"), then those with articles."""
        lower = self.lower
        verb = _first(range(len(lower)), lambda index: lower[index] in AUXILIARIES | IMPERATIVES)
        if lower[:1] == ["who"]:
            begin = 3 if lower[1:2] and lower[1] in AUXILIARIES - TO_BE else 2
            end = self.end_of_run(begin)
        else:
            begin = len(lower) if verb is None else verb + 1
            end = self._end_without_verb(begin, self.end_of_run(begin))
        if verb == 0 and lower[0] in TO_BE and end == len(lower) and end - begin > 1:
            end -= 1
        is_subject = end > begin and not self._is_name(begin, end) and not lower[end - 1].endswith("ed")
        subject = [self._said("", begin, self._end_of_owner(end))] if is_subject else []
        return [*subject, *self._with_articles(0)]

    def _with_articles(self, start: int) -> list[str]:
        """Those from a place on that open with an article or the like."""
        found, done = list[str](), start
        for place in range(start, len(self.lower)):
            if place < done or self.lower[place] not in DETERMINERS:
                continue
            end = self._end_without_verb(place + 1, self.end_of_run(place + 1))
            if end > place + 1 and not self._is_name(place + 1, end):
                done = self._end_of_owner(end, is_object=self._is_object(place))
                article = self.lower[place] if self.lower[place] in _KEPT_ARTICLES else "the"
                found.append(self._said(article, place + 1, done))
        return found

    def _said(self, article: str, begin: int, end: int) -> str:
        return " ".join([*filter(None, [article]), *self.typed[begin:end]])

    def _is_stop(self, index: int) -> bool:
        return index >= len(self.lower) or self.lower[index] in STOPS

    def _is_name(self, begin: int, end: int) -> bool:
        return all(word[0].isupper() or word[0].isdigit() for word in self.typed[begin:end])

    def _is_object(self, article: int) -> bool:
        """Whether a verb stands right before the article at this place."""
        return article > 1 and not self._is_stop(article - 1)

    def end_of_run(self, begin: int) -> int:
        found = _first(range(begin, len(self.lower)), self._is_stop)
        return max(begin, len(self.lower)) if found is None else found

    def _end_without_verb(self, begin: int, end: int) -> int:
        """Where a run ends without the verb at its end or in it, which no stop parts from its subject."""
        if end - begin < 2:
            return end
        helper = next((word for word in reversed(self.lower[:begin]) if word in AUXILIARIES), None)
        if helper is None:
            verb = _first(range(begin + 1, end), self._may_be_verb)
            is_helped = end < len(self.lower) and self.lower[end] in AUXILIARIES
            return end if verb is None or is_helped else verb
        if helper in TO_BE:
            return end - self._is_participle(end - 1)
        return end if self._is_object(begin - 1) or self._goes_on(end) else end - 1

    def _is_participle(self, index: int) -> bool:
        return self.lower[index].endswith(("ed", "en")) or self.lower[index] in _PARTICIPLES

    def _goes_on(self, end: int) -> bool:
        """Whether behind a run there is what keeps its last word from being a verb."""
        return self.lower[end : end + 1] in (["be"], ["of"])

    def _end_of_owner(self, start: int, *, is_object: bool = False) -> int:
        """Where the words end behind a noun that say whose or which it is ("of the partial factor", "on the loan")."""
        if start >= len(self.lower) or self.lower[start] not in _OWNING:
            return start
        has_article = start + 1 < len(self.lower) and self.lower[start + 1] in DETERMINERS
        begin = start + 1 + has_article
        end = self.end_of_run(begin)
        if end == begin:
            return start
        helper = next((word for word in reversed(self.lower[:start]) if word in AUXILIARIES), None)
        if helper is not None and end - begin > 1 and not is_object:
            ends_in_verb = self._is_participle(end - 1) if helper in TO_BE else not self._goes_on(end)
            if ends_in_verb:
                return end - 1
        return self._end_of_owner(end, is_object=is_object)

    def _may_be_verb(self, index: int) -> bool:
        """Whether a word goes with the one before it as a verb does ("load applies", "values apply", "walls fell")."""
        word = self.lower[index]
        return _is_plural(self.lower[index - 1]) or _is_plural(word) or word.endswith("ed")


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _first(places: Iterable[int], fits: Callable[[int], bool]) -> int | None:
    return next(filter(fits, places), None)


MOST_QUOTED = 6
"""More words in quotation marks are somebody's sentence, and not a name. By eye, not measured."""
_QUOTED = re.compile(r"[“\"‘'](?P<name>[^“”\"‘’']{2,60})[”\"’'](?!\w)")


# Words joined by underscores, options ("-B", "--jobs"), letters with numbers behind them ("S275", "AB-12/4").
_IDENTIFIER = re.compile(r"(?<![\w-])(?:--?[a-z][\w-]*|\w*[^\W_]_\w+|[^\W\d_]{1,12}[-./]?\d[\w./-]*)(?![\w-])", re.I)


# Periods ("FY22", "mid-2023") and places ("p.3").
_NO_IDENTIFIER = re.compile(r"(?:FY|Q|H|CY|p|pp|sec|fig|no)[-.]?\d[\d./-]*|(?-i:[a-z]+)[-.]\d[\d.-]*", re.I)


_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")
_LONG_CAPITALS = re.compile(r"(?<![\w-])[A-Z]{3,}(?![\w-])")
_OF_ONE_CASE = re.compile(r"[A-Z]{3,}|-[A-Za-z]")


def identifiers_in(question: str) -> tuple[str, ...]:
    """The identifiers and codes of a question, as typed; periods and places are none."""
    found = (match.group().rstrip(".-/") for match in _IDENTIFIER.finditer(question))
    return tuple(dict.fromkeys(name for name in found if not _NO_IDENTIFIER.fullmatch(name)))


def codes_in(question: str) -> tuple[str, ...]:
    """Its identifiers, and its words of three capitals and more, where not all of it is in capitals."""
    capitals = () if question.isupper() else _LONG_CAPITALS.findall(question)
    names = [name for name in capitals if name.casefold() not in FUNCTION_WORDS["en"]]
    return tuple(dict.fromkeys((*identifiers_in(question), *names)))


def stands_in(name: str, text: str) -> bool:
    """Whether an identifier stands in a text and not as a part of a longer one; its own white space aside, and its
    case where it is more than capitals or a letter behind a hyphen ("-A")."""
    spread = r"[\s_.-]?".join(map(re.escape, name)) if "_" not in name else re.escape(name)
    return bool(re.search(rf"(?<![\w-]){spread}(?!\w)", text, 0 if _OF_ONE_CASE.fullmatch(name) else re.I))


def quoted_in(question: str) -> tuple[str, ...]:
    """The words in quotation marks."""
    found = (match["name"].strip() for match in _QUOTED.finditer(question))
    return tuple(dict.fromkeys(name for name in found if 0 < len(name.split()) <= MOST_QUOTED))


def is_symbol(word: str) -> bool:
    """Whether a word is typed in capitals and would be a small word in small letters."""
    return bool(_CAPITALS.fullmatch(word)) and word.casefold() in FUNCTION_WORDS["en"]
