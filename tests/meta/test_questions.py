"""The questions of `gistmeter.meta`, asked in Python: checked by hand, or against the functions on arrays."""

import json
import math

import numpy as np
import polars as pl
import pytest

import gistmeter as gm
from gistmeter import meta, stats
from gistmeter.errors import ArgumentError, DataError


@pytest.fixture
def study():
    """Eight systems, twenty documents: a good metric, a poor one, a third, and people."""
    rng = np.random.default_rng(3)
    quality = np.linspace(0, 1, 8)[:, None]
    noise = {"good": 0.3, "poor": 3.0, "fair": 1.0, "rated": 0.3}
    tables = {name: quality + rng.normal(0, deviation, (8, 20)) for name, deviation in noise.items()}
    return meta.Study.from_tables(tables, aspects=["rated"])


@pytest.fixture
def hand():
    """Three systems, two documents, small enough to compute by hand.

    The systems' means are 1, 2, 4 by the metric and 2, 1, 3 by people: of three pairs two are alike.
    """
    return meta.Study.from_tables(
        {"metric": [[0, 2], [3, 1], [3, 5]], "people": [[1, 3], [0, 2], [2, 4]]}, aspects=["people"]
    )


def test_correlate_by_hand(hand):
    answer = meta.correlate(hand, level=["system", "summary"], coefficient="kendall")
    system, summary = (row.correlation for row in answer.rows)
    # System means 1, 2, 4 against 2, 1, 3: two of three pairs alike, (2 - 1) / 3.
    assert system.value == pytest.approx(1 / 3)
    # Document 1: 0, 3, 3 against 1, 0, 2: one pair alike, one not, one tied by the metric, 0. Document 2: 2, 1, 5
    # against 3, 2, 4: all alike, 1.
    assert summary.value == pytest.approx(1 / 2)
    assert summary.used == 2
    assert answer.aspect == "people"
    assert (answer.systems, answer.documents) == (3, 2)


def test_all_metrics_levels_and_coefficients_are_the_default(study):
    answer = meta.correlate(study)
    assert len(answer.rows) == 3 * 2 * 3
    frame = answer.to_frame()
    assert frame["metric"].unique(maintain_order=True).to_list() == ["good", "poor", "fair"]
    assert frame.row(0, named=True)["value"] == answer.rows[0].correlation.value


def test_the_top_level_verb_takes_the_same_join(study):
    rows = [
        {"doc_id": document, "system": system, "human": {"rated": study["rated"][i, j]}, "good": study["good"][i, j]}
        for i, system in enumerate(study.systems)
        for j, document in enumerate(study.documents)
    ]
    import polars as pl

    scores = gm.Scores.from_metadata(pl.DataFrame(rows).select("doc_id", "system", "good"), None)
    people = gm.Judgments.from_records(rows)
    short = gm.correlate(scores, people, column="good", aspect="rated", level="summary", coefficient="spearman")
    [whole] = gm.meta.correlate(scores, people, level="summary", coefficient="spearman").rows
    [array] = meta.correlate(study, metrics="good", level="summary", coefficient="spearman").rows
    assert short == whole.correlation == array.correlation


def test_what_joining_leaves_out_is_a_warning():
    import polars as pl

    rows = [("d1", "a", 1.0), ("d1", "b", 2.0), ("d1", "c", 4.0), ("d2", "a", 5.0)]
    scores = gm.Scores.from_metadata(pl.DataFrame(rows, schema=["doc_id", "system", "m"], orient="row"), None)
    people = gm.Judgments.from_records(
        {"doc_id": "d1", "system": system, "human": {"h": value}}
        for system, value in zip("abc", (1, 2, 3), strict=True)
    )
    with pytest.warns(gm.GistmeterWarning, match="left out 1 document without judgments: d2"):
        [row] = meta.correlate(scores, people, level="system", coefficient="kendall").rows
    assert row.correlation.value == pytest.approx(1)
    # An opened study has reports its notes already.
    joined = meta.open_study(scores, people)
    assert joined.notes == ("left out 1 document without judgments: d2",)
    assert meta.correlate(joined, level="system").rows[0].correlation.value > 0


def test_folds_by_hand(hand):
    [row] = meta.folds(hand, folds=[["document 1"], ["document 2"]], level="summary", coefficient="kendall").rows
    # Each document is a fold: see `test_correlate_by_hand`.
    assert row.correlation.values == pytest.approx((0, 1))
    assert row.correlation.value == pytest.approx(1 / 2)
    assert meta.folds(hand, folds=2, level="system", coefficient="kendall").sizes == (1, 1)
    with pytest.raises(DataError, match="in no fold"):
        meta.folds(hand, folds=[["document 1"], ["other"]])


