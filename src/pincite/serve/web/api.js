/** The service: asked with a token where it wants one, which is kept no longer than this tab lives. */

import { askForToken } from "./token.js";

const TOKEN = "pincite.token";
const UNAUTHORIZED = 401;

/** The service turned a request down: its words, with the status, and the seconds after which to try again. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {Response} response
   */
  constructor(message, { status, headers }) {
    super(message);
    this.status = status;
    this.seconds = Number(headers.get("Retry-After"));
  }
}

/**
 * What the service answers, once it lets who asks come in. Throws a Refusal with its words for what went wrong, an
 * AbortError where no token is given.
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
  if (!response.ok) throw new Refusal(await problemOf(response), response);
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
