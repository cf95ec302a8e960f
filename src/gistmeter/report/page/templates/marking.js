"use strict";
// A document whose phrases are clicked. All texts are data: they are only ever set as text, never as HTML.

let data;
let chosen = 0;
let marked = []; // for each sentence of the document the set of its marked phrases

const countBits = (choice) => choice.toString(2).replaceAll("0", "").length;

/** The choices of phrases for which each variant of a sentence was written, those of the fewest phrases first. */
function listChoices(sentence) {
  sentence.choices ??= sentence.variants
    .flatMap((variant) => variant.choices.split(" ").map((text) => ({ choice: BigInt(`0x${text}`), variant })))
    .sort((a, b) => countBits(a.choice) - countBits(b.choice));
  return sentence.choices;
}

/** What a sentence becomes for its marks: what was written for the fewest phrases that have them all among them. */
function pickVariant(sentence, set) {
  const mask = [...set].reduce((sum, phrase) => sum | (1n << BigInt(phrase)), 0n);
  return listChoices(sentence).find(({ choice }) => (choice & mask) === mask).variant;
}

function writeSummary() {
  const written = [];
  let named = new Set();
  data.documents[chosen].sentences.forEach((sentence, number) => {
    if (!marked[number].size) return;
    const variant = pickVariant(sentence, marked[number]);
    const needs = variant.needs ?? [];
    const known = needs.length && needs.every((group) => named.has(group));
    const text = known ? variant.following : variant.text;
    if (text) written.push(text);
    named = new Set([...variant.names, ...needs]);
  });
  const text = written.join(" ");
  const marks = marked.reduce((sum, set) => sum + set.size, 0);
  const words = text.split(/\s+/).filter((word) => word).length;
  find("summary").textContent = text || "Nothing is marked yet: click a phrase of the document.";
  find("counts").textContent = `${marks} marked ${marks === 1 ? "phrase" : "phrases"}, ${words} ${words === 1 ? "word" : "words"}`;
}

function toggle(button, [sentence, phrase]) {
  const set = marked[sentence];
  if (!set.delete(phrase)) set.add(phrase);
  button.setAttribute("aria-pressed", String(set.has(phrase)));
  writeSummary();
}

function showDocument() {
  const pieces = data.documents[chosen].pieces.map((piece) => {
    if (!piece.at) return piece.text;
    const pressed = String(marked[piece.at[0]].has(piece.at[1]));
    const button = make("button", { type: "button", "aria-pressed": pressed }, piece.text);
    button.addEventListener("click", () => toggle(button, piece.at));
    return button;
  });
  find("document").replaceChildren(...pieces);
  writeSummary();
}

function markAs(list) {
  marked = data.documents[chosen].sentences.map((sentence) => new Set(list(sentence)));
  showDocument();
}

document.addEventListener("DOMContentLoaded", () => {
  data = JSON.parse(find("data").textContent);
  const options = data.documents.map((doc, number) => make("option", { value: number }, doc.doc_id));
  find("pick").replaceChildren(...options);
  find("field").hidden = options.length < 2;
  find("pick").addEventListener("change", (event) => {
    chosen = Number(event.target.value);
    markAs((sentence) => sentence.marked);
  });
  find("reset").addEventListener("click", () => markAs((sentence) => sentence.marked));
  find("clear").addEventListener("click", () => markAs(() => []));
  markAs((sentence) => sentence.marked);
});
