"use strict";
// A sheet that people fill in. All texts are data: they are only ever set as text, never as HTML.

const HOW = {
  answer:
    "Read the text, then answer each question with words of the text: type them, or select them in the text and press " +
    "“Take selection”. Tick the box where the text does not answer. What you enter is kept in this browser; download " +
    "it when you are done, or to go on elsewhere.",
  verify:
    "For each question you see the answer that was expected and the answer that was given from the text. Say whether " +
    "the given answer is right: it may use other words. What you choose is kept in this browser; download it when you " +
    "are done, or to go on elsewhere.",
};
const UNKEPT = "This browser does not keep what you enter: download it before you close or reload this page.";
let data;
let page = 0;
let responses = {}; // by the id of a question: { answer } or { correct }
let kept = true;
let unsaved = false;

const storeKey = () => `gistmeter-questions-${data.key}`;
const given = (question) => ("predicted" in question ? question.predicted : question.answer);

/** Whether there is nothing to do: people said before that the text has no answer. */
const isSettled = (question) => data.task === "verify" && given(question) === "";
const isDone = (question) => isSettled(question) || question.id in responses;
const onPage = (number) => data.questions.filter((question) => question.text === number);

function keep() {
  unsaved = true;
  try {
    localStorage.setItem(storeKey(), JSON.stringify(responses));
  } catch {
    if (kept) notice(UNKEPT);
    kept = false;
  }
}

/** What was filled in before: in the file itself, then in this browser. */
function restore() {
  for (const question of data.questions) {
    if (data.task === "answer" && typeof question.answer === "string") responses[question.id] = { answer: question.answer };
    if (data.task === "verify" && typeof question.correct === "boolean") responses[question.id] = { correct: question.correct };
  }
  try {
    localStorage.setItem("gistmeter-probe", "");
    localStorage.removeItem("gistmeter-probe");
    const stored = localStorage.getItem(storeKey());
    if (stored === null) return;
    responses = {}; // what was taken out again stays out
    take(Object.entries(JSON.parse(stored)));
  } catch {
    kept = false;
    notice(UNKEPT);
  }
}

/** Take entries [id, { answer } or { correct }] of questions of this sheet; returns how many there were. */
function take(entries) {
  const asked = new Map(data.questions.filter((question) => !isSettled(question)).map((each) => [each.id, each]));
  let count = 0;
  for (const [id, entry] of entries) {
    if (!asked.has(id) || entry === null || typeof entry !== "object") continue;
    if ("predicted" in entry && entry.predicted !== given(asked.get(id))) continue; // of another answer
    if (data.task === "answer" && typeof entry.answer === "string") responses[id] = { answer: entry.answer };
    else if (data.task === "verify" && typeof entry.correct === "boolean") responses[id] = { correct: entry.correct };
    else continue;
    count += 1;
  }
  return count;
}

function notice(text) {
  find("notice").textContent = text;
  find("notice").hidden = !text;
}

function fill(question, entry, card) {
  if (entry === null) delete responses[question.id];
  else responses[question.id] = entry;
  card.classList.toggle("done", isDone(question));
  keep();
  showProgress();
}

function showProgress() {
  const asked = data.questions.filter((question) => !isSettled(question));
  const done = asked.filter(isDone).length;
  find("progress").textContent = `${done} of ${asked.length} done`;
  find("meter").style.width = `${asked.length ? (100 * done) / asked.length : 0}%`;
  find("open").disabled = done === asked.length;
  for (const [number, option] of [...find("pick").options].entries()) option.textContent = pageName(number);
}

function pageName(number) {
  const questions = onPage(number).filter((question) => !isSettled(question));
  return `Text ${number + 1} of ${data.texts.length} (${questions.filter(isDone).length}/${questions.length})`;
}

/** The text, with every mention of some words marked. */
function showText(words = "") {
  const text = data.texts[page];
  const parts = [];
  const lower = text.toLowerCase();
  const wanted = words.trim().toLowerCase();
  let at = 0;
  if (wanted && lower.length === text.length) {
    for (let start = lower.indexOf(wanted); start >= 0; start = lower.indexOf(wanted, at)) {
      parts.push(text.slice(at, start), make("mark", {}, text.slice(start, start + wanted.length)));
      at = start + wanted.length;
    }
  }
  find("text").replaceChildren(...parts, text.slice(at));
}

function showPage(number) {
  page = Math.min(Math.max(number, 0), data.texts.length - 1);
  find("text-title").textContent = `Text ${page + 1} of ${data.texts.length}`;
  find("pick").selectedIndex = page;
  find("previous").disabled = page === 0;
  find("next").disabled = page >= data.texts.length - 1;
  showText();
  find("questions").replaceChildren(...onPage(page).map(data.task === "answer" ? answerCard : verifyCard));
  find("text").parentElement.scrollTop = 0;
}

