/** The dialog in which who asks gives a token. */

import { byId } from "./dom.js";

const NOT_IN_TOKENS = /[^!-~]/g;
/** Blanks around what was pasted, and what no header can hold. */

/** @type {Promise<string> | null} */
let pending = null;

/**
 * The token that is given; an AbortError where the dialog is closed without one. Those who want it at once share one
 * dialog.
 * @returns {Promise<string>}
 */
export function askForToken() {
  pending ??= opened().finally(() => (pending = null));
  return pending;
}

/** @returns {Promise<string>} */
function opened() {
  const [dialog, secret] = [byId("token"), byId("secret")];
  dialog.returnValue = secret.value = "";
  dialog.showModal();
  return new Promise((resolve, reject) => {
    const closed = () => {
      const given = secret.value.replaceAll(NOT_IN_TOKENS, "");
      secret.value = "";
      if (dialog.returnValue === "given" && given) resolve(given);
      else reject(new DOMException("no token was given", "AbortError"));
    };
    dialog.addEventListener("close", closed, { once: true });
  });
}