def test_intervals_are_those_of_the_arrays(study):
    answer = meta.interval(study, metrics="good", coefficient="pearson", resamples=50, seed=4)
    for row in answer.rows:
        expected = stats.bootstrap(study["good"], study["rated"], level=row.level, resamples=50, seed=4)
        assert (row.interval.low, row.interval.high) == (expected.low, expected.high)
    [fisher] = meta.interval(study, metrics="good", level="system", interval="fisher").rows
    assert fisher.interval.method is None


def test_coverage_counts_every_trial_and_tells_progress(study):
    reports = []
    answer = meta.coverage(
        study, metric="good", trials=4, resamples=20, progress=lambda done, total: reports.append((done, total))
    )
    assert [level.level for level in answer.levels] == ["system", "summary"]
    for row in answer.levels[0].rows:
        assert row.inside + row.below + row.above + row.undefined == 4
    assert reports[-1] == (8, 8)


def test_a_test_of_two_metrics(study):
    answer = meta.test(study, metrics=["good", "poor"], level="summary", coefficient="pearson", alternative="greater")
    expected = stats.permutation_test(
        study["good"], study["poor"], study["rated"], level="summary", coefficient="pearson", alternative="greater"
    )
    assert isinstance(answer, meta.PairTest)
    assert answer.pvalue == expected.pvalue < 0.05
    assert answer.to_dict()["difference"] == expected.statistic
    bootstrap = meta.test(study, metrics=["good", "poor"], test="bootstrap", method="documents", permutations=50)
    assert bootstrap.test.draws == 50
    assert meta.test(study, metrics=["good", "poor"], test="williams").test.method is None


def test_a_test_of_all_pairs(study):
    answer = meta.test(study, level="summary", coefficient="kendall", permutations=100, correction="none")
    assert isinstance(answer, meta.AllPairsTest)
    expected = stats.compare_all(
        {name: study[name] for name in study.metrics},
        study["rated"],
        level="summary",
        coefficient="kendall",
        permutations=100,
        correction="none",
    )
    rows = answer.to_frame()
    assert rows.select("x", "y").rows() == [("good", "fair"), ("good", "poor"), ("fair", "poor")]
    cells = [(study.metrics.index(x), study.metrics.index(y)) for x, y in rows.select("x", "y").rows()]
    assert rows["p"].to_list() == [expected.pvalues[cell] for cell in cells]
    assert rows["corrected p"].to_list() == [expected.adjusted[cell] for cell in cells]
    data = answer.to_dict()
    assert data["metrics"][0]["better than"] == ["poor", "fair"]
    assert (data["method"], data["permutations"], data["seed"]) == ("scaled-systems", 100, 0)
    assert answer.verdict(0, 1) == "significant, corrected"
    assert answer.verdict(1, 0) == "not significant"
    with pytest.raises(ArgumentError, match="`test` williams compares two metrics"):
        meta.test(study, test="williams")


def test_pairs_by_hand():
    # People separate all three systems; the metric swaps the upper two: 2 of 3 pairs alike.
    people = np.repeat([[1.0], [2.0], [3.0]], 8, axis=1)
    metric = np.repeat([[1.0], [5.0], [3.0]], 8, axis=1)
    answer = meta.pairs(meta.Study.from_tables({"metric": metric, "people": people}, aspects=["people"]), heatmap=True)
    [row] = answer.rows
    assert row.accuracy.value == pytest.approx(2 / 3)
    assert (row.significant.value, row.significant.pairs) == (pytest.approx(2 / 3), 3)
    # The closest third is the pair 1-3 or 3-5, gaps of 2: one alike, one not.
    assert row.closest.points[0].value == pytest.approx(0)
    assert answer.details()["curves"]["metric"][-1]["pairs"] == 3
    assert row.heatmap is not None


def test_matrix_and_anchors(study):
    answer = meta.matrix(study, level="system")
    assert answer.matrix.names == ("good", "poor", "fair")
    assert [answer.records()[i][name] for i, name in enumerate(answer.matrix.names)] == [1, 1, 1]
    anchored = meta.matrix(study, metrics=["poor"], anchors=("good", "rated"))
    expected = stats.correlate(study["poor"], study["good"], level="summary").value
    assert anchored.records()[0]["good"] == expected
    with pytest.raises(ArgumentError, match="`anchors` are two"):
        meta.matrix(study, anchors=["good"])


def test_power_against_noise(study):
    answer = meta.power(study, metric="good", trials=3, permutations=20)
    assert answer.curves.degraded == "noise"
    assert answer.records()[-1]["kept"] == 1
    # The whole metric is its own worse version: it loses nothing.
    assert answer.records()[-1]["lost correlation"] == pytest.approx(0)


