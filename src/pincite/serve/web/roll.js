/** The pages of a document one below the other: each is drawn when it comes near, and let go of when it is far. */

import { pause, request } from "./api.js";
import { element } from "./dom.js";
import { citedOn, marksOn } from "./marks.js";
import { marksAsked, pictureAddress } from "./places.js";
import { read } from "./read.js";
import { marksNode, wordsNode } from "./words.js";

/** @typedef {import("./places.js").Citation} Citation */

/**
 * @typedef {object} Opened what is open in a document
 * @property {Citation} citation
 * @property {Citation[]} others which are marked on their pages, too
 * @property {(place: Citation, pages: number) => void} shows called with each page that is come to
 */

const NEAR = "100% 0px";
/** How far outside of what is seen a page is drawn: a screen. By eye, not measured. */
const REST = 300;
/** Milliseconds. By eye. */
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

/** All pages of a document around its first, which is shown already. */
export class Roll {
  #isByHand = false;
  #isAimed = false;
  #page = 1;

  /**
   * @param {HTMLElement} roll what firstPage gives, on a sheet
   * @param {Opened} opened
   * @param {number} count of pages
   * @param {AbortSignal} signal
   */
  constructor(roll, opened, count, signal) {
    const shown = /** @type {HTMLElement} */ (roll.firstElementChild);
    const picture = /** @type {HTMLImageElement} */ (shown.firstElementChild);
    const first = Number(shown.dataset.page);
    this.pages = Array.from({ length: count }, (_, at) => (at + 1 === first ? shown : pageNode(at + 1, picture)));
    this.sheet = /** @type {HTMLElement} */ (roll.parentElement);
    this.opened = opened;
    this.signal = signal;
    roll.replaceChildren(...this.pages);
    this.#watch();
    this.open(opened);
  }

  /**
   * Go to a place, and mark it.
   * @param {Opened} opened
   */
  open(opened) {
    this.opened = opened;
    this.#isAimed = true;
    this.#goTo(/** @type {number} */ (opened.citation.page));
    for (const page of this.pages) if (page.querySelector("img")) this.#mark(page);
  }

