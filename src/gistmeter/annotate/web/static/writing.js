// Phrases, answers, units and groups of units. They work without this as plain forms, but for dragging.
"use strict";

function preparePhrases(block) {
  const phrases = [...block.querySelectorAll(".phrase input")];
  const none = block.querySelector(".tick-box input");
  block.addEventListener("change", (event) => {
    if (event.target === none && none.checked) for (const phrase of phrases) phrase.checked = false;
    else if (event.target.checked) none.checked = false;
    tellFault("");
  });
  block.addEventListener("keydown", (event) => {
    const place = phrases.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (place < 0 || !step) return;
    event.preventDefault();
    phrases[Math.min(phrases.length - 1, Math.max(0, place + step))].focus();
  });
  focusOn(phrases[0]);
}

function prepareAnswers(block) {
  for (const entry of block.querySelectorAll("li")) {
    const [text, none] = [entry.querySelector("input[type=text]"), entry.querySelector("input[type=checkbox]")];
    text.addEventListener("input", () => { if (text.value.trim()) none.checked = false; });
    none.addEventListener("change", () => { if (none.checked) text.value = ""; tellFault(""); });
  }
  focusOn(block.querySelector("input[type=text]"));
}

function prepareUnits(block) {
  const key = "gistmeter suggestions";
  const folds = [...block.querySelectorAll(".suggestions")];
  let shown = true;
  try { shown = localStorage.getItem(key) !== "off"; } catch { /* a private window */ }
  for (const fold of folds) fold.open = shown;
  for (const fold of folds) {
    // One fold for all sentences: suggestions are wanted, or they are not.
    fold.querySelector("summary").addEventListener("click", (event) => {
      event.preventDefault();
      const open = !fold.open;
      for (const other of folds) other.open = open;
      try { localStorage.setItem(key, open ? "on" : "off"); } catch { /* a private window */ }
    });
    for (const button of fold.querySelectorAll(".edit")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const area = fold.parentElement.querySelector("textarea");
        const label = button.parentElement;
        label.querySelector("input").checked = false;
        area.value = [area.value.trimEnd(), label.querySelector("label span").textContent].filter(Boolean).join("\n");
        area.dispatchEvent(new Event("input", { bubbles: true }));
        area.focus();
      });
    }
  }
  focusOn(block.querySelector("textarea"));
}

function prepareGroups(block) {
  const list = block.querySelector(".units-to-merge");
  const units = [...list.querySelectorAll(".unit")];
  const fields = units.map((unit) => unit.querySelector("input"));
  const texts = units.map((unit) => unit.querySelector(".unit-text").textContent);
  const status = block.querySelector("[role=status]");
  const undoButton = block.querySelector("[data-act=undo]");
  const history = [];
  let leaders = fields.map((field, place) => Number(field.value) - 1 || (field.value === "1" ? 0 : place));
  let picked = -1;

  const buttons = units.map((unit, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "pick";
    button.setAttribute("aria-pressed", "false");
    button.append(...unit.querySelectorAll(".said-by, .unit-text"));
    button.addEventListener("click", () => choosePlace(place));
    unit.prepend(button);
    unit.draggable = true;
    unit.addEventListener("dragstart", (event) => { picked = place; event.dataTransfer.setData("text/plain", ""); event.dataTransfer.effectAllowed = "move"; });
    unit.addEventListener("dragend", () => { picked = -1; draw(); });
    unit.querySelector(".partner").hidden = true;
    const split = document.createElement("button");
    split.type = "button";
    split.className = "split-off";
    split.textContent = "×";
    split.setAttribute("aria-label", `${block.dataset.split}: ${texts[place]}`);
    split.addEventListener("click", () => { takeOut(place); button.focus(); });
    unit.append(split);
    return button;
  });

  function draw() {
    const focused = document.activeElement;
    const cards = [];
    for (const [place, leader] of leaders.entries()) {
      if (leader !== place) continue;
      const members = units.filter((_, other) => leaders[other] === place);
      if (members.length === 1) { cards.push(units[place]); continue; }
      const card = document.createElement("li");
      const inner = document.createElement("ul");
      card.className = "group";
      inner.append(...members);
      card.append(inner);
      cards.push(card);
    }
    list.replaceChildren(...cards);
    focused?.focus?.({ preventScroll: true });
    units.forEach((unit, place) => {
      unit.querySelector(".split-off").hidden = leaders.filter((leader) => leader === leaders[place]).length < 2;
      buttons[place].setAttribute("aria-pressed", String(place === picked));
    });
    undoButton.disabled = !history.length;
  }

  function keep(next) {
    history.push(leaders);
    leaders = next;
    picked = -1;
    write();
  }

  function write() {
    fields.forEach((field, place) => { field.value = String(leaders[place] + 1); });
    fields[0]?.dispatchEvent(new Event("input", { bubbles: true }));
    draw();
  }

  // A unit moves into a group; the first of a group takes the others with it.
  function merge(place, target) {
    const [from, to] = [leaders[place], leaders[target]];
    if (from === to) { picked = -1; draw(); return; }
    const moving = leaders.map((leader, other) => (from === place ? leader === from : other === place));
    const together = leaders.map((leader, other) => moving[other] || leader === to);
    const first = together.indexOf(true);
    keep(leaders.map((leader, other) => (together[other] ? first : leader)));
    status.textContent = block.dataset.merged.replace("{text}", texts[target]);
  }

  function takeOut(place) {
    const rest = leaders.map((leader, other) => leader === leaders[place] && other !== place);
    const first = rest.indexOf(true);
    keep(leaders.map((leader, other) => (other === place ? place : rest[other] ? first : leader)));
  }

  function choosePlace(place) {
    if (picked === place) { picked = -1; draw(); return; }
    if (picked >= 0) { merge(picked, place); return; }
    picked = place;
    status.textContent = block.dataset.picked.replace("{text}", texts[place]);
    draw();
  }

  list.addEventListener("dragover", (event) => { if (picked >= 0) event.preventDefault(); });
  list.addEventListener("drop", (event) => {
    event.preventDefault();
    const target = units.indexOf(event.target.closest(".unit") ?? event.target.closest(".group")?.querySelector(".unit"));
    if (picked >= 0 && target >= 0 && target !== picked) merge(picked, target);
  });
  block.addEventListener("keydown", (event) => {
    const place = buttons.indexOf(event.target);
    if (event.key === "Escape") { picked = -1; draw(); }
    else if (keyOf(event) === "z" && !event.altKey) undo();
    else if (place >= 0 && (event.key === "Backspace" || event.key === "Delete")) takeOut(place);
    else if (place >= 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const shown = [...list.querySelectorAll(".pick")];
      shown[shown.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    } else if (keyOf(event) === "s" && !event.ctrlKey && !event.metaKey && !event.altKey) form().requestSubmit();
    else return;
    event.preventDefault();
  });
  function undo() {
    if (!history.length) return;
    leaders = history.pop();
    picked = -1;
    write();
  }
  undoButton.addEventListener("click", undo);
  undoButton.parentElement.hidden = false;
  draw();
  focusOn(buttons[0]);
}
