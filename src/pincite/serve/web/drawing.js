/** A walk through names as a drawing: where its nodes stand, the service has found out. */

import { drawn } from "./dom.js";

const NAME = 20;
/** Characters of a name or a label in front of the next column. By eye, like what follows. */
const LAST_NAME = 44;
const LEAD = 165;
/** From a node to where edges part, behind its name, in the units of the drawing. */

/**
 * @typedef {{name: string, x: number, y: number, is_walked: boolean}} Node_
 * @typedef {{source: number, target: number, label: string, sentences: any[]}} Edge
 * @typedef {{width: number, height: number, nodes: Node_[], edges: Edge[]}} Graph
 */

/**
 * The drawing. A click on a node or an edge chooses it.
 * @param {Graph} graph what /api/entity/graph gives
 * @param {(edges: Edge[], node: Node_ | null) => void} choose called with the edges that are meant, and their node
 * @returns {SVGElement}
 */
export function drawingOf(graph, choose) {
  const { width, height, nodes, edges } = graph;
  const last = Math.max(...nodes.map(({ x }) => x));
  const lines = edges.map((edge) => edgeNode(edge, nodes, () => choose([edge], null)));
  const points = nodes.map((node, at) => {
    const touching = edges.filter(({ source, target }) => source === at || target === at);
    return pointNode(node, node.x === last ? LAST_NAME : NAME, () => choose(touching, node));
  });
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  return drawn("svg", { ...size, role: "group", "aria-label": `Graph of ${nodes[0].name}` }, ...lines, ...points);
}

/**
 * What an edge says in words: "Rivian has founder RJ Scaringe".
 * @param {Edge} edge
 * @param {Node_[]} nodes
 * @returns {string}
 */
export function edgeWords({ source, target, label }, nodes) {
  return `${nodes[source].name} ${spaced(label) || "is named with"} ${nodes[target].name}`;
}

/**
 * @param {Edge} edge
 * @param {Node_[]} nodes
 * @param {() => void} choose
 * @returns {SVGElement}
 */
function edgeNode(edge, nodes, choose) {
  const isAhead = nodes[edge.source].x < nodes[edge.target].x;
  const [from, to] = isAhead ? [nodes[edge.source], nodes[edge.target]] : [nodes[edge.target], nodes[edge.source]];
  const line = `M ${from.x + 5} ${from.y} H ${from.x + LEAD} V ${to.y} H ${to.x - 5}`;
  const label = clipped(spaced(edge.label), NAME);
  const words = edge.label === "" ? "" : isAhead ? `${label} →` : `← ${label}`;
  return button(
    { class: edge.label === "" ? "edge beside" : "edge", "aria-label": edgeWords(edge, nodes) },
    choose,
    drawn("path", { class: "reach", d: line }),
    drawn("path", { d: line }),
    drawn("text", { x: to.x - 10, y: to.y - 5, "text-anchor": "end" }, words),
  );
}

/**
 * @param {Node_} node
 * @param {number} length
 * @param {() => void} choose
 * @returns {SVGElement}
 */
function pointNode({ name, x, y, is_walked }, length, choose) {
  return button(
    { class: is_walked ? "point walked" : "point", "aria-label": name },
    choose,
    drawn("title", {}, name),
    drawn("circle", { cx: x, cy: y, r: 5 }),
    drawn("text", { x: x + 10, y: y + 4 }, clipped(name, length)),
  );
}

/**
 * A part of the drawing that can be clicked, or chosen by key.
 * @param {import("./dom.js").Attributes} attributes
 * @param {() => void} choose
 * @param {...SVGElement} children
 * @returns {SVGElement}
 */
export function button(attributes, choose, ...children) {
  const made = drawn("g", { role: "button", tabindex: 0, ...attributes, click: chosen }, ...children);
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    chosen();
  });
  return made;

  function chosen() {
    made.ownerSVGElement?.querySelector("[aria-current]")?.removeAttribute("aria-current");
    made.setAttribute("aria-current", "true");
    choose();
  }
}

/**
 * @param {string} label
 * @returns {string}
 */
function spaced(label) {
  return label.replaceAll("_", " ");
}

/**
 * @param {string} text
 * @param {number} length
 * @returns {string}
 */
export function clipped(text, length) {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
