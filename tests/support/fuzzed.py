"""Documents of odd and of real lines, and all rooms that a document goes through without a file.

python -m tests.support.fuzzed 100000: so many paragraphs of this system's manuals, worn; prints how many broke."""

from __future__ import annotations

import gzip
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import get_args

from tests.support.documents import source

from pincite.answer.words import amounts, facts
from pincite.build.copies import revision_name
from pincite.build.editions import make_edition
from pincite.build.stages import TripletStage
from pincite.graph.extraction import find_named
from pincite.graph.ontology import shipped_ontology
from pincite.graph.triplets import RuleExtractor
from pincite.printing import printable, printed_name
from pincite.records.chunks import ChunkPolicy, Edition
from pincite.records.pages import Block, BlockKind, Cell, Document, Page, Span, Table
from pincite.structure.resolve import link_references
from pincite.text.mend import mend
from pincite.text.sentences import goes_on, sentence_bounds
from pincite.text.tokens import tokenise

KINDS: tuple[BlockKind, ...] = get_args(BlockKind)
LANGUAGES = ("en", "de", "fr", "he", "ja", None)
LONGEST = 800
ODD = tuple("()[]{}⟦⟧\"'„“–—;:.,!?§¶†*#@%&/\\|<>=+-_~^`\x00\t\u00ad\u200b\u202e\u0301ßİǅﬁ½٣日\U0001f600")
MARKS = ("5.2(3)P", "Table 4.1", "(a)", "see", "Annex B", "NOTE 1", "EN 1990:2002", "1 500,0 kN/m²", "31.12.2023", "is")
QUESTIONS = (
    *("What is {}?", "How many {} are there?", "Who {}?", "When did {} happen?", "Where is {}?", "Why {}?"),
    *("Compare {} and {}.", "Is {} larger than {}?", "List the {}.", "What does {} require?", "How is {} done?"),
    *("What is the difference between {} and {}?", "{}", "Which {} of {} have {}?", "May {} be {}?", '"{}" {}'),
)
_RULES = RuleExtractor(shipped_ontology())
_TRIPLETS = TripletStage(lambda: _RULES, shipped_ontology())
MANUALS = ("/usr/share/doc", "/usr/share/common-licenses", "/usr/share/man", sysconfig.get_path("stdlib"))
AT_ONCE = 40
SEED = 7
_BREAK = re.compile(r"\n(?:\s*\n|[.'][A-Za-z\\\"].*\n)+")


def real_paragraphs(paths: Sequence[Path]) -> Iterator[str]:
    """What stands between blank lines in these files; pages of manuals may be packed, and their macros part them."""
    for path in paths:
        try:
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        except (OSError, EOFError):
            continue
        if b"\0" not in content[:1000]:
            yield from (part.strip()[:LONGEST] for part in _BREAK.split(content.decode("utf-8", "replace")))


def worn(random: Random, text: str, other: str) -> str:
    """The text with some of its words lost, doubled, moved, joined with those of another, or with odd marks among
    them; often as it is."""
    words = text.split(" ")
    for _ in range(random.choice((0, 0, 1, 2, 5))):
        place = random.randrange(len(words) + 1)
        match random.randrange(6):
            case 0:
                del words[place : place + random.randrange(4)]
            case 1:
                words[place:place] = words[place : place + 3]
            case 2:
                words.insert(place, random.choice(ODD + MARKS))
            case 3:
                words[place:] = random.sample(words[place:], len(words) - place)
            case 4:
                words[place:] = other.split(" ")[random.randrange(8) :]
            case _:
                words[place : place + 1] = [word + random.choice(ODD) for word in words[place : place + 1]]
    return " ".join(words)[:LONGEST]


def made_document(random: Random, texts: Sequence[str]) -> Document:
    """A document of up to four pages whose blocks are these texts, of any kind; what is a table has cells."""
    count = random.randint(1, 4)
    pages = [_page(random, number, texts[number - 1 :: count]) for number in range(1, count + 1)]
    title = random.choice((None, "", *texts))
    return Document(tuple(pages), "fuzz 1", title=title, paged=random.random() < 0.7)


def _page(random: Random, number: int, texts: Sequence[str]) -> Page:
    blocks, tables, position = [], [], 0
    for text in texts:
        kind = random.choice((*KINDS, "paragraph", "paragraph", "heading"))
        level = random.choice((None, 1, 2, 7)) if kind == "heading" else None
        blocks.append(Block(kind, Span(number, position, position + len(text)), level=level))
        if kind == "table":
            tables.append(_table(random, blocks[-1].span, text))
        position += len(text) + 1
    label = random.choice((None, "", "iv", "12"))
    return Page(number, "\n".join(texts), tuple(blocks), tuple(tables), label=label)


def _table(random: Random, span: Span, text: str) -> Table:
    columns, words = random.randint(1, 4), list(re.finditer(r"\S+", text))
    cells = tuple(
        Cell(place // columns, place % columns, Span(span.page, span.start + word.start(), span.start + word.end()))
        for place, word in enumerate(words)
    )
    return Table(span, -(-len(words) // columns), columns, cells, partial=random.random() < 0.3)


def through_the_rooms(documents: Sequence[Document]) -> list[Edition]:
    """Structure, chunks, names, triplets and links of these documents; what the rooms of text and answers make of
    their words."""
    editions = [
        make_edition(source(f"{number}.pdf"), document, ChunkPolicy(chunk_size=300, overlap=50), {"reader": "fuzz"})
        for number, document in enumerate(documents)
    ]
    list(link_references([edition.outline for edition in editions]))
    pages = [page for document in documents for page in document.pages]
    texts = [page.text[block.span.start : block.span.end] for page in pages for block in page.blocks]
    for text in texts:
        _words(text)
    sentences = [text[start:end] for text in texts for start, end in sentence_bounds(text)]
    find_named(sentences)
    _RULES.extract(sentences, "en")
    return _TRIPLETS.add(editions)


def _words(text: str) -> None:
    for language in LANGUAGES:
        tokenise(text, language)
    for start, end in sentence_bounds(text):
        goes_on(text[start:end], text[end:])
    for read in (mend, printable, printed_name, revision_name, facts.dates_in, facts.names_in, facts.country_words):
        read(text)
    for read in (facts.values_in, facts.without_aside, facts.folded_name, amounts.free_units):
        read(text)
    list(amounts.amounts_in(text))


def asked(random: Random, texts: Sequence[str]) -> str:
    """A question with words of these texts, worn."""
    form = random.choice(QUESTIONS)
    parts = (" ".join(random.choice(texts).split()[: random.randint(1, 6)]) for _ in range(form.count("{}")))
    question = worn(random, form.format(*parts), random.choice(texts))
    return question.encode("utf-8", "replace").decode() if question.strip() else "What?"


def main(count: int) -> int:
    """Send this many paragraphs through the rooms; how many of them stood in a document that broke."""
    random, done, broken = Random(SEED), 0, 0
    found = (path for folder in MANUALS for path in sorted(Path(folder).rglob("*")) if path.is_file())
    files = [path for path in found if path.suffix in ("", ".gz", ".txt", ".py", ".md", ".html", ".rst")]
    random.shuffle(files)
    paragraphs = filter(None, real_paragraphs(files))
    while done < count and (real := list(islice(paragraphs, AT_ONCE))):
        texts = [worn(random, text, random.choice(real)) for text in real]
        try:
            through_the_rooms([made_document(random, texts)])
        except Exception:  # noqa: BLE001
            traceback.print_exc()
            broken += len(texts)
        done += len(texts)
    sys.stdout.write(f"{done} paragraphs, {broken} broken\n")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
