/** The source beside the answer: its page as a picture, or its passage, with the quoted words marked. */

import { request } from "./api.js";
import { byId, element, shortNameNode } from "./dom.js";
import { firstMark } from "./marks.js";
import { openOriginal } from "./original.js";
import { pictureAddress, placeWords } from "./places.js";
import { quotedIn } from "./quotes.js";
import { passageOf, read } from "./read.js";
import { addressOf } from "./views.js";
import { wordsNode } from "./words.js";
import { apply, zoomNode } from "./zoom.js";

/** @typedef {import("./places.js").Citation} Citation */

let loading = new AbortController();
let isPinned = false;
/** Turns to another page of the source that is open. */
let turn = (/** @type {number} */ _) => {};

/**
 * @typedef {object} Around
 * @property {string} count "2 of 7", or nothing where it is no citation of the answer
 * @property {string} passage the text around it, for a source without pages
 * @property {(by: number) => void} step goes to another citation
 * @property {() => void} close
 * @property {Citation} [cited] what was opened, where another page of its source is shown now
 */

/**
 * Show where a citation stands. What was shown before stays, under its own name, until that is there.
 * @param {Citation} citation
 * @param {Around} around
 */
export async function showSource(citation, around) {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  turn = (by) => showPage(citation, around, by);
  byId("viewer").setAttribute("aria-busy", "true");
  if (byId("viewer").hidden) fill(headNode(citation, around), []);
  const nodes = await sourceNodes(citation, around.passage, signal);
  if (signal.aborted) return;
  fill(headNode(citation, around), nodes);
  byId("viewer").setAttribute("aria-busy", "false");
}

/**
 * Show another page of the source that is open.
 * @param {number} by how far behind
 */
export function turnPage(by) {
  if (!byId("viewer").hidden) turn(by);
}

/**
 * @param {Citation} citation
 * @param {Around} around
 * @param {number} by
 */
function showPage(citation, around, by) {
  if (citation.page === null || citation.page + by < 1) return;
  const cited = around.cited ?? citation;
  const page = citation.page + by;
  const other = { ...cited, page, label: null, quote: undefined, span: undefined, spans: undefined };
  showSource(page === cited.page ? cited : other, { ...around, passage: "", cited });
}

/** Show no source any more. */
export function closeSource() {
  loading.abort();
  byId("viewer").hidden = true;
}

/** Another view is shown: the source is closed, unless it is to stay. */
export function leaveSource() {
  if (!isPinned) closeSource();
}

/**
 * @param {HTMLElement} head
 * @param {Node[]} nodes
 */
function fill(head, nodes) {
  const viewer = byId("viewer");
  const focused = viewer.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
  const sheet = element("div", { class: "sheet", tabindex: 0, role: "group", "aria-label": "Page" }, ...nodes);
  viewer.hidden = false;
  viewer.replaceChildren(head, sheet);
  if (focused) viewer.querySelector(`[aria-label="${focused}"]`)?.focus();
  apply();
  const picture = sheet.querySelector("img");
  if (picture) sheet.scrollTop = firstMark(picture) * picture.clientHeight - sheet.clientHeight / 3;
}

/**
 * The picture of a page; its passage where there is none.
 * @param {Citation} citation
 * @param {string} passage
 * @param {AbortSignal} signal
 * @returns {Promise<Node[]>}
 */
async function sourceNodes(citation, passage, signal) {
  try {
    if (citation.page === null) return [passageNode(citation, passage || (await textOf(citation)))];
    const response = await request(pictureAddress(citation), { signal });
    const page = element("div", { class: "page" }, await pictureOf(await response.blob(), citation));
    addWords(page, citation, signal);
    return [page];
  } catch (error) {
    const told = element("p", { role: "alert" }, /** @type {Error} */ (error).message);
    return [told, passageNode(citation, passage)];
  }
}

/**
 * Lay the words of a page over its picture, when they are there, and say how many pages there are.
 * @param {HTMLElement} page
 * @param {Citation} citation
 * @param {AbortSignal} signal
 */
async function addWords(page, { source_id, page: number }, signal) {
  try {
    const told = await read(`document/pages/${number}/words`, { source: source_id }, { signal });
    page.append(wordsNode(told));
    const place = byId("viewer").querySelector(".of-pages");
    if (place !== null && !signal.aborted) place.textContent = `page ${number} of ${told.pages}`;
  } catch {
    return;
  }
}

/**
 * The passage or the section that a place without pages lies in.
 * @param {Citation} citation
 * @returns {Promise<string>}
 */
async function textOf({ source_id, chunk_id, section }) {
  if (section === undefined) return (await passageOf(source_id, chunk_id)).text;
  const told = await read("section", { source: source_id, number: section });
  return told.pages.map((/** @type {any} */ { text }) => text).join("\n\n");
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
function headNode(citation, { count, step, close }) {
  const steps = [
    button("Citation before (k)", "‹", () => step(-1)),
    element("span", {}, count),
    button("Next citation (j)", "›", () => step(1)),
  ];
  const pages = [
    button("Page before ([)", "◂", () => turn(-1)),
    element("span", { class: "of-pages" }),
    button("Page after (])", "▸", () => turn(1)),
    zoomNode(),
  ];
  const isPdf = citation.filename.toLowerCase().endsWith(".pdf");
  const failed = (/** @type {Error} */ { message }) => byId("viewer").append(element("p", { role: "alert" }, message));
  const original = () => openOriginal(citation).catch(failed);
  return element(
    "div",
    { class: "head" },
    element("h2", {}, shortNameNode(citation.filename), ` ${placeWords(citation)}`),
    ...(count === "" ? [] : steps),
    ...(citation.page === null ? [] : pages),
    element("a", { href: sectionsOf(citation), click: () => isAlone() && closeSource() }, "Sections"),
    element("button", { type: "button", class: "plain", click: original }, isPdf ? "Open PDF" : "Download"),
    pinNode(),
    button("Close (Esc)", "×", close),
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
 * @param {Citation} citation
 * @param {string} passage
 * @returns {HTMLElement}
 */
function passageNode(citation, passage) {
  return element("p", { class: "passage" }, ...quotedIn(passage, citation.quote ?? ""));
}

/**
 * @param {Blob} blob
 * @param {Citation} citation
 * @returns {Promise<HTMLImageElement>}
 */
async function pictureOf(blob, citation) {
  const address = URL.createObjectURL(blob);
  const told = citation.quote ? `, where it says: ${citation.quote}` : "";
  const alt = `Page ${citation.page} of ${citation.filename}${told}`;
  const picture = /** @type {HTMLImageElement} */ (element("img", { src: address, alt }));
  try {
    await picture.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  return picture;
}
