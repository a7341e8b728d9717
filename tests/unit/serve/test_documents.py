"""Documents over HTTP are what the commands print of them; a page is a picture that is drawn once."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.support.served import BROKEN, OPEN, Served

from pincite.cli.main import main


def get(served: Served, url: str, who: str = "reader", headers: dict[str, str] | None = None, **params: Any) -> Any:
    return served.client.get(f"/api{url}", params=params, headers={**served.headers(who), **(headers or {})})


def printed(capsys: pytest.CaptureFixture[str], served: Served, *arguments: str) -> Any:
    """What a command prints as JSON."""
    capsys.readouterr()
    assert main([*arguments, "--json", "--store", str(served.folder / ".pincite"), "--embedder", "none"]) == 0
    return json.loads(capsys.readouterr().out)


def test_routes_give_what_commands_print(service: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert get(service, "/document/sections", source=OPEN).json() == printed(capsys, service, "sections", "snow")[0]
    assert get(service, "/document/pages/2", source=OPEN).json() == printed(
        capsys, service, "show", "snow", "--page", "2"
    )
    assert get(service, "/section", number="2", source=OPEN).json() == printed(
        capsys, service, "show", "snow", "--section", "2"
    )
    assert get(service, "/section", number="2").json()["title"] == "Wind"
    assert get(service, "/entity", name="Alder Works").json() == printed(capsys, service, "graph", "Alder Works")
    status = printed(capsys, service, "status")
    held = get(service, "/documents").json()
    assert held == {name: status[name] for name in held}


def listed(served: Served, **params: Any) -> tuple[list[str], int]:
    told = get(served, "/documents", **params).json()
    return [state["source"]["source_id"] for state in told["sources"]], told["found"]


def test_documents_are_found_by_their_names_and_states_some_at_a_time(service: Served) -> None:
    assert listed(service, limit=10) == ([BROKEN, OPEN], 2)
    assert listed(service, limit=1) == ([BROKEN], 2)
    assert listed(service, limit=1, offset=1) == ([OPEN], 2)
    assert listed(service, limit=1, offset=2) == ([], 2)
    assert listed(service, limit=10, query="SNOW &") == ([OPEN], 1)
    assert listed(service, limit=10, status="refused") == ([BROKEN], 1)
    assert listed(service, limit=10, query="salaries") == ([], 0)
    found = get(service, "/documents", query="rules/", status="indexed", limit=1).json()
    assert found["states"] == {"indexed": 1, "refused": 1}
    assert found["counts"] == get(service, "/documents").json()["counts"]
    assert [state["status"] for state in get(service, "/documents", query="broken").json()["sources"]] == ["refused"]


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 1001}, {"offset": -1}, {"status": "gone"}, {"limit": "x"}])
def test_what_cannot_be_listed_is_told(service: Served, wrong: dict[str, Any]) -> None:
    assert get(service, "/documents", **wrong).status_code == 422


def test_a_document_is_named_by_its_id_whatever_stands_in_it(service: Served) -> None:
    found = get(service, "/document", source=OPEN).json()
    assert (found["source"]["source_id"], found["status"], found["page_count"]) == (OPEN, "indexed", 2)
    for wrong in ("snow & wind.pdf", OPEN + "/", "./" + OPEN, "rules/../" + OPEN, "", "%2e%2e/x", "/etc/passwd"):
        assert get(service, "/document", source=wrong).status_code == 404


def test_why_a_document_was_refused_is_told_without_its_path(service: Served) -> None:
    found = get(service, "/document", source=BROKEN)
    assert (found.json()["status"], bool(found.json()["reason"])) == ("refused", True)
    assert str(service.folder) not in found.text
    assert get(service, "/document/sections", source=BROKEN).status_code == 404


def test_references_tell_what_became_of_them(service: Served) -> None:
    (found,) = get(service, "/document/references", source=OPEN).json()["references"]
    assert (found["text"], found["status"], found["targets"][0]["source_id"]) == ("section 2", "resolved", OPEN)
    assert get(service, "/document/anchors", source=OPEN).json() == {"source_id": OPEN, "anchors": []}


def passages(served: Served) -> list[str]:
    return [chunk.chunk_id for chunk in served.engine.session(()).documents.chunks_at(OPEN, 0, 1000)]


def test_a_passage_is_told_between_its_neighbours_with_the_pages_that_it_refers_to(service: Served) -> None:
    first, second = passages(service)
    found = get(service, "/document/passage", source=OPEN, chunk=first).json()
    assert (found["page"], found["section"], found["before"]) == (1, ["1 Snow"], [])
    assert [(beside["chunk_id"], beside["page"]) for beside in found["after"]] == [(second, 2)]
    (step,) = found["references"]
    assert (step["text"], step["section"], step["status"]) == ("section 2", "1", "resolved")
    (goal,) = step["goals"]
    assert (goal["name"], goal["title"], goal["page"], goal["chunk_id"]) == ("2", "Wind", 2, second)
    text = get(service, "/document/pages/2", source=OPEN).json()["pages"][0]["text"]
    assert text[goal["span"]["start"] : goal["span"]["end"]] == "2 Wind"


def test_words_are_found_where_they_stand_whatever_their_case_and_line(service: Served) -> None:
    found = get(service, "/document/find", source=OPEN, words="the  KEEPER").json()
    texts = {
        number: get(service, f"/document/pages/{number}", source=OPEN).json()["pages"][0]["text"] for number in (1, 2)
    }
    assert found["places"]
    for place in found["places"]:
        assert texts[place["page"]][place["start"] : place["end"]].split() in (["The", "keeper"], ["the", "keeper"])
    assert get(service, "/document/find", source=OPEN, words="no such words").json() == {"places": [], "more": False}
    assert get(service, "/document/find", source=OPEN, words=" ").json() == {"places": [], "more": False}
    assert get(service, "/document/find", source="board/salaries.pdf", words="a").status_code == 404


def test_a_passage_is_that_of_its_document_alone(service: Served) -> None:
    for chunk in ("", "x", "0" * 64, passages(service)[0][:-1]):
        assert get(service, "/document/passage", source=OPEN, chunk=chunk).status_code == 404
    assert get(service, "/document/passage", source="board/salaries.pdf", chunk=passages(service)[0]).status_code == 404


@pytest.mark.parametrize("page", ["0", "-1", "x", "1.5", "99999999999999999999", "1%00"])
def test_a_page_is_a_number_from_1(service: Served, page: str) -> None:
    assert get(service, f"/document/pages/{page}", source=OPEN).status_code == 422


def test_a_page_that_is_not_there_is_told(service: Served) -> None:
    for url in ("/document/pages/3", "/document/pages/3/image"):
        found = get(service, url, source=OPEN)
        assert found.status_code == 404
        assert found.json()["error"]["message"] == "there is no page 3: the document has pages 1 to 2"


def test_receipts_are_those_of_the_command(service: Served, capsys: pytest.CaptureFixture[str]) -> None:
    asked = service.client.get("/qa", params={"query": "Who clears the snow?"}, headers=service.headers("reader"))
    run = asked.json()["meta"]["trace_id"]
    told = printed(capsys, service, "audit", "show", run)
    told["run"] |= {"number": 0, "previous": ""}
    assert get(service, f"/runs/{run[:12]}", "admin").json() == told
    assert run in {item["run_id"] for item in get(service, "/runs", "admin", limit=1000).json()}
    assert get(service, f"/runs/{32 * 'f'}", "admin").status_code == 404
    for wrong in ("", "x", "..", "%2e%2e"):
        assert get(service, f"/runs/{wrong}", "admin").status_code in (404, 422)


# --- pictures ----------------------------------------------------------------------------------------------


def pixels(content: bytes) -> set[tuple[int, ...]]:
    with Image.open(io.BytesIO(content)) as picture:
        return {tuple(colour) for _, colour in picture.convert("RGB").getcolors(picture.width * picture.height)}


def test_the_words_of_a_citation_are_marked_in_its_picture(service: Served) -> None:
    asked = service.client.get("/qa", params={"query": "Who clears the snow?"}, headers=service.headers("reader"))
    cited = asked.json()["statements"][0]["citations"][0]
    span = "-".join(map(str, cited["span"]))
    plain = get(service, f"/document/pages/{cited['page']}/image", source=cited["source_id"])
    marked = get(service, f"/document/pages/{cited['page']}/image", source=cited["source_id"], mark=span)
    assert plain.headers["Content-Type"] == marked.headers["Content-Type"] == "image/png"
    assert any(red > 200 and blue < 150 for red, _, blue in pixels(marked.content) - pixels(plain.content))


def test_the_boxes_of_a_citation_lie_around_its_words(service: Served) -> None:
    text = get(service, "/document/pages/1", source=OPEN).json()["pages"][0]["text"]
    at = text.index("keeper")
    told = get(service, "/document/pages/1/marks", source=OPEN, mark=[f"{at}-{at + 3}", "0-1"]).json()
    words = get(service, "/document/pages/1/words", source=OPEN).json()
    assert (told["pages"], told["width"], told["height"]) == (words["pages"], words["width"], words["height"])
    (left, top, right, bottom), *others = told["marks"][0]
    around = next(word["box"] for word in words["words"] if word["text"] == "keeper")
    assert (others, len(told["marks"])) == ([], 2)
    assert around[0] <= left < right <= around[2]
    assert around[1] <= top < bottom <= around[3]


def test_a_picture_that_is_still_the_same_is_not_sent_again(service: Served) -> None:
    first = get(service, "/document/pages/1/image", source=OPEN, mark="0-6")
    tag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = get(service, "/document/pages/1/image", source=OPEN, mark="0-6", headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    others = [("1", "0-5"), ("2", "0-6"), ("1", [])]
    tags = {get(service, f"/document/pages/{n}/image", source=OPEN, mark=mark).headers["ETag"] for n, mark in others}
    assert len(tags | {tag}) == 4


def test_who_knows_the_tag_of_a_picture_must_be_let_in_all_the_same(service: Served) -> None:
    source = "board/salaries.pdf"
    tag = get(service, "/document/pages/1/image", "board", source=source).headers["ETag"]
    assert get(service, "/document/pages/1/image", "board", {"If-None-Match": tag}, source=source).status_code == 304
    assert get(service, "/document/pages/1/image", "reader", {"If-None-Match": tag}, source=source).status_code == 404


@pytest.mark.parametrize("mark", ["", "x", "3", "5-5", "9-2", "-1-4", "0-99999999999", "0-4;5-6"])
def test_what_marks_nothing_is_told(service: Served, mark: str) -> None:
    for kind in ("image", "marks"):
        found = get(service, f"/document/pages/1/{kind}", source=OPEN, mark=mark)
        assert (found.status_code, found.json()["error"]["kind"]) == (400, "usage")
        assert get(service, f"/document/pages/1/{kind}", source=OPEN, mark=["0-4"] * 51).status_code == 422


def test_a_file_that_changed_is_not_drawn(fresh: Served) -> None:
    path = Path(fresh.folder / OPEN)
    path.write_bytes(path.read_bytes() + b"\n")
    found = get(fresh, "/document/pages/1/image", source=OPEN)
    assert (found.status_code, found.json()["error"]["kind"]) == (400, "usage")
    assert str(fresh.folder) not in found.text