/** A card with a field for the answer and a box for none. */
function answerCard(question) {
  const entry = responses[question.id];
  const label = `q-${question.id}`;
  const hint = make("p", { class: "hint", hidden: true }, "These words are not in the text as written.");
  const answer = make("input", { type: "text", dir: "auto", autocomplete: "off", "aria-labelledby": label });
  const none = make("input", { type: "checkbox" });
  const select = make("button", { type: "button" }, "Take selection");
  const card = make(
    "li",
    { class: "card", "data-id": question.id },
    make("p", { class: "question", id: label, dir: "auto" }, question.question),
    make("div", { class: "fill" }, answer, select, make("label", {}, none, "The text does not answer")),
    hint,
  );
  const showHint = () => {
    const words = answer.value.trim().toLowerCase();
    hint.hidden = !words || data.texts[page].toLowerCase().includes(words);
  };
  const type = () => {
    none.checked = false;
    fill(question, answer.value.trim() ? { answer: answer.value } : null, card);
    showHint();
    showText(answer.value);
  };
  answer.value = entry?.answer ?? "";
  none.checked = entry?.answer === "";
  answer.disabled = none.checked;
  card.classList.toggle("done", isDone(question));
  showHint();
  answer.addEventListener("input", type);
  answer.addEventListener("focus", () => showText(answer.value));
  answer.addEventListener("keydown", (event) => {
    if (event.key === "Enter") card.nextElementSibling?.querySelector("input")?.focus();
  });
  none.addEventListener("change", () => {
    answer.value = "";
    answer.disabled = none.checked;
    fill(question, none.checked ? { answer: "" } : null, card);
    showHint();
    showText();
  });
  // A press on the button must not undo the selection it takes.
  select.addEventListener("mousedown", (event) => event.preventDefault());
  select.addEventListener("click", () => {
    const selection = getSelection();
    const words = selection.toString().trim();
    const inText = selection.rangeCount > 0 && find("text").contains(selection.getRangeAt(0).commonAncestorContainer);
    if (!words || !inText) {
      notice("Select words in the text first.");
      return;
    }
    notice("");
    answer.disabled = false;
    answer.value = words;
    type();
  });
  return card;
}

/** A card with both answers and a choice. */
function verifyCard(question) {
  const label = `q-${question.id}`;
  const rows = [make("dt", {}, "expected"), make("dd", { dir: "auto" }, question.expected)];
  const heading = make("p", { class: "question", id: label, dir: "auto" }, question.question);
  if (isSettled(question)) {
    const why = make("p", { class: "hint" }, "The person who answered says that the text does not answer: nothing to judge.");
    return make("li", { class: "card settled", "data-id": question.id }, heading, make("dl", {}, ...rows), why);
  }
  rows.push(make("dt", {}, "given"), make("dd", { dir: "auto" }, given(question)));
  const card = make("li", { class: "card", "data-id": question.id }, heading, make("dl", {}, ...rows));
  const choice = (correct, name, word) => {
    const radio = make("input", { type: "radio", name: `c-${question.id}` });
    radio.checked = responses[question.id]?.correct === correct;
    radio.addEventListener("change", () => fill(question, { correct }, card));
    return make("label", { class: name }, radio, word);
  };
  card.append(
    make(
      "div",
      { class: "fill", role: "radiogroup", "aria-labelledby": label },
      choice(true, "right", "The given answer is right"),
      choice(false, "wrong", "It is wrong"),
    ),
  );
  card.classList.toggle("done", isDone(question));
  card.addEventListener("focusin", () => showText(given(question)));
  card.addEventListener("mouseenter", () => showText(given(question)));
  return card;
}

/** What was filled in as JSON lines, as `gistmeter qa import` reads them. */
function lines() {
  const records = [];
  for (const question of data.questions) {
    const { id, doc_id, system } = question;
    if (isSettled(question)) records.push({ id, doc_id, system, answer: "" });
    else if (question.id in responses && data.task === "answer") records.push({ id, doc_id, system, answer: responses[id].answer });
    else if (question.id in responses) {
      const name = "predicted" in question ? "predicted" : "answer";
      records.push({ id, doc_id, system, [name]: given(question), correct: responses[id].correct });
    }
  }
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function download() {
  saveLines(lines(), data.file);
  unsaved = false;
}

async function load(file) {
  const entries = [];
  try {
    for (const line of (await file.text()).split("\n").filter((line) => line.trim())) {
      const record = JSON.parse(line);
      entries.push([record.id, record]);
    }
  } catch {
    notice("That file cannot be read: take one that this page downloaded.");
    return;
  }
  const count = take(entries);
  notice(count ? "" : "That file has nothing for the questions of this page.");
  keep();
  showProgress();
  showPage(page);
}

function start() {
  data = JSON.parse(find("data").textContent);
  find("how").textContent = HOW[data.task];
  restore();
  find("pick").append(...data.texts.map(() => make("option")));
  find("pick").addEventListener("change", () => showPage(find("pick").selectedIndex));
  find("previous").addEventListener("click", () => showPage(page - 1));
  find("next").addEventListener("click", () => showPage(page + 1));
  find("open").addEventListener("click", () => {
    const order = [...data.questions.filter((q) => q.text >= page), ...data.questions.filter((q) => q.text < page)];
    const question = order.find((each) => !isDone(each));
    if (!question) return;
    if (question.text !== page) showPage(question.text);
    const card = [...find("questions").children].find((each) => each.dataset.id === question.id);
    card.scrollIntoView({ block: "center" });
    card.querySelector("input").focus();
  });
  find("download").addEventListener("click", download);
  find("load").addEventListener("change", (event) => {
    if (event.target.files.length) load(event.target.files[0]);
    event.target.value = "";
  });
  find("clear").addEventListener("click", () => {
    if (!confirm("Remove all that was entered on this page?")) return;
    responses = {};
    keep();
    showProgress();
    showPage(page);
  });
  addEventListener("beforeunload", (event) => {
    if (!kept && unsaved) event.preventDefault();
  });
  if (data.texts.length) showPage(0);
  showProgress();
}

document.addEventListener("DOMContentLoaded", start);
