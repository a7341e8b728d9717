/** Elements from words: text stays text, whatever a document put into it. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {string | Node | null} Child
 * @typedef {Record<string, string | number | boolean | EventListener>} Attributes
 */

/**
 * An element with these attributes and children. A function as attribute listens to the event of that name; `false`
 * leaves an attribute out; strings among the children become text, `null` nothing.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (filled(document.createElement(tag), attributes, children));
}

/**
 * The same within a drawing.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function drawn(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, tag), attributes, children));
}

/**
 * @param {Element} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {Element}
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * A name that a document gave, which may be written in any direction.
 * @param {string} name
 * @returns {HTMLElement}
 */
export function nameNode(name) {
  return element("bdi", { class: "name" }, name);
}

const LONG_NAME = 30;
const TAIL = 12;
/** Characters. By eye. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * The same, cut in the middle where it is long: style hides some of it, and hovering shows the whole.
 * @param {string} name
 * @returns {HTMLElement}
 */
export function shortNameNode(name) {
  const characters = Array.from(name);
  if (characters.length <= LONG_NAME || RIGHT_TO_LEFT.test(name)) return nameNode(name);
  const [front, back] = [characters.slice(0, -TAIL).join(""), characters.slice(-TAIL).join("")];
  return element("bdi", { class: "name cut", title: name }, element("span", {}, front), back);
}

/**
 * The element of the page with this id.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * A text with some of its characters marked. The places count characters as the service does, not UTF-16 units.
 * @param {string} text
 * @param {number[][]} places start and end of each
 * @returns {Child[]}
 */
export function marked(text, places) {
  const characters = Array.from(text);
  /** @type {Child[]} */
  const parts = [];
  let done = 0;
  for (const [start, end] of places) {
    parts.push(characters.slice(done, start).join(""));
    parts.push(element("mark", {}, characters.slice(start, end).join("")));
    done = end;
  }
  return [...parts, characters.slice(done).join("")];
}
