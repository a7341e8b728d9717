"""Archives and mails: what lies inside is a source of its own, with all that is promised of files."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path

import pytest

from pincite.build.inside import MAX_DEPTH
from pincite.engine.engine import Engine
from pincite.records.questions import Filter
from pincite.records.sources import IndexReport
from pincite.wiring import open_engine
from tests.e2e.conftest import Run
from tests.support.office_files import docx, packed, paragraph
from tests.support.promises import SETTINGS, citations, files, pages, store_of

RAKES, COUNTS = "The keeper rakes the gravel.", "The bailiff counts the sluices."


def zipped(path: Path, members: Mapping[str, bytes | Path]) -> Path:
    """A zip folder of these contents or files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes) else content.read_bytes())
    return path


def mail(path: Path, **attached: bytes) -> Path:
    """A mail with these files attached, a dot for each underscore in their names."""
    message = EmailMessage()
    message["Subject"] = "Rota"
    message.set_content("The rota is attached.")
    for name, content in attached.items():
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name.replace("_", "."))
    path.write_bytes(message.as_bytes())
    return path


def statuses(report: IndexReport) -> dict[str, str]:
    return {item.source: item.status for item in report.documents}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A zip folder with a PDF in a folder of its own, and a mail with an archive attached."""
    made = tmp_path / "docs"
    made.mkdir()
    rota = pages(tmp_path / "rota.pdf", "A cover.", RAKES)
    zipped(made / "a.zip", {"reports/rota.pdf": rota, "notes.xyz": b"?"})
    mail(made / "b.eml", inner_zip=zipped(tmp_path / "inner.zip", {"duty.md": COUNTS.encode()}).read_bytes())
    return made


def test_files_inside_archives_and_mails_are_read_and_cited_by_their_own_name_and_page(folder: Path) -> None:
    with store_of(folder) as engine:
        report = engine.index([folder], mode="full")
        assert statuses(report) == {
            "a.zip": "indexed",
            "a.zip!/notes.xyz": "refused",
            "a.zip!/reports/rota.pdf": "indexed",
            "b.eml": "indexed",
            "b.eml!/inner.zip": "indexed",
            "b.eml!/inner.zip!/duty.md": "indexed",
        }
        (first,) = citations(engine, "Who rakes the gravel?")
        assert (first.filename, first.source_id, first.page) == ("rota.pdf", "a.zip!/reports/rota.pdf", 2)
        (second,) = citations(engine, "Who counts the sluices?")
        assert (second.filename, second.source_id) == ("duty.md", "b.eml!/inner.zip!/duty.md")
        assert [box for box in engine.session().files.boxes(first) if box.top > 0]
        assert engine.session().files.picture(first.source_id, 2, [first.span]) != engine.session().files.picture(
            first.source_id, 2
        )
        assert engine.ask("Who rakes the gravel?", receipt=False).notices == ()
        assert engine.verify() == []


def test_what_did_not_change_inside_is_not_read_again(folder: Path) -> None:
    with store_of(folder) as engine:
        again = engine.index([folder])
        assert set(statuses(again).values()) == {"unchanged", "refused"}
        zipped(folder / "a.zip", {"reports/rota.pdf": folder.parent / "rota.pdf", "new.md": RAKES.encode()})
        changed = statuses(engine.index([folder]))
        assert changed["a.zip"] == "indexed"
        assert changed["a.zip!/reports/rota.pdf"] == "unchanged"
        assert changed["a.zip!/new.md"] == "indexed"
        assert changed["a.zip!/notes.xyz"] == "removed"
        with open_engine(SETTINGS, folder.parent / "fresh", create=True) as fresh:
            fresh.index([folder])
            assert fresh.session().generation() == engine.session().generation()


def test_an_answer_says_when_the_archive_has_changed_or_gone_since(folder: Path) -> None:
    with store_of(folder) as engine:
        zipped(folder / "a.zip", {"new.md": b"Later."})
        (changed,) = engine.ask("Who rakes the gravel?", receipt=False).notices
        (folder / "b.eml").unlink()
        (gone,) = engine.ask("Who counts the sluices?", receipt=False).notices
        assert changed.startswith("a.zip!/reports/rota.pdf may have changed since it was indexed")
        assert gone.startswith("b.eml!/inner.zip!/duty.md is gone since it was indexed")
        pruned = statuses(engine.index([folder], prune=True))
        assert {name for name, status in pruned.items() if status == "removed"} == {
            "a.zip!/notes.xyz",
            "a.zip!/reports/rota.pdf",
            "b.eml",
            "b.eml!/inner.zip",
            "b.eml!/inner.zip!/duty.md",
        }


def test_an_archive_can_be_indexed_alone_and_taken_out_whole(folder: Path) -> None:
    with open_engine(SETTINGS, folder / ".pincite", create=True) as engine:
        engine.index([folder / "a.zip"])
        assert len(engine.session().documents.sources()) == 3
        zipped(folder / "a.zip", {"reports/rota.pdf": folder.parent / "rota.pdf"})
        engine.index([folder / "a.zip"])
        assert len(engine.session().documents.sources()) == 2
        engine.remove("a.zip")
        assert engine.session().documents.sources() == []


class CutError(Exception):
    """The run ends here."""


def test_a_run_that_is_cut_off_inside_an_archive_is_finished_by_the_next_one(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    zipped(folder / "a.zip", {f"{number}.md": f"Keeper {number} rakes.".encode() for number in range(40)})

    def cut(progress: object) -> None:
        if "!/" in getattr(progress, "detail", ""):
            raise CutError

    with open_engine(SETTINGS, folder / ".pincite", create=True) as engine:
        with pytest.raises(CutError):
            engine.index([folder], progress=cut)
        assert len(engine.session().documents.sources()) < 41
        engine.index([folder])
        assert len(engine.session().documents.sources()) == 41


def test_who_may_see_an_archive_may_see_what_lies_inside_and_nobody_else(folder: Path) -> None:
    listed = '{"sources": [{"path": "a.zip", "acl": ["board"], "tags": ["rota"]}]}'
    manifest = files(folder.parent, {"list.json": listed.replace("a.zip", "docs/a.zip")}) / "list.json"
    with store_of(folder) as engine:

        def found(**wanted: tuple[str, ...]) -> bool:
            return bool(engine.search("gravel", filter=Filter(**wanted), receipt=False).evidence)

        assert found()
        engine.index(manifest=manifest)
        assert not found()
        assert found(principals=("board",), tags=("rota",))


def nested(tmp_path: Path, depth: int) -> Path:
    content = RAKES.encode()
    name = "deep.md"
    for level in range(depth):
        content = zipped(tmp_path / f"{level}.zip", {name: content}).read_bytes()
        name = f"{level}.zip"
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.zip").write_bytes(content)
    return folder


def test_archives_inside_archives_are_read_to_a_stated_depth_and_then_refused_by_name(tmp_path: Path) -> None:
    with store_of(nested(tmp_path, MAX_DEPTH)) as engine:
        assert citations(engine, "Who rakes the gravel?")[0].filename == "deep.md"
    (tmp_path / "more").mkdir()
    with store_of(nested(tmp_path / "more", MAX_DEPTH + 1)) as engine:
        (refused,) = (state for state in engine.session().documents.sources() if state.status == "refused")
        assert refused.reason == "lies deeper than 3 files inside each other: unpack it"


@pytest.mark.parametrize("name", ["../evil.md", "..\\..\\evil.md"])
def test_a_name_that_leads_out_of_its_archive_leads_nowhere(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (tmp_path / "evil.md").write_text("Outside.")
    packed(folder / "a.zip", {name: RAKES, "good.md": COUNTS})
    with store_of(folder) as engine:
        (refused,) = (state for state in engine.session().documents.sources() if state.status == "refused")
        assert "leads out of the archive" in (refused.reason or "")
        assert engine.session().files.file_of(refused.source.source_id) is None
        assert citations(engine, "Who counts the sluices?")
    assert (tmp_path / "evil.md").read_text() == "Outside."


def test_patterns_of_what_is_not_read_hold_inside_archives_too(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    packed(folder / "a.zip", {"draft.md": RAKES, "old/b.md": RAKES, "keep.md": COUNTS})

    def known(engine: Engine) -> set[str]:
        return {state.source.source_id for state in engine.session().documents.sources()}

    with open_engine(SETTINGS, folder / ".pincite", create=True) as engine:
        engine.index([folder], exclude=["draft*", "old/"])
        assert known(engine) == {"a.zip", "a.zip!/keep.md"}
        engine.index([folder], exclude=["old/"])
        assert known(engine) == {"a.zip", "a.zip!/keep.md", "a.zip!/draft.md"}
        for _ in range(2):
            assert statuses(engine.index([folder], exclude=["draft*", "old/"]))["a.zip!/draft.md"] == "vanished"
        engine.index([folder], exclude=["draft*", "old/"], prune=True)
        assert known(engine) == {"a.zip", "a.zip!/keep.md"}


def test_a_password_opens_what_lies_inside_too(command: Run, tmp_path: Path) -> None:
    import pikepdf

    from tests.support.made_pdfs import change

    folder = tmp_path / "docs"
    folder.mkdir()
    locked = pages(tmp_path / "locked.pdf", RAKES)
    change(locked, lambda pdf: None, encryption=pikepdf.Encryption(owner="o", user="sesame"))
    mail(folder / "b.eml", locked_pdf=locked.read_bytes())
    assert "refused   b.eml!/locked.pdf: " in command("index", folder).stdout
    files(tmp_path, {"passwords.txt": "sesame\n"})
    assert command("index", folder, "--password-file", tmp_path / "passwords.txt").returncode == 0
    assert "(locked.pdf, p.1)" in command("ask", "Who rakes the gravel?", cwd=folder).stdout


def test_office_files_inside_an_archive_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    zipped(folder / "a.zip", {"Rota.DOCX": docx(tmp_path / "rota.docx", paragraph(RAKES))})
    with store_of(folder) as engine:
        assert citations(engine, "Who rakes the gravel?")[0].source_id == "a.zip!/Rota.DOCX"
