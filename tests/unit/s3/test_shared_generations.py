"""A generation that one machine publishes in a bucket is pulled by others, whole and checked, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import URL
from tests.support.documents import document, source
from tests.support.s3_server import S3Server

from pincite.cli.main import main
from pincite.engine.engine import Engine
from pincite.errors import PinciteError, ServiceError, SettingsError, StoreError
from pincite.settings import load_settings
from pincite.store.generations import Generations, Ordinals
from pincite.store.s3_objects import S3Objects
from pincite.store.shared_generations import SharedGenerations
from pincite.wiring import open_engine

ADDRESS = "s3://generations/store"
NOTE = "revisions.json"
QUESTION = "Where does snow lie?"


@pytest.fixture
def bucket(server: S3Server) -> S3Server:
    """An empty one."""
    server.put("generations", {})
    return server


Opened = Callable[..., SharedGenerations]


@pytest.fixture
def generations(bucket: S3Server, tmp_path: Path) -> Opened:
    """Those of a machine; machines share nothing but the bucket."""

    objects = S3Objects(bucket.settings())

    def opened(machine: str, revision: int = 99) -> SharedGenerations:
        folder = tmp_path / machine
        folder.mkdir(exist_ok=True)
        return SharedGenerations(folder, ADDRESS, lambda: objects, lambda: revision, (NOTE,))

    return opened


def publish(generations: Generations, revision: int, text: str, same: str = "the same in all") -> str:
    """A generation with two files of its own, one of which others have too."""

    def fill(folder: Path) -> None:
        (folder / "words").mkdir()
        (folder / "words" / "own.txt").write_text(text, encoding="utf-8")
        (folder / "same.txt").write_text(same, encoding="utf-8")

    return generations.publish(revision, f"{revision:064x}", Ordinals.of([f"{revision:064x}"], ["a.pdf"]), {}, fill)


def keys(bucket: S3Server) -> set[str]:
    return {item.address for item in S3Objects(bucket.settings()).objects(ADDRESS)}


def own_text(folder: Path, name: str) -> str:
    return (folder / "generations" / name / "words" / "own.txt").read_text(encoding="utf-8")


def test_what_is_shared_is_pulled_as_it_was(generations: Opened, tmp_path: Path) -> None:
    first, second = generations("a"), generations("b")
    assert second.pull() is None
    name = publish(first, 1, "snow")
    first.note(NOTE, {"newer": {"a.pdf": ["b.pdf"]}})
    first.share()
    assert second.pull() == name == second.current()
    assert second.problems() == []
    assert own_text(tmp_path / "b", name) == "snow"
    assert second.noted(NOTE) == {"newer": {"a.pdf": ["b.pdf"]}}
    pinned = second.pin()
    assert pinned is not None
    pinned.release()


def test_what_did_not_change_is_neither_sent_nor_fetched_again(generations: Opened, bucket: S3Server) -> None:
    first, second = generations("a"), generations("b")
    publish(first, 1, "snow")
    first.share()
    second.pull()
    before = keys(bucket)
    bucket.fetched()
    publish(first, 2, "wind")
    first.share()
    first.share()
    assert second.pull() is not None
    files = [path for path in bucket.fetched() if "/objects/" in path]
    new = {key for key in keys(bucket) - before if "/objects/" in key}
    assert len(files) == len(new) < 6


def test_a_note_of_its_own_is_shared_with_the_same_generation(generations: Opened) -> None:
    first, second = generations("a"), generations("b")
    publish(first, 1, "snow")
    first.share()
    second.pull()
    first.note(NOTE, {"newer": {}})
    first.share()
    second.pull()
    assert second.noted(NOTE) == {"newer": {}}


def test_a_generation_waits_until_the_record_has_its_revision(generations: Opened) -> None:
    first = generations("a")
    name = publish(first, 5, "snow")
    first.share()
    assert generations("b", revision=4).pull() is None
    assert generations("b", revision=5).pull() == name


def test_what_is_here_and_later_is_not_gone_back_from(generations: Opened) -> None:
    first = generations("a")
    publish(first, 1, "snow")
    first.share()
    later = publish(first, 2, "wind")
    assert first.pull() == later == first.current()


def test_of_two_who_publish_the_later_counts_and_the_other_is_told(generations: Opened) -> None:
    first, second = generations("a"), generations("b")
    publish(first, 1, "snow")
    publish(second, 2, "wind")
    second.share()
    with pytest.raises(StoreError, match="holds a later generation, of revision 2"):
        first.share()
    assert generations("c").pull() == second.current()


def test_who_publishes_between_a_look_and_a_write_is_not_written_over(
    generations: Opened, bucket: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = generations("a"), generations("b")
    publish(first, 1, "snow")
    publish(second, 2, "wind")
    put = S3Objects.put

    def late(store: S3Objects, address: str, path: Path, **replacing: object) -> bool:
        if address.endswith("current.json") and b'"revision": 1' in path.read_bytes():
            second.share()
        return put(store, address, path, **replacing)  # type: ignore[arg-type]

    monkeypatch.setattr(S3Objects, "put", late)
    with pytest.raises(StoreError, match="another process published"):
        first.share()
    assert generations("c").pull() == second.current()


@pytest.mark.parametrize("part", ["objects/", "manifests/", "current.json"])
def test_a_wrong_byte_is_refused_and_what_is_here_stays(generations: Opened, bucket: S3Server, part: str) -> None:
    first, second = generations("a"), generations("b")
    old = publish(first, 1, "snow")
    first.share()
    second.pull()
    publish(first, 2, "wind")
    first.share()
    client = bucket.client()
    for item in client.list_objects_v2(Bucket="generations")["Contents"]:
        if part in item["Key"]:
            content = client.get_object(Bucket="generations", Key=item["Key"])["Body"].read()
            client.put_object(Bucket="generations", Key=item["Key"], Body=b"x" + content[1:])
    with pytest.raises(StoreError, match="run pincite index"):
        second.pull()
    assert second.current() == old
    assert second.problems() == []
    assert [path.name for path in (second._generations).iterdir()] == [old]


@pytest.mark.parametrize("part", ["objects/", "manifests/", "current.json"])
@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_what_is_cut_or_gone_is_sent_again(generations: Opened, bucket: S3Server, part: str, damage: str) -> None:
    first, second = generations("a"), generations("b")
    name = publish(first, 1, "snow")
    first.share()
    client = bucket.client()
    for item in client.list_objects_v2(Bucket="generations")["Contents"]:
        if part in item["Key"]:
            client.delete_object(Bucket="generations", Key=item["Key"])
            if damage == "cut":
                client.put_object(Bucket="generations", Key=item["Key"], Body=b"x")
    first.share()
    assert second.pull() == name
    assert second.problems() == []


@pytest.mark.parametrize("name", ["../../outside.txt", "/tmp/outside.txt", "a/../../b", "..\\x", ""])
def test_a_manifest_names_no_file_outside(generations: Opened, bucket: S3Server, tmp_path: Path, name: str) -> None:
    first = generations("a")
    publish(first, 1, "snow")
    folder = next((tmp_path / "a" / "generations").iterdir())
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["files"][name] = next(iter(manifest["files"].values()))
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(PinciteError):
        first.share()
        generations("b").pull()
    assert not (tmp_path / "b" / "CURRENT").exists()
    assert not list(tmp_path.glob("**/outside.txt"))


@pytest.mark.parametrize("step", range(12))
def test_who_is_cut_off_while_pulling_leaves_what_was(
    generations: Opened, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    first, second = generations("a"), generations("b")
    old = publish(first, 1, "snow")
    first.share()
    second.pull()
    new = publish(first, 2, "wind", same="another")
    first.share()
    calls = 0

    def counted(method: Callable[..., object]) -> Callable[..., object]:
        def call(*given: object, **named: object) -> object:
            nonlocal calls
            calls += 1
            if calls > step:
                raise KeyboardInterrupt
            return method(*given, **named)

        return call

    with monkeypatch.context() as patched:
        for name in ("find", "fetch"):
            patched.setattr(S3Objects, name, counted(getattr(S3Objects, name)))
        try:
            second.pull()
        except KeyboardInterrupt:
            assert second.current() == old
            assert second.problems() == []
    assert second.pull() == new
    assert second.problems() == []


def test_a_bucket_that_is_away_is_told_and_sent_to_later(generations: Opened, bucket: S3Server) -> None:
    first, second = generations("a"), generations("b")
    old = publish(first, 1, "snow")
    first.share()
    second.pull()
    new = publish(first, 2, "wind")
    bucket.trick("fail", "/objects/")
    with pytest.raises(ServiceError, match="sent with the next pincite index"):
        first.share()
    bucket.trick("fail", "current.json")
    with pytest.raises(ServiceError):
        second.pull()
    assert second.current() == old
    bucket.trick("fail")
    first.share()
    assert second.pull() == new


def test_a_damaged_copy_is_mended_by_a_pull_that_checks(generations: Opened, tmp_path: Path) -> None:
    first, second = generations("a"), generations("b")
    name = publish(first, 1, "snow")
    first.share()
    second.pull()
    (tmp_path / "b" / "generations" / name / "words" / "own.txt").write_text("sown", encoding="utf-8")
    assert second.problems() != []
    second.pull(check=True)
    assert second.problems() == []
    assert own_text(tmp_path / "b", name) == "snow"


def test_what_nobody_needs_any_more_is_removed_from_the_bucket(generations: Opened, bucket: S3Server) -> None:
    first = generations("a")
    publish(first, 1, "snow")
    first.share()
    old = keys(bucket)
    publish(first, 2, "wind")
    first.share()
    first.collect()
    assert len(keys(bucket) & old) < len(old)
    assert generations("b").pull() == first.current()
    client = bucket.client()
    client.put_object(Bucket="generations", Key="store/of others.txt", Body=b"x")
    client.put_object(Bucket="generations", Key="storehouse/objects/x", Body=b"x")
    first.collect()
    assert {f"{ADDRESS}/of others.txt", "s3://generations/storehouse/objects/x"} <= keys(bucket)


# --- whole stores --------------------------------------------------------------------------------------------


def put(engine: Engine, texts: dict[str, str]) -> None:
    engine.index_documents([(source(name), document(text, title=name)) for name, text in texts.items()])


def test_a_machine_that_does_not_index_answers_as_the_one_that_does(
    bucket: S3Server,
    postgres_url: URL,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = postgres_url.render_as_string(hide_password=False).replace("+psycopg", "")
    settings = replace(bucket.settings(), record_url=record, generations_url=ADDRESS, reranker="none")
    with open_engine(settings, tmp_path / "a", create=True) as writer:
        put(writer, {"a.pdf": "Snow lies on the roof.", "b.pdf": "Wind acts on the wall."})
        for name in ("record_url", "generations_url", "s3_endpoint", "s3_region", "s3_key_id", "s3_secret", "embedder"):
            monkeypatch.setenv(f"PINCITE_{name.upper()}", str(getattr(settings, name)))
        assert main(["pull", "--store", str(tmp_path / "b")]) == 0
        assert "answers from generation 00000002-" in capsys.readouterr().out
        with open_engine(settings, tmp_path / "b") as server:
            assert server.session().generation() == writer.session().generation()
            first, second = (engine.ask(QUESTION).to_dict(stable=True) for engine in (writer, server))
            assert first == second
            put(writer, {"a.pdf": "Snow lies on the shed."})
            assert server.pull() is not None
            assert "shed" in server.ask(QUESTION).summary
            old = keys(bucket)
            writer.remove("a.pdf", purge=True)
            assert "earlier versions" in writer.left_by_purge()
            assert server.pull() is not None
            assert "shed" not in server.ask(QUESTION).summary
            assert len(old - keys(bucket)) > 2


def test_a_purge_while_the_bucket_is_away_purges_all_the_rest_and_the_bucket_later(
    bucket: S3Server, postgres_url: URL, tmp_path: Path
) -> None:
    record = postgres_url.render_as_string(hide_password=False).replace("+psycopg", "")
    settings = replace(bucket.settings(), record_url=record, generations_url=ADDRESS, reranker="none")
    with open_engine(settings, tmp_path / "a", create=True) as engine:
        put(engine, {"a.pdf": "Snow lies on the roof.", "b.pdf": "Wind acts on the wall."})
        run = engine.ask(QUESTION).trace_id
        old = keys(bucket)
        bucket.trick("fail", "generations")
        with pytest.raises(ServiceError):
            engine.remove("a.pdf", purge=True)
        bucket.trick("fail")
        assert "roof" not in str(engine.session().audit.receipt(run))
        assert "roof" not in engine.ask(QUESTION).summary
        put(engine, {"b.pdf": "Wind acts on the gate."})
        assert len(old - keys(bucket)) > 2


@pytest.mark.parametrize(
    "given", [{"generations_url": "s3://b/p"}, {"generations_url": "b/p", "record_url": "postgresql://a@b/c"}]
)
def test_settings_that_cannot_be_are_told(given: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="generations_url"):
        load_settings(environment={}, options=given)


def test_without_a_bucket_there_is_nothing_to_pull(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pull", "--store", str(tmp_path)]) == 2
    assert "name it in generations_url" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
