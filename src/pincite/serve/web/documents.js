/** The documents of the store with their state: some at a time, found by their names; others are added here. */

import { byId, element, shortNameNode } from "./dom.js";
import { askOnly } from "./filters.js";
import { menuNode } from "./menu.js";
import { read } from "./read.js";
import { putIn, uploadNodes } from "./uploads.js";
import { addressOf, go } from "./views.js";

const ROWS = 50;
const PAUSE = 150;
/** Milliseconds without a key until what was typed is looked for. By eye, not measured. */
/** @type {Record<string, string>} */
const STATES = { indexed: "Indexed", warned: "With warnings", refused: "Refused" };
const HEADS = ["document", "state", "pages", "passages", "actions"];
const ADDED = "upload:";

const wanted = { query: "", status: "", offset: 0 };
let reading = new AbortController();
let typing = 0;

/** Show the documents, as they were looked for last. */
export function showDocuments() {
  if (byId("documents").childElementCount === 0) byId("documents").append(...frameNodes());
  list();
}

/**
 * Add files, where it can be seen what becomes of them.
 * @param {File[]} files
 */
export function addFiles(files) {
  showDocuments();
  go("documents");
  putIn(files);
}

/** @returns {Node[]} what stays while the list changes */
function frameNodes() {
  const box = element("input", { type: "search", id: "of-name", autocomplete: "off", spellcheck: "false" });
  box.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => want({ query: /** @type {HTMLInputElement} */ (box).value.trim() }), PAUSE);
  });
  const label = element("label", { for: "of-name" }, "Name ");
  return [
    element("h2", {}, "Documents"),
    ...uploadNodes(list),
    element("div", { class: "finding" }, label, box, element("span", { id: "states" })),
    element("div", { id: "listed", "aria-live": "polite" }),
  ];
}

/**
 * Look for others, from the first one on unless told otherwise.
 * @param {{query?: string, status?: string, offset?: number}} changed
 */
function want(changed) {
  Object.assign(wanted, { offset: 0 }, changed);
  list();
}

/** Read what is wanted, and show it when it is there. */
async function list() {
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const { query, status, offset } = wanted;
  const asked = { query, offset: String(offset), limit: String(ROWS), ...(status === "" ? {} : { status }) };
  try {
    const told = await read("documents", asked, { signal });
    if (signal.aborted) return;
    byId("states").replaceChildren(...stateNodes(told.states));
    const held = byId("listed").contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    byId("listed").replaceChildren(told.found === 0 ? noneNode() : tableNode(told.sources), ...pagerNodes(told.found));
    if (held) byId("listed").querySelector(`[href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  } catch (error) {
    if (signal.aborted) return;
    byId("listed").replaceChildren(element("p", { role: "alert" }, /** @type {Error} */ (error).message));
  }
}

/**
 * A button for each state that documents of this name are in, with their number.
 * @param {Record<string, number>} counts
 * @returns {Node[]}
 */
function stateNodes(counts) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const button = (/** @type {string} */ status, /** @type {string} */ words) => {
    const attributes = { type: "button", "aria-pressed": String(wanted.status === status) };
    const made = element("button", { ...attributes, click: () => want({ status }) }, words);
    if (byId("states").contains(document.activeElement) && wanted.status === status) queueMicrotask(() => made.focus());
    return made;
  };
  const states = Object.keys(STATES).filter((status) => counts[status] || wanted.status === status);
  return [
    button("", `All ${spelled(all)}`),
    ...states.map((status) => button(status, `${STATES[status]} ${spelled(counts[status] ?? 0)}`)),
  ];
}

/** @returns {HTMLElement} */
function noneNode() {
  return element("p", { class: "aside" }, "No document has such a name.");
}

/**
 * @param {any[]} states
 * @returns {HTMLElement}
 */
function tableNode(states) {
  const heads = HEADS.map((head) => element("th", { scope: "col", class: head }, head === "actions" ? element("span", { class: "unseen" }, head) : head));
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...states.map(rowNode)),
  );
}

/**
 * @param {any} state what /api/documents tells of a source
 * @returns {HTMLElement}
 */
function rowNode({ source: { source_id, acl }, status, reason, warnings, page_count, chunk_count }) {
  const isRead = status !== "refused";
  const [filename, folder] = placeOf(source_id);
  const short = shortNameNode(filename);
  const name = isRead ? element("a", { href: addressOf("sections", { name: source_id }) }, short) : short;
  const seen = acl.length === 0 ? "" : `only for ${acl.join(", ")}`;
  const beside = [folder, seen].filter(Boolean).join(" · ");
  const told = [...(reason ? [reason] : []), ...warnings].join(" · ");
  const after = () => {
    byId("of-name").focus();
    list();
  };
  return element(
    "tr",
    { class: status },
    element(
      "td",
      { class: "document" },
      name,
      beside === "" ? null : element("span", { class: "aside folder" }, ` ${beside}`),
      told === "" ? null : element("p", { class: "aside" }, told),
    ),
    element("td", { class: "state" }, (STATES[status] ?? status).toLowerCase()),
    element("td", { class: "pages" }, isRead ? spelled(page_count) : ""),
    element("td", { class: "passages" }, isRead ? spelled(chunk_count) : ""),
    element("td", { class: "actions" }, menuNode({ source_id, filename, isRead }, only, after)),
  );
}

/** @param {string} source */
function only(source) {
  go("asked");
  askOnly(source);
}

/**
 * The name of a document, and the folder that it lies in; what was added on the page lies in none.
 * @param {string} source
 * @returns {[string, string]}
 */
function placeOf(source) {
  const parts = source.split("/");
  const filename = parts.at(-1) || source;
  const folder = source.startsWith(ADDED) ? "added here" : parts.slice(0, -1).join("/");
  return [filename, folder];
}

/**
 * @param {number} all
 * @returns {Node[]}
 */
function pagerNodes(all) {
  if (all <= ROWS) return [];
  const { offset } = wanted;
  const turn = (/** @type {number} */ to) => () => want({ offset: to });
  const back = { type: "button", disabled: offset === 0, click: turn(offset - ROWS) };
  const more = { type: "button", disabled: offset + ROWS >= all, click: turn(offset + ROWS) };
  return [
    element(
      "p",
      { class: "pager" },
      element("button", back, "Back"),
      ` ${spelled(offset + 1)} to ${spelled(Math.min(all, offset + ROWS))} of ${spelled(all)} `,
      element("button", more, "More"),
    ),
  ];
}

/**
 * @param {number} count
 * @returns {string} "10,000"
 */
function spelled(count) {
  return count.toLocaleString("en");
}
