/** The service: asked with a token where it wants one, which is kept no longer than this tab lives. */

import { askForToken } from "./token.js";

const TOKEN = "pincite.token";
const UNAUTHORIZED = 401;

/**
 * What the service answers, once it lets who asks come in. Throws an Error with its words for what went wrong.
 * @param {string} url
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export async function request(url, options = {}) {
  let response = await fetch(url, withToken(options));
  while (response.status === UNAUTHORIZED) {
    sessionStorage.setItem(TOKEN, await askForToken());
    response = await fetch(url, withToken(options));
  }
  if (!response.ok) throw new Error(await problemOf(response));
  return response;
}

/**
 * @param {RequestInit} options
 * @returns {RequestInit}
 */
function withToken(options) {
  const token = sessionStorage.getItem(TOKEN);
  return { ...options, headers: { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) } };
}

/**
 * @param {Response} response
 * @returns {Promise<string>}
 */
async function problemOf(response) {
  try {
    return (await response.json()).error.message;
  } catch {
    return `the service answers ${response.status}`;
  }
}
