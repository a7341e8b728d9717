/** The page: a question goes to the service, its answer comes back with its pages. */

import { answerNodes } from "./answer.js";
import { request } from "./api.js";
import { byId, element } from "./dom.js";
import { events } from "./events.js";
import { evidenceNodes } from "./evidence.js";
import { listen } from "./keys.js";
import { copy, markdownOf } from "./markdown.js";
import { forget, remember, showRecent } from "./recent.js";
import { closeSource, showSource } from "./viewer.js";

/** @typedef {import("./answer.js").Cited} Cited */

const BY_RULES = /^rules made the answer: /;
/** @type {Record<string, string>} */
const STAGES = {
  parse: "Reading the question",
  embed: "Reading the question",
  channels: "Searching",
  vector: "Searching",
  keyword: "Searching",
  graph: "Searching",
  merge: "Ranking",
  reranker: "Ranking",
  answer: "Composing the answer",
};

let asking = new AbortController();
/** @type {Cited[]} */
let cited = [];
/** @type {Map<string, string>} */
let passages = new Map();
let current = -1;
/** @type {HTMLElement | null} */
let opener = null;

/**
 * Ask a question; one that is being answered is given up.
 * @param {string} question
 */
async function ask(question) {
  cancel();
  asking = new AbortController();
  const { signal } = asking;
  byId("question").value = question;
  remember(question);
  showRecent(ask);
  clear();
  tell("Asking");
  try {
    await answered(question, signal);
  } catch (error) {
    if (signal.aborted) return;
    const failure = /** @type {Error} */ (error);
    tell(failure.name === "AbortError" ? "Nothing was asked: there is no token." : failure.message);
  }
}

/**
 * @param {string} question
 * @param {AbortSignal} signal
 */
async function answered(question, signal) {
  const response = await request("/api/ask/stream", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ question }),
    signal,
  });
  let isOver = false;
  for await (const { name, data } of events(/** @type {any} */ (response.body))) {
    if (name === "stage") tell(STAGES[data.stage] ?? data.stage);
    if (name === "error") tell(data.error.message);
    if (name === "answer") show(data);
    isOver ||= name !== "stage";
  }
  if (!isOver) tell("The answer broke off: ask again.");
}

/** @param {any} answer what /api/ask gives */
function show(answer) {
  const said = answer.refused ? "no answer" : counted(answer.statements.length, "statement");
  tell(`${said}, ${counted(answer.results.length, "result")}`);
  const found = answerNodes(answer, open);
  cited = found.cited;
  const chunks = answer.results.filter((/** @type {any} */ result) => result.type === "chunk");
  passages = new Map(chunks.map((/** @type {any} */ chunk) => [chunk.id, chunk.text]));
  byId("answer").replaceChildren(...found.nodes, copyNode(answer));
  byId("evidence").replaceChildren(...evidenceNodes(answer.results, openPassage));
  showBanner([...answer.degraded, ...(answer.meta.notices ?? [])]);
  byId("recent").open = false;
}

/**
 * @param {number} count
 * @param {string} noun
 * @returns {string}
 */
function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * @param {any} answer
 * @returns {HTMLElement}
 */
function copyNode(answer) {
  const take = () => tell(copy(markdownOf(answer)) ? "Copied as Markdown." : "The browser did not take the copy.");
  return element("button", { type: "button", class: "copy", click: take }, "Copy as Markdown");
}

/** @param {string[]} notices what could not be done as usual */
function showBanner(notices) {
  const told = notices.map((notice) => notice.replace(BY_RULES, "no language model answered, rules did: "));
  byId("banner").textContent = told.join(" · ");
  byId("banner").hidden = notices.length === 0;
}

/**
 * Open a citation, by its place among all.
 * @param {number} index
 */
function open(index) {
  if (index < 0 || index >= cited.length) return;
  cited[current]?.button.removeAttribute("aria-current");
  current = index;
  const { citation, button } = cited[index];
  opener = button;
  button.setAttribute("aria-current", "true");
  button.scrollIntoView({ block: "nearest" });
  const count = `${index + 1} of ${cited.length}`;
  showSource(citation, {
    count,
    passage: passages.get(citation.chunk_id) ?? "",
    step: (by) => open(index + by),
    close,
  });
}

/** @param {any} result a passage among the evidence */
function openPassage(result) {
  opener = /** @type {HTMLElement} */ (document.activeElement);
  const { filename, source_id, page, locator, id } = result;
  const citation = { filename, source_id, page, locator, chunk_id: id };
  showSource(citation, { count: "", passage: result.text, step: () => {}, close });
}

/** Close the source; the focus goes back to what opened it. */
function close() {
  closeSource();
  opener?.focus();
}

/** Give up what is being answered. */
function cancel() {
  asking.abort();
  tell("");
}

/** Take away the answer before. */
function clear() {
  closeSource();
  [cited, current] = [[], -1];
  byId("answer").replaceChildren();
  byId("evidence").replaceChildren();
  showBanner([]);
}

/** @param {string} words what is being done, or went wrong */
function tell(words) {
  byId("progress").textContent = words;
}

/** What Escape does: close the source; where none is open, give up the question. */
function escape() {
  if (byId("viewer").hidden) cancel();
  else close();
}

/** Go to the question, with its words selected. */
function toQuestion() {
  byId("question").focus();
  byId("question").select();
}

const toNext = () => open(current + 1);
const toLast = () => open(current - 1);
const showKeys = () => byId("keys").showModal();

byId("asking").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const question = byId("question").value.trim();
  if (question !== "") ask(question);
});
byId("show-keys").addEventListener("click", showKeys);
byId("forget").addEventListener("click", () => {
  forget();
  showRecent(ask);
});
listen({ "/": toQuestion, "?": showKeys, j: toNext, n: toNext, k: toLast, p: toLast, Escape: escape });
showRecent(ask);
byId("question").focus();
