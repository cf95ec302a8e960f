"""Tests between two metrics: against nlpstats, plain versions, and what they promise under a true null."""

import itertools
import math

import numpy as np
import pytest
from nlpstats import correlations as nlpstats
from scipy import stats as scipy_stats

import resampling_oracle as oracle
from gistmeter import stats
from gistmeter.errors import GistmeterError

THEIR_LEVEL = {"system": "system", "summary": "input", "pooled": "global"}
THEIR_METHOD = {"documents": "inputs", "crossed": "both"}
COEFFICIENTS = ("pearson", "spearman", "kendall")


def trio(systems=9, documents=12, seed=0, noises=(1.0, 1.5)):
    """Two metrics that know the judges up to noise, and the judges on a scale of five."""
    rng = np.random.default_rng(seed)
    z = np.clip(np.round(3 + rng.normal(size=(systems, 1)) + rng.normal(size=(systems, documents))), 1, 5)
    x, y = (z + noise * rng.normal(size=z.shape) for noise in noises)
    return x, 100 * y + 7, z


def test_the_statistic_is_the_difference_of_the_correlations():
    x, y, z = trio()
    test_result = stats.permutation_test(x, y, z, level="system", coefficient="kendall", permutations=50)
    ours = [stats.correlate(item, z, level="system", coefficient="kendall").value for item in (x, y)]
    assert [test_result.of_x, test_result.of_y, test_result.statistic] == [*ours, ours[0] - ours[1]]
    assert (test_result.draws, test_result.undefined, len(test_result.samples)) == (50, 0, 50)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", ["system", "summary"])
def test_few_systems_give_the_exact_pvalue(level, coefficient):
    """Swapping systems has 2 ** 5 ways here, and all of them can be tried."""
    x, y, z = trio(systems=5, documents=6)
    test_result = stats.permutation_test(
        x, y, z, level=level, coefficient=coefficient, method="systems", alternative="greater", permutations=20_000
    )
    a, b = oracle.standardised(x), oracle.standardised(y)
    ways = [np.array(way)[:, None] for way in itertools.product([False, True], repeat=5)]
    differences = np.array(
        [
            oracle.correlation(np.where(way, b, a), z, level, coefficient)
            - oracle.correlation(np.where(way, a, b), z, level, coefficient)
            for way in ways
        ]
    )
    exact = np.mean(differences >= differences[0] - 1e-9)
    assert test_result.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4)


def test_pvalues_by_hand():
    samples = np.array([-0.3, -0.1, 0.0, 0.2, math.nan])
    share = stats.hypothesis.share_as_extreme
    # Of five draws these are as extreme as the observed .2, the one without a value always among them.
    assert share(samples, 0.2, "greater") == (2 + 1) / 6
    assert share(samples, 0.2, "two-sided") == (3 + 1) / 6
    assert share(samples, 0.2, "less") == (5 + 1) / 6


@pytest.mark.parametrize("test", ["permutation_test", "bootstrap_test"])
def test_the_sides_belong_together(test):
    x, y, z = trio(noises=(1.0, 3.0))
    run = getattr(stats, test)
    greater, less, both = (run(x, y, z, alternative=side).pvalue for side in ("greater", "less", "two-sided"))
    assert greater < 0.05 < less
    assert greater <= both < 0.1
    # The other way round the sides change places.
    assert run(y, x, z, alternative="less").pvalue == pytest.approx(greater, abs=0.02)


@pytest.mark.parametrize("method", ["systems", "documents", "both", "crossed"])
@pytest.mark.parametrize("level", ["system", "summary", "pooled", "per-system"])
def test_any_number_of_workers_gives_the_same(level, method):
    x, y, z = trio()
    first, two = (
        stats.permutation_test(x, y, z, level=level, method=method, permutations=600, workers=workers)
        for workers in (1, 2)
    )
    assert first == two
    assert (first.samples == two.samples).all()
    if method != "crossed":
        first, two = (
            stats.bootstrap_test(x, y, z, level=level, method=method, resamples=600, workers=workers)
            for workers in (1, 2)
        )
        assert first == two


