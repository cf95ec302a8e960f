"use strict";
// Some summaries, one below the other, each with the evidence of all its metrics. Text is only ever set as text.

let data;

function number(value, decimals) {
  return value === null ? "–" : value.toFixed(decimals).replace("-", "−");
}

function drawExplained(explained, row) {
  const why = explained.evidence.map((each) => make("div", { class: "metric" },
    make("h3", {}, each.metric),
    make("p", { class: "headline" }, capital(each.headline) + "."),
    ...drawBlocks(each.blocks)));
  if (!why.length) why.push(pane("Summary", data.texts[explained.summary], []));
  return make("section", { class: "explained", "aria-labelledby": `summary-${row}` },
    make("h2", { id: `summary-${row}` }, explained.document, make("span", { class: "soft" }, ` ${explained.system}`)),
    rowScores(row), ...why,
    ...more("Reference", "All references", explained.references, false),
    ...more("Source", "Source documents", explained.sources, false));
}

document.addEventListener("DOMContentLoaded", () => {
  data = JSON.parse(find("data").textContent);
  theme.start();
  find("counts").append(data.explained.length === 1 ? "1 summary" : `${data.explained.length} summaries`);
  find("notes").append(...data.notes.map((note) => make("li", {}, note)));
  find("notes").hidden = !data.notes.length;
  find("explained").append(...data.explained.map(drawExplained));
  reachScrolling(find("explained"));
});
