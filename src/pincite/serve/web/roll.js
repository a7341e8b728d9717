/** The pages of a document one below the other: each is drawn when it comes near, and let go of when it is far. */

import { request } from "./api.js";
import { element } from "./dom.js";
import { pictureAddress } from "./places.js";
import { read } from "./read.js";
import { wordsNode } from "./words.js";

/** @typedef {import("./places.js").Citation} Citation */

const NEAR = "100% 0px";
/** How far outside of what is seen a page is drawn: a screen. By eye, not measured. */

const BY_HAND = ["wheel", "touchmove", "pointerdown", "keydown"];
/** Events before a scroll that the reader makes. */

/**
 * The page of a citation, which can be shown before the others.
 * @param {Citation} citation
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement>}
 */
export async function firstPage(citation, signal) {
  const page = pageNode(/** @type {number} */ (citation.page));
  page.append(await pictureOf(citation, signal));
  return element("div", { class: "roll" }, page);
}

/**
 * Give all other pages their place around the first, which is shown already.
 * @param {HTMLElement} roll
 * @param {Citation} citation
 * @param {Citation[]} others which are marked on their pages, too
 * @param {(place: Citation, pages: number) => void} shows called with each page that is come to
 * @param {AbortSignal} signal
 * @returns {Promise<(by: number) => void>} goes to another page
 */
export async function rollOut(roll, citation, others, shows, signal) {
  const first = /** @type {number} */ (citation.page);
  const citationOf = (/** @type {number} */ page) => (page === first ? citation : withMarks(citation, page, others));
  const shown = /** @type {HTMLElement} */ (roll.firstElementChild);
  const picture = /** @type {HTMLImageElement} */ (shown.firstElementChild);
  addWords(picture, citation, signal);
  const { page_count } = await read("document", { source: citation.source_id }, { signal });
  const pages = Array.from({ length: page_count }, (_, at) => (at + 1 === first ? shown : pageNode(at + 1, picture)));
  const sheet = /** @type {HTMLElement} */ (roll.parentElement);
  const from = shown.offsetTop;
  shown.before(...pages.slice(0, first - 1));
  shown.after(...pages.slice(first));
  sheet.scrollTop += shown.offsetTop - from;
  let page = first;
  let isByHand = false;
  const arrive = (/** @type {number} */ at) => {
    pages[page - 1].removeAttribute("aria-current");
    pages[at - 1].setAttribute("aria-current", "page");
    page = at;
    shows(citationOf(at), page_count);
  };
  const near = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => turn(target, isIntersecting)), {
    root: sheet,
    rootMargin: NEAR,
  });
  const turn = (/** @type {any} */ page, /** @type {boolean} */ isNear) => {
    if (!isNear) page.replaceChildren();
    else if (page.childElementCount === 0) draw(page, citationOf(Number(page.dataset.page)), signal);
  };
  for (const place of pages) near.observe(place);
  signal.addEventListener("abort", () => near.disconnect());
  for (const name of BY_HAND) sheet.addEventListener(name, () => (isByHand = true), { signal, passive: true });
  const scrolled = () => {
    const at = isByHand ? currentOf(sheet, pages) : page;
    if (at !== page) arrive(at);
  };
  sheet.addEventListener("scroll", scrolled, { signal, passive: true });
  arrive(first);
  return (by) => {
    const at = Math.min(pages.length, Math.max(1, page + by));
    isByHand = false;
    if (at === page) return;
    pages[at - 1].scrollIntoView();
    arrive(at);
  };
}

/**
 * @param {HTMLElement} page
 * @param {Citation} citation
 * @param {AbortSignal} signal
 */
async function draw(page, citation, signal) {
  try {
    const picture = await pictureOf(citation, signal);
    page.style.aspectRatio = `${picture.naturalWidth} / ${picture.naturalHeight}`;
    page.replaceChildren(picture);
    addWords(picture, citation, signal);
  } catch (error) {
    if (!signal.aborted) page.replaceChildren(element("p", { role: "alert" }, /** @type {Error} */ (error).message));
  }
}

/**
 * @param {number} number
 * @param {HTMLImageElement} [other] whose size it has until it is drawn
 * @returns {HTMLElement}
 */
function pageNode(number, other) {
  const page = element("div", { class: "page", "data-page": number });
  if (other) page.style.aspectRatio = `${other.naturalWidth} / ${other.naturalHeight}`;
  return page;
}

/**
 * Another page of the document of a citation, with what the others cite there.
 * @param {Citation} citation
 * @param {number} page
 * @param {Citation[]} others
 * @returns {Citation}
 */
function withMarks(citation, page, others) {
  const here = others.filter((other) => other.source_id === citation.source_id && other.page === page);
  const spans = here.flatMap(({ span, spans = span ? [span] : [] }) => spans);
  return { ...citation, page, label: here[0]?.label ?? null, quote: here[0]?.quote, span: undefined, spans };
}

/**
 * The page at which the reader looks: a third down in what is seen.
 * @param {HTMLElement} sheet
 * @param {HTMLElement[]} pages
 * @returns {number}
 */
function currentOf(sheet, pages) {
  const looked = sheet.scrollTop + sheet.clientHeight / 3;
  const at = pages.findIndex((page) => page.offsetTop + page.offsetHeight > looked);
  return at < 0 ? pages.length : at + 1;
}

/**
 * Lay the words of a page over its picture when they are there: of a scan they take seconds.
 * @param {HTMLImageElement} picture
 * @param {Citation} citation
 * @param {AbortSignal} signal
 */
async function addWords(picture, { source_id, page }, signal) {
  try {
    const told = await read(`document/pages/${page}/words`, { source: source_id }, { signal });
    if (picture.isConnected) picture.after(wordsNode(told));
  } catch {
    return;
  }
}

/**
 * @param {Citation} citation
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLImageElement>}
 */
async function pictureOf(citation, signal) {
  const response = await request(pictureAddress(citation), { signal });
  const address = URL.createObjectURL(await response.blob());
  const told = citation.quote ? `, where it says: ${citation.quote}` : "";
  const alt = `Page ${citation.page} of ${citation.filename}${told}`;
  const picture = /** @type {HTMLImageElement} */ (element("img", { src: address, alt }));
  try {
    await picture.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  return picture;
}
