/** The words of a page over its picture, so that they can be selected, copied, and found with the browser's search. */

import { element } from "./dom.js";

/**
 * @param {any} told what /api/document/pages/N/words gives
 * @returns {HTMLElement}
 */
export function wordsNode({ width, height, words }) {
  const layer = element("div", { class: "words" });
  for (const line of linesOf(words)) {
    const [left, top, right, bottom] = line.box;
    const row = element("span", {}, line.words.join(" "));
    Object.assign(row.style, {
      left: `${(100 * left) / width}%`,
      top: `${(100 * top) / height}%`,
      width: `${(100 * (right - left)) / width}%`,
      height: `${(100 * (bottom - top)) / height}%`,
      fontSize: `${(75 * (bottom - top)) / width}cqw`,
    });
    layer.append(row);
  }
  return layer;
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
