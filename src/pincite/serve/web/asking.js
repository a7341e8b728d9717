/** A question goes to the service; its answer comes back, stage by stage, with its pages. */

import { answerNodes, STATES } from "./answer.js";
import { patientRequest, request } from "./api.js";
import { citedBy, numbersOfPassages } from "./chips.js";
import { copyNode } from "./copying.js";
import { byId, element } from "./dom.js";
import { events } from "./events.js";
import { evidenceNodes } from "./evidence.js";
import { asked, isBeside } from "./filters.js";
import { followUpNode, understoodNode } from "./followup.js";
import { passagesFor } from "./more.js";
import { remember, showRecent } from "./recent.js";
import { hideStart, showStart } from "./start.js";
import { trailNodes } from "./trail.js";
import { ADDRESS, answerAddress, toAnswer } from "./views.js";
import { closeSource } from "./viewer.js";
import { openPlaceOf } from "./walk.js";

const EARLIER = 3;
/** Questions before this one that complete it; the service heeds no more. */
const SILENT = /^rules made the answer: .+ wrote nothing: .*$/s;
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
/** The trace id of the answer that is shown. */
let shown = "";
/** The questions of the conversation that the answer belongs to, oldest first. */
let conversation = /** @type {string[]} */ ([]);

/**
 * Ask a question; one that is being answered is given up.
 * @param {string} question
 */
export function ask(question) {
  conversation = [];
  return begin(question);
}

/**
 * Ask a question that may leave out what those before it named, or one that begins a conversation.
 * @param {string} question
 */
function begin(question) {
  toAnswer();
  byId("question").value = question;
  remember(question);
  showRecent(ask);
  return begun("Asking", (signal) => answered(question, signal));
}

/** Show the answer that the address of the page names, and open the citation that it names; where none, nothing. */
export async function revisit() {
  const id = ADDRESS.exec(location.pathname)?.[1] ?? "";
  if (id === shown && id !== "") return;
  const citation = Number(new URLSearchParams(location.hash.split("?")[1]).get("citation"));
  shown = id;
  if (id === "") {
    cancel();
    clear();
    byId("recent").open = true;
    showStart(ask);
    return;
  }
  await begun("Opening the answer", async (signal) => {
    const answer = await (await request(`/api/answers/${id}`, { signal })).json();
    byId("question").value = answer.query;
    conversation = [answer.query];
    show(answer);
    if (citation) openPlaceOf(citation);
  });
}

/**
 * Give up what was being answered, and begin something else.
 * @param {string} words what is being done
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
async function begun(words, work) {
  cancel();
  asking = new AbortController();
  const { signal } = asking;
  clear();
  hideStart();
  tell(words);
  try {
    await work(signal);
  } catch (error) {
    if (signal.aborted) return;
    const failure = /** @type {Error} */ (error);
    tell(failure.name === "AbortError" ? "Nothing was asked: there is no token." : failure.message);
  }
}

/** Give up what is being answered. */
export function cancel() {
  asking.abort();
  tell("");
}

/**
 * @param {string} question
 * @param {AbortSignal} signal
 */
async function answered(question, signal) {
  const sent = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ question, explain: true, earlier: conversation.slice(-EARLIER), ...asked() }),
    signal,
  };
  const response = await patientRequest("/api/ask/stream", sent, () => {
    if (!signal.aborted) tell("Many are asking: waiting for a turn");
  });
  let isOver = false;
  for await (const { name, data } of events(/** @type {any} */ (response.body))) {
    if (name === "stage") tell(STAGES[data.stage] ?? data.stage);
    if (name === "error") tell(data.error.message);
    if (name === "answer") arrive(data, question);
    isOver ||= name !== "stage";
  }
  if (!isOver) tell("The answer broke off: ask again.");
}

/**
 * Show an answer under its own address.
 * @param {any} answer what /api/ask gives
 * @param {string} typed
 */
function arrive(answer, typed) {
  const id = answer.meta.trace_id;
  if (id && id !== shown) {
    shown = id;
    history.pushState(null, "", answerAddress(id));
  }
  remember(typed, answer.state, id);
  showRecent(ask);
  conversation.push(answer.query);
  show(answer, typed);
  byId("answer").focus({ preventScroll: true });
}

/**
 * @param {any} answer what /api/ask gives
 * @param {string} [typed]
 */
function show(answer, typed = "") {
  const cited = citedBy(answer);
  document.title = `${answer.query} · pincite`;
  tell(`${STATES[answer.state]}. Passages found: ${answer.results.length}`);
  byId("progress").className = "unseen";
  byId("answer").replaceChildren(
    ...[understoodNode(typed, answer.query), ...answerNodes(answer, cited)].filter((node) => node !== null),
    copyNode(answer, cited, tell),
    ...trailNodes(answer),
    followUpNode(begin),
  );
  const more = () => passagesFor(answer.query);
  byId("evidence").replaceChildren(...evidenceNodes(answer.results, numbersOfPassages(answer, cited), more));
  showBanner([...answer.degraded, ...(answer.meta.notices ?? [])]);
  if (!isBeside()) byId("recent").open = false;
}

/** @param {string[]} notices what could not be done as usual */
function showBanner(notices) {
  const told = notices.map((notice) =>
    notice
      .replace(SILENT, "No language model could be reached: this answer was put together by rules, from quotes.")
      .replace(BY_RULES, "This answer was put together by rules, from quotes: "),
  );
  byId("banner").textContent = told.join(" · ");
  byId("banner").hidden = notices.length === 0;
}

/** Take away the answer before. */
function clear() {
  document.title = "pincite";
  closeSource();
  byId("answer").replaceChildren();
  byId("evidence").replaceChildren();
  showBanner([]);
}

/** @param {string} words what is being done, or went wrong */
export function tell(words) {
  byId("progress").textContent = words;
  byId("progress").className = "";
}
