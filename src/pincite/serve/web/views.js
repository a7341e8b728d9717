/** Which view is shown. The address says it behind its `#`, so that it can be linked to, and gone back from. */

import { byId } from "./dom.js";

/** @typedef {(asked: URLSearchParams) => void} Show */

const ASKING = "asked";
/** The path of an answer, with its trace id. */
export const ADDRESS = /^\/q\/([0-9a-f]{32})$/;
/** @type {Record<string, Show>} */
let views = {};
let left = () => {};
let last = ASKING;
/** Is opened from a source that is shown, and stands beside it. */
const BESIDE = "sections";

/**
 * The address of a view of the page.
 * @param {string} view
 * @param {Record<string, string> | string[][]} [asked]
 * @returns {string}
 */
export function addressOf(view, asked = {}) {
  const told = new URLSearchParams(asked).toString();
  return told === "" ? `#${view}` : `#${view}?${told}`;
}

/**
 * The address of an answer.
 * @param {string} id its trace id
 * @returns {string}
 */
export function answerAddress(id) {
  return `/q/${id}`;
}

/**
 * Show the view that the address names, now and whenever it changes.
 * @param {Record<string, Show>} known what shows each, by the id of its element
 * @param {() => void} leaves called when another view is shown
 */
export function listen(known, leaves) {
  views = known;
  left = leaves;
  addEventListener("hashchange", show);
  show();
}

/** Go to where questions are answered. */
export function toAnswer() {
  if (byId(ASKING).hidden) go(ASKING);
}

/**
 * Go to a view.
 * @param {string} view
 */
export function go(view) {
  location.hash = addressOf(view);
}

function show() {
  const [view, asked] = location.hash.slice(1).split("?");
  const chosen = Object.hasOwn(views, view) ? view : ASKING;
  for (const name of [ASKING, ...Object.keys(views)]) byId(name).hidden = name !== chosen;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${chosen}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (chosen !== last && chosen !== BESIDE) left();
  last = chosen;
  views[chosen]?.(new URLSearchParams(asked));
}
