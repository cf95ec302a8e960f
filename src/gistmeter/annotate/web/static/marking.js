// Marks in a text, and searching in the text beside it. It is served before annotate.js, which calls what is here.
"use strict";

const UNSPACED = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
const PIECES = /[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu;

// --- searching in a text ----------------------------------------------------------------------------------------------

function escapePattern(text) { return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); }

// Shows which parts of a passage were found; `find` gives [start, end] pairs in a paragraph's text.
function showFound(section, find) {
  let count = 0;
  for (const paragraph of section.querySelectorAll("p")) {
    const text = paragraph.textContent;
    const parts = [];
    let last = 0;
    for (const [start, end] of find(text)) {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(start, end);
      parts.push(text.slice(last, start), mark);
      last = end;
      count += 1;
    }
    if (parts.length || paragraph.firstElementChild) paragraph.replaceChildren(...parts, text.slice(last));
  }
  return count;
}

function findPattern(pattern) {
  return (text) => [...text.matchAll(pattern)].filter((found) => found[0]).map((found) => [found.index, found.index + found[0].length]);
}

// Whether two words are the same or look like forms of one: walk, walked.
function areForms(word, other) {
  if (word === other) return true;
  const shared = Math.min(word.length, other.length);
  return shared >= 5 && Math.abs(word.length - other.length) <= 3 && word.slice(0, shared - 1) === other.slice(0, shared - 1);
}

function scrollToMark(section, mark) {
  for (const each of section.querySelectorAll("mark.current")) each.classList.remove("current");
  mark.classList.add("current");
  const [top, height] = [mark.offsetTop, section.clientHeight];
  if (top < section.scrollTop + 60 || top > section.scrollTop + height - 40) section.scrollTop = top - height / 3;
}

function showMatches(words, joined) {
  const section = document.querySelector(".passage.long");
  if (!section || section.querySelector("input[type=search]")?.value) return;
  const find = UNSPACED.test(joined)
    ? findPattern(new RegExp(escapePattern(joined), "giu"))
    : (text) => findPattern(PIECES)(text).filter(([start, end]) => words.some((word) => areForms(word, text.slice(start, end).toLowerCase())));
  showFound(section, words.length ? find : () => []);
  const marks = [...section.querySelectorAll("mark")];
  const seen = marks.some((mark) => mark.offsetTop > section.scrollTop + 40 && mark.offsetTop < section.scrollTop + section.clientHeight - 30);
  if (marks.length && !seen) section.scrollTop = marks[0].offsetTop - section.clientHeight / 3;
}

function preparePassage(section) {
  const field = section.querySelector("input[type=search]");
  if (!field) return;
  field.parentElement.hidden = false;
  let place = -1;
  const step = (by) => {
    const marks = section.querySelectorAll("mark");
    if (!marks.length) return;
    place = (place + by + marks.length) % marks.length;
    scrollToMark(section, marks[place]);
    field.nextElementSibling.textContent = `${place + 1} / ${marks.length}`;
  };
  field.addEventListener("input", (event) => {
    event.stopPropagation();
    const query = field.value.trim();
    place = -1;
    const count = showFound(section, query ? findPattern(new RegExp(escapePattern(query), "giu")) : () => []);
    field.nextElementSibling.textContent = query ? String(count) : "";
    step(1);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  });
}

// --- marking ------------------------------------------------------------------------------------------------------------

