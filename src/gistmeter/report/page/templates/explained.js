"use strict";
// Some summaries, one below the other, each with the evidence of all its metrics. Text is only ever set as text.

let data;

function number(value, decimals) {
  return value === null ? "–" : value.toFixed(decimals).replace("-", "−");
}

function drawExplained(explained, row) {
  const why = explained.evidence.flatMap((each) => [
    make("h3", { class: "metric" }, each.metric),
    make("p", { class: "headline" }, capital(each.headline) + "."),
    ...drawBlocks(each.blocks),
  ]);
  if (!why.length) why.push(pane("Summary", data.texts[explained.summary], []));
  return make("section", { class: "explained", "aria-labelledby": `summary-${row}` },
    make("h2", { id: `summary-${row}` }, explained.document, make("span", { class: "soft" }, ` ${explained.system}`)),
    rowScores(row), ...why,
    ...more("Reference", "All references", explained.references, false),
    ...more("Source", "Source documents", explained.sources, false));
}

document.addEventListener("DOMContentLoaded", () => {
  data = JSON.parse(find("data").textContent);
  find("notes").append(...data.notes.map((note) => make("li", {}, note)));
  find("notes").hidden = !data.notes.length;
  find("explained").append(...data.explained.map(drawExplained));
  // What scrolls can be reached with the keyboard.
  for (const region of document.querySelectorAll(".panes .text, .matches")) if (region.scrollHeight > region.clientHeight) region.tabIndex = 0;
});
