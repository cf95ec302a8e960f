"""Scoring, ranking and reporting in one go: the same as the calls one by one."""

import io

import pytest
from rich.console import Console

from gistmeter import api
from gistmeter.api import scored_systems
from gistmeter.demo import demo_run
from gistmeter.errors import DataError
from gistmeter.ranking.means import SystemMeans
from gistmeter.report.console import standings_table
from gistmeter.report.tables.means import means_sheet

METRICS = "rouge1,compression"


@pytest.fixture
def demo_examples():
    return api.read_run(demo_run())


def text(table):
    console = Console(width=120, file=io.StringIO())
    console.print(table)
    return console.file.getvalue()


def options(**given):
    return api.ScoringOptions(cache=False, **given)


@pytest.mark.parametrize("suffix", [None, "parquet", "csv"])
def test_standings_are_the_ranking_of_the_scores(tmp_path, suffix):
    output = tmp_path / f"scores.{suffix}" if suffix else None
    scored = api.score_systems(demo_run(), METRICS, output=output, options=options())
    assert scored.summaries == 60
    assert scored.scores.table.equals(api.score(demo_run(), METRICS).table)
    assert scored.standings == api.rank(scored.scores)
    assert scored.standings is scored.standings  # ranked once, for the terminal and for the report
    assert (output is None) or output.exists()


def test_a_long_file_has_means_in_the_place_of_a_ranking(tmp_path, monkeypatch):
    monkeypatch.setattr(scored_systems, "MOST_RANKED_ROWS", 59)  # the demo has 60 summaries
    written = api.score_systems(demo_run(), "rouge1", output=tmp_path / "scores.parquet", options=options())
    assert isinstance(written.standings, SystemMeans)
    scores = api.score(demo_run(), "rouge1")
    values = scores.table.filter(system="terse")["rouge1.f1"]
    assert written.standings.by_system["terse"] == pytest.approx((values.sum() / len(values),))
    assert means_sheet(written.standings).caption.startswith("Means of 60 summaries;")
    # What is in memory is ranked, however much it is.
    in_memory = api.score_systems(demo_run(), "rouge1", options=options())
    assert in_memory.standings == api.rank(scores)


def test_sixty_rows_are_no_long_file_where_sixty_are_ranked(tmp_path, monkeypatch):
    monkeypatch.setattr(scored_systems, "MOST_RANKED_ROWS", 60)
    written = api.score_systems(demo_run(), "rouge1", output=tmp_path / "scores.parquet", options=options())
    assert not isinstance(written.standings, SystemMeans)


def test_both_standings_become_a_table(tmp_path, monkeypatch):
    output = tmp_path / "scores.parquet"
    ranked = text(standings_table(api.score_systems(demo_run(), "rouge1", options=options()).standings))
    assert "95% intervals" in ranked
    monkeypatch.setattr(scored_systems, "MOST_RANKED_ROWS", 59)
    long_run = api.score_systems(demo_run(), "rouge1", output=output, options=options())
    assert "`gistmeter rank` adds intervals" in text(standings_table(long_run.standings))


def test_a_report_of_a_stream_has_its_texts(tmp_path, demo_examples):
    """A run that can be read once is kept where a report is announced."""
    page = tmp_path / "report.html"
    scored = api.score_systems((example for example in demo_examples), "rouge1", report=True, options=options())
    scored.write_report(page)
    assert demo_examples[0].summary[:20] in page.read_text("utf-8")


def test_the_report_finds_the_run_that_was_scored(tmp_path, demo_examples):
    run, scores, page = tmp_path / "run.jsonl", tmp_path / "scores.parquet", tmp_path / "report.html"
    api.write_run(demo_examples, run)
    api.score(str(run), "rouge1", output=scores, cache=False)
    written = api.report_scores(scores, page, cache=False)
    assert (written.path, written.notes) == (page, ())
    assert demo_examples[0].summary[:20] in page.read_text("utf-8")
    moved = run.rename(tmp_path / "moved.jsonl")
    written = api.report_scores(scores, page, cache=False)
    assert written.notes == (f"the report has no texts and no evidence: {run} is not here; give `run=`",)
    assert demo_examples[0].summary[:20] not in page.read_text("utf-8")
    assert api.report_scores(scores, page, run=moved, cache=False).notes == ()
    assert demo_examples[0].summary[:20] in page.read_text("utf-8")
    with pytest.raises(DataError, match=r"missing\.parquet"):
        api.report_scores(tmp_path / "missing.parquet", page)
