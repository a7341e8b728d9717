/** What is shown of each result of a question. */

import { distinctNames } from "./places.js";

/**
 * @typedef {object} Row
 * @property {string} type
 * @property {string} snippet
 * @property {string} filename
 * @property {string} p
 * @property {string} methods
 * @property {number} final_score
 * @property {number | null} relevance what the order of the results goes by; null where the reranker read others alone
 * @property {number} page for sorting
 * @property {number[]} cited the numbers of the citations that stand in it
 * @property {any} result
 */

/**
 * @param {any[]} results best first
 * @param {Map<string, number[]>} cited
 * @returns {Row[]}
 */
export function rowsOf(results, cited) {
  const names = distinctNames(results.filter(({ type }) => type === "chunk"));
  const isRead = isReread(results);
  return results.map((result) => ({
    ...rowOf({ ...result, filename: names.get(result.source_id) }),
    relevance: isRead ? (result.scores?.rerank ?? null) : (result.scores?.final ?? result.score),
    cited: cited.get(result.id) ?? [],
    result,
  }));
}

/**
 * @param {any[]} results
 * @returns {boolean} whether a reranker has read some of them
 */
export function isReread(results) {
  return results.some(({ scores }) => scores?.rerank !== undefined);
}

/**
 * @param {any} result
 * @returns {any}
 */
function rowOf(result) {
  const isPath = result.type === "triplet_path";
  const place = isPath ? result.supporting_chunks[0] : result;
  return {
    type: isPath ? "path" : result.type,
    snippet: isPath ? pathWords(result) : result.text.replaceAll(/\s+/g, " "),
    filename: place.filename,
    p: place.page === null ? (place.locator ?? "") : pagesOf(place),
    methods: isPath ? "graph" : result.retrieved_by.join(", "),
    final_score: isPath ? result.score : result.scores.final,
    page: place.page ?? 0,
  };
}

/**
 * @param {{page: number, pages?: number[]}} place
 * @returns {string} "4", "4–5"
 */
function pagesOf({ page, pages = [] }) {
  const last = pages.at(-1) ?? page;
  return last > page ? `${page}–${last}` : String(page);
}

/**
 * @param {any} result
 * @returns {string}
 */
function pathWords(result) {
  return result.path
    .map((/** @type {string} */ name, /** @type {number} */ i) =>
      i === 0 ? name : `– ${result.edges[i - 1]} → ${name}`,
    )
    .join(" ");
}
