/** An answer: its state, its statements with numbered citations, what was not found and where was looked. */

import { verdictNode } from "./checking.js";
import { sourcesNode } from "./chips.js";
import { element, marked, nameNode } from "./dom.js";
import { placeWords } from "./places.js";
import { placeButton } from "./walk.js";

/** @typedef {import("./chips.js").Cited} Cited */

const MOST_ALSO = 4;
/** Other pages that are shown at once, as in print. */
/** @type {Record<string, string>} */
export const STATES = { answered: "Answered", nearest: "Nearest passages, not an answer", not_found: "Not found" };

/**
 * The elements of an answer.
 * @param {any} answer what /api/ask gives
 * @param {Cited} cited the pages that it cites
 * @returns {(Node | null)[]}
 */
export function answerNodes(answer, cited) {
  const chunks = answer.results.filter((/** @type {any} */ result) => result.type === "chunk");
  const told = answer.statements.filter((/** @type {any} */ said) => !isSaidByMissing(said, answer));
  const isNear = (/** @type {any} */ said) => said.kind === "missing" && said.citations.length > 0;
  const show = (/** @type {any} */ said) => statementNode(said, answer, cited);
  const parted = parts(told.filter((/** @type {any} */ said) => !isNear(said)));
  const said = element(
    "div",
    { "data-walk": true },
    ...parted.flatMap(([title, statements]) => partNodes(title, statements.map(show))),
  );
  const nearest = nearestNode(told.filter(isNear).map(show));
  const missing = answer.missing.map((/** @type {any} */ lacking) => missingNode(lacking, chunks));
  const sources = sourcesNode(cited);
  return answer.refused
    ? [stateNode(answer), nearest, ...missing, said, sources]
    : [stateNode(answer), said, sources, nearest, ...missing];
}

/**
 * Whether it is an answer, and how likely.
 * @param {any} answer
 * @returns {HTMLElement}
 */
function stateNode({ state, certainty, chance }) {
  const certain = state === "answered" ? ` Certainty: ${certainty} (${Math.round(chance * 100)} %)` : "";
  const label = element("strong", { class: "label" }, STATES[state] ?? state);
  return element("p", { class: `state ${state} ${certainty}` }, label, certain);
}

/**
 * What was not found is told by `missing`, where it is not near to something that is.
 * @param {any} said
 * @param {any} answer
 * @returns {boolean}
 */
function isSaidByMissing(said, { missing }) {
  return said.kind === "missing" && said.citations.length === 0 && missing.length > 0;
}

/**
 * Statements under the headings of their parts.
 * @param {any[]} statements
 * @returns {[string | null, any[]][]}
 */
function parts(statements) {
  /** @type {[string | null, any[]][]} */
  const found = [];
  for (const statement of statements) {
    if (found.length === 0 || found[found.length - 1][0] !== statement.part) found.push([statement.part, []]);
    found[found.length - 1][1].push(statement);
  }
  return found;
}

/**
 * @param {string | null} title
 * @param {HTMLElement[]} rows
 * @returns {Node[]}
 */
function partNodes(title, rows) {
  const list = element("ol", { class: "statements" }, ...rows);
  return title === null ? [list] : [element("h2", {}, title), list];
}

/**
 * What comes near to the question and does not answer it, folded.
 * @param {HTMLElement[]} rows
 * @returns {HTMLElement | null}
 */
function nearestNode(rows) {
  if (rows.length === 0) return null;
  return element(
    "details",
    { class: "nearby-passages", "data-walk": true },
    element("summary", {}, `${STATES.nearest} (${rows.length})`),
    element("ol", { class: "statements" }, ...rows),
  );
}

/**
 * @param {any} statement
 * @param {any} answer
 * @param {Cited} cited
 * @returns {HTMLElement}
 */
function statementNode(statement, answer, cited) {
  const unsupported = statement.marks ?? [];
  return element(
    "li",
    { class: `statement ${statement.kind}` },
    element("span", { class: "words" }, ...marked(statement.text, unsupported)),
    " ",
    ...cited.chips(statement.citations),
    ...alsoNodes(cited.chips(statement.also)),
    unsupported.length > 0 ? element("span", { class: "aside" }, " The marked words are not in the documents.") : null,
    verdictNode(answer, statement),
  );
}

/**
 * Other pages that say the same; where they are many, the first, and a button that shows the rest.
 * @param {HTMLElement[]} places
 * @returns {HTMLElement[]}
 */
function alsoNodes(places) {
  if (places.length === 0) return [];
  const also = element("span", { class: "aside" }, "also ");
  if (places.length <= MOST_ALSO + 1) return [also, ...places];
  const rest = element("span", { hidden: true }, ...places.slice(MOST_ALSO));
  const show = () => {
    rest.hidden = false;
    more.remove();
    places[MOST_ALSO].focus();
  };
  const words = `${places.length - MOST_ALSO} more`;
  const more = element("button", { type: "button", class: "plain more", click: show }, words);
  return [also, ...places.slice(0, MOST_ALSO), rest, more];
}

/**
 * What was not found, and where was looked: the places that are among the evidence can be opened.
 * @param {any} missing
 * @param {any[]} chunks the evidence
 * @returns {HTMLElement}
 */
function missingNode(missing, chunks) {
  const looked = missing.looked_in.map((/** @type {any} */ place) => {
    const found = chunks.find(({ filename, page }) => filename === place.filename && page === place.page);
    return found
      ? [placeButton({ ...found, chunk_id: found.id }, found.text)]
      : [nameNode(place.filename), ` ${placeWords(place)}`];
  });
  const tries = missing.suggestions.map((/** @type {string} */ text) => [text]);
  return element(
    "section",
    { class: "missing" },
    element("h2", {}, `Not found: ${missing.aspect}`),
    element("div", { class: "lists", "data-walk": true }, listNode("Looked in", looked), listNode("To try", tries)),
  );
}

/**
 * @param {string} title
 * @param {(string | Node)[][]} rows
 * @returns {HTMLElement | null}
 */
function listNode(title, rows) {
  if (rows.length === 0) return null;
  const items = rows.map((row) => element("li", {}, ...row));
  return element("div", {}, element("h3", {}, title), element("ul", {}, ...items));
}