@pytest.mark.parametrize("test", ["permutation_test", "bootstrap_test", "williams_test"])
def test_a_metric_does_not_beat_itself_nor_its_percentage(test):
    x, _, z = trio()
    for other in (x, 100 * x):
        for coefficient in COEFFICIENTS:
            result = getattr(stats, test)(x, other, z, level="summary", coefficient=coefficient)
            assert result.statistic == pytest.approx(0, abs=1e-12)
            assert result.pvalue == 1


def test_gaps_are_left_out_of_all_three():
    x, y, z = trio()
    holes = [table.copy() for table in (x, y, z)]
    for table, position in zip(holes, [(0, 0), (3, 4), (5, 6)], strict=True):
        table[position] = math.nan
    test_result = stats.permutation_test(*holes, level="summary")
    assert test_result == stats.permutation_test(*oracle.masked(*holes), level="summary")
    assert test_result.of_x == stats.correlate(*oracle.masked(*holes)[::2], level="summary").value


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("method", ["systems", "documents", "crossed"])
@pytest.mark.parametrize("level", THEIR_LEVEL)
def test_permutations_are_distributed_as_nlpstats_has_them(level, method, coefficient):
    """Its "both" swaps systems and then documents: our "crossed". Ours is algorithm 2 of the thesis."""
    x, y, z = trio(systems=7, documents=8)
    # nlpstats standardises z too, which by rounding breaks ties between means of whole numbers; ours stay ties.
    z = z + 0.01 * np.random.default_rng(1).normal(size=z.shape)
    ours = stats.permutation_test(
        x, y, z, level=level, coefficient=coefficient, method=method, alternative="greater", permutations=5000
    )
    np.random.seed(0)  # theirs is the global generator
    with np.errstate(all="ignore"):
        expected = nlpstats.permutation_test(
            x,
            y,
            z,
            THEIR_LEVEL[level],
            coefficient,
            THEIR_METHOD.get(method, method),
            alternative="greater",
            n_resamples=500,
        )
    assert scipy_stats.ks_2samp(np.round(ours.samples, 9), np.round(expected.samples, 9)).pvalue > 0.001
    error = math.sqrt(ours.pvalue * (1 - ours.pvalue) * (1 / 500 + 1 / 5000))
    # Their p-value misses samples that tie with the observed difference but for rounding.
    share = np.mean(np.array(expected.samples) >= ours.statistic - 1e-9)
    assert ours.pvalue == pytest.approx(share, abs=4 * error + 1e-3)
    assert expected.pvalue <= share
    if coefficient == "pearson":
        assert expected.pvalue == share


@pytest.mark.parametrize("level", ["system", "summary", "pooled", "per-system"])
def test_the_paired_bootstrap_equals_the_plain_one(level):
    x, y, z = trio(systems=6, documents=7)
    test_result = stats.bootstrap_test(
        x, y, z, level=level, coefficient="spearman", alternative="greater", resamples=2000
    )
    rng = np.random.default_rng(5)
    plain = []
    for _ in range(100):
        cells = np.ix_(rng.integers(6, size=6), rng.integers(7, size=7))
        of_x, of_y = (oracle.correlation(item[cells], z[cells], level, "spearman") for item in (x, y))
        plain.append(of_x - of_y)
    ours, plain_samples = (np.round(sample, 9)[~np.isnan(sample)] for sample in (test_result.samples, plain))
    assert scipy_stats.ks_2samp(ours, plain_samples, method="asymp").pvalue > 0.001
    # Berg-Kirkpatrick: how many resamples have at least twice the statistic.
    count = np.count_nonzero(test_result.samples >= 2 * test_result.statistic - 1e-12)
    assert test_result.pvalue == (count + 1) / (2000 - test_result.undefined + 1)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", THEIR_LEVEL)
def test_williams_equals_nlpstats(level, coefficient, alternative):
    x, y, z = trio()  # all three correlate positively: nlpstats takes away the signs
    ours = stats.williams_test(x, y, z, level=level, coefficient=coefficient, alternative=alternative)
    expected = nlpstats.williams_test(x, y, z, THEIR_LEVEL[level], coefficient, alternative)
    assert ours.pvalue == pytest.approx(expected.pvalue, abs=1e-12)


