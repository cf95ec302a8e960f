// One row opened: its scores, the texts with what matched, references and source; or two systems side by side.

const evidence = {
  place: 0,
  metric: 0,
  beside: null, // the system that is shown beside the row's own
  rowsOf: null, // by document and system

  start() {
    const dialog = find("evidence");
    dialog.addEventListener("close", () => {
      links.forget();
      documents.focus(evidence.place);
    });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("keydown", evidence.keys);
    evidence.rowsOf = new Map(data.rows.document.map((document, row) => [`${document} ${data.rows.system[row]}`, row]));
  },

  /** The row of a document by a system, if it can be read here. */
  rowOf(document, system) {
    const row = evidence.rowsOf.get(`${document} ${system}`);
    return row === undefined || summaryOf(row) === null ? null : row;
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
    evidence.place = place;
    evidence.showAgain();
  },

  /** Show anew, and leave the focus where it was. */
  showAgain() {
    const focused = document.activeElement?.id;
    evidence.show();
    (focused && find(focused) && !find(focused).disabled ? find(focused) : find("evidence").querySelector(".close")).focus();
  },

  keys(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.matches(".panes .text, .matches, select, .kind input")) return;
    const row = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const tab = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (row) { event.preventDefault(); evidence.step(row); }
    if (tab) { event.preventDefault(); evidence.stepTab(tab); }
  },

  /** The rows that are shown: the one that was opened, and the one beside it. */
  shownRows() {
    const row = documents.order[evidence.place];
    const other = evidence.beside === null || evidence.beside === data.rows.system[row]
      ? null : evidence.rowOf(data.rows.document[row], evidence.beside);
    return other === null ? [row] : [row, other];
  },

  show() {
    const rows = evidence.shownRows();
    const [row] = rows;
    const details = data.details[row];
    const title = make("div", { class: "title" },
      make("h2", { id: "evidence-title" }, data.documents[data.rows.document[row]]),
      make("p", { class: "soft" }, rows.map((each) => data.systems[data.rows.system[each]]).join(" beside ")));
    const body = make("div", { class: "body" }, rows.length > 1 ? scoresBeside(rows) : rowScores(row));
    const tabs = data.explaining === undefined ? [] : [...data.explaining.keys()]
      .filter((m) => rows.some((each) => data.details[each] && data.details[each].evidence[m] !== null));
    if (tabs.length) {
      if (!tabs.includes(evidence.metric)) evidence.metric = tabs[0];
      body.append(evidence.tabs(tabs), make("div", { id: "why", role: "tabpanel", "aria-labelledby": `tab-${evidence.metric}` }));
    } else {
      body.append(...rows.map((each) => pane(rows.length > 1 ? data.systems[data.rows.system[each]] : "Summary", summaryOf(each), [])));
    }
    if (details === null) body.append(evidence.missing());
    else body.append(...more("Reference", "All references", details.references, !tabs.length), ...more("Source", "Source documents", details.sources, false));
    find("evidence").classList.toggle("two", rows.length > 1);
    find("evidence").replaceChildren(make("div", { class: "bar-top" }, title, evidence.controls(row)), body);
    if (tabs.length) evidence.showWhy();
    else links.keep();
  },

  controls(row) {
    const atEnd = evidence.place + 1 >= documents.order.length;
    const copying = make("button", { type: "button", id: "copy-link", title: "Copy a link to this summary" }, "Link");
    copying.addEventListener("click", () => copy(location.href, copying));
    return make("div", { class: "controls" },
      evidence.besidePicker(row),
      copying,
      make("button", { type: "button", class: "step", id: "row-before", "aria-label": "Previous row (arrow up)", disabled: evidence.place === 0, click: () => evidence.step(-1) }, "↑"),
      make("button", { type: "button", class: "step", id: "row-after", "aria-label": "Next row (arrow down)", disabled: atEnd, click: () => evidence.step(1) }, "↓"),
      make("button", { type: "button", class: "step close", "aria-label": "Close (Escape)", click: () => find("evidence").close() }, "✕"));
  },

  /** Which other system's summary of the document to show beside this one. */
  besidePicker(row) {
    const others = [...data.systems.keys()].filter((system) => system !== data.rows.system[row] && evidence.rowOf(data.rows.document[row], system) !== null);
    if (!others.length) return null;
    const picker = make("select", { id: "beside", change: () => {
      evidence.beside = picker.value === "" ? null : Number(picker.value);
      evidence.showAgain();
    } }, make("option", { value: "" }, "one system"), ...others.map((system) => make("option", { value: system }, data.systems[system])));
    picker.value = others.includes(evidence.beside) ? String(evidence.beside) : "";
    return make("label", { class: "field" }, make("span", {}, "Beside"), picker);
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
    evidence.showWhy();
  },

  stepTab(by) {
    const tabs = [...document.querySelectorAll("#evidence [role=tab]")];
    if (!tabs.length) return;
    const now = tabs.findIndex((tab) => Number(tab.dataset.metric) === evidence.metric);
    const next = tabs[(now + by + tabs.length) % tabs.length];
    evidence.choose(Number(next.dataset.metric));
    next.focus();
  },

  /** What the chosen metric saw, for one row or for two in columns. */
  showWhy() {
    const rows = evidence.shownRows();
    const sides = rows.map((row) => {
      const why = data.details[row]?.evidence[evidence.metric] ?? null;
      const parts = why === null ? [pane("Summary", summaryOf(row), [])]
        : [make("p", { class: "headline" }, capital(why.headline) + "."), ...drawBlocks(why.blocks)];
      return rows.length > 1 ? make("section", { class: "side" }, make("h3", {}, data.systems[data.rows.system[row]]), ...parts) : parts;
    });
    find("why").className = rows.length > 1 ? "sides" : "";
    find("why").replaceChildren(...sides.flat());
    reachScrolling(find("why"));
    links.keep();
  },
};

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

/** The main scores of two rows in a table, with their difference; the better of two is bold. */
function scoresBeside(rows) {
  const columns = [...data.columns.keys()].filter((c) => data.columns[c].main && !data.columns[c].pooled);
  const head = make("tr", {}, make("th", { scope: "col" }, "Score"),
    ...rows.map((row) => make("th", { scope: "col", class: "number" }, data.systems[data.rows.system[row]])),
    make("th", { scope: "col", class: "number" }, "Difference"));
  const lines = columns.map((c) => {
    const { better, decimals } = data.columns[c];
    const [one, other] = rows.map((row) => data.rows.values[c][row]);
    const difference = one === null || other === null ? null : one - other;
    const gain = better === "neither" || difference === null ? 0 : better === "lower" ? -difference : difference;
    const sign = difference > 0 ? "+" : "";
    return make("tr", {}, make("th", { scope: "row" }, heading(data.columns[c])),
      make("td", { class: "number" + (gain > 0 ? " best" : "") }, number(one, decimals)),
      make("td", { class: "number" + (gain < 0 ? " best" : "") }, number(other, decimals)),
      make("td", { class: "number" }, sign + number(difference, decimals)));
  });
  return make("div", { class: "scroll fitted" }, make("table", { class: "grid" }, make("thead", {}, head), make("tbody", {}, ...lines)));
}

function more(one, many, places, open) {
  if (!places.length) return [];
  const label = places.length === 1 ? one : `${many} (${places.length})`;
  return [make("details", { class: "fold", open }, make("summary", {}, label),
    ...places.map((place) => make("p", { class: "text", dir: "auto" }, data.texts[place])))];
}
