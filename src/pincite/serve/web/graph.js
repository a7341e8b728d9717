/** What the documents say of a name, as a graph: a click shows the sentences, and one can go on from name to name. */

import { byId, element, nameNode } from "./dom.js";
import { drawingOf, edgeWords } from "./drawing.js";
import { hintNode, namedNodes } from "./named.js";
import { read } from "./read.js";
import { addressOf } from "./views.js";
import { placeButton } from "./walk.js";

/** @typedef {import("./drawing.js").Graph} Graph */
/** @typedef {import("./drawing.js").Edge} Edge */
/** @typedef {import("./drawing.js").Node_} Node_ */

const MOST_STEPS = 5;
const BEFORE_LAST = 150;
/** Of a drawing: the labels in front of a column. */

/**
 * The address of a walk from name to name; only its end where it is too long.
 * @param {string[]} names
 * @returns {string}
 */
export function walkAddress(names) {
  return addressOf(
    "graph",
    names.slice(-MOST_STEPS).map((name) => ["name", name]),
  );
}

/**
 * Show the graph of the names that are walked through.
 * @param {URLSearchParams} asked
 */
export async function showGraph(asked) {
  const [view, names] = [byId("graph"), asked.getAll("name")];
  const place = element("div", { id: "drawing" });
  view.replaceChildren(element("h2", {}, "Graph"), formNode(names[0] ?? ""), ...walkNodes(names), place);
  try {
    if (names.length === 0) {
      place.append(...(await namedNodes(walkAddress, tellOf)));
      const picture = /** @type {HTMLElement} */ (place.firstElementChild);
      picture.scrollLeft = (picture.scrollWidth - picture.clientWidth) / 2;
      return;
    }
    const graph = await read(
      "entity/graph",
      names.map((name) => ["name", name]),
    );
    place.append(...graphNodes(graph, names));
    showLastColumn(place, graph);
  } catch (error) {
    place.append(element("p", { role: "alert" }, /** @type {Error} */ (error).message));
  }
}

/**
 * Show the sentences that name something, or two things.
 * @param {string[]} names
 */
async function tellOf(names) {
  const place = byId("said");
  const further = element("a", { href: walkAddress(names) }, "Draw what is said");
  try {
    const { mentions } = await read("entity", { name: names[names.length - 1] });
    const told = mentions.filter((/** @type {any} */ { quote }) => names.every((name) => isIn(name, quote)));
    const rows = told.map((/** @type {any} */ citation) => sentenceNode({ citation, predicate: "" }));
    const none = element("p", { class: "aside" }, "They stand in the same passages, in no sentence together.");
    const list = rows.length > 0 ? element("ul", { class: "sentences", "data-walk": true }, ...rows) : none;
    place.replaceChildren(element("h3", {}, nameNode(names.join(" and "))), element("p", {}, further), list);
  } catch (error) {
    place.replaceChildren(element("p", { role: "alert" }, /** @type {Error} */ (error).message));
  }
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {boolean}
 */
function isIn(name, text) {
  return text.replaceAll(/\s+/g, " ").toLowerCase().includes(name.toLowerCase());
}

/**
 * @param {string} name
 * @returns {HTMLElement}
 */
function formNode(name) {
  const box = element("input", { id: "of-entity", autocomplete: "off", spellcheck: "false", value: name });
  const label = element("label", { for: "of-entity" }, "Person, organisation, place, thing ");
  const form = element("form", { class: "finding" }, label, box, element("button", {}, "Show"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = /** @type {HTMLInputElement} */ (box).value.trim();
    if (typed !== "") location.hash = walkAddress([typed]);
  });
  return form;
}

/**
 * The names that were walked through: each leads back to it.
 * @param {string[]} names
 * @returns {Node[]}
 */
function walkNodes(names) {
  if (names.length < 2) return [];
  const steps = names.map((name, at) =>
    element("li", {}, element("a", { href: walkAddress(names.slice(0, at + 1)) }, nameNode(name))),
  );
  return [element("ol", { class: "walk", "aria-label": "Walk" }, ...steps)];
}

/**
 * @param {Graph} graph
 * @param {string[]} names
 * @returns {Node[]}
 */
function graphNodes(graph, names) {
  const said = element("div", { id: "said", "aria-live": "polite" });
  const choose = (/** @type {Edge[]} */ edges, /** @type {Node_ | null} */ node) =>
    said.replaceChildren(...saidNodes(edges, node, graph, names));
  const drawing = drawingOf(graph, choose);
  said.append(graph.edges.length > 0 ? hintNode() : element("p", { class: "aside" }, "No sentence says anything of it."));
  return [element("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": "Drawing" }, drawing), said];
}

/**
 * Scroll a drawing that is wider than the page to its last column, with what leads there.
 * @param {HTMLElement} place
 * @param {Graph} graph
 */
function showLastColumn(place, graph) {
  const drawing = /** @type {HTMLElement} */ (place.firstElementChild);
  drawing.scrollLeft = Math.max(...graph.nodes.map(({ x }) => x)) - BEFORE_LAST;
}

/**
 * The sentences of some edges; of a node also where one can go on.
 * @param {Edge[]} edges
 * @param {Node_ | null} node
 * @param {Graph} graph
 * @param {string[]} names
 * @returns {Node[]}
 */
function saidNodes(edges, node, graph, names) {
  const heading = element("h3", {}, nameNode(node ? node.name : edgeWords(edges[0], graph.nodes)));
  const rows = edges.flatMap(({ sentences }) => sentences.map(sentenceNode));
  const list = element("ul", { class: "sentences", "data-walk": true }, ...rows);
  if (node === null || node.is_walked) return [heading, list];
  const on = element("a", { href: walkAddress([...walkTo(node, graph, names), node.name]) }, "Expand from here");
  const anew = element("a", { href: walkAddress([node.name]) }, "Start here");
  return [heading, element("p", {}, on, " · ", anew), list];
}

/**
 * The names that lead to a node: those of the columns in front of it.
 * @param {Node_} node
 * @param {Graph} graph
 * @param {string[]} names
 * @returns {string[]}
 */
function walkTo(node, graph, names) {
  const columns = [...new Set(graph.nodes.map(({ x }) => x))];
  return names.slice(0, columns.indexOf(node.x));
}

/**
 * @param {any} sentence
 * @returns {HTMLElement}
 */
function sentenceNode({ citation, subject, predicate, object }) {
  const cited = { ...citation, span: [citation.span.start, citation.span.end] };
  const told = predicate === "" ? null : [subject, predicate.replaceAll("_", " "), object].join(" · ");
  return element(
    "li",
    {},
    `“${citation.quote.replaceAll(/\s+/g, " ")}” `,
    placeButton(cited),
    told === null ? null : element("span", { class: "aside" }, ` ${told}`),
  );
}
