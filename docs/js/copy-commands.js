// The copy button of a block that shows a session gives what was typed: no prompts, no output.
const PROMPTS = { "language-console": /^\$ /, "language-python": /^(>>>|\.\.\.)( |$)/ };
for (const [kind, prompt] of Object.entries(PROMPTS)) {
  for (const block of document.querySelectorAll(`.${kind}`)) {
    const lines = (block.querySelector("code")?.textContent ?? "").split("\n");
    const typed = lines.filter((line) => prompt.test(line));
    if (typed.length) block.setAttribute("data-copy", typed.map((line) => line.replace(prompt, "")).join("\n"));
  }
}
