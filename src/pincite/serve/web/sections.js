/** The section tree of a document: a branch is drawn when it is opened, a section opens its page. The document is
 * deleted here. */

import { byId, element, nameNode } from "./dom.js";
import { placeWords } from "./places.js";
import { read } from "./read.js";
import { takeOutButton } from "./taking.js";
import { go } from "./views.js";
import { placeButton } from "./walk.js";

/** @typedef {import("./places.js").Citation} Citation */

/**
 * @typedef {object} Tree
 * @property {Citation} document where it begins
 * @property {Map<number | null, any[]>} children sections by the ordinal of their parent
 * @property {any[]} lineage the sections that lead to the place which is shown
 */

/**
 * Show the sections of a document.
 * @param {URLSearchParams} asked `name` its id, `page` the page to be found in it
 */
export async function showSections(asked) {
  const [view, source] = [byId("sections"), asked.get("name") ?? ""];
  const heading = element("h2", {}, "Sections of ", nameNode(source));
  view.replaceChildren(heading);
  try {
    const told = await read("document/sections", { source });
    const tree = treeOf(told, asked.get("page"));
    if (!view.contains(heading)) return;
    const none = element("p", { class: "aside" }, "This document has no headings.");
    heading.after(takeOutButton(source, () => go("documents")));
    view.append(tree.children.has(null) ? branchNode(tree, null) : none);
    view.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  } catch (error) {
    view.append(element("p", { role: "alert" }, /** @type {Error} */ (error).message));
  }
}

/**
 * @param {any} told what /api/document/sections gives
 * @param {string | null} page
 * @returns {Tree}
 */
function treeOf({ source_id, paged, sections }, page) {
  const children = new Map();
  for (const section of sections) {
    const brothers = children.get(section.parent) ?? [];
    children.set(section.parent, [...brothers, section]);
  }
  const filename = source_id.split("/").at(-1);
  const document = { filename, source_id, page: paged ? 1 : null, locator: null, chunk_id: "" };
  const last =
    page === null ? null : sections.findLast((/** @type {any} */ { first_page }) => first_page <= Number(page));
  const lineage = [];
  for (let found = last; found; found = sections.find((/** @type {any} */ one) => one.ordinal === found.parent))
    lineage.push(found);
  return { document, children, lineage };
}

/**
 * @param {Tree} tree
 * @param {number | null} parent
 * @returns {HTMLElement}
 */
function branchNode(tree, parent) {
  const rows = (tree.children.get(parent) ?? []).map((section) => sectionNode(tree, section));
  return element("ul", { class: "tree", ...(parent === null ? { "data-walk": true } : {}) }, ...rows);
}

/**
 * @param {Tree} tree
 * @param {any} section
 * @returns {HTMLElement}
 */
function sectionNode(tree, section) {
  const page = tree.document.page === null ? null : section.first_page;
  const called = section.number ?? section.title;
  const citation = { ...tree.document, page, label: section.label, section: called };
  const open = placeButton(citation, "", [nameOf(section)]);
  open.classList.add("plain");
  const row = element(
    "li",
    {},
    openerNode(tree, section),
    open,
    element("span", { class: "aside" }, placeWords(citation)),
  );
  if (tree.lineage[0] === section) open.setAttribute("aria-current", "true");
  if (tree.lineage.slice(1).includes(section)) row.append(branchNode(tree, section.ordinal));
  return row;
}

/**
 * @param {any} section
 * @returns {string}
 */
function nameOf({ number, title }) {
  if (!number || title.startsWith(number)) return title || "Beginning";
  return `${number} ${title}`;
}

/**
 * The sign that opens and closes what lies below a section.
 * @param {Tree} tree
 * @param {any} section
 * @returns {HTMLElement}
 */
function openerNode(tree, section) {
  if (!tree.children.has(section.ordinal)) return element("span", { class: "twig" });
  const attributes = { type: "button", class: "plain twig", "aria-label": `Below ${nameOf(section)}` };
  const isOpen = tree.lineage.slice(1).includes(section);
  const opener = element("button", { ...attributes, "aria-expanded": String(isOpen) });
  opener.addEventListener("click", () => {
    const row = /** @type {HTMLElement} */ (opener.parentElement);
    const below = /** @type {HTMLElement | null} */ (row.querySelector(":scope > ul"));
    const isNowOpen = opener.getAttribute("aria-expanded") === "false";
    opener.setAttribute("aria-expanded", String(isNowOpen));
    if (below) below.hidden = !isNowOpen;
    else row.append(branchNode(tree, section.ordinal));
  });
  return opener;
}
