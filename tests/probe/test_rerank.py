"""Picks from a pool: the systems', given candidates, or the beams of a summarizer; and what people gave to them."""

import json
from dataclasses import dataclass

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.demo import demo_judgments, demo_run
from gistmeter.errors import GistmeterError
from gistmeter.metrics.metric import Column, Metric, Need

DOCUMENT = "Rain fell in Rome all day. Nobody was there. The rain was warm."
TEXTS = {"1": {"a": "Rain fell.", "b": "A dog slept."}, "2": {"a": "It was dry.", "b": "Rain fell in Rome."}}
GIVEN = {"1": {"a": 2, "b": 5}, "2": {"a": 3, "b": 4}}
RUN = [
    {"doc_id": doc, "system": name, "summary": text, "document": DOCUMENT, "human": {"relevance": GIVEN[doc][name]}}
    for doc, texts in TEXTS.items()
    for name, text in texts.items()
]


def test_the_best_of_the_systems_and_what_people_gave_to_it():
    reranking = gm.probe.rerank(RUN, "js", judgments=gm.Judgments.from_records(RUN), cache=False)
    assert [document.source for document in reranking.probe.documents] == ["a", "b"]
    assert [document.summary for document in reranking.probe.documents] == ["Rain fell.", "Rain fell in Rome."]
    (row,) = reranking.aspects
    # Picks: 2 and 4. Pool: 3.5 twice. Systems: a (2 + 3) / 2, b (5 + 4) / 2. Best: 5 and 4.
    assert (row.picks, row.pool, row.best_system, row.best_possible) == (3.0, 3.5, 4.5, 4.5)
    assert (row.rank, row.ranked, row.documents) == (2, 3, 2)


def test_scores_of_picks_are_the_systems_own():
    probe = gm.probe.rerank(RUN, "js", cache=False).probe
    for document in probe.documents:
        assert document.score == min(document.system_scores.values())
    assert probe.method == "rerank"
    assert probe.rank == 1


def test_candidates_from_a_file(tmp_path):
    records = [
        {"doc_id": "1", "candidates": ["A cat.", "Rain fell in Rome all day.", ""]},
        {"doc_id": "2", "summary": "The rain was warm.", "system": "x"},
        {"doc_id": "2", "summary": "Nothing.", "system": "x"},
    ]
    file = tmp_path / "n-best.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    probe = gm.probe.rerank(RUN, "js", candidates=file, output=tmp_path / "probe.jsonl", cache=False).probe
    assert [(document.source, document.summary) for document in probe.documents] == [
        ("2", "Rain fell in Rome all day."),
        ("x", "The rain was warm."),
    ]
    assert set(probe.systems) == {"a", "b"}  # those of the run, to compare with
    assert gm.probe.read_probe(tmp_path / "probe.jsonl").to_dict() == probe.to_dict()


def test_candidates_that_bring_their_documents_need_no_run():
    records = [{"doc_id": "1", "document": DOCUMENT, "candidates": ["A cat.", "Rain fell in Rome."]}]
    probe = gm.probe.rerank(None, "js", candidates=records, cache=False).probe
    assert probe.documents[0].source == "2"
    assert probe.systems == ("1", "2")  # the first beam is the baseline


@pytest.mark.parametrize(
    ("run", "options", "sentence"),
    [
        (None, {}, "there is nothing to choose from: give a run, or `candidates`"),
        (RUN, {"candidates": []}, "there is nothing to choose from: the candidates has no summaries"),
        (RUN, {"candidates": [{"doc_id": "1", "candidates": ["", "..."]}]}, "the pool is empty: no summary in it has"),
        (RUN, {"candidates": [{"doc_id": "1", "candidates": "x"}]}, "`candidates` of record 1 of the candidates is a"),
        (RUN, {"candidates": [{"doc_id": "1"}]}, "record 1 of the candidates: there is no `summary`"),
        (RUN, {"candidates": [{"doc_id": "9", "summary": "x"}]}, "the pool and the run have no document in common"),
        (None, {"candidates": [{"doc_id": "9", "summary": "x"}]}, "js needs `document`, but 1/9 has none"),
        (RUN, {"candidates": [{"doc_id": "1", "summary": "x"}], "generate": "m"}, "do not go together"),
        (RUN, {"generate": "./nowhere"}, "nowhere"),
        ([], {}, "the run is empty"),
    ],
)
def test_bad_input_is_one_sentence(run, options, sentence):
    with pytest.raises(GistmeterError, match=sentence) as raised:
        gm.probe.rerank(run, "js", cache=False, **options)
    assert "\n" not in str(raised.value)


