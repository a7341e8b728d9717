/** Which documents may answer: by name, type, tag and date. Chosen beside the answer, kept while this tab lives. */

import { byId, element, nameNode } from "./dom.js";
import { readGlance } from "./read.js";

/** @typedef {{only: string, name: string, types: string[], tags: string[], after: string, before: string}} Chosen */

const KEY = "pincite.filters";
/** @type {Chosen} */
const NOTHING = { only: "", name: "", types: [], tags: [], after: "", before: "" };
const SPECIAL = /[*?[]/g;

let chosen = kept();

/**
 * What a question is sent with, so that these documents alone answer it.
 * @returns {Record<string, string | string[]>}
 */
export function asked() {
  const { only, name, types, tags, after, before } = chosen;
  const files = only !== "" ? [only.replaceAll(SPECIAL, "[$&]")] : name !== "" ? [`*${inAnyCase(name)}*`] : [];
  return { files, types, tags, ...(after === "" ? {} : { after }), ...(before === "" ? {} : { before }) };
}

/**
 * A pattern of names that hold these letters, small or capital; `*` and `?` stand for any others.
 * @param {string} text
 * @returns {string}
 */
function inAnyCase(text) {
  return Array.from(text, (letter) => {
    const [small, capital] = [letter.toLowerCase(), letter.toUpperCase()];
    return small !== capital && small.length === capital.length ? `[${small}${capital}]` : letter.replace("[", "[[]");
  }).join("");
}

/**
 * Ask this document alone from now on.
 * @param {string} source
 */
export function askOnly(source) {
  choose({ ...NOTHING, only: source });
  byId("question").focus();
}

/** Show what can be chosen, open where there is room beside the answer. The types and tags of the store are read when
 * the filters are opened. */
export function showFilters() {
  byId("filters").addEventListener("toggle", () => {
    if (byId("filters").open) fill();
  });
  let wasBeside = false;
  new ResizeObserver(() => {
    if (isBeside() !== wasBeside) byId("filters").open = byId("recent").open = isBeside();
    wasBeside = isBeside();
  }).observe(byId("asked"));
  tell();
}

/** @returns {boolean} whether there is room for filters and history beside the answer */
export function isBeside() {
  return getComputedStyle(byId("asked")).display === "grid";
}

async function fill() {
  const told = await readGlance().catch(() => ({ types: {}, tags: {}, dated: false }));
  byId("choices").replaceChildren(
    textNode("File name", { type: "search", id: "filter-name", value: chosen.only || chosen.name }, "name"),
    ...boxNodes("Type", told.types, "types", (type) => type.toUpperCase()),
    ...boxNodes("Tag", told.tags, "tags", (tag) => tag),
    ...(told.dated
      ? [
          textNode("From", { type: "date", id: "filter-after", value: chosen.after }, "after"),
          textNode("To", { type: "date", id: "filter-before", value: chosen.before }, "before"),
        ]
      : []),
  );
}

/**
 * @param {string} label
 * @param {Record<string, string>} attributes
 * @param {"name" | "after" | "before"} field
 * @returns {HTMLElement}
 */
function textNode(label, attributes, field) {
  const box = element("input", { ...attributes, autocomplete: "off", spellcheck: "false" });
  box.addEventListener("change", () => {
    const value = /** @type {HTMLInputElement} */ (box).value.trim();
    choose({ ...chosen, ...(field === "name" ? { only: "" } : {}), [field]: value });
  });
  return element("p", {}, element("label", { for: attributes.id }, label), box);
}

/**
 * A box to tick for each value; none where there is only one.
 * @param {string} label
 * @param {Record<string, number>} counts documents of each value
 * @param {"types" | "tags"} field
 * @param {(value: string) => string} words
 * @returns {HTMLElement[]}
 */
function boxNodes(label, counts, field, words) {
  const values = Object.keys(counts);
  if (values.length < 2 && chosen[field].length === 0) return [];
  const box = (/** @type {string} */ value) => {
    const ticked = element("input", { type: "checkbox", checked: chosen[field].includes(value) });
    ticked.addEventListener("change", () => {
      const others = chosen[field].filter((other) => other !== value);
      const added = /** @type {HTMLInputElement} */ (ticked).checked ? [value] : [];
      choose({ ...chosen, [field]: [...others, ...added] });
    });
    return element("label", {}, ticked, " ", nameNode(words(value)), element("span", { class: "aside" }, ` ${counts[value]}`));
  };
  return [element("fieldset", {}, element("legend", {}, label), ...values.map(box))];
}

/** @param {Chosen} wanted */
function choose(wanted) {
  chosen = wanted;
  sessionStorage.setItem(KEY, JSON.stringify(chosen));
  tell();
  if (byId("filters").open && !byId("choices").contains(document.activeElement)) fill();
}

/** Say above the answer what is left out. */
function tell() {
  const { only, name, types, tags, after, before } = chosen;
  const parts = [
    ...(only === "" ? [] : [[nameNode(only)]]),
    ...(name === "" ? [] : [["files named “", nameNode(name), "”"]]),
    ...(types.length === 0 ? [] : [[types.map((type) => type.toUpperCase()).join(" or ")]]),
    ...(tags.length === 0 ? [] : [["tagged ", nameNode(tags.join(" or "))]]),
    ...(after === "" ? [] : [[`from ${after}`]]),
    ...(before === "" ? [] : [[`until ${before}`]]),
  ];
  const all = element("button", { type: "button", click: forgetAll }, "Ask all documents");
  byId("only").replaceChildren("Asking only ", ...parts.flatMap((part, at) => (at === 0 ? part : [", ", ...part])), " ", all);
  byId("only").hidden = parts.length === 0;
  byId("filters").querySelector("summary").textContent = parts.length === 0 ? "Filters" : `Filters (${parts.length})`;
}

function forgetAll() {
  choose(NOTHING);
  byId("question").focus();
}

/** @returns {Chosen} */
function kept() {
  try {
    return { ...NOTHING, ...JSON.parse(sessionStorage.getItem(KEY) ?? "{}") };
  } catch {
    return NOTHING;
  }
}
