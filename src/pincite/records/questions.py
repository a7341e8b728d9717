"""What is asked, of which documents, and how it is searched for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Channel = Literal["vector", "keyword", "structure", "reference", "graph"]


@dataclass(frozen=True, slots=True)
class Filter:
    """What a question may see; empty tuples and None do not restrict; dates are ISO, both ends included. `companies`:
    one of these names stands in the path of a source; `without`: patterns of sources to leave out. `principals` are who
    asks: a source with an `acl` needs one of its tags. `as_of` asks the store as it was: at a revision ("12"), or at
    the end of a day, month or second in UTC ("2024-05-01")."""

    sources: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    after: str | None = None
    before: str | None = None
    principals: tuple[str, ...] = ()
    as_of: str | None = None
    companies: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """A user's own way to weigh channels: the weights of their scores, each 0 or more, in any measure; `sources` weighs
    how many channels found a chunk. `merge_near_copies` puts all near copies together (the plain rule of
    spec/llmless_retrieval.md 5), also those that differ in a number or a name."""

    vec: float = 0.0
    bm25: float = 0.0
    graph: float = 0.0
    gear: float = 0.0
    sources: float = 0.0
    merge_near_copies: bool = False


@dataclass(frozen=True, slots=True)
class RetrievalPolicy:
    """How many results, from which score on, by which profile (spec/phase3_rag.md), and the `weights` of one that is
    not pincite's own. `looked_at`: how many passages an answer is looked for in, results and those behind them."""

    top_k: int = 12
    looked_at: int = 24
    min_score_threshold: float = 0.0
    profile: str = "auto"
    prefilter: int = 80
    vector_limit: int = 100
    keyword_limit: int = 60
    channels: tuple[Channel, ...] = ("vector", "keyword", "structure", "reference", "graph")
    merge_duplicates: bool = True
    weights: Profile | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed question: the text as asked, the text to embed, keyword tokens, filters found in it, and the
    languages of the store that its tokens were made for."""

    text: str
    search_text: str
    tokens: tuple[str, ...]
    filter: Filter = Filter()
    languages: tuple[str | None, ...] = ()
