/** Over the picture of a page: its words, so that they can be selected, copied, and found with the browser's search, and
 * the marks of what is cited. */

import { element } from "./dom.js";

/**
 * @param {any} told what /api/document/pages/N/words gives
 * @returns {HTMLElement}
 */
export function wordsNode(told) {
  const lines = linesOf(told.words).map(({ words, box }) => placed(element("span", {}, words.join(" ")), box, told));
  return element("div", { class: "words" }, ...lines);
}

/**
 * @param {any} told what /api/document/pages/N/marks gives
 * @param {number} current so many, from the first, are of the citation that is open
 * @returns {HTMLElement}
 */
export function marksNode(told, current) {
  const marks = told.marks.flatMap((/** @type {number[][]} */ boxes, /** @type {number} */ at) =>
    boxes.map((box) => placed(element("mark", { class: at < current ? "current" : "other" }), box, told)),
  );
  return element("div", { class: "marks" }, ...marks);
}

/**
 * @param {HTMLElement} node
 * @param {number[]} box in the units of the page
 * @param {{width: number, height: number}} page
 * @returns {HTMLElement} the node where the box is
 */
function placed(node, [left, top, right, bottom], { width, height }) {
  Object.assign(node.style, {
    left: `${(100 * left) / width}%`,
    top: `${(100 * top) / height}%`,
    width: `${(100 * (right - left)) / width}%`,
    height: `${(100 * (bottom - top)) / height}%`,
    fontSize: `${(75 * (bottom - top)) / width}cqw`,
  });
  return node;
}

/**
 * Words that follow one another in one line.
 * @param {{text: string, box: number[]}[]} words
 * @returns {{words: string[], box: number[]}[]}
 */
function linesOf(words) {
  /** @type {{words: string[], box: number[]}[]} */
  const lines = [];
  for (const { text, box } of words) {
    const last = lines.at(-1);
    if (last === undefined || !isBeside(last.box, box)) {
      lines.push({ words: [text], box });
      continue;
    }
    last.words.push(text);
    last.box = [last.box[0], Math.min(last.box[1], box[1]), box[2], Math.max(last.box[3], box[3])];
  }
  return lines;
}

/**
 * @param {number[]} line
 * @param {number[]} word
 * @returns {boolean} whether the word goes on in the line, and not in another column
 */
function isBeside(line, word) {
  const height = line[3] - line[1];
  const gap = word[0] - line[2];
  return Math.abs(word[3] - line[3]) < height / 2 && gap > -height / 2 && gap < 2 * height;
}
