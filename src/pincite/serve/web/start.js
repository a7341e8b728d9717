/** What the page begins with: the store at a glance, questions that it answers, and a place to drop files. */

import { quietly } from "./api.js";
import { addFiles } from "./documents.js";
import { byId, element, nameNode } from "./dom.js";
import { dropZone } from "./drops.js";
import { readGlance } from "./read.js";

let reading = new AbortController();

/**
 * Show it, and read what it tells. Where somebody has to give a token first, it tells nothing yet.
 * @param {(question: string) => void} ask
 */
export async function showStart(ask) {
  byId("start").hidden = false;
  reading = new AbortController();
  const { signal } = reading;
  try {
    const told = await readGlance();
    if (signal.aborted) return;
    byId("start").replaceChildren(...glanceNodes(told), element("div", { id: "suggested" }), ...zoneNodes(told));
    if (told.documents > 0) await suggest(ask, signal);
  } catch {
    return;
  }
}

/** Show it no more. */
export function hideStart() {
  reading.abort();
  byId("start").hidden = true;
}

/**
 * @param {(question: string) => void} ask
 * @param {AbortSignal} signal
 */
async function suggest(ask, signal) {
  const { questions } = await (await quietly("/api/start/questions", { signal })).json();
  if (questions.length === 0) return;
  const button = (/** @type {string} */ question) =>
    element("li", {}, element("button", { type: "button", class: "suggestion", click: () => ask(question) }, question));
  byId("suggested")?.replaceChildren(
    element("h3", {}, "Questions to try"),
    element("ul", { class: "suggestions" }, ...questions.map(button)),
  );
}

/**
 * @param {any} told what /api/start gives
 * @returns {Node[]}
 */
function glanceNodes({ name, documents, pages, changed }) {
  const heading = element("h2", {}, nameNode(name));
  if (documents === 0) return [heading, element("p", {}, "There are no documents here yet.")];
  const when = changed === null ? "" : `, last changed ${moment(changed)}`;
  return [
    heading,
    element("p", { class: "aside" }, `${counted(documents, "document")}, ${counted(pages, "page")}${when}`),
  ];
}

/**
 * @param {any} told
 * @returns {Node[]}
 */
function zoneNodes({ documents, may_put_in }) {
  if (may_put_in) return [dropZone(byId("start"), addFiles)];
  return documents > 0 ? [] : [element("p", { class: "aside" }, "Whoever runs this service can add some.")];
}

/**
 * @param {number} count
 * @param {string} noun
 * @returns {string} "1,204 pages"
 */
function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * @param {string} utc
 * @returns {string} "27 November 2026, 09:41"
 */
function moment(utc) {
  return new Date(utc).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
}
