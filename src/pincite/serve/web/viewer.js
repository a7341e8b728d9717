/** The source beside the answer: its pages as pictures, or its passage, with the quoted words marked. */

import { byId, element, shortNameNode } from "./dom.js";
import { findNode } from "./find.js";
import { openOriginal } from "./original.js";
import { placeWords } from "./places.js";
import { laidOut } from "./quotes.js";
import { passageOf, read } from "./read.js";
import { firstPage, Roll } from "./roll.js";
import { addressOf } from "./views.js";
import { apply, zoomNode } from "./zoom.js";

/** @typedef {import("./places.js").Citation} Citation */

let loading = new AbortController();
let isPinned = false;
/** The id of the document that is open, and its pages, once they are there. */
let source = "";
let rolling = /** @type {Promise<Roll | null>} */ (Promise.resolve(null));

/**
 * @typedef {object} Around
 * @property {string} count "2 of 7", or nothing where it is no citation of the answer
 * @property {string} passage the text around it, for a source without pages
 * @property {Citation[]} others what else is cited beside it
 * @property {(by: number) => void} step goes to another citation
 * @property {() => void} close
 */

/**
 * Show where a citation stands. What was shown before stays, under its own name, until that is there.
 * @param {Citation} citation
 * @param {Around} around
 */
export async function showSource(citation, around) {
  const { signal } = loading;
  const roll = citation.page !== null && citation.source_id === source ? await rolling : null;
  if (signal.aborted) return;
  if (roll !== null) return roll.open(inRoll(citation, around));
  loading.abort();
  loading = new AbortController();
  byId("viewer").setAttribute("aria-busy", "true");
  if (byId("viewer").hidden) fill(headNode(citation, around), []);
  source = citation.source_id;
  rolling = opened(citation, around, loading.signal).catch(() => null);
  await rolling;
}

/**
 * @param {Citation} citation
 * @param {Around} around
 * @param {AbortSignal} signal
 * @returns {Promise<Roll | null>} its pages, where it has some
 */
async function opened(citation, around, signal) {
  const { source_id, page } = citation;
  const counting = page === null ? null : read("document", { source: source_id }, { signal }).catch(() => null);
  const nodes = await sourceNodes(citation, around, signal);
  if (signal.aborted) return null;
  fill(headNode(citation, around), nodes);
  byId("viewer").setAttribute("aria-busy", "false");
  if (nodes[0].className !== "roll") return null;
  const { page_count } = await counting;
  return signal.aborted ? null : new Roll(nodes[0], inRoll(citation, around), page_count, signal);
}

/**
 * @param {Citation} citation
 * @param {Around} around
 * @returns {import("./roll.js").Opened}
 */
function inRoll(citation, around) {
  const shows = (/** @type {Citation} */ place, /** @type {number} */ pages) => {
    fillHead(headNode(place, around));
    /** @type {HTMLElement} */ (byId("viewer").querySelector(".of-pages")).textContent = `page ${place.page} of ${pages}`;
  };
  return { citation, others: around.others, shows };
}

/**
 * Show another page of the source that is open.
 * @param {number} by how far behind
 */
export async function turnPage(by) {
  if (!byId("viewer").hidden) (await rolling)?.turn(by);
}

/** Show no source any more. */
export function closeSource() {
  loading.abort();
  loading = new AbortController();
  source = "";
  byId("viewer").hidden = true;
}

/** Go to where words can be looked for in the source that is open. */
export function findInSource() {
  byId("viewer").querySelector(".find input")?.focus();
}

/** Another view is shown: the source is closed, unless it is to stay. */
export function leaveSource() {
  if (!isPinned) closeSource();
}

/**
 * @param {HTMLElement} head
 * @param {HTMLElement[]} nodes
 */
function fill(head, nodes) {
  const sheet = element("div", { class: "sheet", tabindex: 0, role: "group", "aria-label": "Page" }, ...nodes);
  const viewer = byId("viewer");
  const before = viewer.querySelector(".sheet");
  viewer.hidden = false;
  if (before === null) viewer.append(sheet);
  else before.replaceWith(sheet);
  fillHead(head);
  apply();
  sheet.querySelector("mark.current")?.scrollIntoView({ block: "center" });
}

/**
 * Put a head above the sheet; the focus stays on the button of the same name.
 * @param {HTMLElement} head
 */
function fillHead(head) {
  const viewer = byId("viewer");
  const focused = viewer.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
  const before = viewer.querySelector(".head");
  if (before === null) viewer.prepend(head);
  else before.replaceWith(head);
  if (focused) viewer.querySelector(`[aria-label="${focused}"]`)?.focus();
}

/**
 * The pages of a source, the first of them; its passage where there are none.
 * @param {Citation} citation
 * @param {Around} around
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement[]>}
 */
