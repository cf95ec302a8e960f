"""Coverage of intervals on held-out halves, against a plain version and thesis Table 19."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from gistmeter.errors import GistmeterError
from gistmeter.meta.study import Study
from gistmeter.stats import bootstrap, correlate, fisher
from gistmeter.stats.planning.coverage import coverage
from gistmeter.stats.resampling.trials import run_trials, share_interval


def tables(systems=12, documents=14, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, documents))
    return z + rng.normal(size=(systems, 1)) + rng.normal(size=z.shape), z


def test_a_trial_is_an_interval_on_one_half_and_a_correlation_on_the_other():
    x, z = tables(systems=13, documents=15)
    result = coverage(x, z, level="system", trials=1, resamples=200, seed=7)

    # The same split by hand: 6 of 13 systems and 7 of 15 documents make the interval.
    rng = np.random.default_rng(np.random.SeedSequence(7).spawn(1)[0])
    rows, columns = rng.permutation(13), rng.permutation(15)
    a, b = np.ix_(rows[:6], columns[:7]), np.ix_(rows[6:], columns[7:])
    seed = int(rng.integers(2**63))
    held_out = correlate(x[b], z[b], level="system").value
    for row in result.rows:
        if row.method == "fisher":
            interval = fisher(x[a], z[a], level="system")
        else:
            interval = bootstrap(x[a], z[a], level="system", method=row.method, resamples=200, seed=seed)
        assert row.inside == (interval.low <= held_out <= interval.high)
        assert row.below == (held_out < interval.low)
        assert row.above == (held_out > interval.high)


def test_the_result_is_the_same_for_any_number_of_workers_and_tells_its_progress():
    x, z = tables()
    recorded = []
    item = coverage(x, z, trials=8, resamples=50, progress=lambda done, total: recorded.append((done, total)))
    two = coverage(x, z, trials=8, resamples=50, workers=3)
    assert item == two
    assert recorded == [(done, 8) for done in range(1, 9)]
    assert coverage(x, z, trials=8, resamples=50, seed=1) != item


def test_resampling_both_covers_more_than_either():
    x, z = tables(24, 40)
    result = coverage(x, z, level="summary", trials=100, resamples=100, methods=["systems", "documents", "both"])
    both = result.row("both").share
    assert both > result.row("systems").share
    assert both > result.row("documents").share


def test_trials_without_a_correlation_are_counted_and_left_out():
    x, z = tables(systems=8, documents=8)
    z[:] = 1.0
    z[0] = 2.0  # only the half with the first system has different judgments
    result = coverage(x, z, level="system", trials=30, resamples=50, methods=["documents"])
    row = result.row("documents")
    assert row.undefined == 30
    assert math.isnan(row.share)
    assert math.isnan(row.interval.low)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"methods": ["boot"]}, "unknown method 'boot'"),
        ({"methods": []}, "methods are a list"),
        ({"methods": "both"}, "methods are a list"),
        ({"trials": 0}, "trials must be at least 1, not 0"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"seed": -1}, "seed must be 0 or more"),
        ({"confidence": 95}, "confidence is between 0 and 1"),
        ({"coefficient": "kendall-c"}, "leave it out of the methods"),
        ({"level": "sentence"}, "unknown level"),
    ],
)
def test_bad_settings_are_refused(changes, message):
    x, z = tables()
    with pytest.raises(GistmeterError, match=message):
        coverage(x, z, **{"trials": 2, "resamples": 20, **changes})


def test_small_and_unlike_tables_are_refused():
    x, z = tables(systems=7, documents=6)
    with pytest.raises(GistmeterError, match=r"at least 8 systems and 4 documents .* there are 7 and 6"):
        coverage(x, z)
    with pytest.raises(GistmeterError, match="same summaries"):
        coverage(x, z[:, :4])
    with pytest.raises(GistmeterError, match="undefined"):
        coverage(*np.ones((2, 10, 10)))
    with pytest.raises(GistmeterError, match="there is no row for 'both'"):
        coverage(*tables(), methods=["documents"], trials=1, resamples=20).row("both")


@pytest.mark.parametrize(("count", "total"), [(0, 10), (3, 10), (95, 100), (1000, 1000)])
def test_a_share_has_its_wilson_interval(count, total):
    ours, expected = share_interval(count, total), binomtest(count, total).proportion_ci(method="wilson")
    assert (ours.value, ours.low, ours.high) == pytest.approx((count / total, expected.low, expected.high), abs=1e-9)


def test_trials_have_randomness_of_their_own():
    values = run_trials(50, lambda number, rng: (number, rng.random()), seed=3, workers=2)
    assert [number for number, _ in values] == list(range(50))
    assert len({value for _, value in values}) == 50


# Thesis Table 19, QAEval-F1 with Pearson: Fisher, by systems, by documents ("inputs"), both; then what was measured
# here with seed 10, 1,000 trials of 1,000 resamples:
#   TAC 2008   system .715 .739 .589 .816   summary 1.00 .714 .704 .906
#   SummEval   system .852 .812 .703 .977   summary 1.00 .739 .731 .941
#   REALSumm   system .863 .804 .679 .936   summary 1.00 .725 .612 .891
TABLE_19 = {
    ("tac2008", "system"): (0.72, 0.76, 0.58, 0.82),
    ("tac2008", "summary"): (1.00, 0.72, 0.70, 0.92),
    ("summeval", "system"): (0.87, 0.81, 0.70, 0.98),
    ("summeval", "summary"): (1.00, 0.73, 0.73, 0.93),
    ("realsumm24", "system"): (0.85, 0.80, 0.68, 0.94),
    ("realsumm24", "summary"): (1.00, 0.72, 0.62, 0.88),
}
JUDGMENTS = {"tac2008": "responsiveness", "summeval": "expert_relevance", "realsumm24": "litepyramid_recall"}


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(("dataset", "level"), TABLE_19)
def test_table_19(data, dataset, level):
    """Within 3 standard errors of the difference of two shares, the thesis' of 1,000 trials and ours of 500."""
    matrices = Study.read(data / "matrices" / f"{dataset}.json.gz")
    trials = 500
    result = coverage(
        matrices["qa-eval_f1"],
        matrices[JUDGMENTS[dataset]],
        level=level,
        trials=trials,
        resamples=500,
        seed=10,
        workers=2,
    )
    for row, published in zip(result.rows, TABLE_19[dataset, level], strict=True):
        error = math.sqrt(published * (1 - published) * (1 / 1000 + 1 / trials))
        assert row.share == pytest.approx(published, abs=3 * error + 0.005), row.method
    fisher_, systems, documents, both = (row.share for row in result.rows)
    assert both > systems
    assert systems > documents - 0.02  # .73 and .73 on SummEval at summary level
    if level == "summary":
        assert fisher_ == 1.0
