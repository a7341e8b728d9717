"""The records that every room speaks in: frozen values without behaviour (docs/design.md section 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Any, BinaryIO, Literal

from pincite.graph_records import Triplet
from pincite.language_records import Call

BlockKind = Literal[
    "paragraph", "heading", "list_item", "table", "figure", "equation", "caption", "footnote", "furniture"
]
PageOrigin = Literal["text", "ocr", "none"]
LocatorStyle = Literal["page", "line", "block"]
AnswerState = Literal["answered", "nearest", "not_found"]
Certainty = Literal["high", "medium", "low"]
HIGH, MEDIUM = 0.8, 0.5
"""The least chance of an answer that is called so."""
NEAREST = "Nearest, not the answer: "
"""How a statement opens that shows a passage which does not answer."""
StatementKind = Literal[
    "fact", "quote", "step", "value", "definition", "comparison", "list", "verdict", "missing", "conflict"
]
Channel = Literal["vector", "keyword", "structure", "reference", "graph"]
AnchorKind = Literal["table", "figure", "equation", "definition", "symbol", "footnote", "note", "list_item"]
MentionKind = Literal["name", "opening", "term"]
ReferenceKind = Literal["see", "defined_in", "subject_to", "table", "figure", "equation", "annex", "external", "link"]
ReferenceStatus = Literal["resolved", "ambiguous", "external", "dangling"]
IndexStatus = Literal["indexed", "warned", "unchanged", "refused", "vanished", "removed"]


# --- reading -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters `[start, end)` of the canonical text of one page (or part), pages counted from 1."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points of the page as displayed (after CropBox and Rotate), origin top left."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; its text is the slice of the page that `span` names."""

    row: int
    column: int
    span: Span
    box: Box | None = None
    row_span: int = 1
    column_span: int = 1
    header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows and cells of one table on one page. `partial`: the drawn grid has cells that hold no text."""

    span: Span
    row_count: int
    column_count: int
    cells: tuple[Cell, ...]
    box: Box | None = None
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item, table, caption ... of one page.

    `level` is the heading level that the source itself states (a Word style, an HTML tag), if it does;
    `locator` is set where the source has no pages and no lines: "sec. 3.2, par. 4", "Sheet1!A4:F4".
    """

    kind: BlockKind
    span: Span
    box: Box | None = None
    level: int | None = None
    font_size: float | None = None
    bold: bool = False
    locator: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink: the words that carry it, and where it leads as the source writes it ("ch44.html#caching")."""

    span: Span
    href: str


@dataclass(frozen=True, slots=True)
class PlaceName:
    """What hyperlinks call a place (an `id`): `start` is where it begins, in the text of its page or, in an outline, in
    the joined text."""

    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Page:
    """One part of a document: a page, slide, sheet, or the whole of a running text.

    `text` is the canonical text in reading order, furniture included; blocks slice it without overlap.
    `label` is what is printed on the page ("iv"), None where nothing is known; `section` is the number of the
    section that the source itself states for this part (the rows of an evaluation corpus do), None else.
    """

    number: int
    text: str
    blocks: tuple[Block, ...] = ()
    tables: tuple[Table, ...] = ()
    label: str | None = None
    width: float = 0.0
    height: float = 0.0
    origin: PageOrigin = "text"
    section: str | None = None
    links: tuple[Link, ...] = ()
    place_names: tuple[PlaceName, ...] = ()


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One bookmark: level counted from 1, physical page from 1 (None where it leads nowhere)."""

    title: str
    level: int
    page: int | None


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside another one (an archive, a mail, a PDF): its name there with slashes between folders, its bytes'
    size and SHA-256. `reader` is the version of the reader that takes it, None with the `reason` where none does."""

    name: str
    size: int
    content_sha256: str
    reader: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """What reading a source gave. `paged`: a part's number may be printed as a page."""

    pages: tuple[Page, ...]
    reader: str
    title: str | None = None
    paged: bool = True
    locators: LocatorStyle = "page"
    language: str | None = None
    outline: tuple[OutlineEntry, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()


OBJECT_SCHEME = "s3://"
"""How the id of a source begins that lies in an object store: its address there."""


Readers = frozenset[frozenset[str]]
"""Who may see something: whoever has a tag of each of these sets; everybody where there are none."""
EVERYBODY: Readers = frozenset()


def may_all_see(readers: Readers, other: Readers) -> bool:
    """Whether all of these readers are among the other ones, whatever tags they have."""
    return all(any(tags <= wanted for tags in readers) for wanted in other)


@dataclass(frozen=True, slots=True)
class Source:
    """A file or object that was handed in. `content_sha256` is the hex digest of its bytes; `stamp` tells of an object
    whether it changed, and is empty for a file. `acl` are the tags of who may see it, `acl_then` those of who might
    while it was as a reader of the past sees it: who sees it then has one of each."""

    source_id: str
    source_type: str
    content_sha256: str
    size: int = 0
    modified_ns: int = 0
    tags: tuple[str, ...] = ()
    acl: tuple[str, ...] = ()
    date: str | None = None
    uri: str | None = None
    stamp: str = ""
    acl_then: tuple[tuple[str, ...], ...] = ()

    @property
    def filename(self) -> str:
        """The last part of the source id."""
        return self.source_id.rsplit("/", 1)[-1] or self.source_id

    @property
    def readers(self) -> Readers:
        """Who may see it."""
        return frozenset(frozenset(tags) for tags in (self.acl, *self.acl_then) if tags)


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A URL that opens the original of a document until a moment, for whoever has it."""

    url: str
    expires: datetime


@dataclass(frozen=True, slots=True)
class Original:
    """The file of a document as it was indexed, open: who is given it closes it."""

    file: BinaryIO
    size: int
    is_pdf: bool


# --- structure and chunks ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered or titled part. `start` and `end` are offsets in the joined text (pages joined by form feeds).

    `ordinal` counts the sections of a document in reading order; `parent` is an ordinal; `path` holds the
    labels from the top ("5", "5.2", "5.2(3)P").
    """

    ordinal: int
    number: str | None
    title: str
    level: int
    parent: int | None
    path: tuple[str, ...]
    first_page: int
    last_page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """A thing that text can point to, other than a section.

    `number` is its number without the word in front ("4.1", "B.2", "55"), None where it has none; `title` its
    caption, term or first words; `start` and `end` are offsets in the joined text, `page` the physical page of `start`;
    `section` is the ordinal of the innermost section that holds it; `box` is its region on the page, where known.
    """

    ordinal: int
    kind: AnchorKind
    number: str | None
    title: str
    page: int
    start: int
    end: int
    section: int | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """Text that points, as written: `text` is the slice `[start, end)` of the joined text.

    `unit` is the word for what it points to in lower case and singular ("rule", "table", "annex", "" where there
    is none, "document" for a document as a whole), `number` the number ("5.2(3)P", "B.3", "4.5.2") and `until` the
    last one of a range; `within` is the ordinal of the reference that this place lies in ("Table 1 of Annex B");
    `document` holds the words that name its document, "this" for its own. `relative` is "above", "below", "previous",
    "next" or "this" where the place is named by where it stands.
    """

    ordinal: int
    kind: ReferenceKind
    start: int
    end: int
    text: str
    unit: str = ""
    number: str | None = None
    until: str | None = None
    within: int | None = None
    document: str | None = None
    relative: str | None = None


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """Where a hyperlink leads within its collection: the source id of the `file`, and what the `place` in it is called
    (None: its beginning). `reference` is the ordinal of the reference that it is the target of; None where it only
    leads about (contents, "Next")."""

    file: str
    place: str | None = None
    reference: int | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference leads: a section or an anchor (by ordinal) of a source, else a page of it, else the whole of it
    (`start` and `end` 0); `start` is its offset there."""

    source_id: str
    start: int
    end: int
    section: int | None = None
    anchor: int | None = None


@dataclass(frozen=True, slots=True)
class ReferenceLink:
    """What became of a reference. `targets`: one where it is resolved, the candidates where it is ambiguous."""

    source_id: str
    reference: int
    status: ReferenceStatus
    targets: tuple[Target, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PageStart:
    """Where a physical page stands in the joined text, `[start, end)`, and what is printed on it (None: not known)."""

    number: int
    start: int
    end: int
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """What can be pointed to in one document, what it points to, and the names that it is called by (normal form).

    `pages` is empty where the document has none that text may point to. `place_names` are those of the places that
    hyperlinks lead to, in the order of the text.
    """

    source_id: str
    names: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    references: tuple[Reference, ...] = ()
    paged: bool = True
    pages: tuple[PageStart, ...] = ()
    hyperlinks: tuple[Hyperlink, ...] = ()
    place_names: tuple[PlaceName, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a document names something: `[start, end)` of its pages' texts joined by form feeds.

    `name` is in normal form (`graph.names.normal_name`); `full` is the longer name that it is short for. `opening`:
    one word that opens a sentence, so that its capital may mean nothing.
    """

    kind: MentionKind
    start: int
    end: int
    name: str
    full: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkPolicy:
    """The settings of chunking (spec/phase3_rag.md) and of redaction; sizes in characters. `max_chunks_per_source` 0:
    no limit. `redact` are kinds of what is masked, `redact_patterns` a user's own: names and regular expressions.
    `keep_original` lets readings of before stay that masked less; it makes no other reading."""

    chunk_size: int = 2000
    overlap: int = 200
    max_chunks_per_source: int = 0
    version: str = "1.0"
    redact: tuple[str, ...] = ()
    redact_patterns: tuple[tuple[str, str], ...] = ()
    keep_original: bool = False

    @property
    def redacts(self) -> bool:
        """Whether anything is masked."""
        return bool(self.redact or self.redact_patterns)


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """Characters of a page that were masked before anything else saw them, and of which kind they were: never what."""

    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """A bounded piece of text inside one section (spec/phase3_rag.md).

    `raw_content` is the canonical text, `content` the same with line ends and hyphenation mended;
    `start` and `end` are offsets in the joined text; `spans` has one span for each page touched.
    """

    chunk_id: str
    source_type: str
    source_ref: Mapping[str, Any]
    offsets: Mapping[str, Any]
    content: str
    content_sha256: str
    byte_count: int
    policy: Mapping[str, Any]
    created_utc: datetime
    source_id: str
    filename: str
    index: int
    start: int
    end: int
    raw_content: str
    spans: tuple[Span, ...]
    section: tuple[str, ...] = ()
    section_ordinal: int | None = None
    section_number: str | None = None
    language: str | None = None
    title: str | None = None
    paged: bool = True
    locator: str | None = None
    labels: tuple[str | None, ...] = ()

    def __hash__(self) -> int:
        return hash(self.chunk_id)

    @property
    def pages(self) -> tuple[int, ...]:
        """The parts touched, in order."""
        return tuple(span.page for span in self.spans)


@dataclass(frozen=True, slots=True)
class EmbeddingRecord:
    """The vector of one window of a chunk (spec/phase3_rag.md)."""

    embedding_id: str
    chunk_id: str
    embedding_model: str
    vector_dim: int
    vector: tuple[float, ...]
    vector_sha256: str
    created_utc: datetime


@dataclass(frozen=True, slots=True)
class Edition:
    """One reading of a source with all that was derived from it alone. `versions` decide what "unchanged" means."""

    source: Source
    document: Document
    versions: Mapping[str, str]
    outline: Outline
    chunks: tuple[ChunkRecord, ...]
    warnings: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    triplets: tuple[Triplet, ...] = ()
    masked: tuple[MaskedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceState:
    """What the record knows of a source: its current edition's versions, or why it was refused; how much of it is
    `masked`, by kind."""

    source: Source
    status: IndexStatus
    versions: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None
    page_count: int = 0
    chunk_count: int = 0
    warnings: tuple[str, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)


# --- questions and evidence --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filter:
    """What a question may see. Empty tuples and None mean no restriction; dates are ISO, both ends included.

    `companies` are names of which one stands in the path of a source. `principals` are who asks: a source with an `acl`
    is seen only by those who share a tag with it. `as_of` asks the store as it was: at a revision ("12"), or at the end
    of a day, month or second in UTC ("2024-05-01"). `without` are patterns of sources that are left out.
    """

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


@dataclass(frozen=True, slots=True)
class RetrievalQuery:
    """What was asked of retrieval, for the audit trail (spec/phase3_rag.md)."""

    retrieval_id: str
    run_id: str | None
    query_text: str
    query_embedding_model: str
    top_k: int
    filters: Mapping[str, Any]
    policy: Mapping[str, Any]
    created_utc: datetime


@dataclass(frozen=True, slots=True)
class RetrievalHit:
    """One result of a retrieval, for the audit trail (spec/phase3_rag.md)."""

    retrieval_id: str
    chunk_id: str
    score: float
    rank: int
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """One answered question as a link of the audit chain (spec/phase3_rag.md, audit trail).

    `run_id` is the answer's trace id; `artifacts` has the SHA-256 of each thing that is kept of it, by name; `who` is
    the name of who asked, empty where nobody had to say it. `number` counts the entries of the chain from 1,
    `previous` is the digest of the entry before (empty for the first), `digest` covers all the rest.
    """

    run_id: str
    created_utc: datetime
    query_text: str
    mode: str
    refused: bool
    generation: str
    revision: int
    artifacts: Mapping[str, str]
    number: int = 0
    previous: str = ""
    digest: str = ""
    who: str = ""


EventKind = Literal["page seen", "link opened", "uploaded", "deleted", "purged", "clicked", "access changed"]


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Something that was done beside questions, as an entry of the audit chain (spec/llmless_retrieval.md, 12).

    `who` as in `Run`; the document and its physical page, the answer (`trace_id`) that it belongs to, and what else is
    to be known of it, in plain values without fractions: `details["acl"]` are the tags of who may see the document.
    """

    event_id: str
    created_utc: datetime
    kind: EventKind
    who: str = ""
    source_id: str = ""
    page: int | None = None
    trace_id: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    number: int = 0
    previous: str = ""
    digest: str = ""


Entry = Run | AuditEvent
"""What stands in the audit chain."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How much a store forgot: what was kept of answers, and editions of documents."""

    receipts: int = 0
    editions: int = 0


BM25_HALF = 10.0
"""The score that becomes one half, s / (s + 10): the specification's (spec/llmless_retrieval.md 6)."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one chunk; None where it was not computed. Each lies in 0..1."""

    vec: float | None = None
    bm25: float | None = None
    graph: float | None = None
    gear: float | None = None
    reference: float | None = None
    rerank: float | None = None
    final: float = 0.0

    def raw(self) -> dict[str, float]:
        """The cosine and the BM25 score that `vec` and `bm25` were made of."""
        vec, bm25 = self.vec, self.bm25
        cosine = {} if vec is None else {"vec": round(2 * vec - 1, 6)}
        return cosine if bm25 is None else {**cosine, "bm25": round(BM25_HALF * bm25 / (1 - bm25), 6)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands, for `also` lists and for what was looked in."""

    filename: str
    source_id: str
    page: int | None
    chunk_id: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit that was kept: its chunk, rank from 1, scores, and why. `also`: duplicates merged into it."""

    chunk: ChunkRecord
    rank: int
    scores: Scores
    retrieved_by: tuple[Channel, ...]
    why: tuple[str, ...] = ()
    also: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a rule of composition did with one statement that it made: kept it, or dropped it for a reason. A rule that
    made none has one decision without a text."""

    rule: str
    kept: bool
    text: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Hop:
    """A reference that was followed, in words ("5.2(3)P refers to Annex B -> p.33"), and the source where it leads."""

    text: str
    source_id: str


@dataclass(frozen=True, slots=True)
class Trace:
    """What was done for a question: how it was read, counts by channel and best scores, the names, places and documents
    that it asks for, the words that the passages nearest in meaning have for it, what was merged away and into what,
    what the rules decided, which references were followed, milliseconds by step, what was degraded."""

    query: Query | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    best: Mapping[str, float] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    merged: Mapping[str, str] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    hops: tuple[Hop, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The evidence for one question, best first, and how it came about. `beyond` is what comes next: no evidence yet,
    but an answer may look at it. `triplets` are what the evidence says of the names of the question, `policy` how it
    was searched for."""

    query: Query
    evidence: tuple[Evidence, ...]
    trace: Trace
    beyond: tuple[Evidence, ...] = ()
    triplets: tuple[SupportingTriplet, ...] = ()
    policy: RetrievalPolicy = RetrievalPolicy()

    def to_dict(self) -> dict[str, Any]:
        """`SearchResult` of the specification: `results` as in an answer, `degraded` and `meta`."""
        policy = self.policy
        return {
            "query": self.query.text,
            "degraded": list(self.trace.degraded),
            "results": [result_dict(item, self.triplets) for item in self.evidence],
            "meta": {
                "returned": len(self.evidence),
                "topM": policy.prefilter,
                "topK": policy.top_k,
                "profile": policy.profile,
            },
        }


# --- answers -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Citation:
    """One place that a statement stands on. `page` is physical, None where the source has no pages."""

    filename: str
    source_id: str
    page: int | None
    locator: str | None
    label: str | None
    chunk_id: str
    span: Span
    quote: str


@dataclass(frozen=True, slots=True)
class CitedTriplet:
    """What one sentence says of two things. `predicate` is normalised (`graph/ontology.toml`), `relation` is how the
    sentence says it; the citation's quote is the sentence. `inverse` says the same from the object's side."""

    subject: str
    predicate: str
    object: str
    relation: str
    confidence: float
    extractor: str
    version: str
    citation: Citation
    inverse: str | None = None


@dataclass(frozen=True, slots=True)
class TripletPath:
    """A path of names that begins with one of the question's; step i leads along `edges[i]` from `path[i]` to
    `path[i + 1]`, and `citations[i]` quotes the sentence that says so."""

    path: tuple[str, ...]
    edges: tuple[str, ...]
    citations: tuple[Citation, ...]
    score: float


@dataclass(frozen=True, slots=True)
class SupportingTriplet:
    """What a sentence says of two things, and the chunk that it stands in."""

    subject: str
    predicate: str
    object: str
    source_chunk_id: str

    @property
    def triplet_id(self) -> str:
        """The same wherever the same chunk says the same."""
        said = (self.source_chunk_id, self.subject, self.predicate, self.object)
        return hashlib.sha256("\0".join(said).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class EntityView:
    """What a store knows of one entity: in how many chunks it is named, with which other entities (and in how many of
    its chunks), the sentences that name it, and what these say of it."""

    name: str
    chunk_count: int
    beside: tuple[tuple[str, int], ...]
    mentions: tuple[Citation, ...]
    triplets: tuple[CitedTriplet, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A word that a language model chose and that the quotes do not hold: `[start, end)` in the text of its
    statement."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer with its citations; `marks` are those of its words that its quotes do not hold, which
    only a language model's may have."""

    text: str
    kind: StatementKind
    citations: tuple[Citation, ...]
    part: str | None = None
    locator: str | None = None
    also: tuple[Citation, ...] = ()
    confidence: float = 1.0
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """An aspect of the question without evidence, where was looked, and what else to try."""

    aspect: str
    looked_in: tuple[Place, ...] = ()
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question. `summary` is its statements as printed; `generation` names the indexes used;
    `triplets` are those of its cited sentences and of the question's names; `beyond` is what was looked at behind the
    evidence; `model` is the language model that was asked, if any, and `calls` what it was asked and answered."""

    query: str
    mode: str
    summary: str
    statements: tuple[Statement, ...]
    evidence: tuple[Evidence, ...]
    missing: tuple[Missing, ...]
    policy: RetrievalPolicy
    generation: str
    paths: tuple[TripletPath, ...] = ()
    triplets: tuple[SupportingTriplet, ...] = ()
    degraded: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    trace: Trace = Trace()
    trace_id: str = ""
    timestamp: str = ""
    beyond: tuple[Evidence, ...] = ()
    model: str = ""
    calls: tuple[Call, ...] = ()

    @property
    def refused(self) -> bool:
        """No statement of another kind than `missing`."""
        return all(statement.kind == "missing" for statement in self.statements)

    @property
    def state(self) -> AnswerState:
        """`answered`; `nearest`: nothing answers, and the passage that comes nearest is shown; `not_found`."""
        if not self.refused:
            return "answered"
        return "nearest" if any(said.text.startswith(NEAREST) for said in self.statements) else "not_found"

    @property
    def chance(self) -> float:
        """How likely what is said answers the question, 0 to 1; of what is not an answer 0."""
        return max((said.confidence for said in self.statements if said.kind != "missing"), default=0.0)

    @property
    def certainty(self) -> Certainty:
        """The chance in a word."""
        return "high" if self.chance >= HIGH else "medium" if self.chance >= MEDIUM else "low"

    @property
    def searched(self) -> dict[str, int]:
        """How many passages each channel found that was searched."""
        return {channel: self.trace.counts.get(channel, 0) for channel in self.policy.channels}

    def to_dict(self, *, stable: bool = False, explain: bool = False) -> dict[str, Any]:
        """The JSON of docs/design.md section 8. `stable` leaves out what differs between two askings; `explain` adds
        to `meta` what was done for the question."""
        meta: dict[str, Any] = {
            "returned": len(self.evidence) + len(self.paths),
            "topM": self.policy.prefilter,
            "topK": self.policy.top_k,
            "profile": self.policy.profile,
            "generation": self.generation,
        }
        if self.model:
            meta["model"] = self.model
            meta["usage"] = _usage_dict(self.calls)
        if not stable:
            meta |= {"notices": list(self.notices), "trace_id": self.trace_id, "timestamp": self.timestamp}
            meta["timings_ms"] = dict(self.trace.timings_ms)
        if explain:
            told = ("query", "counts", "best", "related", "names", "places", "documents", "merged", "decisions")
            followed = ("hops",) if self.trace.hops else ()
            meta["explanation"] = {name: to_plain(getattr(self.trace, name)) for name in (*told, *followed)}
        return {
            "query": self.query,
            "mode": self.mode,
            "degraded": list(self.degraded),
            "refused": self.refused,
            "state": self.state,
            "chance": round(self.chance, 4),
            "certainty": self.certainty,
            "summary": self.summary,
            "statements": [_statement_dict(statement) for statement in self.statements],
            "results": [
                *(result_dict(item, self.triplets) for item in self.evidence),
                *(_path_dict(number, path) for number, path in enumerate(self.paths, start=1)),
            ],
            "missing": [_missing_dict(item) for item in self.missing],
            "meta": meta,
        }


def _citation_dict(citation: Citation) -> dict[str, Any]:
    return {**to_plain(citation), "span": [citation.span.start, citation.span.end]}


def _statement_dict(statement: Statement) -> dict[str, Any]:
    marks = {"marks": [[mark.start, mark.end] for mark in statement.marks]} if statement.marks else {}
    return {
        "text": statement.text,
        "kind": statement.kind,
        "citations": [_citation_dict(citation) for citation in statement.citations],
        "part": statement.part,
        "locator": statement.locator,
        "also": [_citation_dict(citation) for citation in statement.also],
        "confidence": statement.confidence,
        **marks,
    }


def _usage_dict(calls: Sequence[Call]) -> dict[str, int]:
    answered = [call.completion for call in calls if call.completion is not None]
    return {
        "calls": len(calls),
        "prompt_tokens": sum(item.prompt_tokens for item in answered),
        "completion_tokens": sum(item.completion_tokens for item in answered),
    }


def _missing_dict(missing: Missing) -> dict[str, Any]:
    places = dict.fromkeys((place.filename, place.page) for place in missing.looked_in)
    looked_in = [{"filename": filename, "page": page} for filename, page in places]
    return {"aspect": missing.aspect, "looked_in": looked_in, "suggestions": list(missing.suggestions)}


def result_dict(evidence: Evidence, triplets: Sequence[SupportingTriplet]) -> dict[str, Any]:
    """One of the `results` of an answer: a passage with those of the triplets that it supports."""
    chunk = evidence.chunk
    scores = {name: score for name, score in to_plain(evidence.scores).items() if score is not None}
    own = [triplet for triplet in triplets if triplet.source_chunk_id == chunk.chunk_id]
    uri = chunk.source_ref.get("uri")
    return {
        "id": chunk.chunk_id,
        "type": "chunk",
        "text": chunk.content,
        "filename": chunk.filename,
        "source_id": chunk.source_id,
        "page": chunk.pages[0] if chunk.paged else None,
        "pages": list(chunk.pages) if chunk.paged else [],
        "locator": chunk.locator,
        **({"s3_path": uri} if uri else {}),
        "section": list(chunk.section),
        "scores": scores,
        "raw_scores": evidence.scores.raw(),
        "retrieved_by": list(evidence.retrieved_by),
        "sources_count": len(evidence.retrieved_by),
        "why": list(evidence.why),
        "also": [to_plain(place) for place in evidence.also],
        "supporting_triplets": [{"triplet_id": item.triplet_id, **to_plain(item)} for item in own],
    }


def _path_dict(number: int, path: TripletPath) -> dict[str, Any]:
    return {
        "id": f"triplet_path_{number}",
        "type": "triplet_path",
        "path": list(path.path),
        "edges": list(path.edges),
        "supporting_chunks": [
            {
                "chunk_id": citation.chunk_id,
                "filename": citation.filename,
                "page": citation.page,
                "span": [citation.span.start, citation.span.end],
                "quote": citation.quote,
            }
            for citation in path.citations
        ],
        "score": path.score,
    }


# --- indexing ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceReport:
    """How one source ended in a run of indexing; how much of it is `masked`, by kind."""

    source: str
    status: IndexStatus
    reason: str | None = None
    pages: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How a run of indexing ended; `kept_closed` are the sources that it would have opened without being told to."""

    documents: tuple[SourceReport, ...]
    counts: Mapping[str, int]
    seconds: float
    generation: str
    kept_closed: tuple[str, ...] = ()


_PLAIN_TYPES = frozenset((str, int, float, bool, type(None)))


def to_plain(value: Any) -> Any:
    """Turn records into what JSON can hold: dicts, lists, strings, numbers. Dates become ISO 8601 strings."""
    kind: Any = type(value)
    if kind in _PLAIN_TYPES:
        return value
    names = _field_names(kind)
    if names is not None:
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    return value


@lru_cache(maxsize=256)
def _field_names(kind: Hashable) -> tuple[str, ...] | None:
    """The names of the fields of a kind of record; None for a kind of something else."""
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) else None
