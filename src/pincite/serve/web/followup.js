/** The box under an answer: a question that may leave out what those before it named. */

import { element } from "./dom.js";

/**
 * @param {(question: string) => void} ask
 * @returns {HTMLElement}
 */
export function followUpNode(ask) {
  const box = /** @type {HTMLInputElement} */ (
    element("input", { id: "follow-up", type: "text", autocomplete: "off", placeholder: "Ask a follow-up" })
  );
  const label = element("label", { for: "follow-up", class: "unseen" }, "Follow-up question");
  const form = element("form", { class: "follow-up" }, label, box, element("button", {}, "Ask"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = box.value.trim();
    if (question !== "") ask(question);
  });
  return form;
}

/**
 * How a follow-up was completed; nothing where it was asked as it was typed.
 * @param {string} typed
 * @param {string} understood
 * @returns {HTMLElement | null}
 */
export function understoodNode(typed, understood) {
  if (typed === "" || typed === understood) return null;
  return element("p", { class: "understood" }, "Understood as: ", element("q", {}, understood));
}
