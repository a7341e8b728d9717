/** The question before a document is deleted. */

import { request } from "./api.js";
import { byId, element, nameNode } from "./dom.js";
import { forgetUpload } from "./uploads.js";

/**
 * A button that deletes a document, once that is confirmed.
 * @param {string} source
 * @param {() => void} then called when it is gone
 * @returns {HTMLElement}
 */
export function takeOutButton(source, then) {
  const attributes = { type: "button", class: "take-out", "aria-label": `Delete ${source}` };
  return element("button", { ...attributes, click: () => open(source, then) }, "Delete");
}

/**
 * @param {string} source
 * @param {() => void} then
 */
function open(source, then) {
  const dialog = byId("taking");
  const problem = element("p", { role: "alert" });
  const out = element("button", { type: "submit" }, "Delete");
  const form = element(
    "form",
    {},
    element("h2", { id: "taking-title" }, "Delete ", nameNode(source), "?"),
    element("p", {}, "It will no longer be found or cited. A file that was added on this page is deleted for good; one that was read from a folder stays there."),
    problem,
    element("button", { type: "button", autofocus: true, click: () => dialog.close() }, "Cancel"),
    " ",
    out,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    out.toggleAttribute("disabled", true);
    try {
      await request(`/api/document?${new URLSearchParams({ source })}`, { method: "DELETE" });
      dialog.close();
      forgetUpload(source);
      then();
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
      out.toggleAttribute("disabled", false);
    }
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}
