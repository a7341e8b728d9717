/** What is marked on a page: the places of the citation that is open, and those of the others. */

/** @typedef {import("./places.js").Citation} Citation */

/**
 * @typedef {object} Marks
 * @property {number[][]} current the places of the citation that is open
 * @property {number[][]} further those of the others
 */

/**
 * @param {number} page
 * @param {Citation} citation the one that is open
 * @param {Citation[]} others
 * @returns {Marks}
 */
export function marksOn(page, citation, others) {
  const current = citation.page === page ? spansOf(citation) : [];
  const isCurrent = (/** @type {number[]} */ span) => current.some((own) => String(own) === String(span));
  const further = citedOn(page, citation, others).flatMap(spansOf);
  return { current, further: further.filter((span) => !isCurrent(span)) };
}

/**
 * The others that cite a page of the document that is open.
 * @param {number} page
 * @param {Citation} citation
 * @param {Citation[]} others
 * @returns {Citation[]}
 */
export function citedOn(page, { source_id }, others) {
  return others.filter((other) => other.source_id === source_id && other.page === page);
}

/**
 * @param {Citation} citation
 * @returns {number[][]}
 */
function spansOf({ span, spans = span ? [span] : [] }) {
  return spans;
}
