/** What can be done with a document: a menu in its row. */

import { element } from "./dom.js";
import { openOriginal } from "./original.js";
import { takeOutButton } from "./taking.js";
import { addressOf } from "./views.js";

/**
 * @param {{source_id: string, filename: string, isRead: boolean}} document
 * @param {(source: string) => void} askOnly
 * @param {() => void} after called when it was deleted
 * @returns {HTMLElement}
 */
export function menuNode({ source_id, filename, isRead }, askOnly, after) {
  const told = element("span", { role: "alert", class: "aside" });
  const place = { source_id, filename, page: null, locator: null, chunk_id: "" };
  const download = () =>
    openOriginal(place).catch((/** @type {Error} */ { message }) => {
      told.textContent = message;
    });
  const button = (/** @type {string} */ words, /** @type {() => void} */ does) =>
    element("button", { type: "button", click: does }, words);
  const ways = isRead
    ? [
        element("a", { href: addressOf("sections", { name: source_id }) }, "Sections"),
        button("Ask only this", () => askOnly(source_id)),
        button(filename.toLowerCase().endsWith(".pdf") ? "Open PDF" : "Download", download),
      ]
    : [];
  return element(
    "details",
    { class: "menu" },
    element("summary", { "aria-label": `More for ${filename}` }, "⋯"),
    element("div", {}, ...ways, takeOutButton(source_id, after), told),
  );
}
