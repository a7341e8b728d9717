/** The page: its question box, its keys, its views. */

import { ask, cancel, revisit, tell } from "./asking.js";
import { showDocuments } from "./documents.js";
import { byId } from "./dom.js";
import { showFilters } from "./filters.js";
import { showGraph } from "./graph.js";
import { listen as listenToKeys } from "./keys.js";
import { forget, saveAnswers, showRecent } from "./recent.js";
import { showSections } from "./sections.js";
import { listen as listenToSplit } from "./split.js";
import { go, listen as listenToAddress } from "./views.js";
import { findInSource, leaveSource, turnPage } from "./viewer.js";
import { close, step } from "./walk.js";

/** What Escape does: close the source; where none is open, give up the question. */
function escape() {
  if (byId("viewer").hidden) cancel();
  else close();
}

/** Go to the question, with its words selected. */
function toQuestion() {
  byId("question").focus();
  byId("question").select();
}

/** Open what the answer rests on, or close it. */
function turnTrail() {
  byId("trail")?.querySelector("summary").click();
}

const toNext = () => step(1);
const toLast = () => step(-1);
const showKeys = () => byId("keys").showModal();

byId("asking").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const question = byId("question").value.trim();
  if (question !== "") ask(question);
});
byId("show-keys").addEventListener("click", showKeys);
byId("forget").addEventListener("click", () => {
  forget();
  showRecent(ask);
});
for (const button of byId("save").querySelectorAll("button"))
  button.addEventListener("click", () => saveAnswers(button.value).catch(({ message }) => tell(message)));
listenToKeys({
  "/": toQuestion,
  "?": showKeys,
  j: toNext,
  n: toNext,
  k: toLast,
  p: toLast,
  "[": () => turnPage(-1),
  "]": () => turnPage(1),
  f: findInSource,
  t: turnTrail,
  d: () => go("documents"),
  g: () => go("graph"),
  Escape: escape,
});
listenToAddress({ graph: showGraph, documents: showDocuments, sections: showSections }, leaveSource);
listenToSplit();
showFilters();
showRecent(ask);
addEventListener("popstate", revisit);
revisit();
byId("question").focus();
