"""How well scores tell errors: by hand, and through the command."""

import json
import math

import pytest
from typer.testing import CliRunner

import gistmeter
from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.probe import Error, LabelledSummary, measure_detection
from gistmeter.report.sheets.detection import detection_sheet

DOCUMENT = "one two three four five six"
ERROR = Error(0, 1, "x", "y")


def label(summary, doc_id, errors=0):
    system, source = (f"a+{errors}", "a") if errors else ("a", "")
    example = Example(doc_id=doc_id, system=system, summary=summary, document=DOCUMENT)
    return LabelledSummary(example, (ERROR,) * errors, source)


RUN = [
    label("one two", "1"),
    label("one zwei", "1", 1),
    label("three four", "2"),
    label("drei vier", "2", 2),
    label("five", "3"),
    label("five", "3", 1),
]


def score_run(metrics="novelty,content(against=document)"):
    return gistmeter.score([summary.example for summary in RUN], metrics)


def row(detection, column):
    return next(column_row for column_row in detection.rows if column_row.column == column)


def test_by_hand():
    detection = measure_detection(RUN, score_run())
    assert (detection.clean, detection.corrupted) == (3, 3)
    precision = row(detection, "content(against=document).precision")
    # clean 1 1 1, corrupted .5 0 1. Ranks of the scores: 4.5 4.5 4.5 | 2 1 4.5; of the golden score: 5 5 5 | 2 2 2.
    # Spearman: covariance 9 x 1.5 - ... = sum((r - 3.5)(g - 3.5)) = 1.5(1+1+1) + -1.5(-1.5-2.5+1) = 9
    # over sqrt(13.5 x (3 + 2.25 + 6.25 + 1)) = sqrt(13.5 x 12.5).
    assert precision.spearman == pytest.approx(9 / math.sqrt(13.5 * 12.5))
    # tau-c: of 9 pairs (clean, corrupted) 6 agree, 0 disagree: 2 m (C - D) / (n^2 (m - 1)) with m = 2, n = 6.
    assert precision.kendall == pytest.approx(2 * 2 * 6 / 36)
    assert precision.pairs == pytest.approx((1 + 1 + 0.5) / 3)
    assert (precision.clean, precision.corrupted) == pytest.approx((1, 0.5))
    assert (precision.used, precision.missing) == (6, 0)


def test_lower_is_better_turns_the_sign():
    detection = measure_detection(RUN, score_run("js"))
    (divergence,) = detection.rows
    assert divergence.better == "lower"
    assert divergence.spearman > 0


def test_the_number_of_errors():
    by_number = measure_detection(RUN, score_run(), golden="number")
    by_presence = measure_detection(RUN, score_run())
    column = "content(against=document).precision"
    assert row(by_number, column).spearman > row(by_presence, column).spearman


def test_missing_scores_are_counted_and_constant_ones_have_no_correlation():
    detection = measure_detection(RUN, score_run())
    assert row(detection, "novelty.novel2").missing == 2  # "five" has no pairs of words
    assert math.isnan(row(detection, "novelty.novel4").spearman)
    assert row(detection, "novelty.novel4").missing == 6


def test_there_must_be_both_kinds():
    with pytest.raises(DataError, match="0 of 3 summaries have errors"):
        measure_detection(RUN[::2], score_run())
    with pytest.raises(ArgumentError, match=r"`golden` cannot be .luck. \(it is one of presence, number\)"):
        measure_detection(RUN, score_run(), golden="luck")


def test_the_sheet_starts_with_what_notices_most():
    sheet = detection_sheet(measure_detection(RUN, score_run()))
    names = [row[0] for row in sheet.rows]
    assert names[0] == "content(against=document).f1 ↑"
    # What judges nothing stands below all that does, as |r|, and a note says so.
    assert [name.startswith("novelty") for name in names] == sorted(name.startswith("novelty") for name in names)
    assert sheet.notes[0].startswith("novelty.novel2, ")
    assert "so |r| is shown" in sheet.notes[0]
    assert "3 clean and 3 corrupted" in sheet.caption


def test_a_score_without_a_direction_is_shown_as_an_absolute_value_until_the_user_gives_it_one():
    scores = score_run("novelty")
    # The share of new words: clean 0 0 0, corrupted .5 1 0. More comes with errors: the mirror image of precision.
    undirected = row(measure_detection(RUN, scores), "novelty.novel1")
    assert undirected.spearman == pytest.approx(9 / math.sqrt(13.5 * 12.5))
    assert undirected.pairs == pytest.approx((1 + 1 + 0.5) / 3)
    taken_low = row(measure_detection(RUN, scores, lower=["novelty.novel1"]), "novelty.novel1")
    assert (taken_low.spearman, taken_low.better) == (undirected.spearman, "lower")
    taken_high = row(measure_detection(RUN, scores, higher=["novelty.novel1"]), "novelty.novel1")
    assert taken_high.spearman == pytest.approx(-undirected.spearman)
    assert taken_high.pairs == pytest.approx(1 - undirected.pairs)
    with pytest.raises(ArgumentError, match="in `lower` and in `higher`"):
        measure_detection(RUN, scores, lower=["novelty.novel1"], higher=["novelty.novel1"])
    with pytest.raises(DataError, match="no score 'novel'"):
        measure_detection(RUN, scores, lower=["novel"])


@pytest.fixture
def command():
    import typer

    from gistmeter.cli.corrupt import corrupt

    app = typer.Typer()
    app.command()(corrupt)
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command_writes_and_tests(tmp_path, command):
    texts = {"1": "The mayor opened a new bridge in Paris.", "2": "Heavy rain closed the old school on Monday."}
    run = tmp_path / "run.jsonl"
    records = [{"doc_id": key, "system": "a", "summary": text, "document": text} for key, text in texts.items()]
    run.write_text("".join(json.dumps(record) + "\n" for record in records))
    output = tmp_path / "labelled.jsonl"
    both = command(run, "-o", output, "-k", 2, "--test", "content(against=document)", "--json")
    assert both.exit_code == 0, both.output
    assert len(output.read_text().splitlines()) == 4
    again = command(output, "--test", "content(against=document)", "--json")
    assert again.exit_code == 0, again.output
    assert '"pairs": 1.0' in again.stdout
    assert again.stdout in both.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "say where to write"),
        (("-o", "x.csv"), "name it .jsonl"),
        (("--test", "roge1"), "did you mean rouge1"),
    ],
)
def test_mistakes_are_told_before_any_work(tmp_path, command, options, message):
    result = command(tmp_path / "missing.jsonl", *options)
    assert result.exit_code != 0
    assert message in str(result.exception)


def test_directions_are_given_by_short_names_too():
    # `js` stands for the only column of the metric with settings; both spellings are one score.
    scores = score_run("js(stem=none)")
    whole = "js(stem=none).divergence"
    assert row(measure_detection(RUN, scores, higher=["js.divergence"]), whole).better == "higher"
    assert row(measure_detection(RUN, scores, higher=["js"]), whole).better == "higher"
    with pytest.raises(ArgumentError, match=r"js\(stem=none\).divergence is in `lower` and in `higher`"):
        measure_detection(RUN, scores, lower=["js"], higher=[whole])
