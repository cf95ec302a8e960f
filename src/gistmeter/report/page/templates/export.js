// The tables as CSV files: what is shown, in the order it is shown in, with all digits.

const exporting = {
  start() {
    find("save-board").addEventListener("click", () => saveText(exporting.board(), "leaderboard.csv", "text/csv"));
    find("save-rows").addEventListener("click", () => saveText(exporting.rows(), "scores.csv", "text/csv"));
  },

  /** A line for each system: of each score that is shown the value, its interval, its letters and the documents behind it. */
  board() {
    const columns = board.shownScores();
    const parts = ["", ".low", ".high", ".group", ".documents"];
    const header = ["system", ...columns.flatMap((c) => parts.map((part) => data.columns[c].name + part))];
    const lines = board.sortedSystems(columns).map((system) => [data.systems[system], ...columns.flatMap((c) => {
      const [, value, low, high, documentCount, letters] = data.ranking[c].systems.find(([each]) => each === system);
      return [value, low, high, letters, documentCount];
    })]);
    return csv([header, ...lines]);
  },

  /** A line for each summary that the search and the filter leave: what `gistmeter rank` reads. */
  rows() {
    const columns = shownColumns(false);
    const header = ["doc_id", "system", ...columns.map((c) => data.columns[c].name)];
    const lines = documents.order.map((row) => [data.documents[data.rows.document[row]], data.systems[data.rows.system[row]],
      ...columns.map((c) => data.rows.values[c][row])]);
    return csv([header, ...lines]);
  },
};

/** Rows as CSV. A text that a spreadsheet would run as a formula gets an apostrophe before it, as gistmeter's own CSV files have. */
function csv(rows) {
  const cell = (value) => {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const runs = /^'*[=+\-@\t\r]/.test(value) && !/^'*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value);
    const text = runs ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(",") + "\n").join("");
}
