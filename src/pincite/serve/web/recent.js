/** The last questions, kept in this browser until they are forgotten. */

import { byId, element } from "./dom.js";

const KEY = "pincite.questions";
const KEPT = 12;

/**
 * Put a question first among the last ones.
 * @param {string} question
 */
export function remember(question) {
  const others = questions().filter((other) => other !== question);
  localStorage.setItem(KEY, JSON.stringify([question, ...others].slice(0, KEPT)));
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
  const again = (/** @type {string} */ question) =>
    element("li", {}, element("button", { type: "button", class: "plain", click: () => ask(question) }, question));
  byId("recent")
    .querySelector("ul")
    .replaceChildren(...kept.map(again));
}

/** @returns {string[]} */
function questions() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]").filter((/** @type {any} */ kept) => typeof kept === "string");
  } catch {
    return [];
  }
}
