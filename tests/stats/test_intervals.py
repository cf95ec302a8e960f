"""Intervals of correlations: against nlpstats and scipy, and against what they promise."""

import math

import numpy as np
import pytest
from nlpstats import correlations as nlpstats
from scipy import stats as scipy_stats

from gistmeter.errors import DataError, GistmeterError
from gistmeter.stats import bootstrap, correlate, fisher

THEIR_LEVEL = {"system": "system", "summary": "input", "pooled": "global"}
THEIR_METHOD = {"systems": "systems", "documents": "inputs", "both": "both"}
METHODS = ("systems", "documents", "both")
COEFFICIENTS = ("pearson", "spearman", "kendall")


def tables(systems=9, documents=12, seed=0, noise=1.0):
    """Judges on a scale of five, and a metric that knows them up to noise."""
    rng = np.random.default_rng(seed)
    z = np.clip(np.round(3 + rng.normal(size=(systems, 1)) + rng.normal(size=(systems, documents))), 1, 5)
    return z + noise * rng.normal(size=z.shape), z


def same_distribution(ours, expected):
    """Whether two sets of samples pass the Kolmogorov-Smirnov test; rounded, for the same value must tie."""
    return scipy_stats.ks_2samp(np.round(ours, 9), np.round(expected, 9)).pvalue > 0.001


def test_the_interval_is_the_quantiles_of_the_samples():
    x, z = tables()
    correlation_interval = bootstrap(x, z, level="summary", coefficient="kendall", resamples=400, confidence=0.9)
    assert correlation_interval.value == correlate(x, z, level="summary", coefficient="kendall").value
    assert (correlation_interval.low, correlation_interval.high) == pytest.approx(
        np.quantile(correlation_interval.samples, [0.05, 0.95]), abs=1e-12
    )
    assert len(correlation_interval.samples) + correlation_interval.undefined == correlation_interval.resamples == 400
    assert correlation_interval.low < correlation_interval.value < correlation_interval.high


def test_resampling_documents_at_summary_level_is_the_bootstrap_of_a_mean():
    x, z = tables(documents=40)
    each = [scipy_stats.pearsonr(a, b).statistic for a, b in zip(x.T, z.T, strict=True)]
    correlation_interval = bootstrap(x, z, level="summary", method="documents", resamples=4000)
    # The standard error of a mean of 40, with 40 in place of 39 as the bootstrap has it.
    assert correlation_interval.samples.std() == pytest.approx(np.std(each) / math.sqrt(40), rel=0.05)
    assert correlation_interval.samples.mean() == pytest.approx(
        np.mean(each), abs=4 * np.std(each) / math.sqrt(40 * 4000)
    )


@pytest.mark.parametrize("level", ["system", "summary", "pooled", "per-system"])
def test_any_number_of_workers_gives_the_same(level):
    x, z = tables()
    first, two = (bootstrap(x, z, level=level, resamples=600, workers=workers) for workers in (1, 2))
    assert (first.samples == two.samples).all()
    assert first == two
    assert bootstrap(x, z, level=level, resamples=600, seed=1) != first


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:An input array is constant")
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("level", THEIR_LEVEL)
def test_samples_are_distributed_as_nlpstats_has_them(level, method, coefficient):
    x, z = tables(systems=7, documents=8)
    ours = bootstrap(x, z, level=level, coefficient=coefficient, method=method, resamples=5000)
    np.random.seed(0)  # theirs is the global generator
    with np.errstate(all="ignore"):
        expected = nlpstats.bootstrap(x, z, THEIR_LEVEL[level], coefficient, THEIR_METHOD[method], n_resamples=600)
    assert same_distribution(ours.samples, expected.samples)
    # Their bounds must lie where 4 standard errors of a 2.5% quantile of 600 draws allow: ranks 0 to 30.
    for bound, tail in ((expected.lower, 0.025), (expected.upper, 0.975)):
        share = (ours.samples <= bound + 1e-9).mean(), (ours.samples < bound - 1e-9).mean()
        assert share[0] > tail - 0.0255
        assert share[1] < tail + 0.0255


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_unpaired_documents_are_as_in_nlpstats(method):
    x, z = tables(systems=8, documents=60)
    z = z[:, :20]
    ours = bootstrap(x, z, level="system", method=method, paired=False, resamples=5000)
    np.random.seed(1)
    expected = nlpstats.bootstrap(
        x, z, "system", "pearson", THEIR_METHOD[method], paired_inputs=False, n_resamples=1500
    )
    assert ours.value == pytest.approx(nlpstats.correlate(x, z, "system", "pearson"))
    assert same_distribution(ours.samples, expected.samples)


