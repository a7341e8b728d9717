"""Somebody asks in a browser: statements with citations, the page itself beside them, the evidence as a table, keys."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from docx import Document
from tests.browser.conftest import HOSTILE_NAME, IMAGE, SCRIPT, SUGGESTING, Opened, Screen
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving

QUESTION = "Who founded Rivian?"
UNANSWERED = "What is the price of cheese on the moon?"
LOOKED_AT = "#viewer [aria-current=page] img"
OF_NOTES = "When was the anemometer of Alder Works calibrated?"
STREAM = "**/api/ask/stream"
MARKED = "**/marks?*"
UNDER_MARKS = """() => Array.from(document.querySelectorAll("#viewer mark.current"), (mark) => {
  const { left, top, width, height } = mark.getBoundingClientRect();
  const there = document.elementsFromPoint(left + width / 2, top + height / 2);
  return there.find((found) => found.matches(".words span")).textContent;
}).join(" ")"""
IS_MARKED = """([left, top]) => {
  const style = document.querySelector("#viewer mark.current")?.style;
  return Math.abs(parseFloat(style?.left) - left) < 0.1 && Math.abs(parseFloat(style?.top) - top) < 0.1;
}"""
READ_HTML = """async () => {
  const [copied] = await navigator.clipboard.read();
  return (await copied.getType("text/html")).text();
}"""
MORE = "#evidence button:text-is('Show more evidence')"
ALL_SHOWN = re.compile(r" to (\d+) of \1\b")
NOTE_PROGRESS = """() => {
  const progress = document.getElementById("progress");
  window.told = [];
  new MutationObserver(() => told.at(-1) !== progress.textContent && told.push(progress.textContent))
    .observe(progress, { childList: true });
}"""


def answer_of(address: str, question: str = QUESTION) -> dict[str, Any]:
    return dict(httpx.get(f"{address}/qa", params={"query": question}, timeout=60).json())


def answered(screen: Screen, answer: dict[str, Any]) -> None:
    """Have every question of this tab answered so."""
    body = f": still there\n\nevent: answer\ndata: {json.dumps(answer)}\n\n"
    screen.page.route(STREAM, lambda route: route.fulfill(body=body))


def current(screen: Screen) -> list[str]:
    return screen.texts(".citation[aria-current]")


def places(screen: Screen) -> list[str]:
    """The file and page of each citation of the answer, in its order."""
    sources = screen.texts(".sources li")
    return [sources[int(number) - 1] for number in screen.texts(".chip")]


@pytest.mark.promise
def test_a_question_is_answered_by_statements_with_their_citations(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    said = answer_of(address)["statements"]
    shown = screen.texts(".statement")
    assert len(shown) == len(said) > 1
    sources = screen.texts(".sources li")
    for statement, text in zip(said, shown, strict=True):
        assert text.startswith(statement["text"])
        for found in statement["citations"]:
            number = sources.index(f"{found['filename']} p.{found['page']}") + 1
            assert f" {number}" in text


def test_a_citation_shows_its_file_and_quote_under_the_pointer_and_the_focus(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    citation = answer_of(address)["statements"][0]["citations"][0]
    assert screen.page.is_hidden("#tip")
    for show in (screen.page.hover, screen.page.focus):
        show(".chip >> nth=0")
        shown = screen.page.inner_text("#tip")
        assert f"{citation['filename']} p.{citation['page']}" in shown
        assert citation["quote"].split("\n")[0] in shown
        screen.page.hover("h1")
        screen.page.evaluate("document.activeElement.blur()")
        assert screen.page.is_hidden("#tip")


def test_a_page_that_is_cited_twice_in_a_statement_has_one_number(address: str, opened: Opened) -> None:
    answer, screen = answer_of(address), opened(address)
    said = answer["statements"][0]
    said["citations"] = [said["citations"][0], {**said["citations"][0], "span": [3, 9]}]
    answered(screen, {**answer, "statements": [said]})
    screen.ask(QUESTION)
    assert screen.texts(".chip") == ["1"]
    with screen.page.expect_request(MARKED) as asked:
        screen.page.click(".chip")
    assert len(parse_qs(urlsplit(asked.value.url).query)["mark"]) == 2


@pytest.mark.parametrize("words", ["Right", "Wrong", "Beside the point"])
def test_a_statement_that_was_checked_is_noted(address: str, opened: Opened, words: str) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    with screen.page.expect_request("**/api/feedback") as sent:
        screen.page.click(f".statement >> nth=1 >> button:text-is('{words}')")
    screen.page.wait_for_selector(".statement >> nth=1 >> text=Noted.")
    assert screen.page.get_attribute(f".statement >> nth=1 >> button:text-is('{words}')", "aria-pressed") == "true"
    told = sent.value.post_data_json
    assert (told["said"], told["statement"]) == (words.lower(), 1)
    (event,) = httpx.get(f"{address}/api/events", params={"limit": 1}).json()
    assert (event["kind"], event["details"]["said"]) == ("clicked", words.lower())


def test_what_comes_near_is_folded_and_stands_apart(address: str, opened: Opened) -> None:
    answer, screen = answer_of(address), opened(address)
    near = {**answer["statements"][1], "kind": "missing", "text": "Nearest: nothing that answers."}
    answered(screen, {**answer, "state": "nearest", "refused": True, "statements": [near], "missing": []})
    screen.ask(QUESTION)
    assert screen.page.inner_text("#answer .label") == "Nearest passages, not an answer"
    assert screen.page.is_hidden(".statement")
    screen.page.click("summary:text-is('Nearest passages, not an answer (1)')")
    assert screen.page.is_visible(".statement .chip")


def test_a_follow_up_is_completed_and_says_how_it_was_understood(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    screen.page.fill("#follow-up", "And Wrightspeed?")
    screen.page.press("#follow-up", "Enter")
    told = screen.page.wait_for_selector("#answer .understood").inner_text()
    assert "Wrightspeed" in told
    assert "founded" in told
    assert screen.page.input_value("#question") == "And Wrightspeed?"


def test_after_asking_the_focus_is_on_the_answer(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.fill("#question", QUESTION)
    screen.page.press("#question", "Enter")
    screen.page.wait_for_selector("#evidence .opener")
    assert screen.page.evaluate("document.activeElement.id") == "answer"
    screen.press("j")
    screen.page.wait_for_selector("#viewer img")


@pytest.mark.promise
def test_a_citation_opens_its_page_with_the_quoted_words_marked(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    citation = answer_of(address)["statements"][0]["citations"][0]
    screen.page.click(".citation >> nth=0")
    picture = screen.page.wait_for_selector("#viewer img")
    for layer in (".marks .current", ".words span >> nth=0"):
        screen.page.wait_for_selector(f"{LOOKED_AT} ~ {layer}", state="attached")
    assert picture.evaluate("image => image.naturalWidth") > 500
    assert citation["quote"] in picture.get_attribute("alt")
    assert " ".join(citation["quote"].split()) in " ".join(screen.page.evaluate(UNDER_MARKS).split())


def test_an_answer_has_an_address_with_the_citation_that_is_open(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    said, place = screen.texts(".statement"), urlsplit(screen.page.url).path
    assert re.fullmatch("/q/[0-9a-f]{32}", place)
    screen.press("j", "j")
    second = f"#viewer h2:has-text({json.dumps(places(screen)[1])})"
    screen.page.wait_for_selector(second)
    screen.page.reload()
    screen.page.wait_for_selector(second)
    assert screen.texts(".statement") == said
    assert screen.page.input_value("#question") == QUESTION
    assert screen.page.title() == f"{QUESTION} · pincite"
    screen.ask(UNANSWERED)
    assert urlsplit(screen.page.url).path != place
    screen.page.go_back()
    screen.page.wait_for_function("(said) => document.querySelector('.statement')?.innerText === said", arg=said[0])


def test_an_address_of_no_answer_says_so(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.goto(f"{address}/q/{'0' * 32}")
    screen.page.wait_for_selector("#progress:has-text('0000')")
    screen.faults = [fault for fault in screen.faults if "404" not in fault]


def test_the_pages_before_and_after_a_citation_can_be_read(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask("Where did Elon Musk invest in solar energy?")
    screen.press("j")
    cited = screen.page.wait_for_selector("#viewer h2:has-text('p.12')").inner_text()
    screen.press("]")
    screen.page.wait_for_selector("#viewer h2:has-text('p.13')")
    assert "where it says" not in str(screen.page.get_attribute(LOOKED_AT, "alt"))
    screen.press("[")
    screen.page.wait_for_selector(f"#viewer h2:has-text({json.dumps(cited)})")
    assert "where it says" in str(screen.page.get_attribute(LOOKED_AT, "alt"))


def test_all_pages_follow_one_another(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask("Where did Elon Musk invest in solar energy?")
    screen.press("j")
    screen.page.wait_for_selector(LOOKED_AT)
    assert screen.page.locator("#viewer .page").count() == 14
    assert screen.page.locator("#viewer img").count() < 14
    screen.page.hover("#viewer .sheet")
    screen.page.mouse.wheel(0, -100_000)
    screen.page.wait_for_selector("#viewer .of-pages:text-is('page 1 of 14')")
    screen.page.wait_for_selector("#viewer [data-page='1'] .words span >> nth=0", state="attached")
    screen.page.mouse.wheel(0, 100_000)
    screen.page.wait_for_selector("#viewer [data-page='14'] img")
    assert screen.page.locator("#viewer [data-page='1'] img").count() == 0


def test_what_else_is_cited_in_a_document_is_marked_on_its_page(address: str, opened: Opened) -> None:
    answer, screen = answer_of(address), opened(address)
    (cited, *_), *others = (said["citations"] for said in answer["statements"])
    for other in others:
        other[0] |= {"source_id": cited["source_id"], "page": cited["page"] + 1, "span": [0, 20], "quote": "beside"}
    answered(screen, answer)
    screen.ask(QUESTION)
    screen.press("j")
    screen.page.wait_for_selector("#viewer img[alt$='where it says: beside'] ~ .marks .other", state="attached")


def test_all_citations_of_a_page_are_marked_and_the_open_one_most(address: str, opened: Opened) -> None:
    answer, screen = answer_of(address), opened(address)
    said = answer["statements"][0]
    cited = said["citations"][0]
    places = ([0, 20], cited["span"], [30, 50])
    answer["statements"] = [said | {"citations": [cited | {"span": span, "quote": str(span)}]} for span in places]
    answered(screen, answer)
    screen.ask(QUESTION)
    drawn: list[str] = []
    screen.page.on("request", lambda request: drawn.append(request.url) if "/image?" in request.url else None)
    for key, number in (("j", 1), ("n", 2), ("n", 3), ("p", 2)):
        screen.press(key)
        screen.page.wait_for_selector(f"#viewer .head :text('citation {number} of 3')")
        asked = {"source": cited["source_id"], "mark": "-".join(map(str, places[number - 1]))}
        told = httpx.get(f"{address}/api/document/pages/{cited['page']}/marks", params=asked).json()
        left, top, *_ = told["marks"][0][0]
        screen.page.wait_for_function(IS_MARKED, arg=[100 * left / told["width"], 100 * top / told["height"]])
        assert screen.page.locator("#viewer mark.other").count() >= 2
    assert len([url for url in drawn if f"/pages/{cited['page']}/" in url]) == 1


def test_the_document_opens_as_it_is(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    screen.press("j")
    screen.page.wait_for_selector("#viewer img")
    with screen.page.context.expect_page() as tab, screen.page.expect_response("**/api/document/file?*") as sent:
        screen.page.click("#viewer button:text-is('Open PDF')")
    assert sent.value.headers["content-type"] == "application/pdf"
    assert re.match(rf"(blob:{address}/.*#page=\d+)?$", tab.value.url)


def test_keys_turn_to_the_next_citation_and_back(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    second = places(screen)[1]
    screen.press("j")
    assert current(screen) == ["1"]
    screen.press("n")
    assert current(screen) == ["2"]
    screen.page.wait_for_selector(f"#viewer h2:has-text({json.dumps(second)})")
    screen.press("k", "p")
    assert current(screen) == ["1"]
    screen.press("Escape")
    assert screen.page.is_hidden("#viewer")


def test_a_page_stands_under_its_own_name_while_the_next_is_drawn(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    first, second, *_ = places(screen)
    screen.press("j")
    shown = screen.page.wait_for_selector(LOOKED_AT).get_attribute("alt")
    held: list[Any] = []
    screen.page.route("**/image?*", lambda route: held.extend([route]))
    with screen.page.expect_request("**/image?*"):
        screen.page.click("#viewer button[title='Next citation (j)']")
    assert current(screen) == ["2"]
    assert screen.page.inner_text("#viewer h2") == first
    assert screen.page.get_attribute(LOOKED_AT, "alt") == shown
    held[0].continue_()
    screen.page.wait_for_selector(f"#viewer h2:has-text({json.dumps(second)})")
    assert screen.page.get_attribute("#viewer img", "alt") != shown
    assert screen.page.evaluate("document.activeElement.title") == "Next citation (j)"


def test_the_slash_leads_to_the_question_and_the_question_mark_to_the_keys(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    screen.press("?")
    assert screen.page.is_visible("#keys")
    screen.press("Escape", "/")
    assert screen.page.is_hidden("#keys")
    assert screen.page.evaluate("document.activeElement.id") == "question"
    screen.press("j", "?")
    assert screen.page.input_value("#question") == "j?"


def test_of_many_places_that_say_the_same_the_first_are_shown_and_the_rest_on_demand(
    address: str, opened: Opened
) -> None:
    answer, screen = answer_of(address), opened(address)
    said = answer["statements"][0]
    said["also"] = [{**said["citations"][0], "source_id": f"{n}.pdf", "filename": f"{n}.pdf"} for n in range(9)]
    answered(screen, {**answer, "statements": [said]})
    screen.ask(QUESTION)
    own = len(said["citations"])
    assert screen.page.locator(".chip:visible").count() == own + 4
    screen.press("j")
    screen.page.wait_for_selector(f"#viewer .head :text('1 of {own + 4}')")
    screen.page.click("text=5 more")
    assert screen.page.locator(".chip:visible").count() == own + 9
    assert "4.pdf" in screen.page.evaluate("document.activeElement.ariaLabel")


def test_the_table_is_sorted_by_its_heads(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    screen.as_table()
    assert screen.texts("#evidence th") == ["type", "snippet", "filename", "p", "methods", "final_score"]
    ranked = screen.texts("td.final_score")
    assert len(ranked) == 12
    screen.page.click("th.final_score button")
    falling = screen.texts("td.final_score")
    assert falling == sorted(falling, reverse=True)
    assert screen.page.get_attribute("th.final_score", "aria-sort") == "descending"
    screen.page.click("th.final_score button")
    assert screen.texts("td.final_score")[0] == min(ranked + falling)
    screen.page.click("th.final_score button")
    assert screen.texts("td.final_score") == ranked
    assert screen.page.get_attribute("th.final_score", "aria-sort") is None
    screen.page.click("th.filename button")
    names = screen.texts("td.filename")
    assert names == sorted(names)


def test_cards_fall_from_the_most_relevant_and_those_that_nobody_read_are_last(address: str, opened: Opened) -> None:
    answer, screen = answer_of(address), opened(address)
    results = [result for result in answer["results"] if result["type"] == "chunk"][:4]
    for number, result in enumerate(results):
        result["scores"] |= {"rerank": 0.9 - number / 10, "final": 0.5}
    del results[3]["scores"]["rerank"]
    answered(screen, {**answer, "results": results})
    screen.ask(QUESTION)
    assert screen.texts(".card .relevance") == ["90 %", "80 %", "70 %"]
    assert screen.page.locator(".card >> nth=3 >> .relevance").count() == 0
    assert "then those that it did not read" in screen.page.inner_text("#evidence")


def to_the_end(screen: Screen) -> list[str]:
    """Turn to the last page of what the answer rests on; all its rows."""
    shown = screen.texts("#evidence .opener")
    while not ALL_SHOWN.search(pager(screen)):
        screen.page.click(MORE)
        shown += screen.texts("#evidence .opener")
    return shown


def pager(screen: Screen) -> str:
    return screen.texts("#evidence .pager")[0]


def test_where_many_ask_the_page_waits_for_its_turn_and_asks_again(address: str, opened: Opened) -> None:
    answer, screen = answer_of(address), opened(address)
    screen.page.evaluate(NOTE_PROGRESS)
    answered(screen, answer)
    busy = '{"error": {"kind": "busy", "message": "too many ask at once"}}'
    screen.page.route(STREAM, lambda route: route.fulfill(status=503, body=busy), times=1)
    screen.ask(QUESTION)
    assert "Many are asking: waiting for a turn" in screen.page.evaluate("told")
    assert len(screen.texts(".statement")) == len(answer["statements"])
    screen.faults = [fault for fault in screen.faults if "503" not in fault]


def test_behind_the_evidence_stands_what_a_search_finds(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    assert screen.page.is_disabled("#evidence button:text-is('Back')")
    shown, told = to_the_end(screen), pager(screen)
    with screen.page.expect_response("**/api/search"):
        screen.page.click(MORE)
    screen.page.wait_for_function("(told) => document.querySelector('#evidence .pager').innerText !== told", arg=told)
    screen.page.wait_for_selector("#evidence .pager:not(:has-text('Searching'))")
    page = screen.texts("#evidence .opener")
    first = next(text for text in page if text not in shown)
    assert page[: page.index(first)] == shown[len(shown) // 12 * 12 :]
    assert screen.page.evaluate("document.activeElement.textContent") == first
    screen.page.click(f"#evidence .opener >> nth={page.index(first)}")
    assert screen.page.locator(".opened .passage").count() == 1
    while screen.page.is_enabled(MORE):
        screen.page.click(MORE)
    screen.as_table()
    screen.page.click("th.final_score button")
    scores = [float(score) for score in screen.texts("td.final_score")]
    assert scores == sorted(scores, reverse=True)


def test_a_search_for_more_that_fails_is_told_and_can_be_tried_again(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    to_the_end(screen)
    screen.page.route("**/api/search", lambda route: route.abort())
    screen.page.click(MORE)
    screen.page.wait_for_selector("#evidence .pager:has-text('does not answer')")
    screen.page.unroute("**/api/search")
    screen.faults = [fault for fault in screen.faults if "Failed to load resource" not in fault]
    with screen.page.expect_response("**/api/search"):
        screen.page.click(MORE)
    screen.page.wait_for_selector("#evidence .pager:not(:has-text('does not answer'))")


def test_a_row_opens_to_its_passage_with_headings_and_scores(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    screen.as_table()
    best = answer_of(address)["results"][1]
    screen.page.click(".opener >> nth=1")
    assert screen.texts(".opened .path") == [" › ".join(best["section"])]
    assert screen.texts(".opened .passage") == [best["text"]]
    assert screen.texts(".opened dt") == list(best["scores"])
    screen.page.wait_for_selector(".opened .nearby:has-text('Amazon led a round')")
    assert screen.texts(".opened > td > p")[1:4] == [text for text in screen.texts(".passage, .nearby") if text]
    assert screen.texts(".opened .nearby")[0].startswith("… ")
    screen.page.click(".opened button")
    screen.page.wait_for_selector("#viewer img")
    assert screen.page.inner_text("#viewer h2") == f"{best['filename']} p.{best['page']}"
    screen.press("Escape")
    assert screen.page.evaluate("document.activeElement.textContent") == f"Open p.{best['page']}"


@pytest.mark.promise
def test_a_refusal_shows_where_was_looked(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(UNANSWERED)
    missing = answer_of(address, UNANSWERED)["missing"][0]
    assert screen.page.inner_text(".missing h2") == f"Not found: {UNANSWERED}"
    looked = [f"{place['filename']} p.{place['page']}" for place in missing["looked_in"]]
    assert screen.texts(".missing li") == looked + missing["suggestions"]
    screen.press("j")
    screen.page.wait_for_selector("#viewer img")
    assert screen.page.inner_text("#viewer h2").startswith(looked[0])


def test_an_answer_is_copied_as_text_and_as_markdown_with_links(address: str, opened: Opened) -> None:
    screen, answer = opened(address), answer_of(address)
    screen.page.context.grant_permissions(["clipboard-read"])
    screen.ask(QUESTION)
    here, files = screen.page.url.partition("#")[0], screen.texts(".sources li")
    screen.page.click("text=Copy as text")
    said = [f"- {statement['text']} [{number}]" for number, statement in enumerate(answer["statements"], 1)]
    sources = [f"[{number}] {file}" for number, file in enumerate(files, 1)]
    copied = screen.page.evaluate("() => navigator.clipboard.readText()")
    assert copied.splitlines() == [QUESTION, "", *said, "", *sources]
    screen.page.click("text=Copy as Markdown")
    copied = screen.page.evaluate("() => navigator.clipboard.readText()")
    assert f"[\\[2\\]]({here}#asked?citation=2)" in copied
    assert f"2. [{files[1]}]({here}#asked?citation=2)" in copied
    screen.page.click("text=Copy for Word")
    assert screen.page.evaluate("() => navigator.clipboard.readText()").splitlines()[0] == QUESTION
    html = screen.page.evaluate(READ_HTML)
    assert f'<a href="{here}#asked?citation=2">[2]</a>' in html
    assert f'<a href="{here}#asked?citation=2">{files[1]}</a>' in html


@pytest.mark.parametrize(("form", "button"), [("docx", "Word"), ("md", "Markdown")])
def test_the_last_questions_are_saved_with_their_answers(
    address: str, opened: Opened, form: str, button: str, tmp_path: Path
) -> None:
    screen = opened(address)
    for question in (QUESTION, UNANSWERED):
        screen.ask(question)
    with screen.page.expect_download() as handed_over:
        screen.page.click(f"#recent button:text-is('{button}')")
    assert handed_over.value.suggested_filename == f"answers.{form}"
    handed_over.value.save_as(tmp_path / "answers")
    if form == "docx":
        text = "\n".join(paragraph.text for paragraph in Document(str(tmp_path / "answers")).paragraphs)
    else:
        text = (tmp_path / "answers").read_text()
    assert -1 < text.index(QUESTION) < text.index(UNANSWERED)
    assert answer_of(address)["statements"][0]["text"] in text


def test_documents_with_one_name_are_told_apart(address: str, opened: Opened) -> None:
    screen = opened(address)
    answer = answer_of(address)
    for number, statement in enumerate(answer["statements"]):
        statement["citations"][0] |= {"filename": "report.pdf", "source_id": f"{number}/report.pdf"}
    answered(screen, answer)
    screen.ask(QUESTION)
    assert screen.texts(".sources .name") == [f"{number}/report.pdf" for number in range(3)]


def test_last_questions_are_kept_asked_again_and_forgotten(address: str, opened: Opened) -> None:
    screen = opened(address)
    assert screen.page.is_hidden("#recent")
    for question in (QUESTION, UNANSWERED, QUESTION):
        screen.ask(question)
    screen.page.reload()
    screen.page.wait_for_selector("#answer .statement")
    assert screen.texts("#recent li button") == [QUESTION, UNANSWERED]
    screen.page.click("#recent li button >> nth=1")
    screen.page.wait_for_selector(".missing")
    screen.page.click("#forget")
    assert screen.page.is_hidden("#recent")
    screen.page.reload()
    assert screen.page.is_hidden("#recent")


def test_escape_gives_a_question_up(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.route(STREAM, lambda route: None)
    screen.page.fill("#question", QUESTION)
    with screen.page.expect_event("requestfailed", lambda request: SUGGESTING not in request.url) as given_up:
        screen.press("Enter")
        screen.page.wait_for_selector("#progress:text-is('Asking')")
        screen.press("Escape")
    assert given_up.value.url == f"{address}/api/ask/stream"
    assert screen.page.inner_text("#progress") == ""


def test_what_is_being_done_is_told(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.evaluate(NOTE_PROGRESS)
    screen.ask("Which patents does Rivian hold on batteries?")
    told = [words for words in screen.page.evaluate("told") if words]
    steps = ["Asking", "Reading the question", "Searching", "Ranking", "Composing the answer"]
    assert list(dict.fromkeys(told))[:-1] == steps
    assert re.search(r"Passages found: \d+$", told[-1])


def test_an_answer_that_breaks_off_is_told(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.route(STREAM, lambda route: route.fulfill(body='event: stage\ndata: {"stage":"channels"}\n\n'))
    screen.page.fill("#question", QUESTION)
    screen.press("Enter")
    screen.page.wait_for_selector("#progress:text-is('The answer broke off: ask again.')")


def test_where_the_language_model_does_not_answer_a_banner_says_who_did(demo_store: Path, opened: Opened) -> None:
    nobody = {"PINCITE_OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "PINCITE_OPENAI_MODEL": "small"}
    with serving(demo_store, "--mode", "generate", "--language-model", "openai", **nobody) as (address, _):
        screen = opened(address)
        screen.ask(QUESTION)
        told = screen.page.inner_text("#banner")
        assert told == "No language model could be reached: this answer was put together by rules, from quotes."
        assert screen.page.is_visible(".statement .citation >> nth=0")


def test_where_nothing_of_what_it_wrote_holds_the_banner_says_so(address: str, opened: Opened) -> None:
    screen = opened(address)
    told = "nothing that small wrote stands in the passages"
    answered(screen, answer_of(address) | {"degraded": [f"rules made the answer: {told}"]})
    screen.ask(QUESTION)
    assert screen.page.inner_text("#banner") == f"This answer was put together by rules, from quotes: {told}"


def test_scripts_in_documents_are_words(hostile_store: Path, opened: Opened) -> None:
    with serving(hostile_store) as (address, _):
        screen = opened(address)
        screen.ask(OF_NOTES)
        assert IMAGE in screen.page.inner_text(".statement")
        assert HOSTILE_NAME in screen.page.inner_text(".sources li >> nth=0")
        screen.press("j")
        assert IMAGE in screen.page.inner_text("#viewer mark")
        screen.page.click(".opener >> nth=0")
        assert SCRIPT in screen.page.inner_text(".opened")
        assert screen.page.locator("img, main script").count() == 0
        screen.ask(f"What is {SCRIPT} {IMAGE}?")
        assert screen.page.locator("img, main script").count() == 0


def test_a_text_without_pages_is_shown_with_its_words_marked(hostile_store: Path, opened: Opened) -> None:
    with serving(hostile_store) as (address, _):
        screen = opened(address)
        screen.ask(OF_NOTES)
        screen.press("j")
        quote = answer_of(address, OF_NOTES)["statements"][0]["citations"][0]["quote"]
        assert screen.page.inner_text("#viewer mark") == quote


def test_a_token_is_asked_for_once_and_kept_while_the_tab_lives(
    hostile_store: Path, opened: Opened, pincite: Run
) -> None:
    made = pincite("token", "add", "ada", "--store", hostile_store)
    try:
        with serving(hostile_store) as (address, _):
            screen = opened(address)
            screen.page.fill("#question", OF_NOTES)
            screen.press("Enter")
            for secret in ("pincite_of-nobody", "“nobody’s”", f" {made.stdout}"):
                screen.page.wait_for_selector("#token", state="visible")
                screen.page.fill("#secret", secret)
                screen.press("Enter")
            screen.page.wait_for_selector(".statement")
            screen.ask("Who owns Alder Works?")
            screen.page.reload()
            screen.ask(OF_NOTES)
            assert screen.page.is_hidden("#token")
            assert made.stdout.strip() not in screen.page.evaluate("JSON.stringify(localStorage) + document.cookie")
            assert [fault for fault in screen.faults if "401" not in fault] == []
            screen.faults.clear()
    finally:
        pincite("token", "remove", "ada", "--store", hostile_store)