async function sourceNodes(citation, { passage, others }, signal) {
  try {
    return citation.page === null ? await passageNodes(citation, others, signal) : [await firstPage(citation, signal)];
  } catch (error) {
    const told = element("p", { role: "alert" }, /** @type {Error} */ (error).message);
    return [told, passageNode(passage, quotesOf(citation), [])];
  }
}

/**
 * The section that a place without pages lies in, or its passage between its neighbours.
 * @param {Citation} citation
 * @param {Citation[]} others which are marked, too
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement[]>}
 */
async function passageNodes(citation, others, signal) {
  const { source_id, chunk_id, section } = citation;
  const beside = others.filter((other) => other.source_id === source_id).flatMap(quotesOf);
  if (section !== undefined) {
    const told = await read("section", { source: source_id, number: section }, { signal });
    const text = told.pages.map((/** @type {any} */ page) => page.text).join("\n\n");
    return [passageNode(text, quotesOf(citation), beside)];
  }
  const { before, raw_text, after } = await passageOf(source_id, chunk_id);
  const texts = [...before, { raw_text }, ...after].map((/** @type {any} */ passage) => passage.raw_text);
  return texts.map((text, at) => {
    const own = text.slice(at === 0 ? 0 : overlap(texts[at - 1], text));
    return passageNode(own, at === before.length ? quotesOf(citation) : [], beside);
  });
}

/**
 * @param {Citation} citation
 * @returns {string[]}
 */
function quotesOf({ quote, quotes = quote ? [quote] : [] }) {
  return quotes;
}

/** @returns {boolean} whether a source covers the whole page, as on a phone */
function isAlone() {
  return getComputedStyle(byId("viewer")).position === "fixed";
}

/**
 * The address of the section tree of a source, opened at this place.
 * @param {Citation} citation
 * @returns {string}
 */
function sectionsOf({ source_id, page }) {
  return addressOf("sections", { name: source_id, ...(page === null ? {} : { page: String(page) }) });
}

/**
 * @param {Citation} citation
 * @param {Around} around
 * @returns {HTMLElement}
 */
function headNode(citation, around) {
  const { count, step, close } = around;
  const steps = [
    button("Citation before (k)", "‹", () => step(-1)),
    element("span", {}, count),
    button("Next citation (j)", "›", () => step(1)),
  ];
  const pages = [
    button("Page before ([)", "◂", () => turnPage(-1)),
    element("span", { class: "of-pages" }),
    button("Page after (])", "▸", () => turnPage(1)),
    zoomNode(),
    findNode(citation, (place) => showSource(place, around)),
  ];
  const isPdf = citation.filename.toLowerCase().endsWith(".pdf");
  const failed = (/** @type {Error} */ { message }) => byId("viewer").append(element("p", { role: "alert" }, message));
  const original = () => openOriginal(citation).catch(failed);
  return element(
    "div",
    { class: "head" },
    element("h2", {}, shortNameNode(citation.filename), ` ${placeWords(citation)}`),
    element("a", { href: sectionsOf(citation), click: () => isAlone() && closeSource() }, "Sections"),
    element("button", { type: "button", class: "plain", click: original }, isPdf ? "Open PDF" : "Download"),
    pinNode(),
    button("Close (Esc)", "×", close),
    element("span", { class: "break" }),
    ...(count === "" ? [] : steps),
    ...(citation.page === null ? [] : pages),
  );
}

/** @returns {HTMLElement} */
function pinNode() {
  const pin = element("button", { type: "button", class: "pin", "aria-pressed": String(isPinned), title: "Keep it open in all views" }, "Pin");
  pin.addEventListener("click", () => {
    isPinned = !isPinned;
    pin.setAttribute("aria-pressed", String(isPinned));
  });
  return pin;
}

/**
 * @param {string} label
 * @param {string} sign
 * @param {() => void} does
 * @returns {HTMLElement}
 */
function button(label, sign, does) {
  return element("button", { type: "button", "aria-label": label, title: label, click: does }, sign);
}

/**
 * @param {string} text
 * @param {string[]} quotes
 * @param {string[]} beside quotes of other citations
 * @returns {HTMLElement}
 */
function passageNode(text, quotes, beside) {
  return element("div", { class: quotes.length > 0 ? "passage" : "passage around" }, ...laidOut(text, quotes, beside));
}

/**
 * How many characters at the end of a passage the next one repeats.
 * @param {string} first
 * @param {string} second
 * @returns {number}
 */
function overlap(first, second) {
  let length = Math.min(first.length, second.length);
  while (length > 0 && !first.endsWith(second.slice(0, length))) length -= 1;
  return length;
}
