// What kinds of words match: two texts and a legend of categories; choosing one lights its matches and says its share.

let legends = 0; // each legend has a name of its own, so that its choices belong together

drawings.kinds = (blocks) => blocks.map(({ panes, categories }) => {
  const texts = make("div", { class: "panes" }, ...panes.map(([, [title, text, marks]]) => pane(capital(data.texts[title]), data.texts[text], marks)));
  const sides = [...texts.querySelectorAll(".text")].map((text) => [...text.querySelectorAll("mark")]);
  const said = make("p", { class: "readout", role: "status" });
  const name = `kinds-${legends += 1}`;
  const choose = (chosen) => {
    showMatches(sides, chosen.pairs);
    const count = chosen.pairs.length / 2;
    said.replaceChildren(make("b", {}, chosen.title), chosen.meaning ? ` ${chosen.meaning}: ` : " ", `${percent(chosen.share)} of the score, ${count.toLocaleString("en")} ${count === 1 ? "match" : "matches"}`);
  };
  const choices = categories.filter(({ pairs, is_type: isType }, i) => pairs.length || isType || i === 0).map((category, i) =>
    make("label", { class: category.is_type ? "kind type" : "kind", title: category.meaning || null },
      make("input", { type: "radio", name, checked: i === 0, change: () => choose(category) }),
      make("span", {}, category.title), make("span", { class: "share" }, percent(category.share))));
  const legend = make("fieldset", { class: "kinds" }, make("legend", {}, "Kinds of words that match"), ...choices);
  linkMarks(texts, null);
  choose(categories[0]);
  return make("section", { class: "kinds-view" }, legend, said, texts);
});

/** Mark the words of these pairs, each pair alike, and no others. */
function showMatches(sides, pairs) {
  const groups = sides.map((marks) => marks.map(() => []));
  for (let i = 0; i < pairs.length; i += 2) {
    groups[0][pairs[i]].push(i / 2);
    groups[1][pairs[i + 1]].push(i / 2);
  }
  sides.forEach((marks, side) => marks.forEach((mark, i) => {
    const own = groups[side][i];
    mark.className = own.length ? `g${own[0] % 6}` : "off";
    mark.dataset.groups = own.length ? own.join(" ") : `off-${side}-${i}`;
  }));
}

function percent(share) {
  return `${(100 * share).toFixed(share < 0.0995 && share > 0 ? 1 : 0)}%`;
}
