/** An answer: its statements with their citations as buttons; what was not found, and where was looked. */

import { element, marked, nameNode } from "./dom.js";
import { distinctNames, placeWords } from "./places.js";
import { placeButton } from "./walk.js";

/** @typedef {import("./places.js").Citation} Citation */

const MOST_ALSO = 4;
/** Other places that are shown at once, as in print. */

/**
 * The elements of an answer.
 * @param {any} answer what /api/ask gives
 * @returns {Node[]}
 */
export function answerNodes(answer) {
  const chunks = answer.results.filter((/** @type {any} */ result) => result.type === "chunk");
  const passages = new Map(chunks.map((/** @type {any} */ chunk) => [chunk.id, chunk.text]));
  const names = distinctNames(
    answer.statements.flatMap((/** @type {any} */ said) => [...said.citations, ...said.also]),
  );
  const cite = (/** @type {Citation} */ found, /** @type {number} */ index, /** @type {Citation[]} */ all) => {
    const citation = { ...found, filename: names.get(found.source_id) ?? found.filename };
    const isRepeated = all[index - 1]?.source_id === found.source_id && placeWords(found) !== "";
    return isRepeated
      ? shortButton(citation, passages.get(found.chunk_id))
      : placeButton(citation, passages.get(found.chunk_id));
  };
  const parted = parts(answer).flatMap(([title, statements]) => partNodes(title, statements, cite));
  const said = element("div", { "data-walk": true }, ...parted);
  const missing = answer.missing.map((/** @type {any} */ lacking) => missingNode(lacking, chunks));
  const state = stateNode(answer);
  return answer.refused ? [state, ...missing, said] : [state, said, ...missing];
}

/**
 * Whether it is an answer, and how likely.
 * @param {any} answer
 * @returns {HTMLElement}
 */
function stateNode(answer) {
  const words = {
    answered: `Answered, certainty ${answer.certainty} (${Math.round(answer.chance * 100)} %)`,
    nearest: "Not an answer: the nearest passage is shown",
    not_found: "Not found",
  };
  const state = /** @type {keyof typeof words} */ (answer.state);
  return element("p", { class: `state ${answer.state} ${answer.certainty}` }, words[state]);
}

/**
 * Statements under the headings of their parts. What was not found is told by `missing`, where it is not near to
 * something that is.
 * @param {any} answer
 * @returns {[string | null, any[]][]}
 */
function parts(answer) {
  /** @type {[string | null, any[]][]} */
  const found = [];
  for (const statement of answer.statements) {
    if (statement.kind === "missing" && statement.citations.length === 0 && answer.missing.length > 0) continue;
    if (found.length === 0 || found[found.length - 1][0] !== statement.part) found.push([statement.part, []]);
    found[found.length - 1][1].push(statement);
  }
  return found;
}

/**
 * @param {string | null} title
 * @param {any[]} statements
 * @param {(citation: Citation, index: number, all: Citation[]) => HTMLElement} cite
 * @returns {Node[]}
 */
function partNodes(title, statements, cite) {
  const list = element("ol", { class: "statements" }, ...statements.map((statement) => statementNode(statement, cite)));
  return title === null ? [list] : [element("h2", {}, title), list];
}

/**
 * @param {any} statement
 * @param {(citation: Citation, index: number, all: Citation[]) => HTMLElement} cite
 * @returns {HTMLElement}
 */
function statementNode(statement, cite) {
  const unsupported = statement.marks ?? [];
  return element(
    "li",
    { class: `statement ${statement.kind}` },
    ...marked(statement.text, unsupported),
    " ",
    ...statement.citations.map(cite),
    ...alsoNodes(statement.also.map(cite)),
    unsupported.length > 0 ? element("span", { class: "aside" }, "marked words do not stand in the documents") : null,
  );
}

/**
 * Other places that say the same; where they are many, the first, and a button that shows the rest.
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
  const more = element("button", { type: "button", class: "plain more", click: show }, `${places.length - MOST_ALSO} more`);
  return [also, ...places.slice(0, MOST_ALSO), more, rest];
}

/**
 * A citation of the document that the one in front of it names.
 * @param {Citation} citation
 * @param {string} [passage]
 * @returns {HTMLElement}
 */
function shortButton(citation, passage) {
  const button = placeButton(citation, passage, [placeWords(citation)]);
  button.setAttribute("aria-label", `${citation.filename} ${placeWords(citation)}`);
  return button;
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
  return element(
    "section",
    { class: "missing" },
    element("h2", {}, `Not found: ${missing.aspect}`),
    element(
      "div",
      { class: "lists", "data-walk": true },
      listNode("Looked in", looked),
      listNode(
        "To try",
        missing.suggestions.map((/** @type {string} */ text) => [text]),
      ),
    ),
  );
}

/**
 * @param {string} title
 * @param {(string | Node)[][]} rows
 * @returns {HTMLElement | null}
 */
function listNode(title, rows) {
  if (rows.length === 0) return null;
  return element(
    "div",
    {},
    element("h3", {}, title),
    element("ul", {}, ...rows.map((row) => element("li", {}, ...row))),
  );
}
