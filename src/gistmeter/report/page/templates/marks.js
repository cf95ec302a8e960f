// Evidence as it is drawn: texts with marks that light up together, and tables of matches.

/** How neighbouring blocks of a kind are drawn, by kind: what stands in the page for them, in order. */
const drawings = {
  pane(packed) {
    const panes = make("div", { class: "panes" },
      ...packed.map(([title, text, ...marks]) => pane(capital(data.texts[title]), data.texts[text], ...marks)));
    const noted = packed.some(([, , , notes]) => notes);
    const readout = noted ? make("p", { class: "readout", role: "status" }) : null;
    linkMarks(panes, readout);
    return noted ? [panes, readout] : [panes];
  },
  table: (tables) => tables.map(matchTable),
};

/** Blocks are kind, content and, for kinds that may have no drawing here, the parts to draw instead. */
function drawBlocks(blocks) {
  const drawn = (block) => (block[0] in drawings ? [block] : block[2].flatMap(drawn));
  const runs = [];
  for (const [kind, content] of blocks.flatMap(drawn)) {
    if (runs.at(-1)?.kind !== kind) runs.push({ kind, contents: [] });
    runs.at(-1).contents.push(content);
  }
  return runs.flatMap(({ kind, contents }) => drawings[kind](contents));
}

/** A text with marks; these are start, length, group, each start counted from the end of the mark before. */
function pane(title, text, marks, notes = [], also = []) {
  const parts = [];
  let at = 0;
  for (let i = 0; i < marks.length; i += 3) {
    const start = at + marks[i];
    const end = start + marks[i + 1];
    if (start > at) parts.push(text.slice(at, start));
    parts.push(make("mark", { class: `g${marks[i + 2] % 6}`, "data-groups": [marks[i + 2], ...(also[i / 3] ?? [])].join(" "),
      "data-note": notes[i / 3] || null, tabindex: i ? -1 : 0 }, text.slice(start, end)));
    at = end;
  }
  parts.push(text.slice(at));
  return make("section", { class: "pane" }, make("h3", {}, title), make("p", { class: "text", dir: "auto" }, ...parts));
}

/** Pointing at a mark, or moving to it with the keyboard, lights its groups in all panes and says its note; a click keeps it. */
function linkMarks(panes, readout) {
  const HINT = "Point at a marked word to see what it belongs to. With the keyboard: Tab to the marks, then the arrow keys.";
  const groupsOf = (mark) => mark.dataset.groups.split(" ");
  let kept = null;
  const light = (chosen) => {
    const groups = new Set(chosen ? groupsOf(chosen) : []);
    panes.classList.toggle("lit", chosen !== null);
    for (const mark of panes.querySelectorAll("mark")) {
      mark.classList.toggle("on", mark === chosen || groupsOf(mark).some((group) => groups.has(group)));
    }
    if (chosen) show(chosen);
    if (readout) readout.replaceChildren(...(chosen ? [make("b", {}, shortened(chosen.textContent, 60)), ` ${chosen.dataset.note ?? ""}`] : [HINT]));
  };
  /** Scroll the other texts, and those alone, to what was lit in them. */
  const show = (chosen) => {
    for (const text of panes.querySelectorAll(".text")) {
      const lit = [...text.querySelectorAll("mark.on")].map((mark) => mark.getBoundingClientRect());
      const box = text.getBoundingClientRect();
      if (text.contains(chosen) || !lit.length || lit.some((one) => one.top >= box.top && one.bottom <= box.bottom)) continue;
      text.scrollTop += lit[0].top - box.top - box.height / 3;
    }
  };
  const markOf = (event) => event.target.closest("mark");
  const keep = (mark) => { kept = mark === kept ? null : mark; light(kept); };
  panes.addEventListener("mouseover", (event) => light(markOf(event) ?? kept));
  panes.addEventListener("mouseleave", () => light(kept));
  panes.addEventListener("click", (event) => keep(markOf(event)));
  panes.addEventListener("focusin", (event) => { if (markOf(event)?.matches(":focus-visible")) light(markOf(event)); });
  panes.addEventListener("focusout", () => light(kept));
  panes.addEventListener("keydown", (event) => {
    const mark = markOf(event);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!mark || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); keep(mark); }
    if (!step) return;
    event.preventDefault();
    const marks = [...mark.parentElement.querySelectorAll("mark")];
    const next = marks[marks.indexOf(mark) + step];
    if (!next) return;
    mark.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  light(null);
}

function matchTable(table) {
  const wide = table.header.length - 1;
  const kind = (i) => (table.numbers[i] ? "number" : "words");
  const lines = table.names.map((name, i) => make("tr", {}, make("th", { scope: "row" }, name),
    ...table.cells.slice(i * wide, (i + 1) * wide).map((cell, c) => make("td", { class: kind(c + 1) }, String(cell)))));
  const head = make("tr", {}, ...table.header.map((title, i) => make("th", { scope: "col", class: kind(i) }, title)));
  const all = table.names.length + table.more;
  const note = table.more ? [make("p", { class: "caption" }, `and ${table.more} more`)] : [];
  return make("details", { class: "fold", open: true }, make("summary", {}, `${capital(table.title)} (${all})`),
    make("div", { class: "scroll matches" }, make("table", { class: "grid" }, make("thead", {}, head), make("tbody", {}, ...lines))), ...note);
}

function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
