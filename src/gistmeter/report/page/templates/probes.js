// A row of the means lights its line in the chart. All else is in the page itself.

document.addEventListener("DOMContentLoaded", () => {
  theme.start();
  for (const section of document.querySelectorAll("section.score")) {
    const lines = new Map([...section.querySelectorAll(".slope")].map((slope) => [slope.dataset.name, slope]));
    for (const row of section.querySelectorAll(".standings tbody tr")) {
      const light = (on) => lines.get(row.dataset.name)?.classList.toggle("on", on);
      row.addEventListener("mouseenter", () => light(true));
      row.addEventListener("mouseleave", () => light(false));
    }
  }
});
