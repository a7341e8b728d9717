/** Text with quotes in it marked, as paragraphs and tables. */

import { element } from "./dom.js";

/** @typedef {[number, number]} Range from which character to which */

/**
 * A text as it is laid out: several rows of cells are a table, all else is paragraphs. Quotes are marked, however their lines are
 * broken; one that the text does not hold stands in front.
 * @param {string} text
 * @param {string[]} quotes
 * @returns {HTMLElement[]}
 */
export function laidOut(text, quotes) {
  const found = quotes.map((quote) => rangeOf(text, quote));
  const missed = quotes.filter((_, at) => found[at] === null).map((quote) => element("p", {}, element("mark", {}, quote)));
  const ranges = found.filter((range) => range !== null).sort(([first], [second]) => first - second);
  return [...missed, ...blocksOf(text, ranges)];
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
 * @param {Range[]} ranges
 * @returns {HTMLElement[]}
 */
function blocksOf(text, ranges) {
  /** @type {HTMLElement[]} */
  const blocks = [];
  let lines = /** @type {Range[]} */ ([]);
  let areRows = false;
  const end = () => {
    const rows = areRows && lines.length > 1 ? lines.map((line) => rowNode(text, line, ranges)) : [];
    if (rows.length > 0) blocks.push(element("table", {}, element("tbody", {}, ...rows)));
    else if (lines.length > 0) blocks.push(element("p", {}, ...marked(text, lines[0][0], lines[lines.length - 1][1], ranges)));
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
 * @param {Range[]} ranges
 * @returns {HTMLElement}
 */
function rowNode(text, [start, end], ranges) {
  const cells = [];
  for (const { 0: cell, index } of text.slice(start, end).matchAll(/[^\t]*\t|[^\t]+$/g)) {
    cells.push(element("td", {}, ...marked(text, start + index, start + index + cell.length, ranges)));
  }
  return element("tr", {}, ...cells);
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @param {Range[]} ranges what of it is marked, in order
 * @returns {(string | Node)[]}
 */
function marked(text, start, end, ranges) {
  const parts = [];
  let done = start;
  for (const [from, to] of ranges) {
    const [first, last] = [Math.max(done, from), Math.min(end, to)];
    if (first >= last) continue;
    parts.push(text.slice(done, first), element("mark", {}, text.slice(first, last)));
    done = last;
  }
  return [...parts, text.slice(done, end)];
}
