/** The evidence: as cards or as a table, some a page; what else a search finds comes behind it. */

import { cardsNode } from "./cards.js";
import { element } from "./dom.js";
import { isReread, rowsOf } from "./rows.js";
import { ROWS, tableNode } from "./table.js";

/** @typedef {import("./rows.js").Row} Row */

const KEY = "pincite.evidence";
const TABLE = "table";
const NO_MORE = "Nothing else was found.";

/**
 * @typedef {object} Table what is shown, and how
 * @property {any[]} results best first
 * @property {Map<string, number[]>} cited the numbers of the citations in each, by its id
 * @property {Row[]} rows in the order in which they are shown
 * @property {string} key the column that they are sorted by; as they came where it is empty
 * @property {boolean} falling
 * @property {number} first
 * @property {(() => Promise<any[]>) | null} more finds others; null where all were found
 * @property {string} told
 * @property {HTMLElement} place where it stands
 */

/**
 * These results.
 * @param {any[]} results as /api/ask gives them, best first
 * @param {Map<string, number[]>} cited
 * @param {() => Promise<any[]>} more finds these and others, in the same shape
 * @returns {Node[]}
 */
export function evidenceNodes(results, cited, more) {
  if (results.length === 0) return [];
  const place = element("div");
  const rows = rowsOf(results, cited);
  /** @type {Table} */
  const table = { results, cited, rows, key: "", falling: true, first: 0, more, told: "", place };
  const draw = () => place.replaceChildren(orderNode(table), shownNode(table, draw), ...pagerNodes(table, draw));
  draw();
  return [element("div", { class: "title" }, element("h2", {}, "Evidence"), ...toggles(table, draw)), place];
}

/** @returns {boolean} */
function isTable() {
  return localStorage.getItem(KEY) === TABLE;
}

/**
 * @param {Table} state
 * @param {() => void} draw
 * @returns {HTMLElement}
 */
function shownNode(state, draw) {
  const shown = state.rows.slice(state.first, state.first + ROWS);
  return isTable() ? tableNode(state, draw) : cardsNode(shown, state.results);
}

/**
 * What the order goes by.
 * @param {Table} state
 * @returns {HTMLElement}
 */
function orderNode({ results, rows, key }) {
  const rest = rows.some(({ relevance }) => relevance === null) ? ", then those that it did not read" : "";
  const read = `Most relevant first, as the reranker read them${rest}`;
  const best = isReread(results) ? read : "Most relevant first, by final score";
  return element("p", { class: "aside" }, `${key === "" ? best : `Sorted by ${key}`}.`);
}

/**
 * Cards or table.
 * @param {Table} state
 * @param {() => void} draw
 * @returns {HTMLElement[]}
 */
function toggles(state, draw) {
  const button = (/** @type {string} */ words, /** @type {string} */ kind) => {
    const made = element("button", { type: "button", "aria-pressed": String(isTable() === (kind === TABLE)) }, words);
    made.addEventListener("click", () => {
      localStorage.setItem(KEY, kind);
      Object.assign(state, { key: "", rows: rowsOf(state.results, state.cited) });
      for (const one of made.parentElement?.querySelectorAll("button") ?? [])
        one.setAttribute("aria-pressed", String(one === made));
      draw();
    });
    return made;
  };
  return [button("Cards", "cards"), button("Table", TABLE)];
}

/**
 * Below them: to the rows before and behind, and behind the last to those that a search finds.
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
 * Put what a search finds behind what is there, and turn to it where it begins on another page of the evidence.
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
    Object.assign(state, { results: found, rows: rowsOf(found, state.cited), key: "", told: others.length === 0 ? NO_MORE : "" });
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