def test_normality_of_scores_and_judgments(study):
    answer = meta.normality(study, metrics="good", level="system")
    assert [row.score for row in answer.rows] == ["good", "rated"]
    assert answer.records()[0]["p"] == stats.normality(study["good"], level="system").pvalue
    # Twenty documents have a test each, and no single p-value.
    summary = meta.normality(study, metrics="good", level="summary").records()[0]
    assert (summary["tested"], summary["p"]) == (20, None)


def test_stability_is_deviation_not_variance(study):
    answer = meta.stability(study, metrics="good", trials=30)
    first = answer.rows[0]
    assert answer.records()[0]["deviation of a score"] == pytest.approx(math.sqrt(first.spread.mean_variance[0]))
    assert [row.score for row in answer.rows] == ["good", "rated"]


def test_plan_for_width_and_for_two_metrics(study):
    answer = meta.plan(study, metrics="good", width=0.3, method="documents")
    assert (answer.plan.goal, answer.plan.unit, answer.plan.pilot) == ("width", "documents", 20)
    assert answer.records()[0]["goal"] == "width 0.3"
    assert len(answer.details()["curve"]) == len(answer.plan.curve)
    with pytest.raises(ArgumentError, match="say which score to plan for with `metrics`"):
        meta.plan(study, width=0.3)
    with pytest.raises(ArgumentError, match="say what to plan for: `width`"):
        meta.plan(study, metrics="good")
    with pytest.raises(ArgumentError, match="which judgment's raters to plan for with `aspect`"):
        meta.plan(study, reliability=0.9)
    with pytest.raises(ArgumentError, match="single raters are with `judgments`"):
        meta.plan(study, reliability=0.9, aspect="rated")


def rate_records(raters=4):
    rng = np.random.default_rng(1)
    return [
        {"doc_id": f"d{i}", "system": f"s{j}", "annotators": {"focus": (quality + rng.normal(size=raters)).tolist()}}
        for i in range(12)
        for j, quality in enumerate(rng.normal(size=5))
    ]


@pytest.mark.more
def test_plan_for_raters_reads_judgments_of_any_form(tmp_path):
    records = rate_records()
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    people = gm.Judgments.from_records(records)
    in_memory = meta.plan(tmp_path / "judged.jsonl", people, reliability=0.8, aspect="focus")
    from_file = meta.plan(tmp_path / "judged.jsonl", reliability=0.8, aspect="focus")
    assert from_file.plan == in_memory.plan
    assert in_memory.plan.unit == "raters"
    with pytest.raises(DataError, match="no single raters' values of 'z'"):
        meta.plan(tmp_path / "judged.jsonl", reliability=0.8, aspect="z")


def test_agreement_of_raters_in_memory(tmp_path):
    # Alpha by hand: the two raters differ on one of three items by 1; see `human.krippendorff_alpha`.
    ratings = {"d1": [1, 1], "d2": [2, 3], "d3": [4, 4]}
    records = [{"doc_id": doc_id, "system": "s", "annotators": {"focus": values}} for doc_id, values in ratings.items()]
    answer = meta.agreement(gm.Judgments.from_records(records))
    assert answer.records()[0]["alpha"] == pytest.approx(0.912, abs=5e-4)
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert meta.agreement(tmp_path / "judged.jsonl", aspects="focus").rows == answer.rows
    with pytest.raises(DataError, match="no raters judged 'focs'; did you mean focus"):
        meta.agreement(gm.Judgments.from_records(records), aspects=["focs"])


RUN = [
    {
        "doc_id": f"d{i}",
        "system": system,
        "summary": summary.format(i),
        "references": [f"word{i} same", "a other"],
        "human": {"h": i + len(system)},
    }
    for i in range(3)
    for system, summary in (("a", "a word{} same"), ("bb", "bb word{}"), ("ccc", "ccc none"))
]


@pytest.fixture
def run_file(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RUN))
    return path


def test_references_are_scored_one_by_one(run_file):
    from gistmeter.meta.references import _find_texts, _score_each_reference

    against_each = _score_each_reference(_find_texts(run_file, None, (), {}), "rouge1.recall")
    assert against_each.by_reference.shape == (3, 3, 2)
    # System a against "word0 same": both words are there; against "a other": one of two.
    assert against_each.by_reference[0, 0].tolist() == [1, 0.5]
    assert against_each.study.aspects == ("h",)


