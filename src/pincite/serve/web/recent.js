/** The last questions with what came of them, kept in this browser until they are cleared. */

import { request } from "./api.js";
import { byId, element } from "./dom.js";
import { save } from "./original.js";

const KEY = "pincite.questions";
const KEPT = 12;
/** @type {Record<string, string>} */
const STATES = { answered: "answered", nearest: "nearest passages", not_found: "not found" };

/** @typedef {{question: string, state: string, id: string}} Kept */

/**
 * Put a question first among the last ones.
 * @param {string} question
 * @param {string} [state] of its answer, once that is there
 * @param {string} [id] the trace id of its answer
 */
export function remember(question, state = "", id = "") {
  const others = questions().filter((other) => other.question !== question);
  localStorage.setItem(KEY, JSON.stringify([{ question, state, id }, ...others].slice(0, KEPT)));
}

/**
 * Hand over the last questions with their answers, in the order in which they were asked.
 * @param {string} form
 */
export async function saveAnswers(form) {
  const ids = questions().flatMap(({ id }) => (id ? [["answer", id]] : []));
  const asked = new URLSearchParams([...ids.reverse(), ["form", form]]);
  save(await (await request(`/api/export?${asked}`)).blob(), `answers.${form}`);
}

/** Forget all questions. */
export function forget() {
  localStorage.removeItem(KEY);
}

/**
 * Show the last questions; a click asks one again.
 * @param {(question: string) => void} ask
 */
export function showRecent(ask) {
  const kept = questions();
  byId("recent").hidden = kept.length === 0;
  byId("save").hidden = !kept.some(({ id }) => id);
  const again = (/** @type {Kept} */ { question, state }) =>
    element(
      "li",
      {},
      element("button", { type: "button", class: "plain", click: () => ask(question) }, question),
      Object.hasOwn(STATES, state) ? element("span", { class: `aside state-word ${state}` }, ` ${STATES[state]}`) : null,
    );
  byId("recent")
    .querySelector("ul")
    .replaceChildren(...kept.map(again));
}

/** @returns {Kept[]} */
function questions() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return kept.filter((/** @type {any} */ one) => typeof one?.question === "string");
  } catch {
    return [];
  }
}
