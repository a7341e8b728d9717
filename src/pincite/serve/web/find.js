/** Words that are looked for in the document which is open. */

import { element } from "./dom.js";
import { read } from "./read.js";

/** @typedef {import("./places.js").Citation} Citation */

const NOTHING = { source: "", words: "", typed: "", told: "", more: "", at: -1, places: /** @type {any[]} */ ([]) };
let found = { ...NOTHING };

/**
 * A box for words; Enter goes on to the next place where they stand.
 * @param {Citation} citation what is open
 * @param {(place: Citation) => void} open
 * @returns {HTMLElement}
 */
export function findNode(citation, open) {
  if (citation.source_id !== found.source) found = { ...NOTHING, source: citation.source_id };
  const label = "Find in this document (f)";
  const box = /** @type {HTMLInputElement} */ (
    element("input", { type: "search", "aria-label": label, placeholder: "Find", value: found.typed, spellcheck: "false" })
  );
  const told = element("span", { role: "status" }, found.told);
  box.addEventListener("input", () => (found.typed = box.value));
  const go = async (/** @type {number} */ by) => {
    await look(citation, box.value.trim());
    told.textContent = found.told = found.places.length === 0 ? "nowhere" : "";
    if (found.places.length === 0) return;
    found.at = (found.at + by + found.places.length) % found.places.length;
    found.told = `${found.at + 1} of ${found.places.length}${found.more}`;
    const { page, start, end } = found.places[found.at];
    open({ ...citation, page, span: [start, end], spans: undefined, label: null, quote: found.words });
  };
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && box.value.trim() !== "") go(event.shiftKey ? -1 : 1);
  });
  return element("span", { class: "find", role: "search" }, box, told);
}

/**
 * Look for words that were not looked for last, from the open page on.
 * @param {Citation} citation
 * @param {string} words
 */
async function look({ source_id, page }, words) {
  if (words === found.words) return;
  const { places, more } = await read("document/find", { source: source_id, words });
  // Before the first place of this page or one behind it; the last, where there is none.
  const next = places.findIndex((/** @type {any} */ place) => place.page >= (page ?? 1));
  found = { ...found, words, typed: words, places, more: more ? "+" : "", at: next - 1 };
}
