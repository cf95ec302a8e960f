"""A report made while scoring: one ranking, no summary scored twice, and missing explanations counted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from gistmeter import api
from gistmeter.api import reports, scored_systems
from gistmeter.cli.score import score as score_command
from gistmeter.errors import GistmeterError
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.overlap.content import Content
from gistmeter.metrics.overlap.rouge.family import Rouge
from gistmeter.metrics.scored import ScoredExamples, reuse_scores
from gistmeter.ranking.rank import rank
from gistmeter.report.page.html import write_html
from gistmeter.report.page.missing import MissingExplanations

pytestmark = pytest.mark.more


@pytest.fixture
def calls(monkeypatch, tmp_path):
    """How often metrics score (calls and examples), explain and fit, and how often systems are ranked."""
    monkeypatch.setenv("GISTMETER_CACHE", str(tmp_path / "cache"))
    counts = Counter()

    def count(owner, name):
        method = getattr(owner, name)

        def counted(self, given, *rest):
            counts[name] += 1
            counts[f"{name}d examples"] += len(given) if isinstance(given, list) else 1
            return method(self, given, *rest)

        monkeypatch.setattr(owner, name, counted)

    for owner in (Rouge, Content, BertScore):
        for name in ("score", "explain"):
            count(owner, name)
    count(BertScore, "fit")

    def ranked(*given, **options):
        counts["rank"] += 1
        return rank(*given, **options)

    for module in (reports, scored_systems):
        monkeypatch.setattr(module, "rank", ranked)
    return counts


def page_data(path):
    return json.loads(path.read_text("utf-8").partition('id="data">')[2].partition("</script>")[0])


@pytest.fixture
def write_run(tmp_path, demo_examples):
    def write(references, summaries=None):
        """The first summaries of the demo run, with so many references for each document."""
        path = tmp_path / "run.jsonl"
        api.write_run(
            [replace(example, references=example.references[:references]) for example in demo_examples[:summaries]],
            path,
        )
        return str(path)

    return write


@pytest.mark.parametrize("output", [None, "scores.parquet"])
def test_scores_are_made_and_ranked_once(calls, write_run, tmp_path, output, capsys):
    report = tmp_path / "report.html"
    score_command(
        run=[write_run(1)],
        metrics=["rouge1,rouge2,rougeLsum,content"],
        output=tmp_path / output if output else None,
        report=report,
    )
    # Four metrics score 60 summaries each, in one batch; evidence takes its numbers from there.
    assert calls["rank"] == 1
    assert calls["score"] == 4
    assert calls["explain"] == 4 * 60
    assert all(row["evidence"].count(None) == 0 for row in page_data(report)["details"])


def test_several_references_are_compared_in_one_call(calls, write_run, tmp_path, capsys):
    score_command(run=[write_run(2)], metrics=["rouge1,rouge2"], report=tmp_path / "report.html")
    # Which of two references matches best was never scored: one call a metric finds it for all 60 summaries.
    assert calls["score"] == 2 + 2
    assert calls["scored examples"] == 2 * 60 + 2 * 120


def test_what_reads_the_whole_run_reads_it_once(calls, write_run, tmp_path, capsys):
    score_command(
        run=[write_run(1, summaries=10)], metrics=["bertscore(idf=references)"], report=tmp_path / "report.html"
    )
    assert calls["fit"] == 1
    assert calls["scored examples"] == 10


def test_evidence_is_the_same_from_scores_as_from_scoring(demo_examples):
    metric = api.metric("focus(metric=rouge1)")
    example = demo_examples[0]
    scored = ScoredExamples()
    scored.add(metric, example, metric.score([example])[0])
    with reuse_scores(scored):
        assert metric.explain(example) == api.explain(example, metric)[metric.spelling]
    scored.add(metric, example, np.array([0.125]))
    with reuse_scores(scored):
        assert metric.explain(example).headline.startswith("focus 0.125")


@pytest.fixture
def page_with_gaps(tmp_path, monkeypatch, demo_scores, demo_ranking, demo_examples):
    """A report of which two explanations by rouge2 cannot be made."""
    explain = Rouge.explain

    failed = [example.doc_id for example in demo_examples if example.system == "terse"][:2]

    def fails(metric, example):
        if metric.name == "rouge2" and example.system == "terse" and example.doc_id in failed:
            raise GistmeterError("the model is not here")
        return explain(metric, example)

    monkeypatch.setattr(Rouge, "explain", fails)
    path = tmp_path / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=demo_examples)
    return path


def test_a_report_says_how_many_explanations_are_missing_and_why(page_with_gaps):
    data = page_data(page_with_gaps)
    assert "2 of 60 explanations by rouge2 are missing: the model is not here" in data["notes"]
    assert sum(row["evidence"].count(None) for row in data["details"]) == 2


def test_a_run_without_what_a_metric_needs_is_counted(tmp_path, demo_scores, demo_ranking, demo_examples):
    path = tmp_path / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=[replace(example, references=()) for example in demo_examples])
    notes = [note for note in page_data(path)["notes"] if "explanations" in note]
    assert notes == [
        f"60 of 60 explanations by {name} are missing: the run has no `references`"
        for name in ("rouge1", "rouge2", "rougeLsum")
    ]


def test_a_complete_report_has_no_such_note(tmp_path, demo_scores, demo_ranking, demo_examples):
    path = tmp_path / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=demo_examples)
    assert not [note for note in page_data(path)["notes"] if "explanations" in note]


def test_many_reasons_are_counted_the_frequent_ones_named():
    missing = MissingExplanations()
    for reason, count in (("a", 1), ("b", 5), ("c", 2), ("d", 1), ("e", 1)):
        missing.add("qaeval", reason, count)
    assert missing.notes(1200) == ["10 of 1,200 explanations by qaeval are missing: b (5); c (2); a (1); others (2)"]


@pytest.mark.browser
def test_the_note_is_seen_on_the_page(browser, page_with_gaps):
    with browser.new_page(viewport={"width": 1280, "height": 900}) as page:
        page.goto(page_with_gaps.as_uri())
        note = page.locator("#notes li", has_text="explanations by rouge2")
        assert note.is_visible()
        assert note.inner_text() == "2 of 60 explanations by rouge2 are missing: the model is not here"
        # As calm as any other note: the same look.
        assert note.evaluate("element => element.className") == ""
