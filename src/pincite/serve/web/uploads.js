/** Files that are added: sent a few at a time, each with a line that tells what becomes of it. */

import { patientRequest, pause, Refusal, request } from "./api.js";
import { byId, element, nameNode } from "./dom.js";
import { dropZone } from "./drops.js";
import { events } from "./events.js";
import { addressOf } from "./views.js";

const AT_ONCE = 3;
/** The service takes eight at once, from everybody. */
const FORBIDDEN = 403;
const AGAIN = 3000;
/** Milliseconds until a stream that broke off is asked for again. By eye, not measured. */
const UNDER_WAY = ["waiting", "sending", "queued", "indexing"];
/** @type {Record<string, string>} */
const WORDS = { warned: "indexed, with warnings", refused: "refused" };

/**
 * @typedef {object} Line
 * @property {File} file
 * @property {string} source its id, once the service has given one
 * @property {string} status
 * @property {string} told why, where there is something to tell
 * @property {HTMLElement} node
 */

/** @type {Line[]} */
let lines = [];
/** @type {Line[]} */
const waiting = [];
let senders = 0;
let started = 0;
/** When the first of these files was added. */
let isFollowing = false;
let changed = () => {};

/**
 * What stays on the page: a button that chooses files, and room for a line for each.
 * @param {() => void} renew called when a document has ended
 * @returns {Node[]}
 */
export function uploadNodes(renew) {
  changed = renew;
  return [
    dropZone(byId("documents"), putIn),
    element("progress", { id: "sent-bar", "aria-label": "Files added", hidden: true }),
    element("p", { id: "sent-note", role: "status" }),
    element("ul", { id: "sent", "aria-label": "Files added", tabindex: "0", hidden: true }),
  ];
}

/**
 * A document was deleted: its line goes.
 * @param {string} source
 */
export function forgetUpload(source) {
  lines = lines.filter((line) => line.source !== source);
  draw();
}

/** @param {File[]} files */
export function putIn(files) {
  if (files.length === 0) return;
  if (!lines.some(isUnderWay)) lines = [];
  const added = files.map((file) => ({ file, source: "", status: "waiting", told: "", node: element("li") }));
  added.sort((one, other) => one.file.size - other.file.size);
  if (!lines.some(isUnderWay)) started = Date.now();
  lines.push(...added);
  waiting.push(...added);
  waiting.sort((one, other) => one.file.size - other.file.size);
  added.forEach(drawLine);
  draw();
  sendNext();
}

function sendNext() {
  while (senders < AT_ONCE) {
    const line = waiting.shift();
    if (line === undefined) return;
    senders += 1;
    send(line).finally(() => {
      senders -= 1;
      sendNext();
    });
  }
}

/**
 * Send a file, and follow what becomes of it.
 * @param {Line} line
 */
async function send(line) {
  try {
    tell(line, "sending");
    await line.file.slice(0, 1).arrayBuffer();
  } catch {
    tell(line, "refused", "It cannot be read. Is it a folder?");
    return;
  }
  try {
    const response = await patiently(line);
    line.source = (await response.json()).source_id;
    tell(line, "queued");
    follow();
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    if (name === "AbortError") stop("Nothing was sent: there is no token.");
    else if (statusOf(error) === FORBIDDEN) stop(`Nothing was added: ${message}.`);
    else tell(line, "refused", message);
  }
}

/**
 * The answer to a file; a service that is busy is asked again when it says so.
 * @param {Line} line
 * @returns {Promise<Response>}
 */
function patiently({ file }) {
  const url = `/api/documents?${new URLSearchParams({ name: file.name })}`;
  const headers = { "Content-Type": "application/octet-stream" };
  return patientRequest(url, { method: "POST", headers, body: file });
}

/**
 * @param {unknown} error
 * @returns {number | null}
 */
function statusOf(error) {
  return error instanceof Refusal ? error.status : null;
}

/**
 * Send no more, and say why in one line instead of one for each file.
 * @param {string} why
 */
function stop(why) {
  waiting.length = 0;
  lines = lines.filter(({ status }) => status !== "waiting" && status !== "sending");
  draw();
  note(why);
}

