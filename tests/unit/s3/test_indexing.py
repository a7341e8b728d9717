"""1. Objects are sources whose ids are their addresses. 2. What did not change is not fetched again. 3. What cannot be
had costs nothing that the store holds. 4. No copy stays behind."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.files import files_below
from tests.support.made_pdfs import write_pdf
from tests.support.s3_server import S3Server
from tests.support.served import drawn

from pincite.cli.main import main
from pincite.errors import ServiceError, UsageError
from pincite.records.sources import IndexReport
from pincite.wiring import open_engine

SNOW, WIND = b"The keeper clears the snow.", b"Wind acts on the tower."


def zipped(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def indexed(server: S3Server, store: Path, *paths: str | Path, **others: Any) -> IndexReport:
    options = {name: others.pop(name) for name in ("mode", "prune", "manifest", "exclude") if name in others}
    with open_engine(server.settings(**others), store, create=True) as engine:
        return engine.index(paths, **options)


def states(report: IndexReport) -> dict[str, str]:
    return {item.source.removeprefix("s3://docs/"): item.status for item in report.documents}


def held(server: S3Server, store: Path) -> dict[str, int]:
    """The chunks of each source that the store holds."""
    with open_engine(server.settings(), store) as engine:
        return {
            state.source.source_id.removeprefix("s3://docs/"): state.chunk_count
            for state in engine.session().documents.sources()
        }


# --- what becomes a source


def test_an_object_is_cited_by_its_name_and_known_by_its_address(server: S3Server, store_folder: Path) -> None:
    server.put("docs", {"rules/snow.txt": SNOW})
    indexed(server, store_folder, "s3://docs/rules")
    with open_engine(server.settings(), store_folder) as engine:
        answer = engine.ask("Who clears the snow?").to_dict()
    (citation,) = answer["statements"][0]["citations"]
    assert (citation["filename"], citation["source_id"]) == ("snow.txt", "s3://docs/rules/snow.txt")
    assert answer["results"][0]["s3_path"] == "s3://docs/rules/snow.txt"
    assert not [notice for notice in answer["meta"]["notices"] if "gone" in notice]


def test_a_prefix_is_a_folder_and_what_is_hidden_or_left_out_is_not_taken(server: S3Server, store_folder: Path) -> None:
    keys = ("a/1.txt", "a/.hidden/2.txt", "a/deep/3.txt", "a/drafts/4.txt", "a/folder/", "ab/5.txt", "6.txt")
    server.put("docs", {key: b"" if key.endswith("/") else key.encode() for key in keys})
    assert set(states(indexed(server, store_folder, "s3://docs/a", exclude=["drafts/"]))) == {"a/1.txt", "a/deep/3.txt"}
    assert set(states(indexed(server, store_folder, "s3://docs/6.txt"))) == {"6.txt"}
    assert len(states(indexed(server, store_folder, "s3://docs"))) == 5


def test_odd_keys_are_names_and_no_paths(server: S3Server, store_folder: Path) -> None:
    odd = ("a b.txt", "Größe 日本語.txt", "50%2F.txt", "x/../../../y.txt", "/lead.txt", "a//b.txt", "q?x#y.txt")
    server.put("docs", {key: f"Note {number} is about snow.".encode() for number, key in enumerate(odd)})
    assert states(indexed(server, store_folder, "s3://docs")) == dict.fromkeys(odd, "indexed")
    assert states(indexed(server, store_folder, "s3://docs")) == dict.fromkeys(odd, "unchanged")
    assert files_below(store_folder / "objects") == []


def test_what_lies_in_an_archive_is_a_source_of_its_own(server: S3Server, store_folder: Path) -> None:
    server.put("docs", {"all.zip": zipped({"snow.txt": SNOW, "wind.txt": WIND})})
    first = states(indexed(server, store_folder, "s3://docs"))
    assert {name: first[name] for name in ("all.zip!/snow.txt", "all.zip!/wind.txt")} == {
        "all.zip!/snow.txt": "indexed",
        "all.zip!/wind.txt": "indexed",
    }
    server.fetched()
    assert set(states(indexed(server, store_folder, "s3://docs")).values()) == {"unchanged"}
    assert server.fetched() == []
    assert files_below(store_folder / "objects") == []


def test_a_key_with_the_mark_of_archives_is_refused_by_name(server: S3Server, store_folder: Path) -> None:
    server.put("docs", {"a!/b.txt": SNOW, "c.txt": WIND})
    report = indexed(server, store_folder, "s3://docs")
    assert states(report) == {"a!%2Fb.txt": "refused", "c.txt": "indexed"}
    assert "give it another" in (report.documents[0].reason or "")


def test_a_manifest_names_objects_beside_files(server: S3Server, store_folder: Path, tmp_path: Path) -> None:
    server.put("docs", {"snow.txt": SNOW, "wind.txt": WIND})
    (tmp_path / "own.txt").write_text("The owner pays.")
    manifest = tmp_path / "list.json"
    entries = [{"path": "s3://docs/snow.txt", "tags": ["code"], "acl": ["board"]}, {"path": "own.txt"}]
    manifest.write_text(json.dumps(entries))
    assert states(indexed(server, store_folder, manifest=manifest)) == {"snow.txt": "indexed", "own.txt": "indexed"}
    with open_engine(server.settings(), store_folder) as engine:
        assert engine.session(["board"]).documents.source("s3://docs/snow.txt").tags == ("code",)
        assert [state.source.source_id for state in engine.session().documents.sources()] == ["own.txt"]
    manifest.write_text(json.dumps([{"path": "s3://docs/none.txt"}]))
    with pytest.raises(UsageError, match=r"s3://docs/none\.txt does not exist"):
        indexed(server, store_folder, manifest=manifest)


# --- what is fetched


def test_what_did_not_change_is_not_fetched_again(server: S3Server, store_folder: Path) -> None:
    server.put("docs", {"snow.txt": SNOW, "wind.txt": WIND, "tool.exe": b"MZ", "broken.pdf": b"%PDF-1.4 no more"})
    assert states(indexed(server, store_folder, "s3://docs"))["tool.exe"] == "refused"
    assert len(server.fetched()) == 4
    again = indexed(server, store_folder, "s3://docs")
    assert states(again) == {
        "snow.txt": "unchanged",
        "wind.txt": "unchanged",
        "tool.exe": "refused",
        "broken.pdf": "refused",
    }
    assert server.fetched() == []
    server.client().put_object(Bucket="docs", Key="wind.txt", Body=b"Wind acts on the roof.")
    assert states(indexed(server, store_folder, "s3://docs"))["wind.txt"] == "indexed"
    assert server.fetched() == ["/docs/wind.txt"]
    indexed(server, store_folder, "s3://docs", mode="full")
    assert len(server.fetched()) == 4


def test_the_same_objects_make_the_same_generation_whatever_came_before(server: S3Server, tmp_path: Path) -> None:
    server.put("docs", {"b.txt": b"old", "a.txt": SNOW})
    first = indexed(server, tmp_path / "one", "s3://docs")
    server.put("docs", {"a.txt": SNOW, "b.txt": WIND})
    assert first.generation != indexed(server, tmp_path / "one", "s3://docs").generation
    server.put("docs", {"b.txt": WIND, "a.txt": SNOW})
    made = [indexed(server, tmp_path / name, "s3://docs").generation for name in ("one", "two")]
    assert made[0] == made[1]


def test_what_is_gone_is_told_and_taken_out_when_that_is_asked_for(server: S3Server, store_folder: Path) -> None:
    server.put("docs", {"a/snow.txt": SNOW, "a/wind.txt": WIND, "b/rain.txt": b"Rain falls."})
    indexed(server, store_folder, "s3://docs")
    server.put("docs", {"a/snow.txt": SNOW})
    assert states(indexed(server, store_folder, "s3://docs/a"))["a/wind.txt"] == "vanished"
    assert states(indexed(server, store_folder, "s3://docs/a", prune=True))["a/wind.txt"] == "removed"
    assert set(held(server, store_folder)) == {"a/snow.txt", "b/rain.txt"}


def test_an_estimate_fetches_nothing(server: S3Server, store_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.put("docs", {"snow.txt": SNOW, "wind.txt": WIND})
    indexed(server, store_folder, "s3://docs/snow.txt")
    server.fetched()
    with open_engine(server.settings(), store_folder) as engine:
        plan = engine.plan(["s3://docs"])
    assert {item.source: item.status for item in plan.documents} == {
        "s3://docs/snow.txt": "unchanged",
        "s3://docs/wind.txt": "new",
    }
    assert server.fetched() == []


# --- what goes wrong


def test_what_cannot_be_read_has_a_line_and_the_rest_goes_on(server: S3Server, store_folder: Path) -> None:
    objects = {"snow.txt": SNOW, "broken.pdf": b"%PDF-1.4 no more", "large.txt": b"x" * 1_100_000, "odd.bin": b"\x00"}
    server.put("docs", {**objects, "secret.txt": b"Nobody reads this."})
    server.trick("deny", "secret")
    report = indexed(server, store_folder, "s3://docs", s3_object_mb=1)
    reasons = {item.source.rpartition("/")[2]: item.reason or "" for item in report.documents}
    assert states(report)["snow.txt"] == "indexed"
    assert "no more than 1 are fetched (s3_object_mb)" in reasons["large.txt"]
    assert reasons["odd.bin"].startswith("has no reader for")
    assert reasons["broken.pdf"]
    assert reasons["secret.txt"] == "is closed to this key (AccessDenied)"
    assert not [reason for reason in reasons.values() if "\n" in reason or "objects/reading" in reason]


def test_an_object_that_is_not_given_now_stays_as_it_was_read(server: S3Server, store_folder: Path) -> None:
    server.put("docs", {"all.zip": zipped({"in.txt": SNOW}), "snow.txt": SNOW, "wind.txt": WIND})
    indexed(server, store_folder, "s3://docs")
    before = held(server, store_folder)
    changed = {"all.zip": zipped({"in.txt": WIND}), "snow.txt": b"Snow melts.", "wind.txt": b"Wind turns."}
    server.put("docs", changed)
    server.trick("fail", "docs/all")
    report = indexed(server, store_folder, "s3://docs", prune=True)
    assert states(report) == {"all.zip": "refused", "snow.txt": "indexed", "wind.txt": "indexed"}
    assert "what was read of it before stays" in (report.documents[0].reason or "")
    assert set(held(server, store_folder)) == set(before)
    server.trick("fail")
    assert set(states(indexed(server, store_folder, "s3://docs", prune=True)).values()) == {"indexed", "unchanged"}


def test_when_nobody_answers_any_more_the_run_ends_soon_and_nothing_is_lost(
    server: S3Server, store_folder: Path
) -> None:
    server.put("docs", {f"{number}.txt": f"Note {number}.".encode() for number in range(8)})
    indexed(server, store_folder, "s3://docs")
    server.put("docs", {f"{number}.txt": f"Note {number} again.".encode() for number in range(8)})
    server.trick("fail", "docs/")
    server.fetched()
    report = indexed(server, store_folder, "s3://docs", prune=True)
    assert set(states(report).values()) == {"refused"}
    assert len(set(server.fetched())) == 3
    assert set(held(server, store_folder).values()) == {1}


def test_a_list_that_breaks_off_takes_nothing_out(server: S3Server, store_folder: Path) -> None:
    server.put("docs", {"snow.txt": SNOW, "wind.txt": WIND})
    indexed(server, store_folder, "s3://docs")
    server.put("docs", {"new.txt": b"Rain falls."})
    server.trick("fill", "docs")
    server.trick("fail", "continuation-token")
    with pytest.raises(ServiceError, match="SlowDown"):
        indexed(server, store_folder, "s3://docs", prune=True)
    assert set(held(server, store_folder)) == {"snow.txt", "wind.txt"}


def test_a_bucket_that_vanished_or_a_key_that_is_wrong_takes_nothing_out(server: S3Server, store_folder: Path) -> None:
    server.put("passing", {"snow.txt": SNOW})
    indexed(server, store_folder, "s3://passing")
    with pytest.raises(ServiceError, match="refuses the key"):
        indexed(server, store_folder, "s3://passing", prune=True, s3_secret="wrong")
    server.client().delete_object(Bucket="passing", Key="snow.txt")
    server.client().delete_bucket(Bucket="passing")
    with pytest.raises(ServiceError, match="has no bucket passing"):
        indexed(server, store_folder, "s3://passing", prune=True)
    assert held(server, store_folder) == {"s3://passing/snow.txt": 1}


def test_what_a_killed_run_left_is_gone_with_the_next(server: S3Server, store_folder: Path, tmp_path: Path) -> None:
    left = store_folder / "objects" / "reading" / "left.pdf"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"%PDF-")
    (tmp_path / "own.txt").write_text("The owner pays.")
    indexed(server, store_folder, tmp_path / "own.txt")
    assert not left.exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_cut_off_loses_nothing_and_the_next_goes_on(
    server: S3Server, store_folder: Path, how: signal.Signals
) -> None:
    server.put("docs", {f"{number}.txt": f"Note {number}.".encode() * 200 for number in range(60)})
    settings = server.settings()
    names = ("s3_endpoint", "s3_region", "s3_key_id", "s3_secret", "embedder", "workers")
    environment = {f"PINCITE_{name.upper()}": str(getattr(settings, name)) for name in names}
    script = "import sys; from pincite.cli.main import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "index", "s3://docs", "--store", str(store_folder), "--quiet"]
    modules = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    server.trick("keep", "docs/40.txt")
    with subprocess.Popen(
        command, env={**environment, **modules}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        try:
            while "/docs/40.txt" not in server.fetched():
                assert run.poll() is None
                time.sleep(0.02)
            run.send_signal(how)
            server.trick("keep")
            run.communicate(timeout=60)
        finally:
            run.kill()
    assert run.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL)
    assert how == signal.SIGKILL or files_below(store_folder / "objects") == []
    assert set(states(indexed(server, store_folder, "s3://docs")).values()) <= {"indexed", "unchanged"}
    assert len(held(server, store_folder)) == 60
    assert files_below(store_folder / "objects") == []


def test_no_more_copies_lie_there_than_are_being_read(server: S3Server, store_folder: Path) -> None:
    server.put("docs", {f"{number}.txt": f"Note {number}.".encode() for number in range(30)})
    most, done = 0, threading.Event()

    def watch() -> None:
        nonlocal most
        while not done.is_set():
            most = max(most, len(files_below(store_folder / "objects")))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        indexed(server, store_folder, "s3://docs")
    finally:
        done.set()
        watching.join()
    assert len(server.fetched()) == 30
    assert most <= 3
    assert files_below(store_folder / "objects") == []


# --- at the command line


def test_the_command_takes_an_address_and_keeps_the_store_here(
    server: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pdf(tmp_path / "made.pdf", [drawn("1 Snow", "The keeper clears the snow.")])
    server.put("docs", {"rules/snow.pdf": (tmp_path / "made.pdf").read_bytes()})
    settings = server.settings()
    for name in ("s3_endpoint", "s3_region", "s3_key_id", "s3_secret", "embedder"):
        monkeypatch.setenv(f"PINCITE_{name.upper()}", getattr(settings, name))
    monkeypatch.chdir(tmp_path)
    assert main(["index", "s3://docs/rules/", "--quiet"]) == 0
    assert (tmp_path / ".pincite" / "record.sqlite").is_file()
    assert main(["ask", "Who clears the snow?"]) == 0
    assert "(snow.pdf, p.1)" in capsys.readouterr().out
    assert main(["index", "s3://docs/rules/", "--dry-run"]) == 0
    assert "unchanged s3://docs/rules/snow.pdf" in capsys.readouterr().out


def test_a_folder_of_documents_names_no_service(
    server: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pincite.toml").write_text('s3_endpoint = "http://127.0.0.1:9"\ns3_secret = "theirs"\n')
    (tmp_path / "own.txt").write_text("See s3://docs/secret.txt, http://127.0.0.1:9/ and ../x.")
    assert main(["index", str(tmp_path / "own.txt"), "--embedder", "none", "--quiet"]) == 0
    assert "may not set s3_endpoint, s3_secret" in capsys.readouterr().err
    assert server.fetched() == []
