/** What an answer rests on: the pages of each statement, what these refer to, and what refers to them; from each such
 * place one can go on. */

import { passageOf } from "./read.js";
import { element, nameNode } from "./dom.js";
import { placeWords } from "./places.js";
import { placeButton } from "./walk.js";

/** @typedef {import("./places.js").Citation} Citation */

const FOLLOWED = /^(.*) -> (?:.*, )?p\.(\d+)$/;
const REFERRED_TO_BY = "referred to by ";

/**
 * The trail of an answer, closed; it is read when it is opened.
 * @param {any} answer what /api/ask gives
 * @returns {Node[]}
 */
export function trailNodes(answer) {
  const statements = answer.statements.filter((/** @type {any} */ said) => said.citations.length > 0);
  if (statements.length === 0) return [];
  const list = element("ol", { class: "trail", "data-walk": true });
  const trail = element("details", { id: "trail" }, element("summary", {}, "Where the answer comes from"), list);
  const fill = () => {
    /** @type {Set<string>} */
    const seen = new Set();
    const rows = statements.map((/** @type {any} */ said) => statementNode(said, answer.results, seen));
    list.append(...rows, ...followedNodes(answer));
  };
  trail.addEventListener("toggle", fill, { once: true });
  return [trail];
}

/**
 * A statement with the passages that it stands on, each once.
 * @param {any} statement
 * @param {any[]} results
 * @param {Set<string>} seen the passages whose references are told already
 * @returns {HTMLElement}
 */
function statementNode(statement, results, seen) {
  const places = new Map();
  for (const citation of statement.citations) {
    const key = `${citation.chunk_id} ${citation.page}`;
    if (!places.has(key)) places.set(key, citation);
  }
  const rows = [...places.values()].map((citation) => {
    const result = results.find(({ id }) => id === citation.chunk_id);
    const row = element("li", {}, placeButton(citation, result?.text));
    const quotes = statement.citations.filter((/** @type {Citation} */ { chunk_id }) => chunk_id === citation.chunk_id);
    grow(row, citation, quotes, seen, referringNodes(result, results));
    return row;
  });
  return element("li", {}, element("p", { class: "said" }, statement.text), element("ul", {}, ...rows));
}

/**
 * Put below a place what it refers to, unless that is told already.
 * @param {HTMLElement} row
 * @param {Citation} citation
 * @param {Citation[]} quotes
 * @param {Set<string>} seen
 * @param {HTMLElement[]} [more]
 */
async function grow(row, citation, quotes, seen, more = []) {
  if (!citation.chunk_id || seen.has(citation.chunk_id)) return;
  seen.add(citation.chunk_id);
  const steps = await readSteps(citation);
  const rows = [...steps.map((step) => stepNode(step, citation, quotes, seen)), ...more];
  if (rows.length > 0) row.append(element("ul", {}, ...rows));
}

/**
 * @param {Citation} citation
 * @returns {Promise<any[]>}
 */
async function readSteps(citation) {
  try {
    return (await passageOf(citation.source_id, citation.chunk_id)).references;
  } catch {
    return [];
  }
}

/**
 * "5.2(3)P refers to Annex B, p.33": a click opens it, and tells what stands there and refers on.
 * @param {any} step
 * @param {Citation} from
 * @param {Citation[]} quotes
 * @param {Set<string>} seen
 * @returns {HTMLElement}
 */
function stepNode(step, from, quotes, seen) {
  const isQuoted = quotes.some(({ page, span }) => span && isWithin(step.span, span, page));
  const row = element("li", isQuoted ? {} : { class: "beside" }, `${step.section || "this"} refers to `);
  if (step.goals.length === 0) row.append(`${step.text} `, element("span", { class: "aside" }, step.reason ?? ""));
  for (const goal of step.goals) {
    const citation = { ...goal, locator: goal.label, span: goal.span && [goal.span.start, goal.span.end] };
    const file = goal.source_id === from.source_id ? [] : [nameNode(goal.filename), " "];
    const button = placeButton(citation, "", [...file, `${step.text}, ${placeWords(citation)}`]);
    button.addEventListener("click", () => grow(row, citation, [], seen), { once: true });
    row.append(button, " ", element("span", { class: "aside" }, goal.title));
  }
  return row;
}

/**
 * @param {{page: number, start: number}} place
 * @param {number[]} span
 * @param {number | null} page
 * @returns {boolean}
 */
function isWithin(place, [start, end], page) {
  return (page === null || page === place.page) && start <= place.start && place.start < end;
}

/**
 * What of the evidence refers to this passage.
 * @param {any} result
 * @param {any[]} results
 * @returns {HTMLElement[]}
 */
function referringNodes(result, results) {
  const told = (result?.why ?? []).filter((/** @type {string} */ why) => why.startsWith(REFERRED_TO_BY));
  return told.map((/** @type {string} */ why) => {
    const place = why.slice(REFERRED_TO_BY.length);
    const other = results.find((found) => found.type === "chunk" && isCalled(found, place));
    const named = other ? placeButton({ ...other, chunk_id: other.id }, other.text, [place]) : place;
    return element("li", { class: "beside" }, REFERRED_TO_BY, named);
  });
}

/**
 * Whether a result is the one that reasons call so: "5.2(3)P, p.17".
 * @param {any} result
 * @param {string} place
 * @returns {boolean}
 */
function isCalled({ section, page }, place) {
  const title = section.at(-1) ?? "";
  const where = page === null ? "" : `, p.${page}`;
  return place === `${title}${where}` || place === `${title.split(" ")[0]}${where}`;
}

/**
 * The references that were followed while the answer was made.
 * @param {any} answer
 * @returns {HTMLElement[]}
 */
function followedNodes(answer) {
  const hops = answer.meta.explanation?.hops ?? [];
  if (hops.length === 0) return [];
  const rows = hops.map((/** @type {any} */ { text, source_id }) => {
    const [, words, page] = FOLLOWED.exec(text) ?? [text, text, null];
    if (page === null) return element("li", {}, text);
    const filename = source_id.split("/").at(-1);
    const citation = { filename, source_id, page: Number(page), locator: null, chunk_id: "" };
    return element("li", {}, `${words}, `, placeButton(citation, "", [`p.${page}`]));
  });
  return [element("li", {}, element("p", { class: "said" }, "Followed while answering"), element("ul", {}, ...rows))];
}
