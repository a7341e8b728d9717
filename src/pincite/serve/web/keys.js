/** Keys, where nothing is being typed. */

/**
 * Listen to keys. Escape counts while something is typed, too; a dialog that is open keeps all for itself.
 * @param {Record<string, () => void>} actions by the name of the key
 */
export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    const isOther = event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (action === null || isOther || (isTyping && event.key !== "Escape")) return;
    event.preventDefault();
    action();
  });
}
