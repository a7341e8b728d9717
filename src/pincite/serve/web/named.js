/** The names that the documents name most, to begin with, as a picture and as lists: each leads into the graph. */

import { element, nameNode } from "./dom.js";
import { overviewOf } from "./overview.js";
import { read } from "./read.js";

const DRAWN = 24;
/** Names on the circle of the picture. By eye. */

const KINDS = { false: "Names", true: "Terms" };

/**
 * @param {(names: string[]) => string} address of the graph of these names
 * @param {(names: string[]) => void} choose called with the name, or the two names, that are meant in the picture
 * @returns {Promise<Node[]>}
 */
export async function namedNodes(address, choose) {
  const { entities, together } = await read("entities", {});
  if (entities.length === 0) return [element("p", { class: "aside" }, "The documents name nothing yet.")];
  const lists = Object.entries(KINDS).map(([isTerm, title]) => {
    const found = entities.filter((/** @type {any} */ { is_term }) => String(is_term) === isTerm);
    return found.length === 0 ? null : listNode(title, found, address);
  });
  const lines = together.filter((/** @type {number[]} */ [one, other]) => Math.max(one, other) < DRAWN);
  const picture = overviewOf(entities.slice(0, DRAWN), lines, choose);
  return [
    element("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": "Picture" }, picture),
    element("div", { id: "said", "aria-live": "polite" }, hintNode()),
    element("div", { class: "lists named" }, ...lists),
  ];
}

/** @returns {HTMLElement} */
export function hintNode() {
  return element("p", { class: "aside" }, "A click on a name or on a line shows the sentences.");
}

/**
 * @param {string} title
 * @param {any[]} entities
 * @param {(names: string[]) => string} address
 * @returns {HTMLElement}
 */
function listNode(title, entities, address) {
  const rows = entities.map(({ name, chunk_count }) => {
    const told = `in ${chunk_count} passage${chunk_count === 1 ? "" : "s"}`;
    const link = element("a", { href: address([name]) }, nameNode(name));
    return element("li", {}, link, element("span", { class: "aside" }, ` ${told}`));
  });
  return element("div", {}, element("h3", {}, title), element("ul", {}, ...rows));
}
