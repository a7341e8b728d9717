/** The buttons that copy an answer, or its address. */

import { element } from "./dom.js";
import { copy, markdownOf, textOf } from "./markdown.js";
import { addressOf, answerAddress } from "./views.js";

/**
 * @param {any} answer what /api/ask gives
 * @param {import("./chips.js").Cited} cited
 * @param {(words: string) => void} tell
 * @returns {HTMLElement}
 */
export function copyNode(answer, cited, tell) {
  const button = (/** @type {string} */ words, /** @type {string} */ told, /** @type {() => string} */ made) => {
    const take = () => tell(copy(made()) ? told : "The browser did not allow the copy.");
    return element("button", { type: "button", click: take }, words);
  };
  const own = `${location.origin}${answerAddress(answer.meta.trace_id ?? "")}`;
  const asMarkdown = () => {
    const found = places();
    const address = (/** @type {number} */ number) =>
      `${own}${addressOf("asked", { citation: String(found.get(String(number)) ?? 1) })}`;
    return markdownOf(answer, cited, address);
  };
  return element(
    "p",
    { class: "copy" },
    button("Copy as text", "Copied as text.", () => textOf(answer, cited)),
    button("Copy as Markdown", "Copied as Markdown.", asMarkdown),
    button("Copy link", "Link copied.", () => location.href),
  );
}

/** @returns {Map<string | null, number>} where the first chip of each number stands among the citations, from 1 */
function places() {
  const found = new Map();
  for (const [at, { textContent }] of document.querySelectorAll("#answer [data-walk] .chip").entries())
    if (!found.has(textContent)) found.set(textContent, at + 1);
  return found;
}
