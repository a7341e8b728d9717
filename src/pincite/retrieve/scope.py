"""Documents that a question takes in or leaves out in its own words ("based on the 2024 handbook", "not counting the
minutes"), by their file names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from pincite.printing import printed_name
from pincite.records.questions import Filter
from pincite.text.language import FUNCTION_WORDS

MOST_WORDS = 8
"""Words of a description of documents; a bound."""
MOST_TOLD = 5
"""Documents that are named as taken in or left out."""
SEAM = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)")
"""Where the words of a file name meet: a sign, a small letter before a capital, a letter beside a digit."""

_KIND = frozenset("file document version edition issue copy".split())
_LATEST = frozenset("latest newest current recent".split())
_SMALL = FUNCTION_WORDS["en"] | {"dated", "year"}
_ONLY = r"(?:(?:only|solely|just)\s+)"
_SAY = r"(?:say|tell|mention|state|write|report|specify)\b"
# Such words open a sentence or stand behind a comma; "excluding" and the like may stand anywhere.
_OPENING = r"(?:^|(?<=[.?!;:,(]\s)|(?<=[(–—-]))(?:please\s+)?(?:but\s+|and\s+)?"
_LEAVES_OUT = re.compile(
    r"(?:\b(?:(?:according\s+to|in|from|using)\s+)?(?:(?:all|any|the|other)\s+){0,3}(?:documents|files|sources|everything)\s+"
    r"(?:except(?:\s+for)?|apart\s+from|other\s+than|but)"
    rf"|{_OPENING}(?:ignore|disregard|exclude|omit|skip|(?:leave|set)\s+(?:out|aside)"
    r"|(?:do\s+not|don['’]t|never)\s+(?:use|count|consider|include|cite|look\s+(?:in|at)))"
    rf"|{_OPENING}(?:leav(?:e|ing)|set(?:ting)?)(?=\s[^,;:?!]{{1,60}}\s(?:aside|out)\b)"
    r"|\b(?:ignoring|disregarding|excluding|omitting|skipping|(?:leaving|setting)\s+(?:out|aside)"
    r"|(?:not|without)\s+(?:using|counting|considering|including|citing|looking\s+(?:in|at)))"
    r"|,?\s(?:(?:and|but)\s+not|rather\s+than|instead\s+of)(?:\s+(?:in|from|by|(?:according\s+)?to))?(?=\sthe\s))\s+",
    re.I,
)
_LEAVES_OUT_FILE = re.compile(
    r"\b(?:with\s+the\s+exception\s+of|except(?:\s+for)?|apart\s+from|other\s+than|but\s+not|not\s+(?:in|from|by))\s+",
    re.I,
)
_TAKES_IN = re.compile(
    rf"(?:{_OPENING}(?:us(?:e|ing)\s+{_ONLY}?|(?:only\s+use|(?:answer|look(?:ing)?|going)\s+{_ONLY}?(?:from|by|in|at))\s+|(?:in|from|by|per|for|under)\s+)"
    rf"|\b(?:using\s+{_ONLY}|(?:based|relying)\s+{_ONLY}?on\s+|(?:according|restricted|limited)\s+to\s+|as\s+per\s+"
    rf"|{_ONLY}(?:in|from|by)\s+))",
    re.I,
)
# A document has an article, a capital or a number ("in the lease"); what has none is a thing ("in white space").
_CLOSES = re.compile(
    r"(?<=[\w,])(?<!differ)(?<!differs)(?<!different)\s(?:in|from|by|per)\s+"
    r"(?=(?:the|our)\s|(?-i:[^,;:?]*[A-Z\d]))(?=[^,;:?]*\W*$)",
    re.I,
)
_OF_IT = re.compile(r"['’]s?(?!\w)")
_SAYS_ABOUT = re.compile(rf"^what (?:does|do|did) it {_SAY} (?:about|of|on|regarding|concerning)\s+", re.I)
_ASKS_WHAT = re.compile(rf"\b(?:does|do|did)\s+(?=.{{1,80}}\b{_SAY})", re.I)
_BEFORE_NAME = re.compile(r"[\"'“‘(]*(?:(?:the|our)\s+)?[\"'“‘(]*", re.I)
_WORD = re.compile(r"[\w(\[](?:[\w.’'&/()\[\]-]*[\w\])])?")
_AND = re.compile(r",?\s+(?:and|or|nor)\s+", re.I)
_BEHIND_NAME = re.compile(r"[\"'”’)]*(?:\s+(?:only|alone|aside|out))?[\"'”’)]*(?=\s*(?:[,.:;?!]|$))", re.I)
_BEFORE_SAYING = re.compile(rf"(?=\s+{_SAY})", re.I)
_LEADS_TO_FILE = r"(?:\b(?:according to|as per|in|from|of|by|per|see)\s+)?(?:the\s+)?(?:(?:file|document)\s+)?[\"'“‘(]?"

Known = tuple[str, ...]


def with_scope(wanted: Filter, text: str, source_ids: Callable[[], Collection[str]]) -> tuple[Filter, str]:
    """The filter with the documents that a text includes and excludes, and the text without the words for it. A
    description matches the documents whose paths contain all its words, at least one of them not a number; with
    "newest" it matches the one with the highest numbers. Where it matches none or all, it is no description."""
    leads = (_LEAVES_OUT, _LEAVES_OUT_FILE, _TAKES_IN, _CLOSES, _ASKS_WHAT)
    if "." not in text.rstrip(".") and not any(lead.search(text) for lead in leads):
        return wanted, text
    known = tuple(sorted(source_ids()))
    left_out, text = _taken_out(text, _LEAVES_OUT, partial(_described, known))
    files, text = _taken_out(text, _LEAVES_OUT_FILE, partial(_called, known))
    without = dict.fromkeys(map(literal_pattern, sorted({*left_out, *files})))
    wanted = replace(wanted, without=(*wanted.without, *without))
    if wanted.sources:
        return wanted, text
    taken, text = _taken_out(text, _TAKES_IN, partial(_described, known))
    named, text = _named_files(text, known)
    closing, text = _taken_out(text, _CLOSES, partial(_described, known, least=2))
    subject, text = _taken_out(text, _ASKS_WHAT, partial(_described, known), behind=_BEFORE_SAYING, instead="it")
    text = _SAYS_ABOUT.sub("", text) if subject else text
    sources = dict.fromkeys([*named, *sorted({*taken, *closing, *subject})])
    return replace(wanted, sources=tuple(map(literal_pattern, sources))), text


def scope_notices(wanted: Filter, given: Filter) -> list[str]:
    """What a question took in and left out beside the filter that was given, in words."""
    taken = _plain_names(wanted.sources, given.sources)
    left_out = _plain_names(wanted.without, given.without)
    return [
        *([f"as the question says, only {taken} was searched"] if taken else []),
        *([f"as the question says, {left_out} was left out"] if left_out else []),
    ]


def literal_pattern(source_id: str) -> str:
    """A source id as a pattern of a filter that matches it alone."""
    return re.sub(r"([*?\[])", r"[\1]", source_id)


def _plain_names(patterns: Sequence[str], given: Sequence[str]) -> str:
    names = [printed_name(re.sub(r"\[([*?\[])\]", r"\1", item)) for item in patterns if item not in given]
    more = [f"{len(names) - MOST_TOLD} more"] if len(names) > MOST_TOLD else []
    return ", ".join([*names[:MOST_TOLD], *more])


def _taken_out(
    text: str,
    lead: re.Pattern[str],
    find: Callable[[str], Collection[str]],
    behind: re.Pattern[str] = _BEHIND_NAME,
    instead: str = "",
) -> tuple[list[str], str]:
    """The documents that are described behind a lead, and the text without both; `instead` stands for them alone."""
    sources: list[str] = []
    position = 0
    while match := lead.search(text, position):
        end, found = _descriptions(text, match.end(), find, behind)
        position = match.end()
        if found:
            sources += found
            before = f"{text[: match.end()]}{instead}" if instead else text[: match.start()].rstrip(" ,;:(–—-")
            rest = text[end:] if instead or match.start() else re.sub(r"^[\s,.:;)–—-]+", " ", text[end:])
            text, position = f"{before}{rest}".strip(), len(before)
    return sources, text


def _descriptions(
    text: str, start: int, find: Callable[[str], Collection[str]], behind: re.Pattern[str]
) -> tuple[int, list[str]]:
    """Where the descriptions that stand at a place of a text, joined by "and", end, and the documents that they fit; of
    each the longest that fits any."""
    sources: list[str] = []
    end: int | None = start
    while end is not None:
        opening = _BEFORE_NAME.match(text, end)
        first = opening.end() if opening else end
        last, end = end, None
        for stop in reversed(_ends_of_words(text, first)):
            closing, joined = behind.match(text, stop), _AND.match(text, stop)
            found = find(text[first:stop]) if closing or joined else ()
            if found:
                sources += found
                if closing or joined is None:
                    return closing.end() if closing else stop, sources
                last, end = stop, joined.end()
                break
    return last, sources


def _ends_of_words(text: str, start: int) -> list[int]:
    ends: list[int] = []
    while len(ends) < MOST_WORDS and (match := _WORD.match(text, start)):
        ends.append(match.end())
        start = match.end() + 1
    return ends


def _described(known: Known, description: str, least: int = 1) -> Collection[str]:
    """The documents that a description fits, which has as many words or a number among them."""
    if files := _called(known, description):
        return files
    words = _words(description) - _SMALL
    telling = words - _KIND - _LATEST
    named = telling if words & _KIND else {word for word in telling if not word.isdigit()}
    if not named or (len(telling) < least and not any(map(str.isdigit, description))):
        return ()
    held = [_by_word(known).get(word, frozenset()) for word in telling]
    fitting = frozenset.intersection(*held)
    if words & _LATEST and fitting:
        return [max(sorted(fitting), key=lambda source: [int(digits) for digits in re.findall(r"\d+", source)])]
    return sorted(fitting) if len(fitting) < len(known) else ()


def _called(known: Known, name: str) -> Collection[str]:
    """The documents of this path or file name."""
    return _by_name(known).get(name.casefold(), ())


@lru_cache(maxsize=4)
def _by_word(known: Known) -> Mapping[str, frozenset[str]]:
    found = defaultdict[str, set[str]](set)
    for source_id in known:
        for word in _words(re.sub(r"(?<=\w)\.[A-Za-z][A-Za-z0-9]{1,4}$", "", source_id)):
            found[word].add(source_id)
    return {word: frozenset(sources) for word, sources in found.items()}


@lru_cache(maxsize=4)
def _by_name(known: Known) -> Mapping[str, list[str]]:
    found = defaultdict[str, list[str]](list)
    for source_id in known:
        for name in {source_id.casefold(), source_id.casefold().rpartition("/")[2]}:
            found[name].append(source_id)
    return found


def _words(text: str) -> frozenset[str]:
    """The words of a text or a path, without the "s" of a plural or behind an apostrophe."""
    words = (word.casefold() for word in SEAM.split(_OF_IT.sub("", text)) if word)
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words)


def _named_files(text: str, known: Known) -> tuple[list[str], str]:
    """The files that a text names anywhere, and the text without them; of names that overlap the longest."""
    by_name, sources = _by_name(known), list[str]()
    for name in sorted(by_name, key=lambda name: (-len(name), name)):
        if "." in name and name in text.casefold():
            pattern = rf"{_LEADS_TO_FILE}(?<![\w.-]){re.escape(name)}(?![\w-])[\"'”’)]?(?:['’]?s\b)?[,:]?"
            bare = re.sub(pattern, " ", text, flags=re.I)
            sources += by_name[name] if bare != text else []
            text = bare
    return sources, text
