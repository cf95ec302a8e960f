// The leaderboard: one score as dots with intervals beside its distributions, and all scores as a table.

const board = {
  score: 0,
  sort: { key: null, down: false },

  start() {
    board.score = data.first;
    const groups = new Map();
    data.columns.forEach((column, c) => {
      if (data.ranking[c] === null) return;
      if (!groups.has(column.metric)) groups.set(column.metric, make("optgroup", { label: column.metric || "scores" }));
      const option = make("option", { value: c }, column.name);
      option.selected = c === board.score;
      groups.get(column.metric).append(option);
    });
    find("score").append(...groups.values());
    find("score").addEventListener("change", (event) => {
      board.score = Number(event.target.value);
      board.showPlot();
    });
    board.showPlot();
    board.showTable();
  },

  showPlot() {
    const column = data.columns[board.score];
    const ranked = data.ranking[board.score];
    const about = [column.about, WAY[column.better]].filter(Boolean).join("; ");
    find("about-score").textContent = about.charAt(0).toUpperCase() + about.slice(1) + ".";
    const means = scale(ranked.systems.flatMap(([, value, low, high]) => [value, low, high]));
    const samples = column.pooled ? null : samplesBySystem(board.score);
    const spread = samples && scale([...samples.values()].flat());
    const percent = `${+(100 * data.confidence).toPrecision(4)}%`;
    const head = make("tr", {}, make("th", { scope: "col" }, "System"),
      make("th", { scope: "col", class: "number" }, column.pooled ? "Score" : "Mean"),
      make("th", { scope: "col" }, make("span", { class: "unseen" }, "Letters")),
      make("th", { scope: "col" }, `${column.pooled ? "Score" : "Mean"} and ${percent} interval`),
      samples && make("th", { scope: "col" }, "Distribution over documents"));
    const lines = ranked.systems.map((entry, place) => {
      const [system, value, low, high, documentCount, letters, best] = entry;
      const bounds = low === null ? "" : `${number(low, ranked.bounds)} to ${number(high, ranked.bounds)}`;
      return make("tr", {},
        make("th", { scope: "row" }, data.systems[system]),
        make("td", { class: "number value" + (best ? " best" : "") }, number(value, ranked.decimals)),
        make("td", { class: "letters" }, letters),
        make("td", { class: "track" }, dotAndInterval(means, entry, tied(ranked, column, place),
          `${data.systems[system]}: ${number(value, ranked.decimals)}, interval ${bounds}, ${counted(documentCount, "document", "documents")}`)),
        samples && make("td", { class: "track" }, histogram(spread, samples.get(system) ?? [], column, data.systems[system])));
    });
    const axes = make("tr", { class: "axes", "aria-hidden": "true" }, make("td", { colspan: 3 }),
      make("td", { class: "track", "data-label": "Mean" }, axis(means)),
      samples && make("td", { class: "track", "data-label": "Documents" }, axis(spread)));
    find("plot").replaceChildren(make("table", { class: "plot", "aria-labelledby": "leaderboard-title" },
      make("thead", {}, head), make("tbody", {}, ...lines, axes)));
    const blue = ranked.pvalues === null ? "" : " Coloured dots do not differ significantly from the best.";
    find("caption").textContent = data.caption + blue;
    board.showPairs(ranked);
  },

  showPairs(ranked) {
    // Of very many systems there is one row: the best against each.
    const complete = ranked.pvalues !== null && ranked.pvalues.length === ranked.systems.length;
    find("pairs").hidden = !complete;
    if (!complete) return;
    const names = ranked.systems.map(([system]) => data.systems[system]);
    const head = make("tr", {}, make("td", {}), ...names.map((name) => make("th", { scope: "col", class: "number" }, name)));
    const lines = names.map((name, i) => make("tr", {}, make("th", { scope: "row" }, name),
      ...ranked.pvalues[i].map((p, j) =>
        make("td", { class: "number" }, i === j ? "" : pvalue(p)))));
    find("pair-table").replaceChildren(make("table", { class: "grid" }, make("thead", {}, head), make("tbody", {}, ...lines)));
  },

  shownScores() {
    return shownColumns(true).filter((c) => data.ranking[c] !== null);
  },

  /** The systems in the order of the table: by the header that was pressed, else by the first score. */
  sortedSystems(columns) {
    const systems = data.ranking[data.first].systems.map(([system]) => system);
    const { key, down } = board.sort;
    if (key === "system") systems.sort((a, b) => compared(data.systems[a], data.systems[b], down));
    else if (columns.includes(key)) {
      const values = new Map(data.ranking[key].systems);
      systems.sort((a, b) => compared(values.get(a), values.get(b), down));
    }
    return systems;
  },

  showTable() {
    const columns = board.shownScores();
    const places = new Map(columns.map((c) => [c, new Map(data.ranking[c].systems.map(([system], place) => [system, place]))]));
    const systems = board.sortedSystems(columns);
    const resort = (sort) => { board.sort = sort; board.showTable(); };
    const head = make("tr", {}, sortHeader("System", "system", board.sort, resort),
      ...columns.map((c) => sortHeader(heading(data.columns[c]), c, board.sort, resort, data.columns[c])));
    const lines = systems.map((system) => make("tr", {}, make("th", { scope: "row" }, data.systems[system]),
      ...columns.map((c) => scoreCell(c, places.get(c).get(system)))));
    replaceTable(find("board"), make("thead", {}, head), make("tbody", {}, ...lines));
  },
};

