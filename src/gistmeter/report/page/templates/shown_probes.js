// What probes and attacks say of scores: the verdict, the means and the attacks, each as they were written out.

const CELL_CLASS = { "What it does": "about", Works: null };

function drawLines(titles, lines, label) {
  const kinds = titles.map((title, column) => (column === 0 ? null : title in CELL_CLASS ? CELL_CLASS[title] : "number"));
  const head = make("tr", {}, ...titles.map((title, column) => make("th", { scope: "col", class: kinds[column] }, title)));
  const rows = lines.map(({ kind, cells }) => make("tr", { class: kind }, make("th", { scope: "row" }, cells[0], ...(kinds[1] === "about" ? [make("span", { class: "under" }, cells[1])] : [])),
    ...cells.slice(1).map((cell, column) => make("td", { class: kinds[column + 1] }, cell))));
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    make("table", { class: "grid attacks" }, make("thead", {}, head), make("tbody", {}, ...rows)));
}

function drawProbe(probe) {
  const tables = [["Means and lengths", probe.standing_titles, probe.standings], ["Attacks", probe.attack_titles, probe.attacks]];
  return make("article", { class: "probe" }, make("h3", {}, probe.title), make("p", { class: "verdict" }, probe.verdict),
    probe.notes.length ? make("ul", { class: "notes" }, ...probe.notes.map((note) => make("li", {}, note))) : null,
    ...tables.filter(([, , lines]) => lines.length).map(([name, titles, lines]) =>
      make("details", { class: "fold" }, make("summary", {}, name), drawLines(titles, lines, `${name} of ${probe.title}`))));
}

/** Links to the pages of marks that stand beside the report. */
function showMarkingPages() {
  find("marking").hidden = !data.marking.length;
  find("marking-list").append(...data.marking.map(({ name, address }) => make("li", {}, make("a", { href: address }, name))));
}

function showProbes() {
  find("probes").hidden = !data.probes.length;
  find("probe-list").append(...data.probes.map(drawProbe));
}
