"""What a metric's favourites say about it: by hand, on a run, and the published statements on research data."""

from dataclasses import replace

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.errors import GistmeterError
from gistmeter.io.json_lines import read_json_lines
from gistmeter.probe import Probe, ProbedDocument

DOCUMENT = "Rain fell in Rome. The sun shone in Bonn."
SUMMARIES = {"a": "Rain fell in Rome.", "b": "Rain fell.", "c": "A dog slept."}
RUN = [
    {"doc_id": "d", "system": name, "summary": text, "document": DOCUMENT, "references": ["The sun shone.", "Other."]}
    for name, text in SUMMARIES.items()
]


def make_probe(better="higher", **scores):
    """A probe of one document with scores given; the favourite is the first sentence."""
    document = ProbedDocument(
        doc_id="d", summary="Rain fell in Rome.", score=0.9, words=4, system_scores=scores, reference_score=0.5
    )
    return Probe(
        metric="js",
        column="divergence",
        better=better,
        signature="",
        method="optimise",
        settings={},
        documents=(document,),
    )


def test_systems_above_the_reference():
    scores = {"a": 0.6, "b": 0.5, "c": 0.7}
    assert gm.probe.find_systems_above_reference(make_probe(**scores)).above == ("c", "a")  # an equal one is not above
    assert gm.probe.find_systems_above_reference(make_probe("lower", **scores)).above == ()


def test_without_references_nothing_is_above():
    probe = replace(make_probe(a=0.6), documents=(replace(make_probe(a=0.6).documents[0], reference_score=np.nan),))
    above = gm.probe.find_systems_above_reference(probe)
    assert above.above == ()
    assert np.isnan(above.reference)


def test_rank_among_the_systems():
    # ROUGE-1 with "The sun shone.": "Rain fell in Rome." 0, as a, b and c ("a dog slept").
    assert gm.probe.rank_by_references(make_probe(a=1.0), RUN, "rouge1").rank == 1
    run = [{**record, "references": ["A dog slept."]} for record in RUN]
    ranked = gm.probe.rank_by_references(make_probe(a=1.0), run, "rouge1")
    assert (ranked.rank, ranked.ranked, ranked.score, ranked.system_scores["c"]) == (2, 4, 0.0, 1.0)
    assert ranked.metric == "rouge1.f1"


def test_pseudo_and_gold_references():
    # Against "Rain fell in Rome.": a 1, b 2*2/(2+4) = 2/3, c 0; against "The sun shone.": all 0, which is no order.
    scores = {"a": 3.0, "b": 2.0, "c": 1.0}
    pseudo = gm.probe.correlate_pseudo_references(make_probe(**scores), RUN, "rouge1")
    assert pseudo.pseudo_scores == pytest.approx({"a": 1.0, "b": 2 / 3, "c": 0.0})
    assert pseudo.pseudo_r == pytest.approx(np.corrcoef([3, 2, 1], [1, 2 / 3, 0])[0, 1])
    assert np.isnan(pseudo.gold_r)
    turned = gm.probe.correlate_pseudo_references(make_probe("lower", **scores), RUN, "rouge1")
    assert turned.pseudo_r == pytest.approx(-pseudo.pseudo_r)
    run = [{**record, "references": ["Rain fell."]} for record in RUN]  # a 2/3, b 1, c 0
    gold = gm.probe.correlate_pseudo_references(make_probe(**scores), run, "rouge1").gold_r
    assert gold == pytest.approx(np.corrcoef([3, 2, 1], [2 / 3, 1, 0])[0, 1])


@pytest.mark.parametrize(
    ("run", "metric", "sentence"),
    [
        (RUN, "js", "js needs no references"),
        ([{**RUN[0], "doc_id": "other"}], "rouge1", "the run has no document d"),
        ([{**RUN[0], "references": []}], "rouge1", "the run has no references"),
    ],
)
def test_bad_input_is_one_sentence(run, metric, sentence):
    with pytest.raises(GistmeterError, match=sentence):
        gm.probe.rank_by_references(make_probe(a=1.0), run, metric)


def read_run(data, name):
    texts = {record["doc_id"]: record["document"] for _, record in read_json_lines(data / name / "documents.jsonl.gz")}
    records = [record for _, record in read_json_lines(data / name / f"{name}.jsonl.gz")]
    return [{**record, "document": texts[record["doc_id"]]} for record in records]


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "words", "own_rank", "metric", "above", "rank", "pseudo"),
    [
        ("summeval", None, 1, "rouge2", 15, 16, {"rouge1": 0.985, "rouge2": 0.933}),
        ("realsumm", None, 1, "rouge2.recall", 25, 20, {"rouge1": 0.930, "rouge2.recall": 0.896}),
        ("summeval", 70, 3, "rouge2", 15, 16, {"rouge1": 0.938, "rouge2": 0.920}),
        ("realsumm", 70, 2, "rouge2.recall", 25, 24, {"rouge1": 0.755, "rouge2.recall": 0.856}),
    ],
)
def test_greedy_divergence_on_research_data(data, name, words, own_rank, metric, above, rank, pseudo):
    """Deutsch (2022), section 5.5, for js: the optimised are first, hardly better than the worst by ROUGE-2."""
    run = read_run(data, name)
    probe = gm.probe.optimise(run, "js", words=words, cache=False)
    assert probe.rank == own_rank
    assert len(gm.probe.find_systems_above_reference(probe).above) == above
    assert gm.probe.rank_by_references(probe, run, metric, cache=False).rank == rank
    for compared, r in pseudo.items():
        result = gm.probe.correlate_pseudo_references(probe, run, compared, cache=False)
        assert result.pseudo_r == pytest.approx(r, abs=0.003)


@pytest.mark.data
def test_greedy_is_near_the_exact_search(data):
    """On SummEval's documents, up to three sentences: docs/probe.md says how near."""
    run = [record for record in read_run(data, "summeval") if record["system_id"] == "M0"]
    greedy, exact = (gm.probe.optimise(run, "js", search=search, cache=False) for search in ("greedy", "exact"))
    system = exact.average_system("M0").score
    share = (greedy.optimised.score - system) / (exact.optimised.score - system)
    assert 0.98 < share <= 1.0


def test_a_report_scores_systems_against_references_once(monkeypatch):
    """Once against people's references, with the favourites among them, and once against the favourites."""
    from gistmeter.probe import against_references

    scored = []
    own = against_references.score_in_memory

    def count(run, *arguments, **options):
        scored.append(len(list(run.examples())))
        return own(run, *arguments, **options)

    monkeypatch.setattr(against_references, "score_in_memory", count)
    run = [{**record, "doc_id": name} for name in "de" for record in RUN]
    findings = gm.probe.report(run, "js", attacks=["copy"], resamples=10, cache=False)["js.divergence"]
    assert findings.ranked is not None
    assert sorted(scored) == [6, 8]  # 2 documents x 3 systems, and 2 favourites