/** Tell what becomes of what was sent, until all of it has ended. */
async function follow() {
  if (isFollowing) return;
  isFollowing = true;
  while (lines.some(isKept)) {
    try {
      await followOnce(lines.filter(isKept));
    } catch (error) {
      note(/** @type {Error} */ (error).message);
      if (/** @type {Error} */ (error).name === "AbortError" || statusOf(error) === FORBIDDEN) break;
      await pause(AGAIN);
    }
  }
  isFollowing = false;
}

/**
 * Follow until nothing is under way; what was kept before and is not told of was deleted by somebody.
 * @param {Line[]} kept
 */
async function followOnce(kept) {
  const response = await request("/api/indexing/stream");
  /** @type {Map<string, any> | null} */
  let told = null;
  for await (const { data } of events(/** @type {any} */ (response.body))) {
    told = new Map(data.uploads.map((/** @type {any} */ upload) => [upload.source_id, upload]));
    show(told, data.problem);
  }
  if (told === null) throw new Error("The service says nothing about these files. Asking again.");
  for (const line of kept.filter(({ source }) => !told.has(source))) tell(line, "deleted");
}

/**
 * @param {Map<string, any>} told uploads by their ids
 * @param {string} problem
 */
function show(told, problem) {
  let hasEnded = false;
  for (const line of lines.filter(isKept)) {
    const upload = told.get(line.source);
    if (upload === undefined || upload.status === line.status) continue;
    tell(line, upload.status, [upload.reason, ...(upload.warnings ?? [])].filter(Boolean).join(" · "));
    hasEnded ||= !isUnderWay(line);
  }
  if (problem !== "") note(problem);
  if (hasEnded) changed();
}

/**
 * @param {Line} line
 * @returns {boolean}
 */
function isUnderWay({ status }) {
  return UNDER_WAY.includes(status);
}

/**
 * @param {Line} line
 * @returns {boolean} whether the service has it, and has not ended
 */
function isKept(line) {
  return line.source !== "" && isUnderWay(line);
}

/**
 * @param {Line} line
 * @param {string} status
 * @param {string} [told]
 */
function tell(line, status, told = "") {
  Object.assign(line, { status, told });
  drawLine(line);
  count();
}

/** @param {Line} line */
function drawLine({ file, source, status, told, node }) {
  const isThere = status === "indexed" || status === "warned";
  const name = nameNode(file.name);
  node.className = status;
  node.replaceChildren(
    isThere ? element("a", { href: addressOf("sections", { name: source }) }, name) : name,
    " ",
    element("span", { class: "state" }, WORDS[status] ?? status),
    ...(told === "" ? [] : [element("p", { class: "aside" }, told)]),
  );
}

function draw() {
  byId("sent").replaceChildren(...lines.map(({ node }) => node));
  byId("sent").hidden = lines.length === 0;
  count();
}

function count() {
  const ended = lines.filter((line) => !isUnderWay(line));
  const bar = byId("sent-bar");
  bar.hidden = lines.length === 0 || ended.length === lines.length;
  bar.value = sizeOf(ended);
  bar.max = Math.max(1, sizeOf(lines));
  const words = `${ended.length} of ${lines.length} file${lines.length === 1 ? "" : "s"}`;
  note(lines.length === 0 ? "" : ended.length === lines.length ? `${words} done` : `${words}${leftOf(ended)}`);
}

/**
 * How long the rest may take, by the bytes that have ended so far.
 * @param {Line[]} ended
 * @returns {string} ", about 2 min left"
 */
function leftOf(ended) {
  const [done, all] = [sizeOf(ended), sizeOf(lines)];
  if (done === 0) return "";
  const seconds = ((Date.now() - started) / 1000) * (all / done - 1);
  return seconds < 60 ? ", less than a minute left" : `, about ${Math.round(seconds / 60)} min left`;
}

/**
 * @param {Line[]} some
 * @returns {number}
 */
function sizeOf(some) {
  return some.reduce((sum, { file }) => sum + file.size, 0);
}

/** @param {string} words */
function note(words) {
  byId("sent-note").textContent = words;
}
