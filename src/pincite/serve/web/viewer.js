/** The source beside the answer: its page as a picture, or its passage, with the quoted words marked. */

import { request } from "./api.js";
import { byId, element } from "./dom.js";
import { firstMark } from "./marks.js";
import { pictureAddress, placeWords } from "./places.js";
import { quotedIn } from "./quotes.js";

/** @typedef {import("./places.js").Citation} Citation */

let loading = new AbortController();

/**
 * Show where a citation stands.
 * @param {Citation} citation
 * @param {{count: string, passage: string, step: (by: number) => void, close: () => void}} around `count`: "2 of 7";
 *     `passage`: the text around it, for a source without pages; `step` goes to another citation
 */
export async function showSource(citation, around) {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  byId("viewer").hidden = false;
  const sheet = sheetBelow(headNode(citation, around));
  if (citation.page === null) {
    sheet.replaceChildren(passageNode(citation, around.passage));
    return;
  }
  try {
    const response = await request(pictureAddress(citation), { signal });
    const picture = await pictureOf(await response.blob(), citation);
    if (signal.aborted) return;
    sheet.replaceChildren(picture);
    sheet.scrollTop = Math.max(0, firstMark(picture) * picture.clientHeight - sheet.clientHeight / 3);
  } catch (error) {
    if (signal.aborted) return;
    const told = element("p", { role: "alert" }, /** @type {Error} */ (error).message);
    sheet.replaceChildren(told, passageNode(citation, around.passage));
  }
}

/** Show no source any more. */
export function closeSource() {
  loading.abort();
  byId("viewer").hidden = true;
}

/**
 * Put this head on top; what was shown below stays until there is something else.
 * @param {HTMLElement} head
 * @returns {HTMLElement}
 */
function sheetBelow(head) {
  const viewer = byId("viewer");
  const sheet = viewer.querySelector(".sheet") ?? element("div", { class: "sheet", tabindex: 0, role: "group", "aria-label": "Page" });
  viewer.replaceChildren(head, sheet);
  return sheet;
}

/**
 * @param {Citation} citation
 * @param {{count: string, step: (by: number) => void, close: () => void}} around
 * @returns {HTMLElement}
 */
function headNode(citation, { count, step, close }) {
  const steps = [
    button("Citation before (k)", "‹", () => step(-1)),
    element("span", {}, count),
    button("Next citation (j)", "›", () => step(1)),
  ];
  return element(
    "div",
    { class: "head" },
    element("h2", {}, element("span", { class: "name" }, citation.filename), ` ${placeWords(citation)}`),
    ...(count === "" ? [] : steps),
    button("Close (Esc)", "×", close),
  );
}

/**
 * @param {string} label
 * @param {string} sign
 * @param {() => void} does
 * @returns {HTMLElement}
 */
function button(label, sign, does) {
  return element("button", { type: "button", "aria-label": label, title: label, click: does }, sign);
}

/**
 * @param {Citation} citation
 * @param {string} passage
 * @returns {HTMLElement}
 */
function passageNode(citation, passage) {
  return element("p", { class: "passage" }, ...quotedIn(passage, citation.quote ?? ""));
}

/**
 * @param {Blob} blob
 * @param {Citation} citation
 * @returns {Promise<HTMLImageElement>}
 */
async function pictureOf(blob, citation) {
  const address = URL.createObjectURL(blob);
  const told = citation.quote ? `, where it says: ${citation.quote}` : "";
  const alt = `Page ${citation.page} of ${citation.filename}${told}`;
  const picture = /** @type {HTMLImageElement} */ (element("img", { src: address, alt }));
  try {
    await picture.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  return picture;
}
