/** A document as it was indexed: a PDF opens in a new tab at the page, all else is downloaded. */

import { request } from "./api.js";
import { element } from "./dom.js";
import { read } from "./read.js";

const KEPT = 60_000;
/** Milliseconds until a file that was handed to the browser is let go of. By eye, not measured. */

/**
 * Open the document of a place. Throws the words of the service where it gives none.
 * @param {import("./places.js").Citation} place
 */
export async function openOriginal({ source_id, filename, page }) {
  const { url } = await read("document/link", { source: source_id, ...(page === null ? {} : { page: String(page) }) });
  if (URL.canParse(url)) {
    open(url, "_blank", "noopener");
    return;
  }
  const file = await (await request(url)).blob();
  if (file.type !== "application/pdf") save(file, filename);
  else open(page === null ? handedOver(file) : `${handedOver(file)}#page=${page}`, "_blank", "noopener");
}

/**
 * Hand a file to the browser, which puts it where downloads lie.
 * @param {Blob} file
 * @param {string} filename
 */
export function save(file, filename) {
  element("a", { href: handedOver(file), download: filename }).click();
}

/**
 * @param {Blob} file
 * @returns {string} where the browser finds it for a while
 */
function handedOver(file) {
  const address = URL.createObjectURL(file);
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
  return address;
}
