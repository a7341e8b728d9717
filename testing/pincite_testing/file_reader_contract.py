"""The contract of a FileReader (needs pytest).

Subclass `FileReaderContract` as a class whose name starts with `Test`; let `make` give the reader, `write_sample` write
a sound file, and `expected_words` name words with the part (page, slide, sheet; 1 for running text) they stand on. For
a reader that finds files inside, `expected_members` are their names; it may have no words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path

import pytest

from pincite.errors import ReadError
from pincite.ports import FileReader, ReadOptions
from pincite.records.pages import Document


class FileReaderContract(ABC):
    """What every FileReader keeps."""

    expected_words: Mapping[str, int]
    expected_members: tuple[str, ...] = ()

    @abstractmethod
    def make(self) -> FileReader:
        """The reader to be tested."""

    @abstractmethod
    def write_sample(self, folder: Path) -> Path:
        """Write a sound file of the reader's kind into this folder; its path."""

    @pytest.fixture
    def sample(self, tmp_path: Path) -> Path:
        """A sound file."""
        return self.write_sample(tmp_path)

    @pytest.fixture
    def document(self, sample: Path) -> Document:
        """What reading the sound file gives."""
        return self.make().read(sample, ReadOptions())

    def test_it_says_what_it_reads(self, sample: Path) -> None:
        """Suffixes are lower case with their dot; the sample has one of them."""
        reader = self.make()
        assert reader.name
        assert reader.version
        assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in reader.suffixes)
        assert sample.suffix in reader.suffixes

    def test_words_stand_on_their_pages(self, document: Document) -> None:
        """Each expected word on its part, and on no other."""
        assert self.expected_words or self.expected_members
        for word, number in self.expected_words.items():
            assert [page.number for page in document.pages if word in page.text] == [number], word

    def test_files_inside_are_named(self, document: Document) -> None:
        """In order; each has a reader or the reason why it has none."""
        assert tuple(member.name for member in document.members) == self.expected_members
        assert all((member.reader is None) != (member.reason is None) for member in document.members)

    def test_pages_count_from_one(self, document: Document) -> None:
        """In order, without gaps."""
        assert [page.number for page in document.pages] == list(range(1, len(document.pages) + 1))

    def test_blocks_slice_their_page(self, document: Document) -> None:
        """In order, none empty, without overlap, inside the page's text."""
        assert any(page.blocks for page in document.pages) or self.expected_members
        for page in document.pages:
            end = 0
            for block in page.blocks:
                assert block.span.page == page.number
                assert end <= block.span.start < block.span.end <= len(page.text)
                end = block.span.end

    def test_words_lie_in_blocks(self, document: Document) -> None:
        """What is on a page can become a chunk."""
        for word, number in self.expected_words.items():
            page = document.pages[number - 1]
            assert any(word in page.text[block.span.start : block.span.end] for block in page.blocks), word

    def test_cells_slice_their_page(self, document: Document) -> None:
        """Inside the table's grid and the page's text."""
        for page in document.pages:
            for table in page.tables:
                for cell in table.cells:
                    assert 0 <= cell.row < table.row_count
                    assert 0 <= cell.column < table.column_count
                    assert cell.span.page == page.number
                    assert 0 <= cell.span.start <= cell.span.end <= len(page.text)

    def test_reading_twice_gives_the_same(self, sample: Path, document: Document) -> None:
        """Also with a new reader; the file itself is not touched."""
        before = sample.read_bytes()
        assert self.make().read(sample, ReadOptions()) == document
        assert sample.read_bytes() == before

    @pytest.mark.parametrize("content", [b"", b"\x00\xff\x13 no such format", b"%PDF-1.7\n%%EOF", b"PK\x03\x04"])
    def test_a_broken_file_is_read_or_refused_in_one_line(self, sample: Path, content: bytes) -> None:
        """Nothing but ReadError comes out, and its reason is one line."""
        sample.write_bytes(content)
        try:
            broken = self.make().read(sample, ReadOptions())
        except ReadError as error:
            assert str(error)
            assert "\n" not in str(error)
        else:
            assert isinstance(broken, Document)

    def test_a_missing_file_is_refused(self, tmp_path: Path, sample: Path) -> None:
        """With a ReadError, not with an error of the file system."""
        with pytest.raises(ReadError):
            self.make().read(tmp_path / f"missing{sample.suffix}", ReadOptions())
