/** What a search finds beyond the evidence of an answer. */

import { request } from "./api.js";
import { asked } from "./filters.js";

const MOST = 60;
/** Passages that are looked through: five pages of the table. By eye, not measured. */

/**
 * The best passages for a question, in the shape of an answer's results.
 * @param {string} question
 * @returns {Promise<any[]>}
 */
export async function passagesFor(question) {
  const response = await request("/api/search", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ question, top_k: MOST, ...asked() }),
  });
  return (await response.json()).results;
}
