/** An answer as text, and as Markdown and HTML with links, in which nothing of a document is markup. */

import { keyOf } from "./chips.js";
import { element } from "./dom.js";
import { placeWords } from "./places.js";

/** @typedef {import("./chips.js").Cited} Cited */

const MARKS = /[\\`*{[\]<>|~&$#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const OPENS_A_LIST = /^(\d*)([-+=.)])/;

/**
 * The question, its statements with the numbers of their citations, and the pages that these stand for.
 * @param {any} answer what /api/ask gives
 * @param {Cited} cited
 * @returns {string}
 */
export function textOf(answer, cited) {
  const rows = answer.statements.map((/** @type {any} */ said) => {
    const numbers = numbersOf(said, cited).map((number) => ` [${number}]`);
    return `- ${squeezed(said.text)}${numbers.join("")}`;
  });
  const sources = [...cited.pages.values()].map((page, at) => `[${at + 1}] ${page.filename} ${placeWords(page)}`);
  return [answer.query, "", ...rows, ...(sources.length > 0 ? ["", ...sources] : []), ""].join("\n");
}

/**
 * The same as Markdown; each number leads to its page on this service.
 * @param {any} answer
 * @param {Cited} cited
 * @param {(number: number) => string} address of a citation
 * @returns {string}
 */
export function markdownOf(answer, cited, address) {
  const link = (/** @type {number} */ number) => `[\\[${number}\\]](${address(number)})`;
  const rows = answer.statements.map((/** @type {any} */ said) =>
    [`- ${escaped(said.text)}`, ...numbersOf(said, cited).map(link)].join(" "),
  );
  const sources = [...cited.pages.values()].map((page, at) => {
    const place = escaped(`${page.filename} ${placeWords(page)}`);
    return `${at + 1}. [${place}](${address(at + 1)})`;
  });
  return [`# ${escaped(answer.query)}`, "", ...rows, ...(sources.length > 0 ? ["", ...sources] : []), ""].join("\n");
}

/**
 * The same as HTML, for programs that paste text with links.
 * @param {any} answer
 * @param {Cited} cited
 * @param {(number: number) => string} address of a citation
 * @returns {string}
 */
export function htmlOf(answer, cited, address) {
  const link = (/** @type {number} */ number, /** @type {string} */ words) => element("a", { href: address(number) }, words);
  const rows = answer.statements.map((/** @type {any} */ said) => {
    const links = numbersOf(said, cited).flatMap((number) => [" ", link(number, `[${number}]`)]);
    return element("li", {}, squeezed(said.text), ...links);
  });
  const sources = [...cited.pages.values()].map((page, at) =>
    element("li", {}, link(at + 1, `${page.filename} ${placeWords(page)}`)),
  );
  const lists = [element("ul", {}, ...rows), element("ol", {}, ...sources)];
  return new XMLSerializer().serializeToString(element("div", {}, element("h1", {}, answer.query), ...lists));
}

/**
 * @param {any} statement
 * @param {Cited} cited
 * @returns {number[]} the pages that it cites, each once
 */
function numbersOf({ citations }, { numbers }) {
  const found = citations.map((/** @type {any} */ citation) => numbers.get(keyOf(citation)) ?? 0);
  return [...new Set(/** @type {number[]} */ (found))];
}

/**
 * Put a text where it can be pasted from. The clipboard of newer scripts is closed to pages that come without TLS.
 * @param {string} text
 * @param {string} html the same with links, for programs that know them
 * @returns {boolean} whether the browser took it
 */
export function copy(text, html) {
  const give = (/** @type {ClipboardEvent} */ event) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    if (html !== "") event.clipboardData?.setData("text/html", html);
  };
  document.addEventListener("copy", give);
  const isTaken = document.execCommand("copy");
  document.removeEventListener("copy", give);
  return isTaken;
}

/**
 * @param {string} text
 * @returns {string}
 */
function squeezed(text) {
  return text.trim().replaceAll(/\s+/g, " ");
}

/**
 * @param {string} text
 * @returns {string}
 */
function escaped(text) {
  return squeezed(text).replaceAll(MARKS, "\\$&").replace(OPENS_A_LIST, "$1\\$2");
}