def test_williams_by_hand():
    # r = .8 and .5 with the judges and .4 with each other, of 103 systems: K = 1 - .16 - .64 - .25 + .32 = .27,
    # t = .3 sqrt(102 * 1.4 / (2 * .27 * 102 / 100 + .65 ** 2 * .6 ** 3)) = 4.4741, with 100 degrees of freedom.
    rng = np.random.default_rng(0)
    matrix = np.array([[1, 0.4, 0.8], [0.4, 1, 0.5], [0.8, 0.5, 1]])
    raw = np.linalg.qr(np.c_[np.ones(103), rng.normal(size=(103, 3))])[0][:, 1:]
    x, y, z = (raw @ np.linalg.cholesky(matrix).T).T[:, :, None]
    test_result = stats.williams_test(x, y, z, level="system", alternative="greater")
    assert (test_result.of_x, test_result.of_y) == pytest.approx((0.8, 0.5))
    assert test_result.pvalue == pytest.approx(scipy_stats.t.sf(4.4741, 100), rel=1e-3)


def test_williams_heeds_signs():
    x, y, z = trio()
    assert stats.williams_test(-x, y, z, level="summary", alternative="greater").pvalue > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "coefficient", "method"),
    [
        *itertools.product(["system", "summary"], ["pearson"], ["systems", "documents", "both", "crossed"]),
        ("system", "spearman", "both"),
        ("summary", "kendall", "both"),
    ],
)
def test_a_true_null_is_rejected_at_the_rate_promised(level, coefficient, method):
    """Two metrics with the same noise on each summary: 5% of 4,000 tests reject, with a standard error of .34%."""
    rng = np.random.default_rng(11)
    rejected = 0
    for trial in range(4000):
        z = rng.normal(size=(25, 1)) + rng.normal(size=(25, 15))
        x, y = z + rng.normal(size=(2, *z.shape))
        test_result = stats.permutation_test(
            x, y, z, level=level, coefficient=coefficient, method=method, permutations=199, seed=trial
        )
        rejected += test_result.pvalue <= 0.05
    assert rejected / 4000 == pytest.approx(0.05, abs=0.015)


@pytest.mark.slow
def test_swapping_anything_but_systems_needs_independent_errors():
    """Equally good metrics that each favour some systems: "both" rejects far too often, "systems" does not."""
    rng = np.random.default_rng(12)
    rejected = dict.fromkeys(("systems", "documents", "both", "crossed"), 0)
    for trial in range(500):
        z = rng.normal(size=(25, 1)) + rng.normal(size=(25, 15))
        x, y = z + rng.normal(size=(2, 25, 1)) + rng.normal(size=(2, *z.shape))
        for method in rejected:
            test_result = stats.permutation_test(x, y, z, level="system", method=method, permutations=199, seed=trial)
            rejected[method] += test_result.pvalue <= 0.05
    assert rejected["systems"] / 500 == pytest.approx(0.05, abs=0.03)
    assert all(rejected[method] / 500 > 0.2 for method in ("documents", "both", "crossed"))


@pytest.mark.more
def test_permutations_have_more_power_than_the_others():
    """As in thesis Fig. 27. (That Williams comes last there is for its weak correlations, not in general.)"""
    rejected = dict.fromkeys(("permutation_test", "bootstrap_test", "williams_test"), 0)
    for seed in range(60):
        x, y, z = trio(systems=12, documents=20, seed=seed, noises=(1.0, 2.0))
        for test in rejected:
            options = {} if test == "williams_test" else {"seed": seed, "method": "both"}
            result = getattr(stats, test)(x, y, z, level="system", alternative="greater", **options)
            rejected[test] += result.pvalue <= 0.05
    assert rejected["permutation_test"] > max(rejected["bootstrap_test"], rejected["williams_test"])


def test_all_pairs_agree_with_single_tests():
    x, y, z = trio()
    metrics = {"x": x, "y": y, "z": z}
    metric_comparison = stats.compare_all(metrics, z, level="system", permutations=300, correction="none")
    assert metric_comparison.names == ("x", "y", "z")
    assert metric_comparison.values == pytest.approx(
        [stats.correlate(metric, z, level="system").value for metric in metrics.values()]
    )
    assert np.isnan(np.diag(metric_comparison.pvalues)).all()
    for (i, a), (j, b) in itertools.combinations(enumerate(metrics), 2):
        for row, column, side in ((i, j, "greater"), (j, i, "less")):
            test_result = stats.permutation_test(
                metrics[a], metrics[b], z, level="system", permutations=300, alternative=side
            )
            assert metric_comparison.pvalues[row, column] == test_result.pvalue
    two = stats.compare_all(metrics, z, level="system", permutations=300, correction="none", workers=2)
    np.testing.assert_array_equal(metric_comparison.pvalues, two.pvalues)


