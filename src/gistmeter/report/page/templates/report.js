"use strict";
// The page's data and the few tools all parts share. Text is only ever set as text, never as HTML.

const ARROW = { higher: "↑", lower: "↓", neither: "" };
const WAY = { higher: "higher is better", lower: "lower is better", neither: "describes, does not judge" };
const MISSING = "–";
let data;

function draw(tag, attributes = {}, ...children) {
  const namespace = find("theme").firstElementChild.namespaceURI; // the icon's
  return filled(document.createElementNS(namespace, tag), attributes, children);
}

function number(value, decimals) {
  return value === null ? MISSING : value.toFixed(decimals).replace("-", "−");
}

function pvalue(value) {
  return value === null ? MISSING : value < 0.001 ? "<0.001" : value.toFixed(3);
}

function counted(count, one, many) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function heading(column) {
  return `${column.name}${column.diagnostic ? "°" : ""}\u00a0${ARROW[column.better]}`.trim();
}

/** The columns that tables show at first: not precision and recall where there is an f1. */
const shown = new Set();

function shownColumns(pooled) {
  return [...data.columns.keys()].filter((c) => shown.has(c) && (pooled || !data.columns[c].pooled));
}

/** A header cell whose button sorts; `sort` is {key, down} and `resort` is called with the next one. */
function sortHeader(label, key, sort, resort, column = null) {
  const active = sort.key === key;
  const press = () => {
    const first = column !== null && column.better !== "lower"; // the best come first
    if (!active) resort({ key, down: first });
    else if (sort.down === first) resort({ key, down: !first });
    else resort({ key: null, down: false });
  };
  const words = label.split(/(?<=[(,])/).flatMap((part) => [part, make("wbr")]);
  const button = make("button", { type: "button", class: "sort", title: column?.about, "data-key": String(key), click: press }, ...words,
    make("span", { class: "way", "aria-hidden": "true" }, active ? (sort.down ? "▾" : "▴") : ""));
  const direction = active ? (sort.down ? "descending" : "ascending") : null;
  return make("th", { scope: "col", class: column ? "number" : null, "aria-sort": direction }, button);
}

/** Which of two values comes first; missing ones are last whichever way. */
function compared(a, b, down) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
  return down ? -order : order;
}

/** Replace a table and keep the focus on the header button that was pressed. */
function replaceTable(table, ...parts) {
  const focused = table.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  table.replaceChildren(...parts);
  if (focused) [...table.querySelectorAll("thead button")].find((b) => b.dataset.key === focused)?.focus();
}

function say(text) {
  find("said").textContent = text;
}

function showHeader() {
  const parts = [
    counted(data.systems.length, "system", "systems"),
    counted(data.documents.length, "document", "documents"),
    counted(data.rows.document.length, "summary", "summaries"),
    counted(data.columns.length, "score", "scores"),
    data.made.slice(0, 16).replace("T", " "),
  ];
  find("counts").append(parts.join(" · "));
  if (data.sources.length) find("counts").append(make("br"), "from ", data.sources.join(", "));
  find("notes").hidden = !data.notes.length;
  find("notes").append(...data.notes.map((note) => make("li", {}, note)));
  theme.start();
}

function showPickers() {
  for (const picker of document.querySelectorAll(".picker")) {
    const menu = picker.querySelector(".menu");
    const pooled = picker.closest("#scores") !== null;
    data.columns.forEach((column, c) => {
      if (column.pooled && !pooled) return;
      const box = make("input", { type: "checkbox", "data-column": c, change: () => pick(c, box.checked) });
      menu.append(make("label", {}, box, column.name));
    });
    picker.addEventListener("toggle", markPicked);
    picker.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !picker.open) return;
      picker.open = false;
      picker.querySelector("summary").focus();
    });
  }
  document.addEventListener("click", (event) => {
    for (const picker of document.querySelectorAll(".picker[open]")) {
      if (!picker.contains(event.target)) picker.open = false;
    }
  });
  markPicked();
}

function pick(column, wanted) {
  if (wanted) shown.add(column);
  else shown.delete(column);
  markPicked();
  board.showTable();
  documents.show();
}

function markPicked() {
  for (const box of document.querySelectorAll(".picker input")) box.checked = shown.has(Number(box.dataset.column));
}

function showSignatures() {
  const seen = new Map();
  for (const column of data.columns) {
    if (!seen.has(column.signature)) seen.set(column.signature, []);
    seen.get(column.signature).push(column.name);
  }
  for (const [signature, names] of seen) {
    const button = make("button", { type: "button", "aria-label": `Copy the signature of ${names.join(", ")}` }, "Copy");
    button.addEventListener("click", () => copy(signature, button));
    const words = signature.split("|").flatMap((part, i) => (i ? ["|", make("wbr"), part] : [part]));
    find("signature-list").append(make("li", {}, make("div", {}, make("span", { class: "soft" }, names.join(", ")),
      make("code", {}, ...words)), button));
  }
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const label = button.dataset.label ??= button.textContent;
  button.textContent = "Copied";
  say("Copied");
  setTimeout(() => { button.textContent = label; }, 1500);
}

document.addEventListener("DOMContentLoaded", () => {
  data = JSON.parse(find("data").textContent);
  data.columns.forEach((column, c) => column.main && shown.add(c));
  showHeader();
  board.start();
  documents.start();
  evidence.start();
  showProbes();
  showMarkingPages();
  exporting.start();
  showPickers();
  showSignatures();
  links.start(); // last: what it opens covers the page
});
