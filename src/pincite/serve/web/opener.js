/** The beginning of a passage as a button, which opens to all that is known of it. */

import { detailNodes } from "./details.js";
import { element } from "./dom.js";

/**
 * @param {import("./rows.js").Row} row
 * @param {number} length characters that are shown
 * @param {HTMLElement} below what opens
 * @param {(nodes: Node[]) => void} fill
 * @param {any[]} results all of them
 * @returns {HTMLElement}
 */
export function openerOf(row, length, below, fill, results) {
  const words = row.snippet.length > length ? `${row.snippet.slice(0, length).trimEnd()}…` : row.snippet;
  const opener = element("button", { type: "button", class: "plain opener", "aria-expanded": "false" }, words);
  opener.addEventListener("click", () => {
    below.hidden = !below.hidden;
    opener.setAttribute("aria-expanded", String(!below.hidden));
    if (!below.hidden) fill(detailNodes(row.result, results));
  });
  return opener;
}
