"""An option, a parameter or a word that is explained stands with its text, in every chunk that holds some of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.office_files import read

from pincite.build.chunks import cut_chunks
from pincite.records.chunks import ChunkPolicy, ChunkRecord
from pincite.records.pages import Document

SMALL = ChunkPolicy(chunk_size=240, overlap=0)
TOLD = [f"Sentence {number} tells more of what it does to the drive." for number in range(12)]


def cut(made: Document, policy: ChunkPolicy = SMALL) -> tuple[ChunkRecord, ...]:
    return cut_chunks(source(), made, (), policy, "v1")[0]


def of_text(folder: Path, text: str, name: str = "a.txt") -> tuple[ChunkRecord, ...]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return cut(read(path))


def contexts(chunks: tuple[ChunkRecord, ...], words: str) -> list[str]:
    """What stands in or above each chunk that holds these words."""
    return [" > ".join([*chunk.section, chunk.content]) for chunk in chunks if words in chunk.content]


def asciidoc(separator: str) -> str:
    told = separator.join(f"\t{line}" for line in TOLD)
    return f"-p::\n--patch::\n{told}\n\n-e::\n\tOpens an editor.\n\nLast words.\n"


def manual_page(separator: str) -> str:
    told = separator.join(f"              {line}" for line in TOLD)
    return f"OPTIONS\n       -p, --patch\n{told}\n\n       -e     Opens an editor.\n\nSEE ALSO\n       Last words.\n"


@pytest.mark.parametrize("separator", ["\n", "\n\n"], ids=["one paragraph", "paragraphs"])
@pytest.mark.parametrize("made", [asciidoc, manual_page])
def test_every_chunk_of_an_option_names_it(tmp_path: Path, made: object, separator: str) -> None:
    chunks = of_text(tmp_path, made(separator))  # type: ignore[operator]
    for line in TOLD:
        assert all("--patch" in context for context in contexts(chunks, line))
    assert len(chunks) > 3
    last = next(chunk for chunk in chunks if "Last words." in chunk.content)
    assert last.section == () or "Sentence" in last.content


def test_a_paragraph_that_goes_on_with_an_option_names_it(tmp_path: Path) -> None:
    text = f"-p::\n\t{' '.join(TOLD[:6])}\n+\n{' '.join(TOLD[6:])}\n\nAll else is told elsewhere.\n"
    chunks = of_text(tmp_path, text)
    assert all("-p" in context for context in contexts(chunks, "Sentence 11"))


def parameters(between: str = "") -> Document:
    """A page of a manual as PDF gives it: each parameter a paragraph of its own before its text."""
    blocks = [("paragraph", f"{TOLD[0]} {TOLD[1]}{between}")]
    for name in ("spin_timeout (integer)", "spin_target (floating point)"):
        blocks += [("paragraph", name), ("paragraph", " ".join(TOLD[2:6])), ("paragraph", " ".join(TOLD[6:9]))]
    rest = [f"Word {number} is said of something else and in another place." for number in range(9)]
    return document([*blocks, ("heading", "Other things"), ("paragraph", " ".join(rest))])  # type: ignore[list-item]


@pytest.mark.parametrize("between", ["", " It was so.", " " + "so " * 20 + "it was.", " " + "so " * 28 + "it was."])
def test_a_parameter_is_never_cut_off_from_its_text(between: str) -> None:
    for chunk in cut(parameters(between)):
        assert not chunk.content.endswith((")", "(integer)"))
        assert len(chunk.raw_content) <= SMALL.chunk_size
        if "Sentence 2" in chunk.content:
            assert "spin_t" in chunk.content


def test_the_middle_of_a_parameters_text_names_it_and_what_follows_the_list_does_not() -> None:
    chunks = cut(parameters())
    for number in range(2, 9):
        first, second = contexts(chunks, TOLD[number])
        assert "spin_timeout (integer)" in first
        assert "spin_target (floating point)" in second
    assert chunks[-1].section == ()


def test_the_text_behind_a_list_of_definitions_does_not_name_its_last_word(tmp_path: Path) -> None:
    body = f"<dl><dt>spin_timeout (integer)</dt><dd><p>{TOLD[0]}</p></dd></dl><p>{' '.join(TOLD[1:])}</p>"
    chunks = of_text(tmp_path, f"<html><body>{body}</body></html>", "a.html")
    assert all(chunk.section == () for chunk in chunks if TOLD[0] not in chunk.content)


@pytest.mark.parametrize(
    "text",
    [
        "Three things are needed (integer)\n" + "\n".join(TOLD),
        "- milk\n- bread\n" + "\n".join(TOLD),
        "Use std::\nhere and there. " + " ".join(TOLD),
    ],
)
def test_plain_text_and_lists_have_no_terms(tmp_path: Path, text: str) -> None:
    assert {chunk.section for chunk in of_text(tmp_path, f"{text}\n\n{' '.join(TOLD)}\n")} == {()}
