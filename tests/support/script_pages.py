"""What a page makes of payloads: where they stand in it as text, and whether anything in it is not its own; and a page
that is careless with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.support.script_payloads import FORBIDDEN, PAYLOADS, Payload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BATCH = 200
TOGETHER = 20
OWN_ELEMENTS = """a aside bdi body button circle code dd details dialog div dl dt fieldset form g h1 h2 h3 head header
html img input kbd label legend li link main mark meta nav noscript ol p path progress q script
section span strong summary svg table tbody td text th thead title tr ul""".split()
LOOK = """([own, selectors]) => {
  const isForeign = ({ name, value }) =>
    name.startsWith("on") ||
    ["action", "formaction", "srcdoc", "xlink:href"].includes(name) ||
    (["href", "src"].includes(name) && !/^(#|\\/$|\\/web\\/|blob:)/.test(value));
  const foreign = Array.from(document.querySelectorAll("*")).flatMap((found) => [
    ...(own.includes(found.localName) ? [] : [`<${found.localName}>`]),
    ...Array.from(found.attributes).filter(isForeign).map(({ name, value }) => `${name}=${value}`),
  ]);
  const scripts = Array.from(document.scripts, ({ src, text }) => src + text);
  const wordsOf = (found) => (found instanceof HTMLInputElement ? found.value : found.textContent);
  const told = selectors.map((selector) => Array.from(document.querySelectorAll(selector), wordsOf).join("\\n\\n"));
  return [[...foreign, ...scripts.slice(1)], told];
}"""
LISTEN = """
if (window === top) addEventListener("message", ({ data }) => (window.ran ??= new Set()).add(data));
window.pwned = (number) => top.postMessage(Number(number), "*");
"""
CARELESS = """async (payloads) => {
  window.ran ??= new Set();
  const pause = () => new Promise((go) => setTimeout(go, 100));
  const fill = (box, markup) => { box.innerHTML = markup; box.innerHTML += ""; };
  const ways = [
    [TOGETHER, (page, some) => {
      for (const markup of some) fill(page.body.appendChild(page.createElement("div")), markup);
    }],
    [1, (page, [markup]) => fill(page.body, markup)],
    [1, (page, [markup]) => { page.write(markup); page.close(); }],
  ];
  const use = (found) => {
    const names = Array.from(found.attributes, ({ name }) => name);
    for (const name of names.filter((name) => name.startsWith("on"))) found.dispatchEvent(new Event(name.slice(2)));
    if (found.matches("a, area, button, input")) found.dispatchEvent(new MouseEvent("click", { cancelable: true }));
  };
  for (const [together, way] of ways) {
    const left = payloads.filter(([number]) => !ran.has(number)).map(([, markup]) => markup);
    const frames = Array.from({ length: Math.ceil(left.length / together) }, (_, at) => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      way(frame.contentDocument, left.slice(at * together, (at + 1) * together));
      return frame;
    });
    await pause();
    for (const { contentDocument } of frames) contentDocument?.querySelectorAll("*").forEach(use);
    await pause();
    for (const frame of frames) frame.remove();
  }
  return Array.from(ran);
}""".replace("TOGETHER", str(TOGETHER))
"""Puts markup into frames, each way in which pages do, and uses whatever can be used there. A frame takes long to make:
many payloads share one at first, each in an element of its own, and those that did not run there have theirs."""
_THROWN = re.compile(r"Uncaught (\d+)")


class Seen:
    """What stood in some places of a page, each time that they were looked at."""

    def __init__(self, page: Page, *selectors: str) -> None:
        self._page = page
        self._words = dict.fromkeys(selectors, "")

    def look(self) -> None:
        """Note what stands there. Nothing that is not the page's own may be anywhere in it."""
        foreign, words = self._page.evaluate(LOOK, [OWN_ELEMENTS, list(self._words)])
        assert foreign == []
        for selector, text in zip(self._words, words, strict=True):
            self._words[selector] += f"{text}\n\n"

    def counts(self, payloads: Iterable[Payload] = PAYLOADS) -> dict[str, int]:
        """How many of these payloads stood in each place, letter by letter, as text."""
        told = [payload.text for payload in payloads]
        return {selector: sum(text in words for text in told) for selector, words in self._words.items()}


def ran_carelessly(browser: Browser) -> set[int]:
    """The numbers of the payloads that do what they are meant to in a page that puts them into its markup as they are:
    they call, open a dialog, or ask elsewhere."""
    ran: set[int] = set()
    context = browser.new_context()
    context.add_init_script(LISTEN)
    context.route(f"{FORBIDDEN}**", lambda route: (ran.add(_number(route.request.url)), route.abort()))
    page = context.new_page()
    page.on("dialog", lambda dialog: (ran.add(int(dialog.message)), _dismiss(dialog)))
    for at in range(0, len(PAYLOADS), BATCH):
        payloads = [(payload.number, payload.careless) for payload in PAYLOADS[at : at + BATCH]]
        ran.update(page.evaluate(CARELESS, payloads))
    context.close()
    return ran


def _number(url: str) -> int:
    return int(url.removeprefix(FORBIDDEN))


def _dismiss(dialog: Any) -> None:
    """Close a dialog, unless its frame is gone and it with it."""
    from playwright.sync_api import Error

    with suppress(Error):
        dialog.dismiss()


def made_of(payloads: Sequence[Payload], answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer in which each text that a document or a model could have given is one of these payloads."""
    made: dict[str, Any] = deepcopy(dict(answer))
    said, result = made["statements"][0], made["results"][0]
    texts = [payload.text for payload in payloads]
    made["statements"] = [said | _statement(said["citations"][0], text) for text in texts]
    made["results"] = [result | _result(text) for text in texts] + [_path(text) for text in texts]
    looked = [{"filename": text, "page": None, "locator": text} for text in texts]
    made["missing"] = [{"aspect": text, "looked_in": looked, "suggestions": texts} for text in texts[:1]]
    made["summary"] = "\n".join(texts)
    made["degraded"] = texts
    made["meta"] |= {"notices": texts}
    made["meta"]["explanation"] = {"hops": [{"text": f"{text} -> p.1", "source_id": text} for text in texts]}
    return made


def passage_of(text: str) -> dict[str, Any]:
    """A passage whose every text is this one."""
    goal = _place(text) | {"title": text, "label": text, "quote": text, "span": {"page": 1, "start": 0, "end": 1}}
    step = {"text": text, "section": text, "reason": text, "span": {"page": 1, "start": 0, "end": 1}}
    references = [step | {"goals": [goal | {"chunk_id": None}]}, step | {"goals": []}]
    return {"text": text, "before": [{"text": text}], "after": [{"text": text}], "references": references}


def _place(text: str) -> dict[str, Any]:
    return {"filename": text, "source_id": text, "page": None, "locator": text, "chunk_id": text, "quote": text}


def _statement(citation: Mapping[str, Any], text: str) -> dict[str, Any]:
    cited = {**citation, **_place(text)}
    return {"text": text, "part": text, "locator": text, "citations": [cited], "also": [cited]}


def _result(text: str) -> dict[str, Any]:
    triplet = {"subject": text, "predicate": text, "object": text, "source_chunk_id": text}
    told = {"section": [text], "why": [text, f"referred to by {text}"], "retrieved_by": [text]}
    scores = {text: 0.5, "final": 0.5}
    return {"id": text, "text": text, "pages": [], "supporting_triplets": [triplet], "scores": scores, **told} | {
        key: value for key, value in _place(text).items() if key not in ("chunk_id", "quote")
    }


def _path(text: str) -> dict[str, Any]:
    chunks = [_place(text)]
    return {
        "id": text,
        "type": "triplet_path",
        "path": [text, text],
        "edges": [text],
        "supporting_chunks": chunks,
        "score": 0.5,
    }
