/** The evidence as a table: sorted by its heads, some rows a page, each opens to its passage and its scores. */

import { detailNodes } from "./details.js";
import { element } from "./dom.js";
import { distinctNames } from "./places.js";

const ROWS = 12;
const HEADS = ["type", "snippet", "filename", "p", "methods", "final_score"];
const SNIPPET = 160;
/** Characters of a passage in its row. */
const NO_MORE = "Nothing else was found.";
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
 * @typedef {object} Table what is shown, and how
 * @property {any[]} results best first
 * @property {Row[]} rows in the order in which they are shown
 * @property {string} key the column that they are sorted by; as they came where it is empty
 * @property {boolean} falling
 * @property {number} first
 * @property {(() => Promise<any[]>) | null} more finds others; null where all were found
 * @property {string} told
 * @property {HTMLElement} place where it stands
 */

/**
 * The table of these results.
 * @param {any[]} results as /api/ask gives them, best first
 * @param {() => Promise<any[]>} more finds these and others, in the same shape
 * @returns {Node[]}
 */
export function evidenceNodes(results, more) {
  if (results.length === 0) return [];
  const place = element("div");
  /** @type {Table} */
  const table = { results, rows: rowsOf(results), key: "", falling: true, first: 0, more, told: "", place };
  const draw = () => place.replaceChildren(tableNode(table, draw), ...pagerNodes(table, draw));
  draw();
  const isReread = results.some(({ scores }) => scores?.rerank !== undefined);
  return [element("h2", {}, "Evidence"), ...(isReread ? [element("p", { class: "aside" }, ORDER)] : []), place];
}

/**
 * @param {any[]} results
 * @returns {Row[]}
 */
function rowsOf(results) {
  const names = distinctNames(results.filter(({ type }) => type === "chunk"));
  return results.map((result) => rowOf({ ...result, filename: names.get(result.source_id) }));
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
 * @param {Table} state
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
  state.rows = rowsOf(state.results);
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
 * Below the table: to the rows before and behind, and behind the last to those that a search finds.
 * @param {Table} state
 * @param {() => void} draw
 * @returns {Node[]}
 */
function pagerNodes(state, draw) {
  const all = state.rows.length;
  const isLast = state.first + ROWS >= all;
  const turn = (/** @type {number} */ by) => {
    state.first += by;
    draw();
    /** @type {HTMLElement | null} */ (state.place.querySelector(".opener"))?.focus();
  };
  const go = () => (isLast ? findMore(state, draw, turn) : turn(ROWS));
  return [
    element(
      "p",
      { class: "pager" },
      element("button", { type: "button", disabled: state.first === 0, click: () => turn(-ROWS) }, "Back"),
      ` ${state.first + 1} to ${Math.min(all, state.first + ROWS)} of ${all} `,
      element("button", { type: "button", disabled: isLast && state.more === null, click: go }, "Show more evidence"),
      element("span", { class: "aside", role: "status" }, ` ${state.told}`),
    ),
  ];
}

/**
 * Put what a search finds behind what is there, and turn to it where it begins on another page of the table.
 * @param {Table} state
 * @param {() => void} draw
 * @param {(by: number) => void} turn
 */
async function findMore(state, draw, turn) {
  const { more, results } = state;
  if (more === null) return;
  Object.assign(state, { more: null, told: "Searching" });
  draw();
  const before = state.rows.length - state.first;
  try {
    const known = new Set(results.map(({ id }) => id));
    const others = (await more()).filter(({ id }) => !known.has(id));
    const found = [...results, ...others];
    Object.assign(state, { results: found, rows: rowsOf(found), key: "", told: others.length === 0 ? NO_MORE : "" });
  } catch (error) {
    Object.assign(state, { more, told: /** @type {Error} */ (error).message });
  }
  if (before === ROWS && ROWS < state.rows.length - state.first) {
    turn(ROWS);
    return;
  }
  draw();
  const opener = /** @type {HTMLElement | undefined} */ (state.place.querySelectorAll(".opener")[before]);
  opener?.focus();
}
