/** What is said of a button while the pointer or the focus is on it. */

import { byId } from "./dom.js";

const GAP = 6;
/** Pixels between a button and what is said of it. By eye. */

/**
 * @param {HTMLElement} button
 * @param {() => (string | Node)[]} words
 */
export function tell(button, words) {
  const show = () => {
    const tip = byId("tip");
    tip.replaceChildren(...words());
    tip.hidden = false;
    button.setAttribute("aria-describedby", "tip");
    place(tip, button.getBoundingClientRect());
  };
  const hide = () => {
    byId("tip").hidden = true;
    button.removeAttribute("aria-describedby");
  };
  for (const event of ["mouseenter", "focus"]) button.addEventListener(event, show);
  for (const event of ["mouseleave", "blur", "click"]) button.addEventListener(event, hide);
}

/**
 * Below the button, within the window; above it where there is no room.
 * @param {HTMLElement} tip
 * @param {DOMRect} button
 */
function place(tip, button) {
  const { width, height } = tip.getBoundingClientRect();
  const isRoom = button.bottom + GAP + height <= innerHeight;
  tip.style.top = `${isRoom ? button.bottom + GAP : Math.max(0, button.top - GAP - height)}px`;
  tip.style.left = `${Math.max(GAP, Math.min(button.left, innerWidth - width - GAP))}px`;
}
