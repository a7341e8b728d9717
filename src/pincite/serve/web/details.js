/** What a row of the evidence opens to: its passage between its neighbours, and why it ranked where it did. */

import { element } from "./dom.js";
import { walkAddress } from "./graph.js";
import { placeWords } from "./places.js";
import { passageOf } from "./read.js";
import { placeButton } from "./walk.js";

const NEARBY = 240;
/** Characters of a neighbour: a sentence or two. By eye. */

/**
 * The details of a result.
 * @param {any} result
 * @param {any[]} results all of the answer
 * @returns {Node[]}
 */
export function detailNodes(result, results) {
  return result.type === "triplet_path" ? pathNodes(result, results) : passageNodes(result);
}

/**
 * @param {any} result
 * @returns {Node[]}
 */
function passageNodes(result) {
  const words = [`Open ${placeWords(result) || "the text"}`];
  const scores = Object.entries(result.scores).flatMap(([name, score]) => scoreNodes(name, score));
  const passage = element("p", { class: "passage" }, result.text);
  addNeighbours(passage, result);
  return [
    element("p", { class: "path" }, result.section.join(" › ")),
    passage,
    element("dl", { class: "scores" }, ...scores),
    element("p", { class: "aside" }, result.why.join(" · ")),
    ...tripletNodes(result.supporting_triplets),
    placeButton({ ...result, chunk_id: result.id }, result.text, words),
  ];
}

/**
 * Put the ends of the neighbours around a passage, when they are there.
 * @param {HTMLElement} passage
 * @param {any} result
 */
async function addNeighbours(passage, result) {
  try {
    const { before, after } = await passageOf(result.source_id, result.id);
    passage.before(...before.map((/** @type {any} */ { text }) => nearbyNode(endOf(text))));
    passage.after(...after.map((/** @type {any} */ { text }) => nearbyNode(beginningOf(text))));
  } catch {
    return;
  }
}

/**
 * @param {string} text
 * @returns {HTMLElement}
 */
function nearbyNode(text) {
  return element("p", { class: "nearby" }, text);
}

/**
 * @param {string} text
 * @returns {string}
 */
function endOf(text) {
  return text.length <= NEARBY ? text : `… ${text.slice(-NEARBY).replace(/^\S*\s+/, "")}`;
}

/**
 * @param {string} text
 * @returns {string}
 */
function beginningOf(text) {
  return text.length <= NEARBY ? text : `${text.slice(0, NEARBY).replace(/\s+\S*$/, "")} …`;
}

/**
 * What the passage says of the names of the question; each leads into the graph.
 * @param {any[]} triplets
 * @returns {Node[]}
 */
function tripletNodes(triplets) {
  if (triplets.length === 0) return [];
  const rows = triplets.map(({ subject, predicate, object }) =>
    element("li", {}, graphLink([subject]), ` · ${predicate.replaceAll("_", " ")} · `, graphLink([object])),
  );
  return [element("ul", { class: "triplets" }, ...rows)];
}

/**
 * The sentences of a path, with their pages, as far as its passages are among the results.
 * @param {any} path
 * @param {any[]} results
 * @returns {Node[]}
 */
function pathNodes(path, results) {
  const rows = path.supporting_chunks.map((/** @type {any} */ support) => {
    const chunk = results.find(({ id }) => id === support.chunk_id);
    const where = chunk
      ? placeButton({ ...chunk, ...support }, chunk.text)
      : element("span", { class: "aside" }, `${support.filename} ${placeWords(support)}`);
    return element("li", {}, `“${support.quote}” `, where);
  });
  return [element("ul", {}, ...rows), element("p", {}, graphLink(path.path, "Draw this path"))];
}

/**
 * @param {string[]} names
 * @param {string} [words]
 * @returns {HTMLElement}
 */
function graphLink(names, words = names[0]) {
  return element("a", { href: walkAddress(names) }, element("bdi", {}, words));
}

/**
 * @param {string} name
 * @param {number} score from 0 to 1
 * @returns {HTMLElement[]}
 */
function scoreNodes(name, score) {
  const bar = element("span", { class: "bar" });
  bar.style.width = `${Math.round(100 * score)}%`;
  return [element("dt", {}, name), element("dd", {}, element("span", { class: "track" }, bar), score.toFixed(3))];
}
