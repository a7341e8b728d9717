/** The citations of an answer: each page has a number, and each statement a chip for each of its pages. */

import { element, shortNameNode } from "./dom.js";
import { distinctNames, placeWords } from "./places.js";
import { tell } from "./tips.js";
import { placeButton } from "./walk.js";

/** @typedef {import("./places.js").Citation} Citation */

/**
 * @typedef {object} Cited the pages that an answer cites
 * @property {Map<string, number>} numbers by the keys of the pages
 * @property {Map<string, Citation>} pages the first citation of each
 * @property {(citations: Citation[]) => HTMLElement[]} chips a button for each page of these
 */

/**
 * @param {any} answer what /api/ask gives
 * @returns {Cited}
 */
export function citedBy(answer) {
  const passages = new Map(answer.results.map((/** @type {any} */ { id, text }) => [id, text]));
  /** @type {Citation[]} */
  const all = answer.statements.flatMap((/** @type {any} */ said) => [...said.citations, ...said.also]);
  const names = distinctNames(all);
  const pages = new Map();
  for (const found of all) {
    const named = { ...found, filename: names.get(found.source_id) ?? found.filename };
    if (!pages.has(keyOf(found))) pages.set(keyOf(found), named);
  }
  const numbers = new Map([...pages.keys()].map((key, at) => [key, at + 1]));
  const chips = (/** @type {Citation[]} */ citations) =>
    byPage(citations).map((citation) => {
      const named = { ...citation, filename: names.get(citation.source_id) ?? citation.filename };
      return chipOf(named, numbers.get(keyOf(citation)) ?? 0, passages.get(citation.chunk_id));
    });
  return { numbers, pages, chips };
}

/**
 * The number of each page, with its file and place, as a list; each opens.
 * @param {Cited} cited
 * @returns {HTMLElement | null}
 */
export function sourcesNode({ pages }) {
  if (pages.size === 0) return null;
  const rows = [...pages.values()].map((citation) => {
    const words = [shortNameNode(citation.filename), ` ${placeWords(citation)}`];
    return element("li", {}, placeButton(citation, "", words));
  });
  return element("ol", { class: "sources", "aria-label": "Sources" }, ...rows);
}

/**
 * The numbers under which a passage is cited.
 * @param {any} answer
 * @param {Cited} cited
 * @returns {Map<string, number[]>} by chunk ids, ascending
 */
export function numbersOfPassages(answer, { numbers }) {
  const found = new Map();
  for (const said of answer.statements)
    for (const citation of said.citations) {
      const known = found.get(citation.chunk_id) ?? new Set();
      found.set(citation.chunk_id, known.add(numbers.get(keyOf(citation))));
    }
  return new Map([...found].map(([chunk, known]) => [chunk, [...known].sort((one, other) => one - other)]));
}

/**
 * @param {Citation} citation
 * @returns {string} the same for all citations of one page
 */
export function keyOf({ source_id, page, locator }) {
  return JSON.stringify([source_id, page ?? locator]);
}

/**
 * One citation for each page, with all the places of it that are cited.
 * @param {Citation[]} citations
 * @returns {Citation[]}
 */
function byPage(citations) {
  const found = new Map();
  for (const citation of citations) {
    const before = found.get(keyOf(citation));
    const spans = citation.span ? [citation.span] : [];
    if (before === undefined) found.set(keyOf(citation), { ...citation, spans, quotes: [citation.quote] });
    else found.set(keyOf(citation), joined(before, citation, spans));
  }
  return [...found.values()];
}

/**
 * @param {any} before
 * @param {Citation} citation
 * @param {number[][]} spans
 * @returns {any}
 */
function joined(before, citation, spans) {
  return { ...before, spans: [...before.spans, ...spans], quotes: [...before.quotes, citation.quote] };
}

/**
 * @param {any} citation
 * @param {number} number
 * @param {string} [passage]
 * @returns {HTMLElement}
 */
function chipOf(citation, number, passage) {
  const chip = placeButton(citation, passage, [String(number)]);
  const place = `${citation.filename} ${placeWords(citation)}`;
  chip.classList.add("chip");
  chip.setAttribute("aria-label", `Citation ${number}: ${place}`);
  const quote = citation.quotes.filter(Boolean).join(" […] ");
  tell(chip, () => [element("strong", {}, place), element("span", {}, quote === "" ? "" : `“${quote}”`)]);
  return chip;
}
