"""A generation appears whole or not at all, and lives as long as somebody reads it."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import Thread

import pytest

from pincite.errors import StoreError
from pincite.store.generations import Generations, Ordinals
from pincite.store.locks import writer_lock


def ordinals(*names: str) -> Ordinals:
    return Ordinals.of(sorted(name * 64 for name in names), ["a.pdf"] * len(names))


def publish(generations: Generations, revision: int, *names: str) -> str:
    digest = "".join(names).ljust(16, "0")
    return generations.publish(revision, digest, ordinals(*names), {}, lambda folder: None)


def test_before_the_first_publication_there_is_none(tmp_path: Path) -> None:
    assert Generations(tmp_path).current() is None
    assert Generations(tmp_path).pin() is None


def test_a_reader_sees_the_chunks_that_were_published(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    publish(generations, 1, "a", "b")
    pinned = generations.pin()
    assert pinned is not None
    with pinned.held():
        assert [pinned.ordinals.chunk_id(i) for i in range(len(pinned.ordinals))] == ["a" * 64, "b" * 64]
        assert pinned.manifest["revision"] == 1


def test_a_failed_publication_changes_nothing(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    first = publish(generations, 1, "a")

    def full_disk(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(StoreError, match="no space left"):
        generations.publish(2, "b" * 16, ordinals("b"), {}, full_disk)
    assert generations.current() == first
    assert generations.problems() == []
    assert sorted(path.name for path in (tmp_path / "generations").iterdir()) == [first]


def test_an_old_generation_is_kept_while_it_is_read(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    first = publish(generations, 1, "a")
    pinned = generations.pin()
    assert pinned is not None
    publish(generations, 2, "b")
    assert generations.collect() == []
    pinned.release()
    assert generations.collect() == [first]


def test_what_a_killed_run_left_is_collected(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    publish(generations, 1, "a")
    (tmp_path / "generations" / ".00000002-b.77").mkdir()
    assert generations.collect() == [".00000002-b.77"]


def test_nobody_takes_a_generation_while_it_is_being_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generations = Generations(tmp_path)
    first, second = publish(generations, 1, "a"), publish(generations, 2, "b")
    names = [first]
    late = Generations(tmp_path)
    monkeypatch.setattr(late, "current", lambda: names.pop() if names else second)
    remove, found = shutil.rmtree, list[str]()

    def read() -> None:
        pinned = late.pin()
        assert pinned is not None
        with pinned.held():
            found.append(pinned.folder.name)

    reader = Thread(target=read)

    def remove_while_somebody_comes(folder: Path, **terms: bool) -> None:
        reader.start()
        reader.join(0.3)
        remove(folder, **terms)

    monkeypatch.setattr(shutil, "rmtree", remove_while_somebody_comes)
    assert generations.collect() == [first]
    reader.join()
    assert found == [second]


def test_a_changed_file_is_found(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    name = publish(generations, 1, "a")
    (tmp_path / "generations" / name / "sources.json").write_text("[]", encoding="utf-8")
    assert generations.problems() == [f"generation {name}: sources.json is missing or changed"]


def test_a_second_writer_is_told_who_writes(tmp_path: Path) -> None:
    with (
        writer_lock(tmp_path / "writer.lock"),
        pytest.raises(StoreError, match="process"),
        writer_lock(tmp_path / "writer.lock"),
    ):
        pass
    with writer_lock(tmp_path / "writer.lock"):
        pass
