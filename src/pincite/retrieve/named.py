"""Documents that a question names by their file names ("3M" and `3M_2018_10K.pdf`): searched first, not alone."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from pincite.graph.network import SHORT_DOCUMENT
from pincite.printing import squeezed
from pincite.records.evidence import Retrieval
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.retrieve.candidates import SearchSpace
from pincite.retrieve.scope import SEAM, literal_pattern
from pincite.retrieve.search import search
from pincite.text.language import FUNCTION_WORDS

MOST_WORDS = 4
"""Of a name in the question that opens a file's name; longer ones open with these. By eye."""
LONGEST_NAME = 10
"""Words of a file name or title: a longer one is a sentence, which no question repeats."""
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


def named_sources(question: str, source_ids: Iterable[str], titles: Iterable[tuple[str, str]] = ()) -> tuple[str, ...]:
    """The ids of the documents that a question names: by the words of a whole file name of several, in any case ("the
    Oakwood lease" and `oakwood-lease.pdf`); by a whole title of several words, of those that are given with their
    source ids; or by a name that opens a file name and holds a number, or goes on with a year ("Boeing" and
    `BOEING_2022_10K.pdf`). Of names that overlap, the longest that fits counts. Where none does, an abbreviation in
    capitals counts: "BnB" for `Birch_Boats_2022.pdf`, "AMEX" for `AmericanExpress_2022.pdf`. A single word that opens
    a file name, or is one, names no document."""
    return _named_sources(question, tuple(source_ids), tuple(titles))


@lru_cache(maxsize=16)
def _named_sources(question: str, source_ids: tuple[str, ...], titles: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Kept, since the same is asked more than once for a question."""
    openings, whole = _openings(source_ids), _whole_names(source_ids, titles)
    names = _names(question)
    used: list[str] = []
    found: set[str] = set()
    for name in sorted(names | (_runs(question) & whole.keys()), key=lambda name: (-len(name), name)):
        fitting = [*whole.get(name, ()), *(_opening_with(name, openings) if name in names else ())]
        if fitting and not any(name in longer for longer in used):
            used.append(name)
            found.update(fitting)
    return tuple(sorted(found)) or _abbreviated(question, openings)


def titles_of_long(
    names: Iterable[tuple[str, str]], source_ids: Sequence[str], documents: NDArray[np.int32]
) -> tuple[tuple[str, str], ...]:
    """(source id, name) of the documents that are long ones: the title of a short one is often the name of what it is
    about, which may be no more than the first step to another. `documents`: see SearchSpace."""
    sizes = np.bincount(documents, minlength=len(source_ids))
    long = {source_ids[number] for number in np.flatnonzero(sizes > SHORT_DOCUMENT).tolist()}
    return tuple((source_id, name) for source_id, name in names if source_id in long)


@lru_cache(maxsize=4)
def _whole_names(source_ids: tuple[str, ...], titles: tuple[tuple[str, str], ...]) -> Mapping[str, Sequence[str]]:
    """The ids of the sources that each file name or title of several words belongs to, without signs; kept, as openings
    are."""
    found: dict[str, list[str]] = {}
    stems = {source_id: PurePosixPath(source_id).stem for source_id in source_ids}
    for source_id, name in (*stems.items(), *(item for item in titles if item[0] in stems)):
        words = [word.casefold() for word in SEAM.split(name) if word]
        if len(words) > 1 and any(word.isalpha() and word not in _COMMON for word in words):
            found.setdefault(squeezed(name), []).append(source_id)
    return found


@lru_cache(maxsize=4)
def _openings(source_ids: tuple[str, ...]) -> list[tuple[str, str]]:
    """(file name without signs, source id), ascending; kept, since all questions to a generation ask for the same."""
    return sorted((squeezed(PurePosixPath(source_id).stem), source_id) for source_id in source_ids)


def _opening_with(name: str, openings: Sequence[tuple[str, str]]) -> list[str]:
    behind = openings[bisect_left(openings, (name, "")) :]
    found = takewhile(lambda item: item[0].startswith(name), behind)
    is_numbered = any(map(str.isdigit, name))
    return [
        source_id
        for opening, source_id in found
        if (is_numbered or _YEAR.search(opening[len(name) :])) and _ends_a_word(name, source_id)
    ]


@lru_cache(maxsize=4096)
def _ends_a_word(name: str, source_id: str) -> bool:
    """Whether a file name goes on with another word behind a name: "can" opens no `Canada_2021.pdf`. In a file name of
    capitals, where no words show, three letters are enough (`BESTBUY_2023.pdf`)."""
    stem = PurePosixPath(source_id).stem
    words = [word for word in SEAM.split(stem) if word]
    if words and words[0].isupper() and len(name) >= LEAST_PREFIX and squeezed(words[0]).startswith(name):
        return True
    return any(squeezed("".join(words[:count])) == name for count in range(1, len(words) + 1))


def _abbreviated(question: str, openings: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The documents with a year in their file names that the first matching abbreviation stands for."""
    openings = [item for item in openings if _YEAR.search(item[0])]
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


def search_naming(space: SearchSpace, question: str, policy: RetrievalPolicy, given: Filter) -> Retrieval:
    """The evidence for a question: of the documents that it names, and behind it the best of the others."""
    asked = _FISCAL_YEAR.sub(r"\1", question)
    found = search(space, asked, policy, given)
    found = replace(found, query=replace(found.query, text=question))
    wanted, left_out = found.query.filter, found.query.filter.without
    asked = found.query.search_text if left_out else asked
    named = () if wanted.sources or wanted.companies else named_sources(asked, space.known, space.titles())
    if not named or len(named) == len(space.known):
        return found
    narrowed = replace(given, sources=tuple(map(literal_pattern, named)), without=left_out)
    within = search(space, asked, policy, narrowed)
    if not within.evidence:
        return found
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


def _names(question: str) -> set[str]:
    """Runs of capitalised words and numbers with a letter, without signs and possessives."""
    words = [re.sub(r"['’]s?$", "", word) for word in re.sub(r"[?,;:()]|\s&\s", " ", question).split()]
    runs = (
        squeezed(" ".join(words[start : start + length]))
        for length in range(MOST_WORDS, 0, -1)
        for start in range(len(words) - length + 1)
        if all(_WORD.fullmatch(word) for word in words[start : start + length])
        and not (length == 1 and words[start].casefold() in _COMMON)
    )
    return {run for run in runs if any(map(str.isalpha, run)) and (len(run) >= LEAST_PREFIX or not run.isalpha())}


def _runs(question: str) -> set[str]:
    """Runs of words of a question, without signs and possessives: what it may call by a whole name."""
    words = [squeezed(re.sub(r"['’]s?$", "", word)) for word in re.sub(r"[?,;:()]", " ", question).split()]
    return {
        "".join(words[start : start + length])
        for start in range(len(words))
        for length in range(1, min(LONGEST_NAME, len(words) - start) + 1)
    }