def test_judgments_of_others_are_refused():
    others = gm.Judgments.from_records([{**record, "system": record["system"] + "z"} for record in RUN])
    with pytest.raises(GistmeterError, match="of other documents or systems than the pool"):
        gm.probe.rerank(RUN, "js", judgments=others, cache=False)
    with pytest.raises(GistmeterError, match="rouge1 needs references"):
        gm.probe.rerank(RUN, "rouge1")


@pytest.mark.more
def test_beams_of_a_summarizer_by_name(tiny):
    """A tiny random checkpoint writes nonsense: as many different texts as beams at most, the same each time."""
    from gistmeter.models.generation import load_beam_summarizer

    model = str(tiny("bart"))
    beams = load_beam_summarizer(model, beams=4).write_beams(DOCUMENT)
    assert len(beams) == 4
    pool = [{"doc_id": "1", "document": DOCUMENT, "candidates": beams}]
    if any(any(map(str.isalnum, text)) for text in beams):
        run = [record for record in RUN if record["doc_id"] == "1"]
        probe = gm.probe.rerank(run, "js", generate=model, beams=4, cache=False).probe
        assert probe.documents[0].summary in beams
        assert probe.settings == {"pool": "beams", "model": model, "beams": "4"}
        assert probe.documents[0].score == gm.probe.rerank(None, "js", candidates=pool).probe.documents[0].score
    with pytest.raises(GistmeterError, match=r"name a sequence-to-sequence|cannot be loaded as"):
        gm.probe.rerank(RUN, "js", generate=str(tiny("bert")), beams=2)


@dataclass(frozen=True, slots=True)
class Likes(Metric):
    """A metric of another package that likes one sentence, and writes it."""

    sentence: str = "Rain fell in Rome all day."

    name = "likes"
    needs = frozenset[Need]({"document"})
    columns = (Column("liked", "1 for the one sentence"),)

    def score(self, examples):
        return np.array([[float(example.summary == self.sentence)] for example in examples])

    def generate(self, example):
        return self.sentence if self.sentence in (example.document or "") else ""


def test_a_metric_that_writes_is_asked_to(monkeypatch):
    monkeypatch.setattr(Likes, "generate", lambda self, example: 7)
    with pytest.raises(GistmeterError, match="likes wrote no text of 1: `generate` gave int"):
        gm.probe.direct(RUN, Likes(), cache=False)
    monkeypatch.undo()
    probe = gm.probe.direct(RUN, Likes(), cache=False)
    assert [document.summary for document in probe.documents] == ["Rain fell in Rome all day."] * 2
    assert (probe.method, probe.rank, probe.optimised.score) == ("direct", 1, 1.0)


def test_a_metric_that_does_not_write_is_named(command):
    code, _, errors = command("probe", "direct", demo_run(), "-m", "js")
    assert code == 2
    assert "js has no model that writes summaries" in errors


def test_on_the_command_line(command, tmp_path):
    options = ("-m", "js", "--judgments", demo_judgments(), "-o", "picks.jsonl")
    code, output, errors = command("probe", "rerank", demo_run(), *options)
    assert code == 0, errors
    assert "best possible" in output
    assert gm.probe.read_probe(tmp_path / "picks.jsonl").method == "rerank"
    code, output, errors = command("probe", "rerank", demo_run(), *options, "--json")
    shown = json.loads(output)
    assert {"aspect", "picks", "pool", "best_possible"} <= set(shown["judged"][0])
    assert command("probe", "rerank", "-m", "js")[0] == 2


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "aspect", "rank"), [("summeval", "relevance", 5), ("realsumm", "litepyramid_recall", 2)]
)
def test_picks_by_divergence_among_the_systems(data, name, aspect, rank):
    from test_against_references import read_run

    run = read_run(data, name)
    reranking = gm.probe.rerank(run, "js", judgments=data / name / f"{name}.jsonl.gz", cache=False)
    row = next(row for row in reranking.aspects if row.aspect == aspect)
    assert row.rank == rank
    assert row.pool < row.picks < row.best_possible


def test_documents_without_candidates_are_said():
    records = [{"doc_id": "1", "candidates": ["A cat.", "Rain fell in Rome."]}]
    notes = gm.probe.rerank(RUN, "js", candidates=records, cache=False).probe.notes
    assert "left out 1 document without candidates: 2" in notes
