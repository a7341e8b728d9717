/** What somebody who checked a statement says of it: kept with the answer, and used for nothing else. */

import { request } from "./api.js";
import { element } from "./dom.js";

const VERDICTS = { right: "Right", wrong: "Wrong", "beside the point": "Beside the point" };

/**
 * Three buttons for a statement; nothing where the answer has no receipt, or the statement no citation.
 * @param {any} answer what /api/ask gives
 * @param {any} statement
 * @returns {HTMLElement | null}
 */
export function verdictNode(answer, statement) {
  const [citation, id] = [statement.citations[0], answer.meta.trace_id];
  if (!citation?.chunk_id || !id) return null;
  const told = element("span", { role: "status", class: "aside" });
  const row = element("span", { class: "verdict", role: "group", "aria-label": "Is this statement right?" });
  const body = { trace_id: id, result: citation.chunk_id, statement: answer.statements.indexOf(statement) };
  for (const [said, words] of Object.entries(VERDICTS)) {
    const give = () => send({ ...body, said }, row, button, told);
    const button = element("button", { type: "button", class: "plain", "aria-pressed": "false", click: give }, words);
    row.append(button);
  }
  row.append(told);
  return row;
}

/**
 * @param {any} body
 * @param {HTMLElement} row
 * @param {HTMLElement} button
 * @param {HTMLElement} told
 */
async function send(body, row, button, told) {
  try {
    const headers = { "Content-Type": "application/json" };
    await request("/api/feedback", { method: "POST", headers, body: JSON.stringify(body) });
    for (const one of row.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one === button));
    told.textContent = " Noted.";
  } catch (error) {
    told.textContent = ` ${/** @type {Error} */ (error).message}`;
  }
}