def test_more_documents_for_the_metric_narrow_the_interval():
    """Thesis section 8.3.2: with the metric over all test documents the interval by documents is narrower."""
    x, z = tables(systems=12, documents=400, seed=3, noise=4.0)
    few = bootstrap(x[:, :30], z[:, :30], level="system", method="documents")
    many = bootstrap(x, z[:, :30], level="system", method="documents", paired=False)
    assert many.high - many.low < 0.8 * (few.high - few.low)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", THEIR_LEVEL)
def test_fisher_equals_nlpstats(level, coefficient):
    x, z = tables()
    x[2, 3] = z[2, 3] = math.nan
    ours = fisher(x, z, level=level, coefficient=coefficient, confidence=0.9)
    expected = nlpstats.fisher(x, z, THEIR_LEVEL[level], coefficient, confidence_level=0.9)
    assert (ours.low, ours.high) == pytest.approx((expected.lower, expected.upper), abs=1e-12)


def test_fisher_by_hand():
    # r = 0.5 of 28 systems: artanh .5 = .549306, 1.959964 / sqrt(25) = .391993; tanh(.157313), tanh(.941299).
    rng = np.random.default_rng(0)
    a = scipy_stats.zscore(rng.normal(size=28))
    b = rng.normal(size=28)
    b = scipy_stats.zscore(b - a * (a @ b) / 28)
    correlation_interval = fisher(a[:, None], (0.5 * a + math.sqrt(0.75) * b)[:, None], level="system")
    assert correlation_interval.value == pytest.approx(0.5)
    assert (correlation_interval.low, correlation_interval.high) == pytest.approx((0.156028, 0.735818), abs=1e-6)


def test_fisher_of_a_perfect_correlation():
    x = np.arange(8.0)[:, None]
    for z, value in ((2 * x, 1.0), (-x, -1.0)):
        correlation_interval = fisher(x, z, level="system", coefficient="spearman")
        assert (correlation_interval.value, correlation_interval.low, correlation_interval.high) == (
            value,
            value,
            value,
        )


def pearson(x, z, axis):
    a, b = x - x.mean(axis=axis, keepdims=True), z - z.mean(axis=axis, keepdims=True)
    return (a * b).sum(axis=axis) / np.sqrt((a * a).sum(axis=axis) * (b * b).sum(axis=axis))


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_one_document_is_the_plain_bootstrap_of_scipy(interval):
    x, z = tables(systems=25, documents=1, seed=4)
    ours = bootstrap(x, z, level="system", method="systems", interval=interval, resamples=20000)
    expected = scipy_stats.bootstrap(
        (x[:, 0], z[:, 0]),
        pearson,
        paired=True,
        vectorized=True,
        n_resamples=20000,
        method={"percentile": "percentile", "bca": "BCa"}[interval],
        rng=np.random.default_rng(0),
    )
    # A 2.5% quantile of 20,000 draws has a standard error of about .005 here (density about .2).
    assert (ours.low, ours.high) == pytest.approx(tuple(expected.confidence_interval), abs=0.015)


@pytest.mark.parametrize(
    ("documents", "options"),
    [
        (60, {"method": "both"}),
        (60, {"method": "documents", "coefficient": "kendall"}),
        (60, {"method": "both", "level": "system"}),
        (90, {"method": "both", "level": "system", "paired": False}),
        (90, {"method": "documents", "level": "system", "paired": False}),
    ],
)
def test_bca_moves_the_bounds_a_little(documents, options):
    rng = np.random.default_rng(0)
    # The systems' qualities in the metric's and in the judges' eyes; documents add noise.
    of_x, of_z = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], size=30).T[:, :, None]
    x, z = of_x + rng.normal(size=(30, documents)), of_z + rng.normal(size=(30, 60))
    plain, corrected = (bootstrap(x, z, interval=kind, **options) for kind in ("percentile", "bca"))
    assert corrected.samples.tolist() == plain.samples.tolist()
    assert (corrected.low, corrected.high) != (plain.low, plain.high)
    assert (corrected.low, corrected.high) == pytest.approx((plain.low, plain.high), abs=0.1)
    assert corrected.low < corrected.value < corrected.high


def test_bca_refuses_resamples_that_are_not_around_the_value():
    """Drawing the documents of two paired tables apart loses what they share: most resamples correlate less."""
    x, z = tables(systems=40, documents=60)
    with pytest.raises(DataError, match="100% of the resamples lie below the value"):
        bootstrap(x, z, level="system", paired=False, interval="bca")


def test_bca_of_a_perfect_correlation():
    x = np.arange(12.0).reshape(4, 3)
    correlation_interval = bootstrap(x, 2 * x, level="summary", interval="bca", method="documents")
    assert (correlation_interval.low, correlation_interval.high) == (1.0, 1.0)


