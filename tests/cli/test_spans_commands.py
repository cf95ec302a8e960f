"""`gistmeter spans`, `summarize`, `train salience` and `train summarizer` as they are typed, and how they refuse."""

import json

import pytest

from gistmeter import summarize
from gistmeter.summarize.tracing import trace_agreement

DOCUMENT = "Ann Lee won the race in Rome. Her coach, Bo Tan, was glad. The race was long."
REFERENCE = "The race in Rome went to Ann Lee."


@pytest.fixture
def gistmeter(checked_command, tmp_path, monkeypatch):
    """Run a command in an empty folder with a cache of its own."""
    monkeypatch.setenv("GISTMETER_CACHE", str(tmp_path / "cache"))
    return checked_command


def write_lines(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def spans_record(name, *texts, document=DOCUMENT):
    ends = [(document.index(text), document.index(text) + len(text)) for text in texts]
    return {"doc_id": name, "spans": [{"start": start, "end": end, "text": document[start:end]} for start, end in ends]}


@pytest.fixture
def run(tmp_path):
    return write_lines(tmp_path / "run.jsonl", {"doc_id": "1", "document": DOCUMENT, "references": [REFERENCE]})


@pytest.fixture
def gold(tmp_path):
    """What `annotate export --as spans` writes: votes beside the spans, and how many raters there were."""
    record = spans_record("1", "Ann Lee", "the race")
    for span in record["spans"]:
        span["votes"] = 2
    return write_lines(tmp_path / "gold.jsonl", {**record, "raters": 3, "phrases": 7})


def test_label_writes_spans_that_evaluate_compares(gistmeter, run, gold, tmp_path):
    # Table 15 end to end. Lexical: Ann Lee, the race, Rome against Ann Lee, the race: P 2/3, R 1, F1 4/5.
    lexical, entities = tmp_path / "lexical.jsonl", tmp_path / "entities.jsonl"
    assert "spans written" in gistmeter("spans", "label", run, "--method", "lexical", "-o", lexical).stderr
    gistmeter("spans", "label", run, "--method", "entities", "-o", entities)
    shown = json.loads(gistmeter("spans", "evaluate", lexical, entities, "--gold", gold, "--json").stdout)
    first, second = shown["rows"]
    assert (first["precision"], first["recall"], first["f1"]) == pytest.approx((2 / 3, 1, 4 / 5))
    assert (second["precision"], second["recall"], second["p"]) == pytest.approx((1 / 2, 1 / 2, 1))
    assert first["p"] is None


def test_evaluate_draws_precision_and_recall_by_k(gistmeter, run, gold, tmp_path):
    # Fig. 36. Lexical: Ann Lee, the race, Rome against Ann Lee, the race: precision 1, 1, 2/3; recall 1/2, 1, 1.
    lexical, figure = tmp_path / "lexical.jsonl", tmp_path / "curves.svg"
    gistmeter("spans", "label", run, "--method", "lexical", "-o", lexical)
    assert f"figure: {figure}" in gistmeter("spans", "evaluate", lexical, "--gold", gold, "--figure", figure).stderr
    drawn = figure.read_text("utf-8")
    assert "precision of the first k spans" in drawn
    assert "recall of the first k spans" in drawn
    points = trace_agreement({"lexical": summarize.read_spans(lexical)}, summarize.read_spans(gold))
    assert [point.precision for point in points] == pytest.approx([1, 1, 2 / 3])
    assert [point.recall for point in points] == pytest.approx([1 / 2, 1, 1])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("spans", "label", "RUN", "--method", "lexica"),
            "--method is qa, lexical, entities or sentences, not 'lexica'",
        ),
        (("spans", "label", "BARE", "--method", "lexical"), "2 has no `references`: give them with --references"),
        (("spans", "label", "RUN", "--method", "lexical", "-o", "x.csv"), "spans are JSON lines, name it .jsonl"),
        (("spans", "evaluate", "SPANS"), "say which spans people marked, for example --gold gold.jsonl"),
        (("spans", "evaluate", "RUN", "--gold", "SPANS"), "is no document with spans"),
        (("spans", "evaluate", "SPANS", "SPANS", "--gold", "SPANS"), "is given twice: compare each file once"),
        (("spans", "predict", "RUN", "--model", "none.json"), "there is no predictor of salience none.json"),
        (("spans", "control", "RUN", "--writer", "lead"), "did you mean lead3"),
        (("summarize", "RUN", "--spans", "predictd"), "there is no file predictd; did you mean predicted"),
        (("summarize", "RUN", "--spans", "OUTSIDE"), "ends at character 999, but the document has 77"),
        (("summarize", "RUN", "--spans", "OVERLAPPING"), "two spans of document '1' in"),
        (("summarize", "RUN", "--mark", "Oslo"), "'Oslo' does not stand in document '1'"),
        (("summarize", "RUN", "--page", "marks.pdf"), "name it .html"),
        (("summarize", "RUN", "--page", "marks.html", "--model", "facebook/bart-large"), "leave --model out"),
        (("summarize", "RUN", "--mark", "Rome", "--model", "nowhere/model"), "nowhere/model"),
        (
            ("train", "salience", "x.json", "--data", "BARE", "--spans", "SPANS"),
            "no document of the run has silver spans",
        ),
        (
            ("train", "summarizer", "x", "--model", "m", "--data", "BARE", "--spans", "SPANS"),
            "there is nothing to learn",
        ),
        (
            ("train", "summarizer", "x", "--model", "m", "--data", "RUN", "--spans", "SPANS", "--validation", "BARE"),
            "weights are chosen by validation documents, but 2 has no silver spans: label it, too",
        ),
        (
            ("train", "summarizer", "x", "--model", "m", "--data", "RUN", "--spans", "SPANS", "--augment", "prefix"),
            "did you mean prefixes",
        ),
    ],
)
def test_one_sentence_says_what_is_wrong(gistmeter, run, tmp_path, words, sentence):
    outside = {"doc_id": "1", "spans": [{"start": 990, "end": 999, "text": "x"}]}
    files = {
        "RUN": run,
        "BARE": write_lines(tmp_path / "bare.jsonl", {"doc_id": "2", "document": "It rained in Oslo."}),
        "SPANS": write_lines(tmp_path / "spans.jsonl", spans_record("1", "Ann Lee")),
        "OUTSIDE": write_lines(tmp_path / "outside.jsonl", outside),
        "OVERLAPPING": write_lines(tmp_path / "overlapping.jsonl", spans_record("1", "Ann Lee", "Lee won")),
    }
    shown = gistmeter(*(files.get(word, word) for word in words), fails=True).stderr
    assert sentence in " ".join(shown.split())
    assert "Traceback" not in shown


