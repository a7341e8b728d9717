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
  let response = await sent(url, options);
  while (response.status === UNAUTHORIZED) {
    sessionStorage.setItem(TOKEN, await askForToken());
    response = await sent(url, options);
  }
  if (!response.ok) throw new Error(await problemOf(response));
  return response;
}

/**
 * @param {string} url
 * @param {RequestInit} options
 * @returns {Promise<Response>}
 */
async function sent(url, options) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  try {
    return await fetch(url, { ...options, headers });
  } catch (error) {
    throw error instanceof TypeError ? new Error("The service does not answer: does it still run?") : error;
  }
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
