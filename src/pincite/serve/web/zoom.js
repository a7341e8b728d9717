/** How large a page is shown: as wide as its place, or larger. */

import { byId, element } from "./dom.js";

const STEP = 1.25;
const MOST = 4;
/** Times the width of its place. By eye. */
let zoom = 1;

/** @returns {HTMLElement} the buttons */
export function zoomNode() {
  const told = element("button", { type: "button", title: "Fit the width", click: () => set(1) }, percent());
  const set = (/** @type {number} */ wanted) => {
    zoom = Math.min(MOST, Math.max(1 / STEP ** 2, wanted));
    told.textContent = percent();
    apply();
  };
  const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {number} */ by) =>
    element("button", { type: "button", "aria-label": label, title: label, click: () => set(zoom * by) }, sign);
  return element(
    "span",
    { class: "zoom", role: "group", "aria-label": "Zoom" },
    button("Zoom out", "−", 1 / STEP),
    told,
    button("Zoom in", "+", STEP),
  );
}

/** Give the pages that are shown their size; what is looked at stays in its place. */
export function apply() {
  const roll = /** @type {HTMLElement | null} */ (byId("viewer").querySelector(".roll"));
  if (roll === null) return;
  const sheet = /** @type {HTMLElement} */ (roll.parentElement);
  const before = roll.clientWidth;
  roll.style.width = `${100 * zoom}%`;
  sheet.scrollTop *= roll.clientWidth / before;
}

/** @returns {string} */
function percent() {
  return `${Math.round(100 * zoom)} %`;
}
