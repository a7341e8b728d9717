/** An answer: its statements with their citations as buttons; what was not found, and where was looked. */

import { element, marked, nameNode } from "./dom.js";
import { distinctNames, placeWords } from "./places.js";

/**
 * @typedef {import("./places.js").Citation} Citation
 * @typedef {{citation: Citation, button: HTMLElement}} Cited
 */

/**
 * The elements of an answer, and its citations with their buttons in reading order.
 * @param {any} answer what /api/ask gives
 * @param {(index: number) => void} open called with the place of a citation among all
 * @returns {{nodes: Node[], cited: Cited[]}}
 */
export function answerNodes(answer, open) {
  /** @type {Cited[]} */
  const cited = [];
  const names = distinctNames(
    answer.statements.flatMap((/** @type {any} */ said) => [...said.citations, ...said.also]),
  );
  const cite = (/** @type {Citation} */ found) => {
    const index = cited.length;
    const citation = { ...found, filename: names.get(found.source_id) ?? found.filename };
    const button = citationButton(citation, () => open(index));
    cited.push({ citation, button });
    return button;
  };
  const said = parts(answer).flatMap(([title, statements]) => partNodes(title, statements, cite));
  const missing = answer.missing.map(missingNode);
  return { nodes: answer.refused ? [...missing, ...said] : [...said, ...missing], cited };
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
 * @param {(citation: Citation) => HTMLElement} cite
 * @returns {Node[]}
 */
function partNodes(title, statements, cite) {
  const list = element("ol", { class: "statements" }, ...statements.map((statement) => statementNode(statement, cite)));
  return title === null ? [list] : [element("h2", {}, title), list];
}

/**
 * @param {any} statement
 * @param {(citation: Citation) => HTMLElement} cite
 * @returns {HTMLElement}
 */
function statementNode(statement, cite) {
  const unsupported = statement.marks ?? [];
  const also =
    statement.also.length > 0 ? [element("span", { class: "aside" }, "also "), ...statement.also.map(cite)] : [];
  return element(
    "li",
    { class: `statement ${statement.kind}` },
    ...marked(statement.text, unsupported),
    " ",
    ...statement.citations.map(cite),
    ...also,
    unsupported.length > 0 ? element("span", { class: "aside" }, "marked words do not stand in the documents") : null,
  );
}

/**
 * @param {Citation} citation
 * @param {() => void} open
 * @returns {HTMLElement}
 */
function citationButton(citation, open) {
  const attributes = { type: "button", class: "citation", click: open };
  return element("button", attributes, nameNode(citation.filename), ` ${placeWords(citation)}`);
}

/**
 * @param {any} missing
 * @returns {HTMLElement}
 */
function missingNode(missing) {
  const looked = missing.looked_in.map((/** @type {any} */ place) => [
    nameNode(place.filename),
    ` ${placeWords(place)}`,
  ]);
  return element(
    "section",
    { class: "missing" },
    element("h2", {}, `Not found: ${missing.aspect}`),
    element(
      "div",
      { class: "lists" },
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
