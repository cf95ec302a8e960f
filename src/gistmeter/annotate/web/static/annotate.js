// A little help for the pages of a study. Without it they work as they are: forms that are sent, and links.
"use strict";

const RETRY_MS = [1000, 2000, 5000, 10000];
const DRAFT_MS = 900;
// What the browser keeps until the server has it: the answer that is being sent, and what is filled in on each screen.
const store = {
  read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } },
  write(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* a private window */ } },
  clear(key) { try { localStorage.removeItem(key); } catch { /* a private window */ } },
};
const SENDING = `gistmeter ${location.pathname.match(/^.*\/w\/[^/]+/)?.[0] ?? location.pathname}`;
const draftKey = (action) => `gistmeter draft ${new URL(action).pathname}`;
let drafts = 0;
let draftTimer = 0;
let changes = 0; // made since the server last had what is filled in
let busy = false;

function form() { return document.getElementById("questions"); }

function say(text) {
  const place = document.getElementById("said");
  if (place) place.textContent = text;
}

function tellFault(text) {
  const place = document.getElementById("fault");
  if (!place) return;
  place.textContent = text;
  place.hidden = !text;
}

// --- saving -------------------------------------------------------------------------------------------------------

async function send(action, body) {
  return fetch(action, { method: "POST", body, headers: { "Content-Type": "application/x-www-form-urlencoded" }, credentials: "same-origin" });
}

