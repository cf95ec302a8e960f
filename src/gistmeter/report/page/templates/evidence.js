// One row opened: its scores, the texts with what matched, the table of matches, references and source.

const evidence = {
  place: 0,
  metric: 0,

  start() {
    const dialog = find("evidence");
    dialog.addEventListener("close", () => documents.focus(evidence.place));
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("keydown", evidence.keys);
  },

  open(place) {
    evidence.place = place;
    if (!find("evidence").open) find("evidence").showModal(); // before what is in it: sizes are known once it is open
    evidence.show();
    find("evidence").querySelector(".close").focus();
  },

  step(by) {
    let place = evidence.place + by;
    while (place in documents.order && summaryOf(documents.order[place]) === null) place += by;
    if (!(place in documents.order)) return;
    const focused = document.activeElement?.id;
    evidence.place = place;
    evidence.show();
    (focused && find(focused) && !find(focused).disabled ? find(focused) : find("evidence").querySelector(".close")).focus();
  },

  keys(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.matches(".panes .text")) return;
    const row = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const tab = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (row) { event.preventDefault(); evidence.step(row); }
    if (tab) { event.preventDefault(); evidence.stepTab(tab); }
  },

  show() {
    const row = documents.order[evidence.place];
    const details = data.details[row];
    const title = make("div", { class: "title" },
      make("h2", { id: "evidence-title" }, data.documents[data.rows.document[row]]),
      make("p", { class: "soft" }, data.systems[data.rows.system[row]]));
    const atEnd = evidence.place + 1 >= documents.order.length;
    const controls = make("div", { class: "controls" },
      make("button", { type: "button", id: "row-before", "aria-label": "Previous row (arrow up)", disabled: evidence.place === 0, click: () => evidence.step(-1) }, "↑"),
      make("button", { type: "button", id: "row-after", "aria-label": "Next row (arrow down)", disabled: atEnd, click: () => evidence.step(1) }, "↓"),
      make("button", { type: "button", class: "close", "aria-label": "Close (Escape)", click: () => find("evidence").close() }, "✕"));
    const body = make("div", { class: "body" }, rowScores(row));
    const tabs = details ? data.explaining.map((name, m) => m).filter((m) => details.evidence[m] !== null) : [];
    if (tabs.length) {
      if (!tabs.includes(evidence.metric)) evidence.metric = tabs[0];
      body.append(evidence.tabs(tabs), make("div", { id: "why", role: "tabpanel", "aria-labelledby": `tab-${evidence.metric}` }));
    } else {
      body.append(pane("Summary", summaryOf(row), []));
    }
    if (details === null) body.append(evidence.missing());
    else body.append(...more("Reference", "All references", details.references, !tabs.length), ...more("Source", "Source documents", details.sources, false));
    find("evidence").replaceChildren(make("div", { class: "bar-top" }, title, controls), body);
    if (tabs.length) evidence.showWhy(details.evidence[evidence.metric]);
  },

  missing() {
    const about = `References, source and evidence are in this file for the first ${data.evidenceRows.toLocaleString("en")} rows at most. Write it with a larger `;
    return make("p", { class: "note" }, about, make("code", {}, "--evidence"), " to see them here.");
  },

  tabs(metrics) {
    return make("div", { role: "tablist", class: "tabs", "aria-label": "Metrics" }, ...metrics.map((m) =>
      make("button", { type: "button", role: "tab", id: `tab-${m}`, "aria-controls": "why", "data-metric": m,
        "aria-selected": String(m === evidence.metric), tabindex: m === evidence.metric ? 0 : -1,
        click: () => evidence.choose(m) }, data.explaining[m])));
  },

  choose(metric) {
    evidence.metric = metric;
    for (const tab of document.querySelectorAll("#evidence [role=tab]")) {
      const selected = Number(tab.dataset.metric) === metric;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
    }
    find("why").setAttribute("aria-labelledby", `tab-${metric}`);
    evidence.showWhy(data.details[documents.order[evidence.place]].evidence[metric]);
  },

  stepTab(by) {
    const tabs = [...document.querySelectorAll("#evidence [role=tab]")];
    if (!tabs.length) return;
    const now = tabs.findIndex((tab) => Number(tab.dataset.metric) === evidence.metric);
    const next = tabs[(now + by + tabs.length) % tabs.length];
    evidence.choose(Number(next.dataset.metric));
    next.focus();
  },

  showWhy(why) {
    find("why").replaceChildren(make("p", { class: "headline" }, capital(why.headline) + "."), ...drawBlocks(why.blocks));
    // A text that scrolls can be reached with the keyboard, and the arrow keys then scroll it.
    for (const text of find("why").querySelectorAll(".panes .text")) if (text.scrollHeight > text.clientHeight) text.tabIndex = 0;
  },
};

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

function rowScores(row) {
  const metrics = new Map();
  data.columns.forEach((column, c) => {
    if (column.pooled) return;
    if (!metrics.has(column.metric)) metrics.set(column.metric, []);
    metrics.get(column.metric).push(c);
  });
  return make("dl", { class: "row-scores" }, ...[...metrics].map(([metric, columns]) => make("div", {}, make("dt", {}, metric),
    ...columns.map((c) => make("dd", { class: data.columns[c].main ? "main" : null, title: data.columns[c].about },
      make("span", {}, data.columns[c].short), ` ${number(data.rows.values[c][row], data.columns[c].decimals)}`)))));
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

function more(one, many, places, open) {
  if (!places.length) return [];
  const label = places.length === 1 ? one : `${many} (${places.length})`;
  return [make("details", { class: "fold", open }, make("summary", {}, label),
    ...places.map((place) => make("p", { class: "text", dir: "auto" }, data.texts[place])))];
}

function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
