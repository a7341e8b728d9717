/** The names that the documents name most, to begin with: each leads into the graph. */

import { element, nameNode } from "./dom.js";
import { read } from "./read.js";

const KINDS = { false: "Names", true: "Terms" };

/**
 * @param {(names: string[]) => string} address of the graph of these names
 * @returns {Promise<Node[]>}
 */
export async function namedNodes(address) {
  const { entities } = await read("entities", {});
  if (entities.length === 0) return [element("p", { class: "aside" }, "The documents name nothing yet.")];
  const lists = Object.entries(KINDS).map(([isTerm, title]) => {
    const found = entities.filter((/** @type {any} */ { is_term }) => String(is_term) === isTerm);
    return found.length === 0 ? null : listNode(title, found, address);
  });
  return [element("div", { class: "lists named" }, ...lists)];
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
