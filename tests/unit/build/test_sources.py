"""Which files are taken, and under which ids."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pincite.build.sources import Roots, encode_name, find_sources, read_manifest
from pincite.errors import UsageError


def ids(folder: Path, *paths: Path) -> list[str]:
    roots = Roots().including(folder)
    return [item.source_id for item in find_sources(list(paths or (folder,)), roots, folder / ".pincite")]


def test_ids_are_paths_below_the_root_in_order(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.txt", "a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    assert ids(tmp_path) == ["a.txt", "b.txt", "sub/a.txt"]
    assert ids(tmp_path, tmp_path / "sub") == ["sub/a.txt"]


def test_hidden_files_links_and_the_store_are_left_out(tmp_path: Path) -> None:
    (tmp_path / ".pincite").mkdir()
    (tmp_path / ".pincite" / "record.sqlite").write_text("x")
    (tmp_path / ".hidden.txt").write_text("x")
    (tmp_path / "seen.txt").write_text("x")
    (tmp_path / "link.txt").symlink_to(tmp_path / "seen.txt")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert ids(tmp_path) == ["seen.txt"]


def test_what_is_no_file_comes_with_a_reason(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    roots = Roots().including(tmp_path)
    (found,) = find_sources([tmp_path], roots, tmp_path / ".pincite")
    assert found.source is None
    assert found.reason == "is not a regular file"


def test_bytes_outside_utf8_are_percent_encoded_and_found_again(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"bad\xff\xfe.txt")
    odd.write_text("x")
    roots = Roots().including(tmp_path)
    (found,) = find_sources([tmp_path], roots, tmp_path / ".pincite")
    assert found.source_id == "bad%FF%FE.txt"
    assert roots.path_of(found.source_id) == odd


def test_a_percent_sign_in_a_name_means_itself(tmp_path: Path) -> None:
    odd = tmp_path / "%FFa.txt"
    odd.write_text("x")
    assert Roots().including(tmp_path).path_of(encode_name(b"%FFa.txt")) == odd


def test_a_second_root_needs_a_name(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    for folder in (first, second):
        folder.mkdir()
    roots = Roots().including(first)
    with pytest.raises(UsageError, match="--as NAME"):
        roots.including(second)
    assert roots.including(second, "more").source_id(second / "a.txt") == "more:a.txt"


def test_roots_move_with_the_store(tmp_path: Path) -> None:
    store = tmp_path / "docs" / ".pincite"
    store.mkdir(parents=True)
    Roots().including(tmp_path / "docs").save(store)
    (tmp_path / "docs").rename(tmp_path / "moved")
    assert Roots.load(tmp_path / "moved" / ".pincite").folders == {"": tmp_path / "moved"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "cannot be read"),
        ('{"files": []}', "holds no list"),
        ('[{"name": "a"}]', 'entry 1 .* has no "path"'),
        ('[{"path": "a", "tagz": []}]', "unknown fields tagz"),
        ('[{"path": "a", "tags": [1]}]', "tags must be a list of strings"),
        ('[{"path": "a", "acl": "ringers"}]', "entry 1 .*acl must be a list of strings"),
        ('[{"path": "a", "acl": null}]', "acl must be a list of strings"),
        ('[{"path": "a", "acl": [""]}]', "acl must be a list of strings"),
        ('[{"path": "a", "tags": {"x": 1}}]', "tags must be a list of strings"),
        ('[{"path": "a", "date": null}]', "date must be a string, or left out"),
        ('[{"path": "a", "uri": 7}]', "uri must be a string, or left out"),
        ('[{"path": "a", "type": []}]', "type must be a string, or left out"),
        ('[{"path": "a", "date": "2024-13"}]', "date must be a day, a month or a year"),
        ('[{"path": "a", "date": "May"}]', "date must be a day, a month or a year"),
        ('[{"path": "a"}, {"path": "b"}, {"path": "./a", "acl": ["x"]}]', "entries 1 and 3 .* name one file"),
        ('[{"path": "a", "acl": ["x"], "acl": []}]', "the field 'acl' stands twice"),
        ('[{"path": "."}]', "entry 1 .* names the folder"),
        ('[{"path": null}]', 'entry 1 .* has no "path"'),
    ],
)
def test_a_wrong_manifest_is_told_by_its_entry(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=message):
        read_manifest(path)


@pytest.mark.parametrize("date", ["1999", "2024-05", "2024-05-01", "2024-05-01T12:30:00", ""])
def test_a_day_a_month_and_a_year_are_dates(tmp_path: Path, date: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps([{"path": "a.txt", "date": date}]))
    assert read_manifest(path)[0]["date"] == date


def test_manifest_paths_are_relative_to_the_manifest(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({"sources": [{"path": "sub/../a.txt", "tags": ["x"]}]}))
    assert read_manifest(path) == [{"path": tmp_path / "a.txt", "tags": ["x"]}]
