// The table of all rows: search, one system alone, sort, pages, and moving with the arrow keys.

const documents = {
  PAGE: 25,
  order: [],
  page: 0,
  sort: { key: null, down: false },
  haystacks: null,

  start() {
    documents.order = [...data.rows.document.keys()];
    find("only").append(make("option", { value: "" }, "All systems"),
      ...data.systems.map((name, system) => make("option", { value: system }, name)));
    find("only").closest("label").hidden = data.systems.length < 2;
    find("only").addEventListener("change", documents.arrange);
    let waiting;
    find("search").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(documents.arrange, 120);
    });
    find("search").addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") { event.preventDefault(); documents.focus(documents.page * documents.PAGE); }
    });
    find("previous").addEventListener("click", () => documents.turn(-1));
    find("next").addEventListener("click", () => documents.turn(1));
    find("rows").addEventListener("keydown", documents.move);
    find("about-documents").append(...documents.about());
    documents.show();
  },

  about() {
    if (data.summaries === null) return ["This report has numbers only: give ", make("code", {}, "--run"), " to see texts and evidence."];
    const all = data.rows.document.length;
    const withText = data.summaries.filter((place) => place !== null).length;
    const withDetails = data.details.filter(Boolean).length;
    const parts = ["Open a row to read the texts and see what matched."];
    if (withText < all) parts.push(` ${counted(all - withText, "row has", "rows have")} no text in the run that was given.`);
    if (withDetails < withText) {
      parts.push(` Evidence is in this file for ${withDetails.toLocaleString("en")} of ${counted(all, "row", "rows")}; write it with a larger `,
        make("code", {}, "--evidence"), " for more.");
    }
    return parts;
  },

  /** The place of a row in the table; a search or a filter that leaves it out is taken back. */
  reveal(row) {
    if (!documents.order.includes(row)) {
      find("search").value = "";
      find("only").value = "";
      documents.arrange();
    }
    return documents.order.indexOf(row);
  },

  /** Search, filter and sort anew, and go to the first page. */
  arrange() {
    const only = find("only").value === "" ? null : Number(find("only").value);
    const words = find("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = data.rows;
    if (words.length && documents.haystacks === null) {
      documents.haystacks = rows.document.map((document, row) =>
        [data.documents[document], data.systems[rows.system[row]], summaryOf(row) ?? ""].join("\n").toLowerCase());
    }
    documents.order = [...rows.document.keys()]
      .filter((row) => (only === null || rows.system[row] === only) && words.every((word) => documents.haystacks[row].includes(word)));
    const { key, down } = documents.sort;
    if (key !== null) {
      const value = key === "document" ? (row) => data.documents[rows.document[row]]
        : key === "system" ? (row) => data.systems[rows.system[row]] : (row) => rows.values[key][row];
      documents.order.sort((a, b) => compared(value(a), value(b), down) || a - b);
    }
    documents.page = 0;
    documents.show();
  },

  show() {
    const columns = shownColumns(false);
    const withTexts = data.summaries !== null;
    const resort = (sort) => { documents.sort = sort; documents.arrange(); };
    const head = make("tr", {}, sortHeader("Document", "document", documents.sort, resort),
      sortHeader("System", "system", documents.sort, resort),
      ...columns.map((c) => sortHeader(heading(data.columns[c]), c, documents.sort, resort, data.columns[c])),
      withTexts ? make("th", { scope: "col", class: "snippet" }, "Summary") : null);
    const first = documents.page * documents.PAGE;
    const lines = documents.order.slice(first, first + documents.PAGE).map((row, i) => documents.line(row, first + i, columns));
    if (!lines.length) lines.push(make("tr", {}, make("td", { colspan: columns.length + 3, class: "soft empty" }, "Nothing found.")));
    replaceTable(find("rows"), make("thead", {}, head), make("tbody", {}, ...lines));
    const last = Math.min(first + documents.PAGE, documents.order.length);
    find("range").textContent = documents.order.length
      ? `${(first + 1).toLocaleString("en")}–${last.toLocaleString("en")} of ${documents.order.length.toLocaleString("en")}` : "0 rows";
    find("previous").disabled = first === 0;
    find("next").disabled = last === documents.order.length;
  },

  line(row, place, columns) {
    const name = data.documents[data.rows.document[row]];
    const summary = summaryOf(row);
    const opens = summary !== null;
    const label = opens
      ? make("button", { type: "button", class: "open", title: name, "data-place": place, click: () => evidence.open(place) }, name)
      : make("span", { class: "open", title: name }, name);
    const line = make("tr", { class: opens ? "opens" : null }, make("th", { scope: "row" }, label),
      make("td", { class: "system" }, data.systems[data.rows.system[row]]),
      ...columns.map((c) => make("td", { class: "number" }, number(data.rows.values[c][row], data.columns[c].decimals))),
      data.summaries === null ? null : make("td", { class: "snippet" }, (summary ?? "").slice(0, 160)));
    // The button serves the keyboard; for the mouse the whole row is one, unless text is being selected in it.
    if (opens) line.addEventListener("click", (event) => {
      if (!event.target.closest("button") && getSelection().isCollapsed) evidence.open(place);
    });
    return line;
  },

  turn(by) {
    documents.page += by;
    documents.show();
    find("documents").scrollIntoView({ block: "start" });
  },

  /** Put the focus on a row, turning to its page. */
  focus(place) {
    const page = Math.floor(place / documents.PAGE);
    if (page !== documents.page) { documents.page = page; documents.show(); }
    find("rows").querySelector(`[data-place="${place}"]`)?.focus();
  },

  move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = event.target.dataset?.place;
    if (!step || from === undefined) return;
    event.preventDefault();
    const to = Number(from) + step;
    if (to < 0) find("search").focus();
    else if (to < documents.order.length) documents.focus(to);
  },
};

function summaryOf(row) {
  const place = data.summaries?.[row] ?? null;
  return place === null ? null : data.texts[place];
}
