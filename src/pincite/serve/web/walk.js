/** Places as buttons: each opens its page beside what is read, and keys go on to the next of its list. */

import { element, nameNode } from "./dom.js";
import { placeWords } from "./places.js";
import { addressOf } from "./views.js";
import { closeSource, showSource } from "./viewer.js";

/** @typedef {import("./places.js").Citation} Citation */

const LIST = "[data-walk]";

const CURRENT = "main > :not([hidden]) .citation[aria-current]";

/** @type {HTMLElement | null} */
let opener = null;
/** @type {WeakMap<HTMLElement, Citation>} */
const citations = new WeakMap();

/**
 * A button that opens a place. Those within one element with `data-walk` are a list.
 * @param {Citation} citation
 * @param {string} [passage] the text around it, where it is known
 * @param {(string | Node)[]} [words] by default its file and page
 * @returns {HTMLElement}
 */
export function placeButton(citation, passage = "", words = [nameNode(citation.filename), ` ${placeWords(citation)}`]) {
  const open = () => openPlace(button, citation, passage);
  const button = element("button", { type: "button", class: "citation", click: open }, ...words);
  citations.set(button, citation);
  return button;
}

/**
 * Open the place so far behind the current one in its list; where none is current, the first of the page.
 * @param {number} by
 */
export function step(by) {
  const from = current();
  const list = from ? listOf(from) : firstList();
  list[(from ? list.indexOf(from) : -1) + by]?.click();
}

/**
 * Open the place of this number, from 1, of the first list of the page.
 * @param {number} number
 */
export function openPlaceOf(number) {
  firstList()[number - 1]?.click();
}

/** Close what is open; the focus goes back to what opened it. */
export function close() {
  closeSource();
  history.replaceState(null, "", location.pathname + location.hash.replace(/\?citation=.*/, ""));
  opener?.focus();
}

/**
 * @param {HTMLElement} button
 * @param {Citation} citation
 * @param {string} passage
 */
function openPlace(button, citation, passage) {
  const list = listOf(button);
  opener = button;
  if (list.length > 0) {
    current()?.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    button.scrollIntoView({ block: "nearest" });
  }
  const place = list.indexOf(button) + 1;
  const count = list.length > 0 ? `citation ${place} of ${list.length}` : "";
  if (button.closest("#answer")) history.replaceState(null, "", addressOf("asked", { citation: String(place) }));
  const others = button.closest("#answer") ? list.flatMap((other) => citations.get(other) ?? []) : [];
  showSource(citation, { count, passage, others, step, close });
}

/** @returns {any} the place of this view that was opened last */
function current() {
  return document.querySelector(CURRENT);
}

/**
 * The places of the list that this one belongs to, as far as they are to be seen.
 * @param {HTMLElement} button
 * @returns {HTMLElement[]}
 */
function listOf(button) {
  /** @type {HTMLElement[]} */
  const all = [...(button.closest(LIST)?.querySelectorAll(".citation") ?? [])].map(
    (found) => /** @type {any} */ (found),
  );
  return all.filter((found) => found.checkVisibility());
}

/** @returns {HTMLElement[]} */
function firstList() {
  const first = [...document.querySelectorAll(`${LIST} .citation`)].find((button) => button.checkVisibility());
  return first ? listOf(/** @type {HTMLElement} */ (first)) : [];
}
