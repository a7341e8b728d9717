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
  const address = (/** @type {number} */ number) => `${own}${addressOf("asked", { citation: String(placeOf(number)) })}`;
  return element(
    "p",
    { class: "copy" },
    button("Copy as text", "Copied as text.", () => textOf(answer, cited)),
    button("Copy as Markdown", "Copied as Markdown.", () => markdownOf(answer, cited, address)),
    button("Copy link", "Link copied.", () => location.href),
  );
}

/**
 * Where the first chip of this number stands among the citations of the answer, from 1.
 * @param {number} number
 * @returns {number}
 */
function placeOf(number) {
  const chips = [...document.querySelectorAll("#answer [data-walk] .chip")];
  return chips.findIndex(({ textContent }) => textContent === String(number)) + 1;
}