function boundsText(ranked, place) {
  const [, , low, high] = ranked.systems[place];
  return low === null ? "" : `[${number(low, ranked.bounds)}, ${number(high, ranked.bounds)}]`;
}

function scoreCell(c, place) {
  const ranked = data.ranking[c];
  const [, value, , , , letters, best] = ranked.systems[place];
  const bounds = make("span", { class: "bounds" }, boundsText(ranked, place));
  // As wide as the widest of the column, so that the numbers before them stand below each other.
  bounds.style.minWidth = `${Math.max(...ranked.systems.map((_, other) => boundsText(ranked, other).length)) - 1}ch`;
  return make("td", { class: "number" },
    make("span", { class: best ? "best" : null }, number(value, ranked.decimals)),
    make("sup", {}, letters), bounds);
}

/** Whether a system does not differ significantly from the best one. */
function tied(ranked, column, place) {
  if (place === 0 || column.better === "neither" || ranked.pvalues === null) return true;
  const p = ranked.pvalues[0][place];
  return p === null || p > data.alpha;
}

function samplesBySystem(c) {
  const samples = new Map();
  data.rows.values[c].forEach((value, row) => {
    if (value === null) return;
    const system = data.rows.system[row];
    if (!samples.has(system)) samples.set(system, []);
    samples.get(system).push(value);
  });
  for (const values of samples.values()) values.sort((a, b) => a - b);
  return samples;
}

/** A linear scale in percent of the width, with round ticks. */
function scale(values) {
  const known = values.filter((value) => value !== null);
  let low = known.reduce((a, b) => Math.min(a, b), Infinity);
  let high = known.reduce((a, b) => Math.max(a, b), -Infinity);
  if (low > high) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((size) => size >= rough);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)) + (String(step / power).includes(".") ? 1 : 0));
  const ticks = [];
  for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high + step * 1e-9; tick += step) ticks.push(tick);
  const at = (value) => 3 + (94 * (value - low)) / (high - low);
  return { low, high, ticks, decimals, at, x: (value) => `${at(value).toFixed(3)}%` };
}

function frame(height, label, ...children) {
  const named = label ? { role: "img", "aria-label": label } : {};
  return draw("svg", { width: "100%", height, ...named }, ...children);
}

function ruled(scaled, height) {
  return scaled.ticks.map((tick) =>
    draw("line", { class: "rule", x1: scaled.x(tick), x2: scaled.x(tick), y1: 0, y2: height }));
}

function axis(scaled) {
  return frame(20, null, ...scaled.ticks.map((tick) =>
    draw("text", { x: scaled.x(tick), y: 14, "text-anchor": "middle" }, number(tick, scaled.decimals))));
}

function dotAndInterval(scaled, [, value, low, high], isTied, label) {
  const height = 44, y = height / 2;
  const parts = ruled(scaled, height);
  if (low !== null) parts.push(draw("line", { class: "interval", x1: scaled.x(low), x2: scaled.x(high), y1: y, y2: y }));
  if (value !== null) parts.push(draw("circle", { class: "dot", cx: scaled.x(value), cy: y, r: 5 }));
  const group = draw("g", { class: isTied ? "tied" : "behind" }, ...parts);
  return frame(height, label, draw("title", {}, label), group);
}

function histogram(scaled, values, column, system) {
  const height = 44, floor = 32;
  if (!values.length) return frame(height, `${system}: no values`, ...ruled(scaled, height));
  const quantile = (share) => {
    const place = share * (values.length - 1), under = Math.floor(place), over = Math.ceil(place);
    return values[under] + (values[over] - values[under]) * (place - under);
  };
  const bins = Math.max(16, Math.min(40, Math.round(2 * Math.sqrt(values.length))));
  const counts = new Array(bins).fill(0);
  for (const value of values) {
    counts[Math.min(bins - 1, Math.floor(((value - scaled.low) / (scaled.high - scaled.low)) * bins))] += 1;
  }
  const tallest = Math.max(...counts);
  const wide = 94 / bins;
  const bars = counts.map((count, i) => {
    const tall = count ? Math.max(1.5, (count / tallest) * (floor - 6)) : 0;
    return draw("rect", { class: "bar", x: `${3 + i * wide}%`, width: `${wide}%`, y: floor - tall, height: tall });
  });
  const [q1, median, q3] = [0.25, 0.5, 0.75].map(quantile);
  const written = [q1, median, q3].map((value) => number(value, column.decimals));
  const label = `${system}: median ${written[1]}, middle half ${written[0]} to ${written[2]}, `
    + `from ${number(values[0], column.decimals)} to ${number(values.at(-1), column.decimals)}`;
  const y = floor + 6;
  return frame(height, label, draw("title", {}, label), ...ruled(scaled, height), ...bars,
    draw("line", { class: "whisker", x1: scaled.x(values[0]), x2: scaled.x(values.at(-1)), y1: y, y2: y }),
    draw("line", { class: "box", x1: scaled.x(q1), x2: scaled.x(q3), y1: y, y2: y }),
    draw("circle", { class: "median", cx: scaled.x(median), cy: y, r: 3 }));
}
