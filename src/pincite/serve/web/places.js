/** Where something stands, in words and as an address of the service. */

const MOST_MARKS = 50;
/** The service takes no more. */

/**
 * @typedef {object} Citation
 * @property {string} filename
 * @property {string} source_id
 * @property {number | null} page
 * @property {string | null} locator
 * @property {string | null} [label]
 * @property {string} chunk_id
 * @property {number[]} [span]
 * @property {number[][]} [spans] where several places of its page are cited
 * @property {string} [quote]
 * @property {string[]} [quotes] where several places of its page are cited
 * @property {string} [section] its number or title, where a section as a whole is meant
 */

/**
 * For each of these places whose filename another document has, too: what tells it apart (its source id).
 * @param {{filename: string, source_id: string}[]} places
 * @returns {Map<string, string>} names by source id
 */
export function distinctNames(places) {
  const sources = new Map(places.map(({ source_id, filename }) => [source_id, filename]));
  const names = [...sources.values()];
  const isShared = (/** @type {string} */ name) => names.indexOf(name) !== names.lastIndexOf(name);
  return new Map([...sources].map(([source, name]) => [source, isShared(name) ? source : name]));
}

/**
 * "p.12", with what is printed on the page where that is another; where there are no pages, the place in its own words.
 * @param {{page: number | null, label?: string | null, locator?: string | null}} place
 * @returns {string}
 */
export function placeWords({ page, label, locator }) {
  if (page === null) return locator ?? "";
  return label && label !== String(page) ? `p.${page} (“${label}”)` : `p.${page}`;
}

/**
 * The address of a page as a picture.
 * @param {Citation} citation
 * @returns {string}
 */
export function pictureAddress({ source_id, page }) {
  return `/api/document/pages/${page}/image?${new URLSearchParams({ source: source_id })}`;
}

/**
 * What the boxes of places of a page are asked for with.
 * @param {string} source
 * @param {number[][]} places
 * @returns {string[][]}
 */
export function marksAsked(source, places) {
  return [["source", source], ...places.slice(0, MOST_MARKS).map((place) => ["mark", place.join("-")])];
}
