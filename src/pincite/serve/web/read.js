/** What the service tells of documents. */

import { quietly, request } from "./api.js";

/** @type {Promise<any> | null} */
let glancing = null;

/**
 * @param {string} url
 * @param {Record<string, string> | string[][]} asked
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
export async function read(url, asked, options) {
  return (await request(`/api/${url}?${new URLSearchParams(asked)}`, options)).json();
}

/**
 * A passage with its neighbours, and what it refers to.
 * @param {string} source
 * @param {string} chunk
 * @returns {Promise<any>}
 */
export function passageOf(source, chunk) {
  return read("document/passage", { source, chunk });
}

/**
 * The store at a glance, read once where several want it at the same moment. Where somebody has to give a token first, a
 * Refusal.
 * @returns {Promise<any>}
 */
export function readGlance() {
  glancing ??= quietly("/api/start")
    .then((response) => response.json())
    .finally(() => (glancing = null));
  return glancing;
}