async function save(action, body) {
  if (busy) return;
  busy = true;
  clearTimeout(draftTimer);
  store.write(SENDING, { action, body });
  say(form()?.dataset.saving ?? "");
  for (let attempt = 0; ; attempt += 1) {
    let reason = "";
    try {
      const response = await send(action, body);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const isOurs = page.getElementById("screen") !== null; // and not the log-in page of a hotel, or a proxy's error
      if (isOurs && response.status < 500 && response.status !== 429) {
        store.clear(SENDING);
        if (response.ok) forget(action);
        busy = false;
        show(page, response.url);
        if (!response.ok && form()) change(form()); // it was refused: what is filled in is not lost by a reload
        return;
      }
      reason = isOurs ? tellReason(page) : "";
    } catch { /* no connection: tried again */ }
    say("");
    tellFault(reason || (form()?.dataset.unsaved ?? ""));
    await new Promise((go) => {
      setTimeout(go, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
      addEventListener("online", go, { once: true });
    });
  }
}

// What the page of an error says: a full disk, too many requests.
function tellReason(page) {
  return page.querySelector("main p")?.textContent ?? "";
}

function readForm(current) { return new URLSearchParams(new FormData(current)); }

// Something was filled in: kept here at once, sent when no more comes for a moment or the page is left.
function change(current) {
  changes += 1;
  store.write(draftKey(current.action), { stamp: current.elements.stamp.value, body: readForm(current).toString() });
  clearTimeout(draftTimer);
  draftTimer = setTimeout(saveDraft, DRAFT_MS);
}

function forget(action) {
  if (form()?.action === action) changes = 0;
  store.clear(draftKey(action));
}

function nextDraft(current) {
  const fields = readForm(current);
  drafts += 1;
  fields.set("draft", String(drafts));
  return fields;
}

async function saveDraft() {
  const current = form();
  if (!current || busy) return;
  const sent = changes;
  try {
    const response = await send(`${current.action}/draft`, nextDraft(current).toString());
    const isKept = response.ok && (await response.text()) === current.dataset.draft;
    if (!isKept || form() !== current || busy) return;
    say(current.dataset.draft);
    if (changes === sent) forget(current.action);
  } catch { /* it is kept here, and saved with the answer */ }
}

// The page is left, or put away: what is filled in goes out with it. Whether it arrived is not told, so it stays here, too.
function sendDraft() {
  const current = form();
  if (!current || busy || !changes) return;
  clearTimeout(draftTimer);
  navigator.sendBeacon(`${current.action}/draft`, nextDraft(current));
}

// Fills in what this browser kept and the server may not have, unless something later came from elsewhere.
function restoreDraft(current) {
  const kept = store.read(draftKey(current.action));
  if (!kept?.stamp) return;
  const [shown, number] = kept.stamp.split("-");
  const { last, given } = current.dataset;
  if (last && !last.startsWith(number) && Number(given) > Number(shown)) { forget(current.action); return; }
  const fields = new URLSearchParams(kept.body);
  for (const element of current.elements) {
    if (!element.name || element.name === "stamp") continue;
    if (element.matches("[type=checkbox], [type=radio]")) element.checked = fields.getAll(element.name).includes(element.value);
    else element.value = fields.get(element.name) ?? "";
  }
  change(current);
}

function show(page, address) {
  document.getElementById("screen").replaceWith(document.adoptNode(page.getElementById("screen")));
  document.title = page.title;
  history.pushState(null, "", address.replace(/\?saved=1$/, ""));
  scrollTo(0, 0);
  prepare();
  document.querySelector("[autofocus]")?.focus({ preventScroll: true });
}

// Where keys go first. On a touch screen the page itself takes the focus, so that a screen reader goes on at its top:
// no keyboard opens over the texts, and no choice is framed before the others.
function focusOn(element) {
  if (!matchMedia("(pointer: coarse)").matches) { element?.focus({ preventScroll: true }); return; }
  const main = document.querySelector("main");
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

// --- blocks -------------------------------------------------------------------------------------------------------

function prepareSlider(block) {
  const range = block.querySelector("input[type=range]");
  const number = block.querySelector("input[type=number]");
  range.hidden = false;
  if (number.value) range.value = number.value;
  block.classList.toggle("untouched", !number.value);
  const take = () => { number.value = range.value; block.classList.remove("untouched"); tellFault(""); };
  range.addEventListener("input", take);
  range.addEventListener("click", take);
  range.addEventListener("keydown", (event) => {
    if (/^[0-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      number.value = event.key;
      range.value = number.value;
      block.classList.remove("untouched");
      number.focus();
    }
  });
  number.addEventListener("input", () => {
    if (number.value) range.value = number.value;
    block.classList.toggle("untouched", !number.value);
  });
  focusOn(range);
}

// Keys 1 to 9 choose in the group that has the focus, or in the first one that is open.
function openGroups() {
  const groups = [...document.querySelectorAll(".rating, .check")];
  return groups.filter((group) => !group.querySelector("input:checked"));
}

function choose(group, index) {
  const inputs = group.querySelectorAll("input[type=radio]");
  if (!inputs[index]) return;
  inputs[index].checked = true;
  inputs[index].dispatchEvent(new Event("input", { bubbles: true }));
  tellFault("");
  const [next] = openGroups();
  const target = next?.querySelector("input") ?? document.querySelector("#questions textarea") ?? inputs[index];
  target.focus({ preventScroll: true });
  target.closest("fieldset, label").scrollIntoView({ block: "nearest" });
}

function currentGroup() {
  const active = document.activeElement?.closest(".rating, .check");
  if (active && !active.querySelector("input:checked")) return active;
  return active ?? openGroups()[0];
}

function chooseByKey(key) {
  const group = currentGroup();
  if (!group) return false;
  if (/^[1-9]$/.test(key)) choose(group, Number(key) - 1);
  else if (group.matches(".check") && /^[yn]$/.test(key)) choose(group, key === "y" ? 0 : 1);
  else return false;
  return true;
}

function focusFirst() {
  if (document.querySelector("[data-block=slider]")) return;
  const input = (openGroups()[0] ?? document.querySelector(".rating, .check"))?.querySelector("input");
  if (input) focusOn(input);
}

const prepareBlock = {
  slider: prepareSlider, marks: prepareMarks, passage: preparePassage, phrases: preparePhrases, answers: prepareAnswers,
  units: prepareUnits, groups: prepareGroups,
};

function prepare() {
  const current = form();
  changes = 0;
  if (current) restoreDraft(current);
  for (const block of document.querySelectorAll("[data-block]")) prepareBlock[block.dataset.block]?.(block);
  if (current) {
    current.addEventListener("submit", (event) => {
      event.preventDefault();
      save(current.action, readForm(current).toString());
    });
    for (const kind of ["input", "change"]) current.addEventListener(kind, () => change(current));
    history.replaceState(null, "", location.pathname);
    focusFirst();
  }
  watch();
}

// --- keys ---------------------------------------------------------------------------------------------------------

// The letter or digit of a key. A Russian layout has no Latin letters and a French one no digits without Shift: there
// it is what stands at this place on an English keyboard.
function keyOf(event) {
  if (/^[a-z0-9]$/i.test(event.key)) return event.key.toLowerCase();
  return /^(?:Key|Digit)(.)$/.exec(event.code)?.[1].toLowerCase() ?? event.key;
}

function isWriting(target) {
  return target.matches?.("textarea, input[type=text], input[type=search], [contenteditable]");
}

addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches?.("#questions textarea")) {
    event.preventDefault(); // Enter alone begins a line there
    form().requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
  if (event.key === "Enter" && form() && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    form().requestSubmit();
  } else if (keyOf(event) === "u") {
    document.getElementById("back")?.click();
  } else if (!event.target.matches?.("input[type=number]") && chooseByKey(keyOf(event))) {
    event.preventDefault();
  }
});

// --- the page of the person who runs the study ----------------------------------------------------------------------

let watching = 0;
function watch() {
  clearTimeout(watching);
  const live = document.querySelector("[data-live]");
  if (!live) return;
  watching = setTimeout(async () => {
    try {
      const response = await fetch(location.pathname, { credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.getElementById("screen");
      const selecting = String(getSelection());
      if (response.ok && fresh && !selecting && !document.activeElement?.closest?.("form")) {
        document.getElementById("screen").replaceWith(document.adoptNode(fresh));
        document.title = page.title;
      }
    } catch { /* the server is away: tried again */ }
    watch();
  }, 1000 * Number(live.dataset.live));
}

// --- what was not saved when the page was left -------------------------------------------------------------------------

addEventListener("pagehide", sendDraft);
addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") sendDraft(); });
addEventListener("popstate", () => location.reload());
prepare();
const waiting = store.read(SENDING);
if (waiting?.action?.startsWith(location.origin)) save(waiting.action, waiting.body);
