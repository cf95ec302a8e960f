"use strict";
// A sheet in which people write units. All texts are data: they are only ever set as text, never as HTML.

const UNKEPT = "This browser does not keep what you write: download it before you close or reload this page.";
let data;
let page = 0;
let written = {}; // by document and sentence: the text of the field, a unit on each line

const keyOf = (doc, sentence) => JSON.stringify([doc.doc_id, sentence.sentence]);
const forPeople = (doc) => doc.sentences.filter((sentence) => sentence.by === "people");
const unitsOf = (key) => (written[key] ?? "").split("\n").map((line) => line.trim()).filter((line) => line);
const storeKey = () => `gistmeter-units-${data.key}`;

function notice(text) {
  find("notice").textContent = text;
  find("notice").hidden = !text;
}

function keep() {
  try {
    localStorage.setItem(storeKey(), JSON.stringify(written));
  } catch {
    notice(UNKEPT);
  }
}

/** What was written before: in the file itself, then in this browser. */
function restore() {
  for (const doc of data.documents) {
    for (const sentence of forPeople(doc)) written[keyOf(doc, sentence)] = sentence.units.join("\n");
  }
  try {
    const stored = JSON.parse(localStorage.getItem(storeKey()) ?? "{}");
    for (const key of Object.keys(written)) if (typeof stored[key] === "string") written[key] = stored[key];
  } catch {
    notice(UNKEPT);
  }
}

function showProgress() {
  const keys = Object.keys(written);
  const done = keys.filter((key) => unitsOf(key).length).length;
  const units = keys.reduce((sum, key) => sum + unitsOf(key).length, 0);
  find("progress").textContent = `${done} of ${keys.length} sentences, ${units} ${units === 1 ? "unit" : "units"}`;
  find("meter").style.width = `${keys.length ? (100 * done) / keys.length : 0}%`;
}

/** The text of a document: a paragraph for each reference, the sentences that people write for marked. */
function showText(doc) {
  const paragraphs = new Map();
  for (const sentence of doc.sentences) {
    if (!paragraphs.has(sentence.reference)) paragraphs.set(sentence.reference, make("p"));
    const part = sentence.by === "people" ? make("mark", {}, sentence.text) : make("span", { class: "other" }, sentence.text);
    paragraphs.get(sentence.reference).append(part, " ");
  }
  find("text").replaceChildren(...paragraphs.values());
}

function card(doc, sentence) {
  const key = keyOf(doc, sentence);
  const label = `s-${sentence.sentence}`;
  const field = make("textarea", { dir: "auto", rows: 5, "aria-labelledby": label });
  const item = make("li", { class: "card" }, make("p", { class: "question", id: label, dir: "auto" }, sentence.text), field);
  field.value = written[key];
  item.classList.toggle("done", unitsOf(key).length > 0);
  field.addEventListener("input", () => {
    written[key] = field.value;
    item.classList.toggle("done", unitsOf(key).length > 0);
    keep();
    showProgress();
  });
  return item;
}

function showPage(number) {
  page = Math.min(Math.max(number, 0), data.documents.length - 1);
  const doc = data.documents[page];
  find("text-title").textContent = `${doc.doc_id} (${page + 1} of ${data.documents.length})`;
  find("pick").selectedIndex = page;
  find("previous").disabled = page === 0;
  find("next").disabled = page >= data.documents.length - 1;
  showText(doc);
  find("sentences").replaceChildren(...forPeople(doc).map((sentence) => card(doc, sentence)));
}

/** What was written as a file of units: a record for each document. */
function lines() {
  const records = [];
  for (const doc of data.documents) {
    const units = forPeople(doc).flatMap((sentence) =>
      unitsOf(keyOf(doc, sentence)).map((text) => ({ text, sentence: sentence.sentence })),
    );
    if (units.length) records.push({ doc_id: doc.doc_id, units });
  }
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function start() {
  data = JSON.parse(find("data").textContent);
  restore();
  find("pick").append(...data.documents.map((doc) => make("option", {}, doc.doc_id)));
  find("pick").addEventListener("change", () => showPage(find("pick").selectedIndex));
  find("previous").addEventListener("click", () => showPage(page - 1));
  find("next").addEventListener("click", () => showPage(page + 1));
  find("download").addEventListener("click", () => saveLines(lines(), data.file));
  showPage(0);
  showProgress();
}

document.addEventListener("DOMContentLoaded", start);
