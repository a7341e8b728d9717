/** Quotes in the text that they were taken from. */

import { element } from "./dom.js";

/**
 * A passage with a quote in it marked, however its lines are broken; the quote alone where the passage holds none.
 * @param {string} passage
 * @param {string} quote
 * @returns {(string | Node)[]}
 */
export function quotedIn(passage, quote) {
  if (quote === "") return [passage];
  const words = quote
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(words.join("\\s+")).exec(passage);
  if (found === null) return [element("mark", {}, quote)];
  const end = found.index + found[0].length;
  return [passage.slice(0, found.index), element("mark", {}, found[0]), passage.slice(end)];
}
