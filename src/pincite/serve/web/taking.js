/** The question before a document is taken out. */

import { request } from "./api.js";
import { byId, element, nameNode } from "./dom.js";
import { forgetUpload } from "./uploads.js";

/**
 * A button that takes a document out, once that is confirmed.
 * @param {string} source
 * @param {() => void} then called when it is out
 * @returns {HTMLElement}
 */
export function takeOutButton(source, then) {
  const attributes = { type: "button", class: "take-out", "aria-label": `Take out ${source}` };
  return element("button", { ...attributes, click: () => open(source, then) }, "Take out");
}

/**
 * @param {string} source
 * @param {() => void} then
 */
function open(source, then) {
  const dialog = byId("taking");
  const problem = element("p", { role: "alert" });
  const out = element("button", { type: "submit" }, "Take out");
  const form = element(
    "form",
    {},
    element("h2", { id: "taking-title" }, "Take out ", nameNode(source), "?"),
    element("p", {}, "It is no longer found or cited. A file that was put in here is deleted."),
    problem,
    element("button", { type: "button", autofocus: true, click: () => dialog.close() }, "Keep it"),
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
