/** The evidence as a table of six columns: a head sorts, a row opens. */

import { element, shortNameNode } from "./dom.js";
import { openerOf } from "./opener.js";
import { rowsOf } from "./rows.js";

/** @typedef {import("./evidence.js").Table} Table */
/** @typedef {import("./rows.js").Row} Row */

export const ROWS = 12;
/** Rows of a page. */
const HEADS = ["type", "snippet", "filename", "p", "methods", "final_score"];
const SNIPPET = 160;
/** Characters of a passage in its row. */

/**
 * @param {Table} state
 * @param {() => void} draw
 * @returns {HTMLElement}
 */
export function tableNode(state, draw) {
  const results = state.rows.map(({ result }) => result);
  const shown = state.rows.slice(state.first, state.first + ROWS);
  const sort = (/** @type {string} */ key) => {
    sortBy(state, key);
    draw();
    document.querySelector(/** @type {any} */ (`#evidence th.${key} button`)).focus();
  };
  const heads = HEADS.map((key) => headNode(key, state, () => sort(key)));
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...shown.flatMap((row) => rowNodes(row, results))),
  );
}

/**
 * @param {string} key
 * @param {{key: string, falling: boolean}} state
 * @param {() => void} sort
 * @returns {HTMLElement}
 */
function headNode(key, state, sort) {
  const order = state.falling ? "descending" : "ascending";
  const attributes = { scope: "col", class: key, ...(state.key === key ? { "aria-sort": order } : {}) };
  return element("th", attributes, element("button", { type: "button", class: "plain", click: sort }, key));
}

/**
 * Sort by a column, then the other way round, then as they came; rows that tie keep their order.
 * @param {Table} state
 * @param {string} key
 */
function sortBy(state, key) {
  const fallsFirst = key === "final_score";
  const isSecond = state.key === key && state.falling === fallsFirst;
  const isThird = state.key === key && !isSecond;
  state.falling = isSecond ? !fallsFirst : fallsFirst;
  state.key = isThird ? "" : key;
  state.first = 0;
  const sign = state.falling ? -1 : 1;
  state.rows = rowsOf(state.results, state.cited);
  if (!isThird) state.rows.sort((/** @type {any} */ one, /** @type {any} */ other) => sign * compared(one, other, key));
}

/**
 * @param {any} one
 * @param {any} other
 * @param {string} key
 * @returns {number}
 */
function compared(one, other, key) {
  if (key === "final_score") return one.final_score - other.final_score;
  if (key === "p") return one.page - other.page || one.p.localeCompare(other.p);
  return one[key].localeCompare(other[key]);
}

/**
 * A row, and below it what it opens to.
 * @param {Row} row
 * @param {any[]} all the results
 * @returns {HTMLElement[]}
 */
function rowNodes(row, all) {
  const below = element("tr", { class: "opened", hidden: true });
  const fill = (/** @type {Node[]} */ nodes) =>
    below.replaceChildren(element("td", { colspan: HEADS.length }, ...nodes));
  const snippet = openerOf(row, SNIPPET, below, fill, all);
  const cells = HEADS.map((key) => cellNode(row, key, snippet));
  return [element("tr", row.cited.length > 0 ? { class: "cited" } : {}, ...cells), below];
}

/**
 * @param {any} row
 * @param {string} key
 * @param {HTMLElement} snippet
 * @returns {HTMLElement}
 */
function cellNode(row, key, snippet) {
  if (key === "snippet") return element("td", { class: key }, snippet);
  if (key === "filename") return element("td", { class: key }, shortNameNode(row.filename));
  const words = key === "final_score" ? row.final_score.toFixed(3) : row[key];
  return element("td", { class: key, title: words }, words);
}