  /**
   * Go to another page.
   * @param {number} by how far behind
   */
  turn(by) {
    const page = Math.min(this.pages.length, Math.max(1, this.#page + by));
    if (page !== this.#page) this.#goTo(page);
  }

  /** @param {number} page */
  #goTo(page) {
    this.#isByHand = false;
    if (currentOf(this.sheet, this.pages) !== page) this.sheet.scrollTop = this.pages[page - 1].offsetTop;
    this.#arrive(page);
  }

  /** @param {number} page */
  #arrive(page) {
    this.pages[this.#page - 1].removeAttribute("aria-current");
    this.pages[page - 1].setAttribute("aria-current", "page");
    this.#page = page;
    this.opened.shows(this.#placeOn(page), this.pages.length);
    for (const seen of this.pages.slice(page - 1, page + 1)) this.#addWords(seen);
  }

  /** Draw pages that come near, and tell which one the reader has come to. */
  #watch() {
    const { sheet, signal } = this;
    const turn = (/** @type {any} */ page, /** @type {boolean} */ isNear) => {
      if (!isNear) page.replaceChildren();
      else if (page.childElementCount === 0) this.#draw(page);
    };
    const near = new IntersectionObserver(
      (entries) => entries.forEach(({ target, isIntersecting }) => turn(target, isIntersecting)),
      { root: sheet, rootMargin: NEAR },
    );
    for (const page of this.pages) near.observe(page);
    signal.addEventListener("abort", () => near.disconnect());
    for (const name of BY_HAND) sheet.addEventListener(name, () => (this.#isByHand = true), { signal, passive: true });
    const scrolled = () => {
      const at = this.#isByHand ? currentOf(sheet, this.pages) : this.#page;
      if (at !== this.#page) this.#arrive(at);
    };
    sheet.addEventListener("scroll", scrolled, { signal, passive: true });
  }

  /** @param {HTMLElement} page */
  async #draw(page) {
    const { signal } = this;
    try {
      const picture = await pictureOf(this.#placeOn(numberOf(page)), signal);
      page.style.aspectRatio = `${picture.naturalWidth} / ${picture.naturalHeight}`;
      page.replaceChildren(picture);
      this.#mark(page);
      this.#addWords(page);
    } catch (error) {
      if (!signal.aborted) page.replaceChildren(element("p", { role: "alert" }, /** @type {Error} */ (error).message));
    }
  }

  /**
   * Mark what is cited on a page.
   * @param {HTMLElement} page
   */
  async #mark(page) {
    const { citation, others } = this.opened;
    const number = numberOf(page);
    const { current, further } = marksOn(number, citation, others);
    const picture = /** @type {HTMLImageElement} */ (page.querySelector("img"));
    picture.alt = altOf(this.#placeOn(number));
    const wanted = (picture.dataset.marks = JSON.stringify([current, further]));
    const places = [...current, ...further];
    const told = places.length === 0 ? null : await this.#read(number, "marks", marksAsked(citation.source_id, places));
    if (picture.dataset.marks !== wanted || !picture.isConnected) return;
    page.querySelector(".marks")?.remove();
    if (told !== null) picture.after(marksNode(told, current.length));
    if (number === citation.page) this.#aim(page);
  }

  /**
   * Lay the words of a page that is looked at over its picture, once the reader rests there: they take longer than the
   * picture, of a scan seconds.
   * @param {HTMLElement} page
   */
  async #addWords(page) {
    const picture = page.querySelector("img");
    await pause(REST);
    const isSeen = [this.#page, this.#page + 1].includes(numberOf(page));
    if (picture === null || picture.dataset.words || !picture.isConnected || !isSeen) return;
    picture.dataset.words = "asked";
    const told = await this.#read(numberOf(page), "words", [["source", this.opened.citation.source_id]]);
    if (told !== null && picture.isConnected) page.append(wordsNode(told));
  }

  /**
   * @param {number} page
   * @param {string} what
   * @param {string[][]} asked
   * @returns {Promise<any>} null where it cannot be told
   */
  #read(page, what, asked) {
    return read(`document/pages/${page}/${what}`, asked, { signal: this.signal }).catch(() => null);
  }

  /**
   * Scroll to the mark of what was opened, unless the reader has gone elsewhere.
   * @param {HTMLElement} page
   */
  #aim(page) {
    const mark = /** @type {HTMLElement | null} */ (page.querySelector("mark.current"));
    if (mark === null || !this.#isAimed || this.#isByHand) return;
    this.#isAimed = false;
    this.sheet.scrollTop = page.offsetTop + mark.offsetTop - this.sheet.clientHeight / 3;
    this.sheet.scrollLeft = mark.offsetLeft - this.sheet.clientWidth / 10;
  }

  /**
   * A page of the document that is open, with what is cited there.
   * @param {number} page
   * @returns {Citation}
   */
  #placeOn(page) {
    const { citation, others } = this.opened;
    if (citation.page === page) return citation;
    const [here] = citedOn(page, citation, others);
    return { ...citation, page, label: here?.label ?? null, quote: here?.quote };
  }
}

/**
 * @param {HTMLElement} page
 * @returns {number}
 */
function numberOf(page) {
  return Number(page.dataset.page);
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
 * @param {Citation} citation
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLImageElement>}
 */
async function pictureOf(citation, signal) {
  const response = await request(pictureAddress(citation), { signal });
  const address = URL.createObjectURL(await response.blob());
  const picture = /** @type {HTMLImageElement} */ (element("img", { src: address, alt: altOf(citation) }));
  try {
    await picture.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  return picture;
}

/**
 * @param {Citation} citation
 * @returns {string}
 */
function altOf({ page, filename, quote }) {
  return `Page ${page} of ${filename}${quote ? `, where it says: ${quote}` : ""}`;
}
