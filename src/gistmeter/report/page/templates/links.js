// A summary that is open stands in the page's address, so that a link opens it again.

const links = {
  start() {
    addEventListener("hashchange", links.follow);
    links.follow();
  },

  /** Write into the address what is open. */
  keep() {
    const [row, other] = evidence.shownRows();
    const names = new URLSearchParams({ doc: data.documents[data.rows.document[row]], system: data.systems[data.rows.system[row]] });
    if (other !== undefined) names.set("beside", data.systems[data.rows.system[other]]);
    if (data.details[row]?.evidence[evidence.metric]) names.set("metric", data.explaining[evidence.metric]);
    history.replaceState(null, "", `#${names}`);
  },

  forget() {
    history.replaceState(null, "", location.href.split("#")[0]);
  },

  /** Open what the address names: #doc=…&system=…, with &beside=… another system and &metric=… the evidence. */
  follow() {
    const names = new URLSearchParams(location.hash.slice(1));
    if (!names.has("doc")) return;
    const document = data.documents.indexOf(names.get("doc"));
    const wanted = data.systems.indexOf(names.get("system") ?? data.systems[0]);
    const row = evidence.rowsOf.get(`${document} ${wanted}`);
    find("no-such-row").hidden = row !== undefined;
    if (row === undefined) {
      find("no-such-row").textContent = `The link names a summary that is not in this report: ${names.get("doc")} by ${names.get("system") ?? data.systems[0]}.`;
      return;
    }
    const beside = data.systems.indexOf(names.get("beside"));
    const metric = data.explaining.indexOf(names.get("metric"));
    evidence.beside = beside === -1 ? null : beside;
    if (metric !== -1) evidence.metric = metric;
    const place = documents.reveal(row);
    if (summaryOf(row) === null) documents.focus(place);
    else evidence.open(place);
  },
};
