/** Text with quotes in it marked, as paragraphs and tables. */

import { element } from "./dom.js";

/** @typedef {[number, number]} Range from which character to which */

/**
 * A text as it is laid out: rows of cells are tables, all else is paragraphs. Quotes are marked, however their lines are
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
  let rows = /** @type {HTMLElement[]} */ ([]);
  let lines = /** @type {Range[]} */ ([]);
  const end = () => {
    if (rows.length > 0) blocks.push(element("table", {}, element("tbody", {}, ...rows)));
    if (lines.length > 0) blocks.push(element("p", {}, ...marked(text, lines[0][0], lines[lines.length - 1][1], ranges)));
    [rows, lines] = [[], []];
  };
  for (const { 0: line, index } of text.matchAll(/[^\n]+|\n\n+/g)) {
    const isRow = line.includes("\t");
    if (line.startsWith("\n") || isRow !== rows.length > 0) end();
    if (isRow) rows.push(rowNode(text, index, line, ranges));
    else if (!line.startsWith("\n")) lines.push([index, index + line.length]);
  }
  end();
  return blocks;
}

/**
 * @param {string} text
 * @param {number} start of the row
 * @param {string} line
 * @param {Range[]} ranges
 * @returns {HTMLElement}
 */
function rowNode(text, start, line, ranges) {
  let at = start;
  const cells = line.split("\t").map((cell) => {
    const node = element("td", {}, ...marked(text, at, at + cell.length, ranges));
    at += cell.length + 1;
    return node;
  });
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
