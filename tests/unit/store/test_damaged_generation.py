"""Whatever became of the files of a generation: it is told in one line with what to do, and the next index heals it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine
from pincite.errors import StoreError
from pincite.store.locks import SAMPLE_BYTES, SAMPLES, stamp_of

DOCUMENTS = [
    (source("a.pdf"), document("Musk founded Tesla. The snow load is 5 kN/m2.")),
    (source("b.pdf"), document("Tesla makes cars, see a.pdf. The pump is red.")),
]
ALL = (
    *(
        "manifest.json",
        "chunk_ids.npy",
        "chunk_sources.npy",
        "chunk_order.npy",
        "sources.json",
        "graph/*.npy",
        "links/*.npy",
    ),
    *("keywords/*.npy", "keywords/terms.npy", "keywords/ordinals.npy", "vectors/vectors.faiss", "vectors/owners.npy"),
)


def garbled(content: bytes) -> bytes:
    return bytes(byte ^ 0x5A for byte in content)


def garbled_within(content: bytes) -> bytes:
    middle = 3 * len(content) // 4
    return content[:middle] + garbled(content[middle : middle + 4]) + content[middle + 4 :]


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def generation_of(folder: Path) -> Path:
    return folder / "generations" / (folder / "CURRENT").read_text().strip()


def indexed(folder: Path) -> Engine:
    engine = hashing_engine(folder)
    engine.index_documents(DOCUMENTS)
    return engine


@pytest.mark.parametrize("how", [garbled, garbled_within, cut])
@pytest.mark.parametrize("name", ALL)
def test_garbage_in_an_index_is_told_and_healed(name: str, how: object, tmp_path: Path) -> None:
    indexed(tmp_path).close()
    path = sorted(generation_of(tmp_path).glob(name))[0]
    path.write_bytes(how(path.read_bytes()))  # type: ignore[operator]
    with hashing_engine(tmp_path) as engine:
        with pytest.raises(StoreError, match=r"damaged.*: run pincite index") as told:
            engine.ask("Who founded Tesla?", receipt=False)
        assert told.value.exit_code == 3
        assert engine.verify() != []
    with indexed(tmp_path) as engine:
        assert engine.ask("Who founded Tesla?", receipt=False).statements
        assert engine.verify() == []


@pytest.mark.parametrize("content", [b"\xff\xfe\x00garbage", b"", b"../../elsewhere\n"])
def test_garbage_in_the_name_of_the_current_generation_is_told_and_healed(content: bytes, tmp_path: Path) -> None:
    indexed(tmp_path).close()
    (tmp_path / "CURRENT").write_bytes(content)
    with hashing_engine(tmp_path) as engine:
        with pytest.raises(StoreError, match="run pincite index"):
            engine.ask("Who founded Tesla?", receipt=False)
        assert "run pincite index" in engine.verify()[0]
    with indexed(tmp_path) as engine:
        assert engine.verify() == []


@pytest.mark.parametrize("name", ["graph/*.npy", "links/*.npy", "keywords/*.npy", "vectors/vectors.faiss"])
def test_a_generation_of_an_older_version_without_stamps_is_opened_and_its_garbage_told(
    name: str, tmp_path: Path
) -> None:
    indexed(tmp_path).close()
    manifest = generation_of(tmp_path) / "manifest.json"
    said = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({key: value for key, value in said.items() if key not in ("stamps", "manifest")}))
    with hashing_engine(tmp_path) as engine:
        assert engine.ask("Who founded Tesla?", receipt=False).statements
    for path in generation_of(tmp_path).glob(name):
        path.write_bytes(garbled(path.read_bytes()))
    with hashing_engine(tmp_path) as engine, pytest.raises(StoreError, match="run pincite index"):
        engine.ask("Who founded Tesla?", receipt=False)


def test_a_large_file_is_known_by_its_size_and_samples(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(bytes(2 * SAMPLES * SAMPLE_BYTES))
    before = stamp_of(path)
    with path.open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"x")
    assert stamp_of(path) != before
    path.write_bytes(bytes(2 * SAMPLES * SAMPLE_BYTES + 1))
    assert stamp_of(path) != before
