/** The service: asked with a token where it wants one, which is kept no longer than this tab lives. */

import { askForToken } from "./token.js";

const TOKEN = "pincite.token";
const UNAUTHORIZED = 401;
const TOO_OFTEN = 429;
const BUSY = 503;
const LEAST_WAIT = 1;
/** Seconds. By eye, not measured, like what follows. */
const TRIES = 20;

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
 * The same, without asking for a token: a Refusal where one is wanted.
 * @param {string} url
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export async function quietly(url, options = {}) {
  const response = await sent(url, options);
  if (!response.ok) throw new Refusal(await problemOf(response), response);
  return response;
}

/**
 * The same as `request`, asked again where the service is busy or was asked too often, as late as it says; each time `waits` hears of it.
 * @param {string} url
 * @param {RequestInit} options
 * @param {() => void} [waits]
 * @returns {Promise<Response>}
 */
export async function patientRequest(url, options, waits = () => {}) {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await request(url, options);
    } catch (error) {
      if (!(error instanceof Refusal) || ![TOO_OFTEN, BUSY].includes(error.status) || left === 0) throw error;
      waits();
      await pause(1000 * Math.max(LEAST_WAIT, error.seconds));
    }
  }
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
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
    throw error instanceof TypeError ? new Error("The service does not answer. Is it still running?") : error;
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