def test_undefined_resamples_are_counted_and_left_out():
    x, z = np.random.default_rng(0).normal(size=(2, 3, 4))
    correlation_interval = bootstrap(x, z, level="system", method="systems", resamples=3000)
    # All three draws are the same system in 3 of 27 resamples.
    assert correlation_interval.undefined / 3000 == pytest.approx(1 / 9, abs=4 * math.sqrt(8 / 81 / 3000))
    assert not np.isnan(correlation_interval.samples).any()
    zero = bootstrap(x, z, level="system", method="systems", resamples=3000, undefined="zero")
    assert zero.undefined == 0
    assert (zero.samples == 0).sum() == correlation_interval.undefined


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "method", "interval", "lowest"),
    [
        # With 40 systems the percentile interval of r is known to be a little short (about 92 to 93%).
        ("system", "systems", "percentile", 0.90),
        ("system", "systems", "bca", 0.92),
        ("summary", "documents", "percentile", 0.92),
        ("summary", "documents", "bca", 0.92),
    ],
)
def test_coverage_on_normal_scores_is_near_nominal(level, method, interval, lowest):
    """95% intervals of 1,000 simulated data sets; their share has a standard error of .7%."""
    rng = np.random.default_rng(7)
    systems, documents, trials = (40, 1, 1000) if method == "systems" else (8, 40, 1000)
    # One correlation of bivariate normals is .6; its mean over samples of 8 is biased, and found from 200,000.
    truth = 0.6
    if level == "summary":
        a, b = rng.normal(size=(2, 8, 200_000))
        truth = pearson(a, 0.6 * a + 0.8 * b, 0).mean()
    covered = 0
    for trial in range(trials):
        z, noise = rng.normal(size=(2, systems, documents))
        correlation_interval = bootstrap(
            0.6 * z + 0.8 * noise, z, level=level, method=method, interval=interval, resamples=500, seed=trial
        )
        covered += correlation_interval.low <= truth <= correlation_interval.high
    assert lowest <= covered / trials <= 0.975


X, Z = tables(systems=4, documents=3)


@pytest.mark.parametrize(
    ("x", "z", "options", "message"),
    [
        (X, Z[:, :2], {}, "4 systems x 3 documents and 4 systems x 2 documents"),
        (X, Z[:3, :2], {"paired": False, "level": "system"}, "same systems, but they are of 4 and 3"),
        (X, Z, {"paired": False}, "system level only, no summary level"),
        (X[:2], Z[:2], {}, "at summary level needs scores of one document for at least 3 systems, but there are 2"),
        (X[:2], Z[:2], {"level": "system"}, "at system level needs scores for at least 3 systems, but there are 2"),
        (X[:2], Z[:2], {"level": "pooled"}, "resampling both needs at least 3 systems, but there are 2"),
        (X[:, :1], Z[:, :1], {}, "resampling both needs at least 2 documents, but there is 1; use 'systems'"),
        (np.ones((4, 3)), Z, {}, "undefined for 3 of 3 documents: the scores in one of the tables are all the same"),
        (X, np.ones((4, 3)), {"level": "system"}, "undefined: the scores in one of the tables are all the same"),
        (X, Z, {"level": "sistem"}, "`level` cannot be 'sistem'; did you mean system"),
        (X, Z, {"coefficient": "tau"}, "`coefficient` cannot be 'tau'"),
        (X, Z, {"method": "document"}, "`method` cannot be 'document'; did you mean documents"),
        (X, Z, {"interval": "bc"}, "`interval` cannot be 'bc'; did you mean bca"),
        (X, Z, {"undefined": "skip"}, "`undefined` cannot be 'skip'"),
        (X, Z, {"confidence": 95}, "`confidence` is between 0 and 1, such as 0.95, not 95"),
        (X, Z, {"resamples": 0}, "resamples must be at least 1, not 0"),
        (X, Z, {"workers": 0}, "`workers` is 1 or more, not 0"),
    ],
)
def test_mistakes_are_named(x, z, options, message):
    with pytest.raises(GistmeterError, match=message):
        bootstrap(x, z, **options)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (3, {}, "Fisher's interval of pearson needs more than 3 systems, but there are 3"),
        (4, {"coefficient": "kendall"}, "Fisher's interval of kendall needs more than 4 systems, but there are 4"),
        (4, {"coefficient": "kendall-c"}, "is for pearson, spearman, kendall, not kendall-c; use the bootstrap"),
        (4, {"confidence": 1}, "`confidence` is between 0 and 1"),
        (4, {"coefficient": "kendal"}, "did you mean kendall"),
    ],
)
def test_mistakes_with_fisher_are_named(rows, options, message):
    with pytest.raises(GistmeterError, match=message):
        fisher(X[:rows], Z[:rows], level="summary", **options)
