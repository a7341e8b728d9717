/** The evidence as a table: sorted by its heads, some rows a page, each opens to its passage and its scores. */

import { detailNodes } from "./details.js";
import { element } from "./dom.js";
import { distinctNames } from "./places.js";

const ROWS = 12;
const HEADS = ["type", "snippet", "filename", "p", "methods", "final_score"];
const SNIPPET = 160;
/** Characters of a passage in its row. */
const ORDER = "Best first, as the reranker read them. A head sorts; a third click leads back.";

/**
 * @typedef {object} Row what is shown of a result
 * @property {string} type
 * @property {string} snippet
 * @property {string} filename
 * @property {string} p
 * @property {string} methods
 * @property {number} final_score
 * @property {number} page for sorting
 * @property {any} result
 */

/**
 * The table of these results.
 * @param {any[]} results as /api/ask gives them, best first
 * @returns {Node[]}
 */
export function evidenceNodes(results) {
  if (results.length === 0) return [];
  const names = distinctNames(results.filter(({ type }) => type === "chunk"));
  const rows = results.map((result) => rowOf({ ...result, filename: names.get(result.source_id) }));
  const state = { rows, best: [...rows], key: "", falling: true, first: 0 };
  const place = element("div");
  const draw = () => place.replaceChildren(tableNode(state, draw), ...pagerNodes(state, draw));
  draw();
  const isReread = results.some(({ scores }) => scores?.rerank !== undefined);
  return [element("h2", {}, "Evidence"), ...(isReread ? [element("p", { class: "aside" }, ORDER)] : []), place];
}

/**
 * @param {any} result
 * @returns {Row}
 */
function rowOf(result) {
  const isPath = result.type === "triplet_path";
  const place = isPath ? result.supporting_chunks[0] : result;
  return {
    type: isPath ? "path" : result.type,
    snippet: isPath ? pathWords(result) : result.text.replaceAll(/\s+/g, " "),
    filename: place.filename,
    p: place.page === null ? (place.locator ?? "") : String(place.page),
    methods: isPath ? "graph" : result.retrieved_by.join(", "),
    final_score: isPath ? result.score : result.scores.final,
    page: place.page ?? 0,
    result,
  };
}

/**
 * @param {any} result
 * @returns {string}
 */
function pathWords(result) {
  return result.path
    .map((/** @type {string} */ name, /** @type {number} */ i) =>
      i === 0 ? name : `– ${result.edges[i - 1]} → ${name}`,
    )
    .join(" ");
}

/**
 * @param {{rows: Row[], best: Row[], key: string, falling: boolean, first: number}} state
 * @param {() => void} draw
 * @returns {HTMLElement}
 */
function tableNode(state, draw) {
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
 * @param {{rows: Row[], best: Row[], key: string, falling: boolean, first: number}} state
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
  state.rows = [...state.best];
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
  const snippet = element(
    "button",
    { type: "button", class: "plain opener", "aria-expanded": "false" },
    row.snippet.slice(0, SNIPPET),
  );
  snippet.addEventListener("click", () => {
    below.hidden = !below.hidden;
    snippet.setAttribute("aria-expanded", String(!below.hidden));
    if (!below.hidden) below.replaceChildren(element("td", { colspan: HEADS.length }, ...detailNodes(row.result, all)));
  });
  const cells = HEADS.map((key) => cellNode(row, key, snippet));
  return [element("tr", {}, ...cells), below];
}

/**
 * @param {any} row
 * @param {string} key
 * @param {HTMLElement} snippet
 * @returns {HTMLElement}
 */
function cellNode(row, key, snippet) {
  if (key === "snippet") return element("td", { class: key }, snippet);
  const words = key === "final_score" ? row.final_score.toFixed(3) : row[key];
  return element("td", { class: key, title: words }, words);
}

/**
 * @param {{rows: Row[], first: number}} state
 * @param {() => void} draw
 * @returns {Node[]}
 */
function pagerNodes(state, draw) {
  const all = state.rows.length;
  if (all <= ROWS) return [];
  const turn = (/** @type {number} */ by) => () => {
    state.first += by;
    draw();
  };
  return [
    element(
      "p",
      { class: "pager" },
      element("button", { type: "button", disabled: state.first === 0, click: turn(-ROWS) }, "Back"),
      ` ${state.first + 1} to ${Math.min(all, state.first + ROWS)} of ${all} `,
      element("button", { type: "button", disabled: state.first + ROWS >= all, click: turn(ROWS) }, "More"),
    ),
  ];
}