def test_references_of_a_run_or_of_its_study(run_file, study):
    options = {"metric": "rouge1.precision", "level": "pooled", "trials": 3}
    answer = meta.references(run_file, **options)
    assert [point.references for point in answer.levels[0].points] == [1, 2]
    opened = meta.open_study(run_file, metrics=["rouge1.precision"])
    assert meta.references(opened, **options).records() == answer.records()
    with pytest.raises(ArgumentError, match="the study has no texts"):
        meta.references(study, metric="good")


def test_power_of_a_run_thins_its_tokens(run_file):
    answer = meta.power(
        run_file, metric="rouge1.precision", level="pooled", coefficient="pearson", trials=2, permutations=10
    )
    assert answer.curves.degraded == "given"
    opened = meta.open_study(run_file, metrics=["rouge1.precision"])
    from gistmeter.meta.power import _thin_rouge

    # With all tokens it is the mean of ROUGE-1 over the references.
    thinned = _thin_rouge(opened, "rouge1.precision").all_tokens()
    # "a word0 same" against "word0 same" 2/3, against "a other" 1/3.
    assert thinned[0, 0] == pytest.approx((2 / 3 + 1 / 3) / 2)


def score_cells(study):
    """The scores of a study as a table."""
    rows = [
        {"doc_id": doc_id, "system": system} | {name: study[name][row, column] for name in study.metrics}
        for row, system in enumerate(study.systems)
        for column, doc_id in enumerate(study.documents)
    ]
    return gm.Scores.from_metadata(pl.DataFrame(rows), None)


def every_answer(study, folder):
    two = ["good", "poor"]
    yield meta.correlate(study)
    yield meta.folds(study, folds=2)
    yield meta.interval(study, resamples=20)
    yield meta.coverage(study, metric="good", trials=3, resamples=20)
    yield meta.test(study, metrics=two, permutations=20)
    yield meta.test(study, permutations=20)
    yield meta.table(study, permutations=20)
    yield meta.pairs(study, metrics=two, permutations=50)
    yield meta.pairs(study, metrics=two, permutations=50, heatmap=True)
    yield meta.matrix(study)
    yield meta.matrix(study, anchors=two)
    yield meta.power(study, metric="good", trials=2, permutations=10)
    yield meta.normality(study)
    yield meta.stability(study, trials=5)
    yield meta.plan(study, metrics="good", width=0.4, method="documents")
    yield meta.agreement(gm.Judgments.from_records(rate_records()))
    yield meta.labels(study, metrics=two, positive=0.0, resamples=20, permutations=20)
    halves = study.with_groups({"half": {name: f"half {number % 2}" for number, name in enumerate(study.documents)}})
    yield meta.by_group(meta.correlate, halves, group="half", aspect=["rated"])
    (folder / "judged.jsonl").write_text("\n".join(json.dumps(record) for record in rate_records()))
    yield meta.interval_all_documents(study, everything=score_cells(study), resamples=20)
    yield meta.systems(study, resamples=20)
    yield meta.agreement_by_group(folder / "judged.jsonl", group="system")


@pytest.mark.more
def test_every_answer_becomes_a_frame_json_a_sheet_and_a_picture(study, tmp_path):
    from gistmeter.report.sheets.meta import result_sheet

    kinds = set()
    for answer in every_answer(study, tmp_path):
        kinds.add(type(answer))
        frame = answer.to_frame()
        assert frame.columns == list(answer.records()[0])
        assert len(frame) == len(answer.records())
        data = json.loads(answer.to_json())
        assert data == answer.to_dict()
        assert len(data["rows"]) == len(frame)
        assert result_sheet(answer).caption
        gm.write_figure(answer, tmp_path / "figure.svg")
        assert (tmp_path / "figure.svg").read_text("utf-8").startswith("<svg")
    all_kinds = {kind for kind in vars(meta).values() if isinstance(kind, type) and issubclass(kind, meta.Result)}
    assert kinds == all_kinds - {meta.Result, meta.ReferenceCounts}


def test_missing_numbers_are_null_in_json():
    answer = meta.agreement(
        gm.Judgments.from_records([{"doc_id": "d", "system": "s", "annotators": {"focus": [1, 1]}}])
    )
    assert math.isnan(answer.records()[0]["alpha"])
    assert json.loads(answer.to_json())["alpha"] is None
    assert answer.notes[0].startswith("focus: ")


@pytest.mark.parametrize("question", [name for name in meta.__all__ if name.islower() and name != "open_study"])
def test_every_question_describes_its_parameters(question):
    import inspect

    function = getattr(meta, question)
    head, _, rest = function.__doc__.partition("Parameters\n")
    assert head
    described = rest.partition("Returns\n")[0]
    for name in inspect.signature(function).parameters:
        assert name in described, name
    for part in ("Returns\n", "Raises\n", "Examples\n", ">>> "):
        assert part in rest, part