@pytest.mark.more
def test_predicted_spans_are_summarized(gistmeter, run, tmp_path):
    spans, summaries = tmp_path / "predicted.jsonl", tmp_path / "summaries.jsonl"
    gistmeter("spans", "predict", run, "-k", "2", "-o", spans)
    (predicted,) = read_lines(spans)
    assert len(predicted["spans"]) == 2
    gistmeter("summarize", run, "--spans", spans, "-o", summaries)
    gistmeter("summarize", run, "-k", "2", "-o", tmp_path / "again.jsonl")
    (written,), (again,) = read_lines(summaries), read_lines(tmp_path / "again.jsonl")
    assert written["summary"] == again["summary"]
    assert all(span["text"] in written["summary"] for span in predicted["spans"])


@pytest.mark.more
def test_silver_spans_and_marks_are_said(gistmeter, run, tmp_path):
    silver = gistmeter("summarize", run, "--spans", "silver").stdout
    assert "Ann Lee won the race in Rome." in silver
    assert "Bo Tan" not in silver
    both = gistmeter("summarize", run, "--spans", "silver", "--mark", "bo tan", "--page", tmp_path / "marks.html")
    assert "page written" in both.stderr
    assert '"marked":[' in (tmp_path / "marks.html").read_text()
    assert "3 of 3" not in gistmeter("summarize", run, "--spans", "silver", "--words", "4").stdout