def test_corrections_by_hand():
    x, y, z = trio(noises=(1.0, 1.2))
    metrics = {"x": x, "y": y, "w": z + 5 * np.random.default_rng(0).normal(size=z.shape)}
    metric_comparisons = {
        name: stats.compare_all(metrics, z, correction=name)
        for name in ("none", "bonferroni-metric", "bonferroni-all", "holm")
    }
    raw = metric_comparisons["none"].pvalues
    # Each metric is tested against 2 others; the table has 6 tests.
    np.testing.assert_array_equal(metric_comparisons["none"].adjusted, raw)
    np.testing.assert_array_equal(metric_comparisons["bonferroni-metric"].adjusted, np.minimum(2 * raw, 1))
    np.testing.assert_array_equal(metric_comparisons["bonferroni-all"].adjusted, np.minimum(6 * raw, 1))
    apart = ~np.eye(3, dtype=bool)
    np.testing.assert_array_equal(metric_comparisons["holm"].adjusted[apart], stats.holm(raw[apart]))
    table = metric_comparisons["bonferroni-all"]
    assert table.significant.tolist() == (np.minimum(6 * raw, 1) <= 0.05).tolist()
    assert table.significant_alone.tolist() == (raw <= 0.05).tolist()
    assert table.significant[0, 2]
    assert not table.significant[2, 0]


X, Y, Z = trio(systems=5, documents=4)


@pytest.mark.parametrize("test", ["permutation_test", "bootstrap_test", "williams_test"])
@pytest.mark.parametrize(
    ("tables", "options", "message"),
    [
        ((X, Y[:, :3], Z), {}, "5 systems x 4 documents and 5 systems x 3 documents"),
        ((X[:2], Y[:2], Z[:2]), {"level": "system"}, "for at least . systems, but there are 2"),
        (
            (np.ones((5, 4)), Y, Z),
            {},
            "undefined for 4 of 4 documents: the scores in one of the tables are all the same",
        ),
        ((X, Y, np.ones((5, 4))), {"level": "system"}, "undefined: the scores in one of the tables are all the same"),
        ((X, Y, Z), {"level": "sumary"}, "did you mean summary"),
        ((X, Y, Z), {"coefficient": "tau-b"}, "`coefficient` cannot be 'tau-b'"),
        ((X, Y, Z), {"alternative": "better"}, r"did you mean greater\? \(it is one of two-sided, greater, less\)"),
        ((X, Y, Z), {"undefined": "nan"}, r"`undefined` cannot be 'nan' \(it is one of drop, zero, error\)"),
    ],
)
def test_mistakes_are_named(test, tables, options, message):
    with pytest.raises(GistmeterError, match=message):
        getattr(stats, test)(*tables, **options)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (lambda: stats.permutation_test(X, Y, Z, method="document"), "did you mean documents"),
        (lambda: stats.permutation_test(X, Y, Z, permutations=0), "`permutations` is 1 or more, not 0"),
        (
            lambda: stats.bootstrap_test(X, Y, Z, method="crossed"),
            r"`method` cannot be 'crossed' \(it is one of systems, documents, both\)",
        ),
        (lambda: stats.bootstrap_test(X, Y, Z, resamples=0), "resamples must be at least 1, not 0"),
        (lambda: stats.williams_test(X[:3], Y[:3], Z[:3]), "at least 4 systems, but there are 3"),
        (lambda: stats.compare_all({"x": X}, Z), "comparing metrics needs at least 2, but there is 1"),
        (lambda: stats.compare_all({"x": X, "y": Y[:3]}, Z), "y: scores to correlate must be of the same summaries"),
        (lambda: stats.compare_all({"x": X, "y": Y}, Z, correction="bonferroni"), "did you mean bonferroni-"),
        (lambda: stats.compare_all({"x": X, "y": Y}, Z, alpha=5), "`alpha` is between 0 and 1, such as 0.05, not 5"),
    ],
)
def test_other_mistakes_are_named(run, message):
    with pytest.raises(GistmeterError, match=message):
        run()
