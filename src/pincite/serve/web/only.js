/** The document that questions are asked of alone, where one was chosen. */

import { byId, element, shortNameNode } from "./dom.js";

let only = "";

/** @returns {string[]} the documents that may answer; none: all of them */
export function askedFiles() {
  return only === "" ? [] : [only.replaceAll(/[*?[]/g, "[$&]")];
}

/**
 * Ask this document alone from now on; all of them where it is empty.
 * @param {string} source
 */
export function askOnly(source) {
  only = source;
  const all = element("button", { type: "button", click: () => askOnly("") }, "Ask all documents");
  byId("only").replaceChildren("Asking only ", shortNameNode(source), " ", all);
  byId("only").hidden = only === "";
  byId("question").focus();
}
