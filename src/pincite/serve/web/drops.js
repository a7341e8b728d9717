/** Where files are handed in: chosen by a button, or dropped. */

import { element } from "./dom.js";

/** Views that take files. */
const zones = new WeakSet();

/**
 * A button that chooses files. Those that are dropped anywhere while its view is shown are taken, too.
 * @param {HTMLElement} view
 * @param {(files: File[]) => void} take
 * @returns {HTMLElement}
 */
export function dropZone(view, take) {
  const chosen = /** @type {HTMLInputElement} */ (
    element("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files" })
  );
  chosen.addEventListener("change", () => {
    take(Array.from(chosen.files ?? []));
    chosen.value = "";
  });
  if (!zones.has(view)) takeDrops(view, take);
  zones.add(view);
  return element(
    "p",
    { class: "putting" },
    element("button", { type: "button", class: "choose", click: () => chosen.click() }, "Add files"),
    chosen,
    element("span", { class: "aside" }, "or drop them here: PDF, Office, web pages, mail, Markdown, text, CSV, ZIP"),
  );
}

/**
 * @param {HTMLElement} view
 * @param {(files: File[]) => void} take
 */
function takeDrops(view, take) {
  const aims = (/** @type {DragEvent} */ { dataTransfer }) => view.checkVisibility() && dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!aims(event)) return;
    event.preventDefault();
    view.classList.add("aimed-at");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) view.classList.remove("aimed-at");
  });
  addEventListener("drop", (event) => {
    view.classList.remove("aimed-at");
    if (!aims(event)) return;
    event.preventDefault();
    take(Array.from(/** @type {DataTransfer} */ (event.dataTransfer).files));
  });
}
