/** What the service tells of documents. */

import { request } from "./api.js";

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