function prepareMarks(block) {
  const text = block.querySelector("[role=listbox]");
  const words = [...text.querySelectorAll("[role=option]")];
  const field = block.querySelector("input[type=hidden]");
  const nothing = block.querySelector("[data-nothing]");
  const list = block.querySelector(".marked");
  const status = block.querySelector("[role=status]");
  const undoButton = block.querySelector("[data-act=undo]");
  const kinds = [...block.querySelectorAll("[data-kind]")].map((button) => button.dataset.kind);
  const names = [...block.querySelectorAll("[data-kind]")].map((button) => button.lastChild.textContent.trim());
  const history = [];
  let marks = readMarks();
  let [anchor, cursor, picking, dragging, begun] = [0, 0, false, false, false];

  function readMarks() {
    nothing.checked = field.value === "none";
    return field.value.split(" ").map((part) => /^(\d+)-(\d+)-(.+)$/.exec(part)).filter(Boolean).map(([, start, end, kind]) => ({
      from: words.findIndex((word) => word.dataset.start === start),
      to: words.findIndex((word) => word.dataset.end === end),
      kind: kinds.indexOf(kind),
    })).filter((mark) => mark.from >= 0 && mark.to >= mark.from && mark.kind >= 0);
  }

  const selection = () => [Math.min(anchor, cursor), Math.max(anchor, cursor)];
  const textOf = (from, to) => {
    const range = document.createRange();
    range.setStartBefore(words[from]);
    range.setEndAfter(words[to]);
    return range.toString();
  };

  function draw() {
    const [first, last] = selection();
    const kindAt = words.map((_, place) => marks.findIndex((mark) => mark.from <= place && place <= mark.to));
    words.forEach((word, place) => {
      const gap = word.nextElementSibling?.matches(".gap") ? word.nextElementSibling : null;
      const selected = picking && first <= place && place <= last;
      word.classList.toggle("selected", selected);
      gap?.classList.toggle("selected", selected && place < last);
      word.classList.toggle("cursor", place === cursor);
      word.setAttribute("aria-selected", String(selected));
      kinds.forEach((_, kind) => {
        const marked = kindAt[place] >= 0 && marks[kindAt[place]].kind === kind;
        word.classList.toggle(`mark-${kind + 1}`, marked);
        gap?.classList.toggle(`mark-${kind + 1}`, marked && kindAt[place] === kindAt[place + 1]);
      });
    });
    if (words.length) text.setAttribute("aria-activedescendant", words[cursor].id);
    list.hidden = !marks.length;
    list.replaceChildren(...marks.map((mark) => {
      const [entry, words_, name, button] = ["li", "bdi", "span", "button"].map((tag) => document.createElement(tag));
      words_.textContent = textOf(mark.from, mark.to);
      words_.className = `mark-${mark.kind + 1}`;
      name.textContent = names[mark.kind];
      name.className = "soft";
      button.type = "button";
      button.textContent = "×";
      button.setAttribute("aria-label", `${block.dataset.remove}: ${words_.textContent}`);
      button.addEventListener("click", () => { change(marks.filter((other) => other !== mark), ""); text.focus({ preventScroll: true }); });
      entry.append(words_, name, button);
      return entry;
    }));
    undoButton.disabled = !history.length;
  }

  function write() {
    const parts = marks.map((mark) => `${words[mark.from].dataset.start}-${words[mark.to].dataset.end}-${kinds[mark.kind]}`);
    field.value = parts.join(" ") || (nothing.checked ? "none" : "");
    tellFault("");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function change(next, said, none = false) {
    history.push({ marks, none: nothing.checked });
    marks = next.sort((one, other) => one.from - other.from);
    nothing.checked = none;
    status.textContent = said;
    write();
    draw();
  }

  function apply(kind) {
    const [from, to] = selection();
    const cut = marks.flatMap((mark) => [
      { ...mark, to: Math.min(mark.to, from - 1) }, { ...mark, from: Math.max(mark.from, to + 1) },
    ]).filter((mark) => mark.from <= mark.to);
    const added = { from, to, kind };
    const touching = cut.filter((mark) => mark.kind === kind && (mark.to === from - 1 || mark.from === to + 1));
    for (const mark of touching) [added.from, added.to] = [Math.min(added.from, mark.from), Math.max(added.to, mark.to)];
    const said = block.dataset.said.replace("{kind}", names[kind]).replace("{text}", textOf(from, to));
    change([...cut.filter((mark) => !touching.includes(mark)), added], said);
    picking = false;
    anchor = cursor;
    draw();
  }

  function remove() {
    const [from, to] = selection();
    const rest = marks.filter((mark) => mark.to < from || mark.from > to);
    if (rest.length < marks.length) change(rest, block.dataset.taken);
  }

  function undo() {
    const before = history.pop();
    if (!before) return;
    marks = before.marks;
    nothing.checked = before.none;
    write();
    draw();
  }

  function select(place, extend) {
    if (!words.length) return;
    cursor = Math.min(words.length - 1, Math.max(0, place));
    if (!extend) anchor = cursor;
    [picking, begun] = [true, true];
    draw();
    const [first, last] = selection();
    showMatches(words.slice(first, last + 1).map((word) => word.dataset.match).filter(Boolean), textOf(first, last));
  }

  function selectMark(place) {
    const mark = marks.find((each) => each.from <= place && place <= each.to);
    select(mark ? mark.from : place, false);
    if (mark) select(mark.to, true);
  }

  function lineStep(by) {
    const here = words[cursor].getBoundingClientRect();
    const middle = (here.left + here.right) / 2;
    let best = -1;
    let line = null;
    for (let place = cursor + by; words[place]; place += by) {
      const box = words[place].getBoundingClientRect();
      if (Math.abs(box.top - here.top) < here.height / 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) > here.height / 2) break;
      const [left, right] = [box.left, box.right];
      const away = (at) => { const each = words[at].getBoundingClientRect(); return Math.abs((each.left + each.right) / 2 - middle); };
      if (best < 0 || Math.abs((left + right) / 2 - middle) < away(best)) best = place;
    }
    return best < 0 ? (by > 0 ? words.length - 1 : 0) : best;
  }

  text.addEventListener("keydown", (event) => {
    const forward = getComputedStyle(text).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const moves = {
      ArrowRight: () => cursor + (begun ? (forward === "ArrowRight" ? 1 : -1) : 0),
      ArrowLeft: () => cursor + (begun ? (forward === "ArrowRight" ? -1 : 1) : 0),
      ArrowDown: () => lineStep(1),
      ArrowUp: () => lineStep(-1),
      Home: () => 0,
      End: () => words.length - 1,
    };
    const key = keyOf(event);
    const isUndo = key === "z";
    if (event.altKey || ((event.ctrlKey || event.metaKey) && !isUndo)) return;
    if (moves[event.key]) select(moves[event.key](), event.shiftKey);
    else if (isUndo) undo();
    else if (/^[1-9]$/.test(key) && Number(key) <= kinds.length) { if (picking) apply(Number(key) - 1); }
    else if (event.key === "Backspace" || event.key === "Delete") remove();
    else if (event.key === "Escape") { picking = false; anchor = cursor; draw(); showMatches([], ""); }
    else if (key === "0") nothing.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  // A mouse drags over words. A finger scrolls, so that there a tap selects a word, and a second one all up to it.
  text.addEventListener("pointerdown", (event) => {
    const place = words.indexOf(event.target.closest("[role=option]"));
    if (event.pointerType === "touch" || event.button !== 0 || place < 0) return;
    event.preventDefault();
    text.focus({ preventScroll: true });
    dragging = true;
    if (event.shiftKey) select(place, true); else selectMark(place);
  });
  text.addEventListener("pointermove", (event) => {
    if (!dragging) return;
    const place = words.indexOf(document.elementFromPoint(event.clientX, event.clientY)?.closest("[role=option]"));
    if (place >= 0 && place !== cursor) select(place, true);
  });
  addEventListener("pointerup", () => { dragging = false; });
  text.addEventListener("click", (event) => {
    const place = words.indexOf(event.target.closest("[role=option]"));
    if (event.pointerType !== "touch" || place < 0) return;
    const [first, last] = selection();
    if (picking && (place < first || place > last)) select(place, true); else selectMark(place);
  });

  block.querySelectorAll("[data-kind]").forEach((button, kind) => button.addEventListener("click", () => {
    if (picking) apply(kind);
    text.focus({ preventScroll: true });
  }));
  block.querySelector("[data-act=remove]").addEventListener("click", remove);
  undoButton.addEventListener("click", undo);
  nothing.addEventListener("change", () => {
    const none = nothing.checked;
    nothing.checked = !none;
    change(none ? [] : marks, "", none);
  });
  block.hidden = false;
  draw();
  focusOn(text);
}
