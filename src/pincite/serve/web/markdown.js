/** An answer as Markdown, in which nothing of a document is markup. */

const MARKS = /[\\`*_{[\]<>|~&$#]/g;
const OPENS_A_LIST = /^(\d*)([-+=.)])/;

/**
 * The question, and its statements with their citations as a list.
 * @param {{query: string, summary: string}} answer what /api/ask gives
 * @returns {string}
 */
export function markdownOf({ query, summary }) {
  const rows = summary.split("\n").map((row) => `- ${escaped(row)}`);
  return [`# ${escaped(query)}`, "", ...rows, ""].join("\n");
}

/**
 * Put a text where it can be pasted from. The clipboard of newer scripts is closed to pages that come without TLS.
 * @param {string} text
 * @returns {boolean} whether the browser took it
 */
export function copy(text) {
  const give = (/** @type {ClipboardEvent} */ event) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
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
function escaped(text) {
  return text.trim().replaceAll(/\s+/g, " ").replaceAll(MARKS, "\\$&").replace(OPENS_A_LIST, "$1\\$2");
}
