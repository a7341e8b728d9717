/** The most named things as a picture: each a disc on a circle, larger the more passages name it, with lines between
 * those that stand together. */

import { drawn } from "./dom.js";
import { button, clipped } from "./drawing.js";

const [WIDTH, ACROSS] = [720, 190];
const ROW = 34;
/** In the units of the picture: from its middle to the widest discs, from name to name below each other. */
const [LEAST, MOST] = [4, 15];
/** Radius of a disc. By eye, like what follows. */
const THICKEST = 5;
const NAME = 24;

/**
 * @typedef {{name: string, chunk_count: number, is_term: boolean}} Named
 */

/**
 * @param {Named[]} entities the most named first
 * @param {number[][]} together two of them by their places in the list, and in how many passages
 * @param {(names: string[]) => void} choose called with the name, or the two names, that are meant
 * @returns {SVGElement}
 */
export function overviewOf(entities, together, choose) {
  const most = Math.max(...entities.map(({ chunk_count }) => chunk_count));
  const thick = Math.max(1, ...together.map(([, , count]) => count));
  const rows = Math.ceil(entities.length / 2);
  const height = rows * ROW;
  const places = entities.map((_, at) => placeOf(at, rows));
  const lines = together.map(([one, other, count]) => {
    const names = [entities[one].name, entities[other].name];
    const line = `M ${places[one].x} ${places[one].y} Q ${WIDTH / 2} ${height / 2} ${places[other].x} ${places[other].y}`;
    const path = drawn("path", { d: line });
    path.style.strokeWidth = String(Math.max(1, THICKEST * Math.sqrt(count / thick)));
    const told = `${names.join(" and ")}, together in ${count} ${count === 1 ? "passage" : "passages"}`;
    return button(
      { class: "edge", "aria-label": told },
      () => choose(names),
      drawn("title", {}, told),
      drawn("path", { class: "reach", d: line }),
      path,
    );
  });
  const discs = entities.map((entity, at) => {
    const radius = LEAST + (MOST - LEAST) * Math.sqrt(entity.chunk_count / most);
    return discNode(entity, places[at], radius, () => choose([entity.name]));
  });
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, class: "overview" };
  return drawn("svg", { ...size, role: "group", "aria-label": "The most named" }, ...lines, ...discs);
}

/**
 * Clockwise on an oval, in rows of one height, so that no name stands on another.
 * @param {number} at
 * @param {number} rows
 * @returns {{x: number, y: number}}
 */
function placeOf(at, rows) {
  const isRight = at < rows;
  const row = isRight ? at : 2 * rows - 1 - at;
  const down = (row + 0.5) / rows;
  const across = ACROSS * Math.sqrt(1 - (2 * down - 1) ** 2);
  return { x: WIDTH / 2 + (isRight ? across : -across), y: ROW * (row + 0.5) };
}

/**
 * @param {Named} entity
 * @param {{x: number, y: number}} place
 * @param {number} radius
 * @param {() => void} choose
 * @returns {SVGElement}
 */
function discNode({ name, chunk_count, is_term }, { x, y }, radius, choose) {
  const isLeft = x < WIDTH / 2;
  const told = `${name}, in ${chunk_count} ${chunk_count === 1 ? "passage" : "passages"}`;
  const gap = radius + 5;
  return button(
    { class: is_term ? "point term" : "point", "aria-label": told },
    choose,
    drawn("title", {}, told),
    drawn("circle", { cx: x, cy: y, r: radius }),
    drawn("text", { x: isLeft ? x - gap : x + gap, y: y + 4, "text-anchor": isLeft ? "end" : "start" }, clipped(name, NAME)),
  );
}
