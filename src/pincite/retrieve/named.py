"""Documents that a question names by their file names ("3M" and `3M_2018_10K.pdf`): searched first, not alone."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePosixPath

from pincite.records import Filter, Retrieval, RetrievalPolicy
from pincite.retrieve.candidates import SearchSpace
from pincite.retrieve.query import literal_pattern
from pincite.retrieve.search import search
from pincite.text.language import FUNCTION_WORDS

MOST_WORDS = 4
"""Of a name in the question that opens a file's name; longer ones open with these. By eye."""
LEAST_PREFIX = 3
"""Letters: two are an abbreviation that many files open with."""
FROM_OTHERS = 3
"""Results of other documents among the first, in case the named one is not meant. By eye, not measured."""
LEAST_ABBREVIATION = 4
"""Letters of a blend: it has two parts of two letters or more ("AMEX")."""
LEAST_BLENDED = 2
"""Letters of the first part of a blend: one opens a file in every folder."""

_WORD = re.compile(r"[A-Z\d][\w.-]*")
_ABBREVIATION = re.compile(r"\b[A-Z](?:n|&)[A-Z]\b|\b[A-Z]{4,6}\b")
_FISCAL_YEAR = re.compile(r"\bFY\s?((?:19|20)\d\d)\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
# Words that begin with a capital where a sentence begins, or that name a part of any document, and no document.
_COMMON = FUNCTION_WORDS["en"] | frozenset(
    "am also annex answer appendix article calculate chapter clause compare could define describe does each equation "
    "every explain figure find give has here list name need page paragraph part please policy same say section show "
    "some state summarise table tell why would january february march april june july august september october "
    "november december".split()
)
# Where the words of a file name meet: a sign, a small letter before a capital, a letter beside a digit.
_SEAM = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)")


def named_sources(question: str, source_ids: Iterable[str]) -> tuple[str, ...]:
    """The ids of the documents whose file names open with the words of a name of the question; of names that overlap,
    the longest that fits counts. Where none does, an abbreviation in capitals counts: "BnB" for `Birch_Boats.pdf`,
    "AMEX" for `AmericanExpress_2022.pdf`."""
    openings = _openings(tuple(source_ids))
    used: list[str] = []
    found: set[str] = set()
    for name in _names(question):
        fitting = _opening_with(name, openings)
        if fitting and not any(name in longer for longer in used):
            used.append(name)
            found.update(fitting)
    return tuple(sorted(found)) or _abbreviated(question, openings)


@lru_cache(maxsize=4)
def _openings(source_ids: tuple[str, ...]) -> list[tuple[str, str]]:
    """(file name without signs, source id), ascending; kept, since all questions to a generation ask for the same."""
    return sorted((_squeezed(PurePosixPath(source_id).stem), source_id) for source_id in source_ids)


def _opening_with(name: str, openings: Sequence[tuple[str, str]]) -> list[str]:
    behind = openings[bisect_left(openings, (name, "")) :]
    found = takewhile(lambda item: item[0].startswith(name), behind)
    return [source_id for _, source_id in found if _ends_a_word(name, source_id)]


@lru_cache(maxsize=4096)
def _ends_a_word(name: str, source_id: str) -> bool:
    """Whether a file name goes on with another word behind a name: "can" opens no `Canada.pdf`. In a file name of
    capitals, where no words show, three letters are enough (`BESTBUY.pdf`)."""
    stem = PurePosixPath(source_id).stem
    words = [word for word in _SEAM.split(stem) if word]
    if words and words[0].isupper() and len(name) >= LEAST_PREFIX and _squeezed(words[0]).startswith(name):
        return True
    return any(_squeezed("".join(words[:count])) == name for count in range(1, len(words) + 1))


def _abbreviated(question: str, openings: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The documents that the first abbreviation that fits any stands for."""
    for name in _ABBREVIATION.findall(question):
        letters = re.sub(r"[^A-Z]", "", name).casefold()
        initials = [source_id for _, source_id in openings if _initials(source_id).startswith(letters)]
        blended = [source_id for opening, source_id in openings if _is_blend(letters, opening)]
        if found := initials if "&" in name or "n" in name else blended:
            return tuple(sorted(found))
    return ()


@lru_cache(maxsize=4096)
def _initials(source_id: str) -> str:
    words = re.split(r"[\W_]+", PurePosixPath(source_id).stem)
    return "".join(word[0] for word in words if word.isalpha()).casefold()


def _is_blend(letters: str, opening: str) -> bool:
    """Whether a name opens with two of these letters or more and has the others, together, behind them."""
    name = re.sub(r"\d.*", "", opening)
    cuts = range(LEAST_BLENDED, len(letters) - 1) if len(letters) >= LEAST_ABBREVIATION else ()
    return any(name.startswith(letters[:cut]) and letters[cut:] in name[cut:] for cut in cuts)


def search_naming(
    space: SearchSpace, question: str, policy: RetrievalPolicy, given: Filter, source_ids: Collection[str]
) -> Retrieval:
    """The evidence for a question: of the documents that it names, and behind it the best of the others."""
    asked = _FISCAL_YEAR.sub(r"\1", question)
    found = search(space, asked, policy, given)
    found = replace(found, query=replace(found.query, text=question))
    wanted = found.query.filter
    named = () if wanted.sources or wanted.companies else named_sources(question, source_ids)
    if not named or len(named) == len(source_ids):
        return found
    within = search(space, asked, policy, replace(given, sources=tuple(map(literal_pattern, named))))
    room = max(1, policy.top_k - FROM_OTHERS)
    others = [item for item in found.evidence if item.chunk.source_id not in named]
    ordered = [*within.evidence[:room], *others[:FROM_OTHERS], *within.evidence[room:], *within.beyond]
    best = ordered[: max(policy.top_k, policy.looked_at)]
    ranked = [replace(item, rank=rank) for rank, item in enumerate(best, start=1)]
    evidence, beyond = tuple(ranked[: policy.top_k]), tuple(ranked[policy.top_k :])
    seen = {item.chunk.source_id for item in within.evidence}
    documents = tuple(name for name in named if name in seen)
    trace = replace(found.trace, documents=documents, merged={**found.trace.merged, **within.trace.merged})
    return replace(found, evidence=evidence, trace=trace, beyond=beyond)


def _names(question: str) -> list[str]:
    """Runs of capitalised words and numbers with a letter, without signs and possessives, the longest first."""
    words = [re.sub(r"['’]s?$", "", word) for word in re.sub(r"[?,;:()]|\s&\s", " ", question).split()]
    runs = [
        _squeezed(" ".join(words[start : start + length]))
        for length in range(MOST_WORDS, 0, -1)
        for start in range(len(words) - length + 1)
        if all(_WORD.fullmatch(word) for word in words[start : start + length])
        and not (length == 1 and words[start].casefold() in _COMMON)
    ]
    fitting = (run for run in runs if not _YEAR.fullmatch(run) and (len(run) >= LEAST_PREFIX or not run.isalpha()))
    return sorted(dict.fromkeys(fitting), key=lambda run: (-len(run), run))


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()
