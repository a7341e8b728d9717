/** The line between the answer and its source, which can be dragged, or moved by keys. */

import { byId } from "./dom.js";

const KEY = "pincite.split";
const STEP = 5;
const [LEAST, MOST] = [20, 80];
/** Percent of the width that the source takes. By eye. */

/** Let it be moved, and put it where it was last. */
export function listen() {
  const line = byId("split");
  move(Number(localStorage.getItem(KEY) ?? 50));
  line.addEventListener("pointerdown", (/** @type {PointerEvent} */ { pointerId }) => line.setPointerCapture(pointerId));
  line.addEventListener("pointermove", (/** @type {PointerEvent} */ { pointerId, clientX }) => {
    if (line.hasPointerCapture(pointerId)) move(100 - (100 * clientX) / document.documentElement.clientWidth);
  });
  line.addEventListener("dblclick", () => move(50));
  line.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(Number(line.getAttribute("aria-valuenow")) + by);
  });
}

/** @param {number} percent that the source takes */
function move(percent) {
  const wanted = Math.min(MOST, Math.max(LEAST, percent || 50));
  byId("desk").style.setProperty("--viewer", `${wanted}%`);
  byId("split").setAttribute("aria-valuenow", String(Math.round(wanted)));
  localStorage.setItem(KEY, String(wanted));
}
