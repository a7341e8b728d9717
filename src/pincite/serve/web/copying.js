/** The buttons that copy an answer, or its address. */

import { element } from "./dom.js";
import { copy, htmlOf, markdownOf, textOf } from "./markdown.js";
import { addressOf, answerAddress } from "./views.js";

/**
 * @param {any} answer what /api/ask gives
 * @param {import("./chips.js").Cited} cited
 * @param {(words: string) => void} tell
 * @returns {HTMLElement}
 */
export function copyNode(answer, cited, tell) {
  const button = (/** @type {string} */ words, /** @type {() => string} */ made, html = () => "") => {
    const told = () => `${words.replace("Copy", "Copied")}.`;
    const take = () => tell(copy(made(), html()) ? told() : "The browser did not allow the copy.");
    return element("button", { type: "button", click: take }, words);
  };
  const own = `${location.origin}${answerAddress(answer.meta.trace_id ?? "")}`;
  const addresses = () => {
    const at = places();
    return (/** @type {number} */ number) =>
      `${own}${addressOf("asked", { citation: String(at.get(String(number)) ?? 1) })}`;
  };
  const asText = () => textOf(answer, cited);
  return element(
    "p",
    { class: "copy" },
    button("Copy as text", asText),
    button("Copy for Word", asText, () => htmlOf(answer, cited, addresses())),
    button("Copy as Markdown", () => markdownOf(answer, cited, addresses())),
    button("Copy link", () => location.href),
  );
}

/** @returns {Map<string | null, number>} where the first chip of each number stands among the citations, from 1 */
function places() {
  const found = new Map();
  for (const [at, { textContent }] of document.querySelectorAll("#answer [data-walk] .chip").entries())
    if (!found.has(textContent)) found.set(textContent, at + 1);
  return found;
}
