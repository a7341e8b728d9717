/** Text with quotes in it marked, as paragraphs and tables. */

import { element } from "./dom.js";

/** @typedef {[number, number]} Range from which character to which */
/** @typedef {{from: number, to: number, kind: string}} Mark */

/**
 * A text as it is laid out: several rows of cells are a table, all else is paragraphs. Quotes are marked, however their lines are
 * broken; one that the text does not hold stands in front.
 * @param {string} text
 * @param {string[]} quotes of the citation that is open
 * @param {string[]} others of other citations, as far as the text holds them
 * @returns {HTMLElement[]}
 */
export function laidOut(text, quotes, others) {
  const isMissed = (/** @type {string} */ quote) => rangeOf(text, quote) === null;
  const missed = quotes.filter(isMissed).map((quote) => element("p", {}, markNode("current", quote)));
  return [...missed, ...blocksOf(text, marksOf(rangesOf(text, quotes), rangesOf(text, others)))];
}

/**
 * @param {string} text
 * @param {string[]} quotes
 * @returns {Range[]}
 */
function rangesOf(text, quotes) {
  return quotes.map((quote) => rangeOf(text, quote)).filter((range) => range !== null);
}

/**
 * What is marked, piece by piece: where quotes overlap, as one of the citation that is open.
 * @param {Range[]} current
 * @param {Range[]} others
 * @returns {Mark[]}
 */
function marksOf(current, others) {
  const edges = [...new Set([...current, ...others].flat())].sort((one, other) => one - other);
  const covers = (/** @type {Range[]} */ marks, /** @type {number} */ at) =>
    marks.some(([from, to]) => from <= at && at < to);
  const kind = (/** @type {number} */ at) => (covers(current, at) ? "current" : covers(others, at) ? "other" : "");
  const pieces = edges.slice(1).map((to, at) => ({ from: edges[at], to, kind: kind(edges[at]) }));
  return pieces.filter((piece) => piece.kind !== "");
}

/**
 * @param {string} kind
 * @param {string} text
 * @returns {HTMLElement}
 */
function markNode(kind, text) {
  return element("mark", { class: kind }, text);
}

/**
 * @param {string} text
 * @param {string} quote
 * @returns {Range | null}
 */
function rangeOf(text, quote) {
  const words = quote.trim().split(/\s+/);
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
  const found = new RegExp(pattern).exec(text);
  return found && [found.index, found.index + found[0].length];
}

/**
 * @param {string} text
 * @param {Mark[]} marks
 * @returns {HTMLElement[]}
 */
function blocksOf(text, marks) {
  /** @type {HTMLElement[]} */
  const blocks = [];
  let lines = /** @type {Range[]} */ ([]);
  let areRows = false;
  const end = () => {
    const rows = areRows && lines.length > 1 ? lines.map((line) => rowNode(text, line, marks)) : [];
    if (rows.length > 0) blocks.push(element("table", {}, element("tbody", {}, ...rows)));
    else if (lines.length > 0) blocks.push(element("p", {}, ...marked(text, lines[0][0], lines[lines.length - 1][1], marks)));
    lines = [];
  };
  for (const { 0: line, index } of text.matchAll(/[^\n]+|\n\n+/g)) {
    if (line.startsWith("\n") || line.includes("\t") !== areRows) end();
    areRows = line.includes("\t");
    if (!line.startsWith("\n")) lines.push([index, index + line.length]);
  }
  end();
  return blocks;
}

/**
 * The text of a row with its tabs, which part the cells: copied, it is what the document says.
 * @param {string} text
 * @param {Range} line
 * @param {Mark[]} marks
 * @returns {HTMLElement}
 */
function rowNode(text, [start, end], marks) {
  const cells = [];
  for (const { 0: cell, index } of text.slice(start, end).matchAll(/[^\t]*\t|[^\t]+$/g)) {
    cells.push(element("td", {}, ...marked(text, start + index, start + index + cell.length, marks)));
  }
  return element("tr", {}, ...cells);
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @param {Mark[]} marks what of it is marked, in order
 * @returns {(string | Node)[]}
 */
function marked(text, start, end, marks) {
  const parts = [];
  let done = start;
  for (const { from, to, kind } of marks) {
    const [first, last] = [Math.max(done, from), Math.min(end, to)];
    if (first >= last) continue;
    parts.push(text.slice(done, first), markNode(kind, text.slice(first, last)));
    done = last;
  }
  return [...parts, text.slice(done, end)];
}
