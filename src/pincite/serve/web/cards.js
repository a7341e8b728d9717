/** The evidence as cards: file, pages, how relevant, which citations stand in it; each opens to its passage. */

import { element, shortNameNode } from "./dom.js";
import { openerOf } from "./opener.js";

/** @typedef {import("./rows.js").Row} Row */

const SNIPPET = 280;
/** Characters of a passage on its card. */

/**
 * @param {Row[]} rows
 * @param {any[]} results all of them
 * @returns {HTMLElement}
 */
export function cardsNode(rows, results) {
  return element("ul", { class: "cards" }, ...rows.map((row) => cardNode(row, results)));
}

/**
 * @param {Row} row
 * @param {any[]} results
 * @returns {HTMLElement}
 */
function cardNode(row, results) {
  const below = element("div", { class: "opened", hidden: true });
  const opener = openerOf(row, SNIPPET, below, (nodes) => below.replaceChildren(...nodes), results);
  return element(
    "li",
    { class: row.cited.length > 0 ? "card cited" : "card" },
    element(
      "p",
      { class: "card-head" },
      shortNameNode(row.filename),
      element("span", {}, row.page > 0 ? `p.${row.p}` : row.p),
      row.type === "path" ? element("span", { class: "badge" }, "path") : null,
      row.cited.length > 0 ? element("span", { class: "badge" }, `cited ${row.cited.join(", ")}`) : null,
      row.relevance === null ? null : relevanceNode(row.relevance),
    ),
    opener,
    below,
  );
}

/**
 * @param {number} relevance from 0 to 1
 * @returns {HTMLElement}
 */
function relevanceNode(relevance) {
  const bar = element("span", { class: "bar" });
  bar.style.width = `${Math.round(100 * relevance)}%`;
  const words = `${Math.round(100 * relevance)} %`;
  return element("span", { class: "relevance", title: `Relevance ${words}` }, element("span", { class: "track" }, bar), words);
}