@pytest.mark.more
def test_control_asks_two_judges(gistmeter, run, tmp_path):
    judges = ("--answerer", "embedded", "--answerer", "slots")
    shown = json.loads(gistmeter("spans", "control", run, "-k", "2", "--writer", "embedded", *judges, "--json").stdout)
    assert [row["answerer"] for row in shown["rows"]] == ["embedded", "slots"]
    assert all(0 <= row["low"] <= row["question recall"] <= row["high"] <= 1 for row in shown["rows"])


@pytest.mark.more
def test_salience_is_trained_and_predicts(gistmeter, tmp_path):
    names = ("Ann", "Bo", "Cy", "Di")
    documents = {name: f"{name} Hill won the race in Rome. It rained on the roof of a barn." for name in names}
    run = write_lines(tmp_path / "run.jsonl", *({"doc_id": name, "document": text} for name, text in documents.items()))
    spans = [spans_record(name, "the race", document=text) for name, text in documents.items()]
    silver = write_lines(tmp_path / "silver.jsonl", *spans)
    out = tmp_path / "salience.json"
    options = ("--data", run, "--spans", silver, "--encoder", "none", "--folds", "2")
    assert "precision@1 1.000" in gistmeter("train", "salience", out, *options).stderr
    gistmeter("spans", "predict", run, "-k", "1", "--model", out, "-o", tmp_path / "predicted.jsonl")
    assert [row["spans"][0]["text"] for row in read_lines(tmp_path / "predicted.jsonl")] == ["the race"] * 4
    alike = write_lines(tmp_path / "alike.jsonl", *({"doc_id": name, "spans": []} for name in documents))
    shown = gistmeter("train", "salience", out, "--data", run, "--spans", alike, "--encoder", "none", fails=True).stderr
    assert "no noun phrase is a silver span" in " ".join(shown.split())


@pytest.mark.slow
def test_the_noise_ablation_end_to_end(gistmeter, tmp_path):
    # Table 16 on a tiny random model: label, train with and without noise, summarize by silver and predicted, score.
    from support.tiny_checkpoints import make_checkpoint

    model = make_checkpoint(tmp_path / "bart", "bart", positions=64)
    names = ("Ann", "Bo", "Cy", "Di")
    records = [
        {"doc_id": name, "document": f"{name} won the race in Rome. It rained.", "reference": f"{name} won in Rome."}
        for name in names
    ]
    run = write_lines(tmp_path / "run.jsonl", *records[:3])
    validation = write_lines(tmp_path / "dev.jsonl", records[3])
    silver = tmp_path / "silver.jsonl"
    gistmeter("spans", "label", write_lines(tmp_path / "all.jsonl", *records), "--method", "lexical", "-o", silver)
    refused = gistmeter("summarize", run, "--spans", silver, "--model", model, fails=True).stderr
    assert "does not know the marks [SS] and [SE]: teach it with" in " ".join(refused.split())
    for noise in ("0", "0.3"):
        out = tmp_path / f"noise{noise}"
        options = ("--data", run, "--spans", silver, "--validation", validation, "--noise", noise, "--epochs", "1")
        gistmeter("train", "summarizer", out, "--model", model, *options, "--augment", "sentences,prefixes")
        assert "ROUGE-2 F1 on validation documents" in (out / "card.md").read_text()
        for source in (silver, "predicted"):
            written = tmp_path / f"{noise}-{source == silver}.jsonl"
            gistmeter("summarize", run, "--spans", source, "--model", out / "model", "-o", written)
            assert [row["doc_id"] for row in read_lines(written)] == list(names[:3])
            gistmeter("score", written, "-m", "rouge1,rouge2,rougeLsum", "-o", written.with_suffix(".csv"))
    gistmeter("spans", "control", run, "-k", "1", "--model", tmp_path / "noise0" / "model", "--writer", "embedded")
