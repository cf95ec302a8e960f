"""Curves and calibrations on data whose truth is known."""

import numpy as np
import pytest
from scipy.special import ndtr

from gistmeter.errors import DataError, GistmeterError
from gistmeter.ranking.trust.calibration import SUBSETS, calibrate, system_pairs
from gistmeter.ranking.trust.curves import Isotonic, Logistic, fit_slopes
from gistmeter.ranking.trust.transfer import COIN_LOSS, factor_at, leave_one_out, log_loss, pool_slopes

pytestmark = pytest.mark.more

DOCUMENTS = 100
OWN, NOISE = 0.5, 3.0


def judged(seed, systems, *, own=OWN, noise=NOISE, documents=DOCUMENTS):
    """Systems of quality q ~ N(0, 1): people see q, the metric q + own N(0, 1); each document adds noise to both."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1))
    metric = quality + own * rng.normal(size=(systems, 1)) + noise * rng.normal(size=(systems, documents))
    return metric, quality + noise * rng.normal(size=(systems, documents))


def true_steepness(documents=DOCUMENTS, *, own=OWN, noise=NOISE):
    """Differences of two systems are jointly normal. With e = noise^2 / documents, and e' the same for people:

    var(x) = 2 (1 + own^2 + e), var(z) = 2 (1 + e'), cov(x, z) = 2, and given x = gap, z is normal with
    mean gap cov / var(x) and variance var(z) - cov^2 / var(x); people agree when z > 0: with probability
    Phi(steepness gap).
    """
    var_x, var_z, cov = 2 * (1 + own**2 + noise**2 / documents), 2 * (1 + noise**2 / DOCUMENTS), 2.0
    return (cov / var_x) / np.sqrt(var_z - cov**2 / var_x)


@pytest.mark.parametrize("own", [0.3, 0.7, 2.0])
def test_the_curve_finds_the_true_agreement(own):
    pairs = system_pairs(*judged(1, 300, own=own))
    curve = Logistic.fit(pairs.gaps, pairs.agrees)
    gaps = np.array([0.05, 0.1, 0.2, 0.5, 1.0, 2.0])
    # The truth is a normal curve, and only 300 systems were seen.
    assert curve.at(gaps) == pytest.approx(ndtr(true_steepness(own=own) * gaps), abs=0.045)


def test_fewer_documents_flatten_the_curve_as_they_truly_do():
    metric, judges = judged(2, 200, noise=4.0)
    calibration = calibrate(metric, judges, resamples=10)
    assert [entry.documents for entry in calibration.fewer] == list(SUBSETS)
    for item in calibration.fewer:
        truth = true_steepness(item.documents, noise=4.0) / true_steepness(noise=4.0)
        assert item.factor == pytest.approx(truth, abs=0.06)
    factors = [entry.factor for entry in calibration.fewer]
    assert factors == sorted(factors)
    assert factors[0] < 0.5 < factors[-1] < 1


@pytest.mark.slow
@pytest.mark.parametrize("systems", [10, 25])
def test_intervals_hold_the_true_slope(systems):
    """Nominal 95%; 92 to 95% in 600 datasets of several kinds. In these 150, between 89 and 99%."""
    large = [system_pairs(*judged(100 + seed, 300)) for seed in range(5)]
    truth = np.mean([Logistic.fit(pairs.gaps, pairs.agrees).slope for pairs in large])
    held = []
    for seed in range(150):
        calibration = calibrate(*judged(1000 + seed, systems), resamples=200)
        held.append(calibration.low <= truth <= calibration.high)
    assert 0.89 <= np.mean(held) <= 0.99


def test_a_metric_that_people_contradict_falls_below_one_half():
    metric, judges = judged(3, 30)
    calibration = calibrate(-metric, judges, resamples=100)
    assert calibration.high < 0
    assert calibration.curve.at(0.5) < 0.5
    assert calibrate(-metric, judges, better="lower", resamples=100).slope == pytest.approx(-calibration.slope)


def test_a_metric_of_noise_is_a_coin():
    metric, judges = judged(4, 40)
    calibration = calibrate(metric[np.random.default_rng(0).permutation(40)], judges, resamples=300)
    assert calibration.low < 0 < calibration.high


def test_significant_pairs_are_fewer_and_agree_more():
    metric, judges = judged(5, 25)
    everyone, certain = (calibrate(metric, judges, people=people, resamples=50) for people in ("all", "significant"))
    assert everyone.insignificant == 0
    assert certain.pairs + certain.insignificant == everyone.pairs == 300
    assert certain.agreeing > everyone.agreeing
    assert certain.repeat > everyone.repeat


def test_ties():
    # People tie systems 1 and 2: two pairs remain. The metric ties 2 and 3: half of an agreement.
    pairs = system_pairs([[0.1, 0.3], [0.4, 0.4], [0.3, 0.5]], [[1, 3], [2, 2], [4, 4]])
    assert pairs.undecided == 1
    assert pairs.gaps == pytest.approx([0.2, 0.0])
    assert pairs.agrees.tolist() == [1.0, 0.5]


def test_missing_cells_are_left_out_of_both():
    metric, judges = judged(6, 12, documents=30)
    holed = metric.copy()
    holed[0, :20] = np.nan
    holed[3, 5] = np.nan
    other = np.where(np.isnan(holed), 99.0, judges)  # what people say where there is no score does not count
    calibration, same = calibrate(holed, judges, resamples=50), calibrate(holed, other, resamples=50)
    assert calibration == same
    assert calibration.documents == 30
    assert np.isfinite(calibration.low)


def test_the_same_seed_gives_the_same_figures():
    data = judged(7, 12)
    first, again, other = (calibrate(*data, resamples=50, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert (first.low, first.high) != (other.low, other.high)
    assert first.slope == other.slope


@pytest.mark.parametrize(
    ("x", "z", "options", "words"),
    [
        (np.ones((2, 4)), np.ones((2, 4)), {}, "at least 3 judged systems, not 2"),
        (np.ones((3, 4)), np.ones((3, 4)), {}, "they tie all of them"),
        (np.ones((3, 4)), np.arange(12.0).reshape(3, 4), {}, "no gap to calibrate"),
        (np.ones((3, 4)), np.ones((4, 3)), {}, "same summaries"),
        (np.ones((3, 4)), np.ones((3, 4)), {"better": "neither"}, "neither high nor low"),
        (np.ones((3, 4)), np.ones((3, 4)), {"people": "some"}, "unknown people 'some'"),
        (np.ones((3, 4)), np.ones((3, 4)), {"resamples": 1}, "at least 10"),
        (np.ones((3, 4)), np.ones((3, 4)), {"confidence": 95}, "between 0 and 1"),
    ],
)
def test_what_cannot_be_calibrated(x, z, options, words):
    with pytest.raises(GistmeterError, match=words):
        calibrate(x, z, **options)


def test_fitting_rows_at_once_is_fitting_each():
    rng = np.random.default_rng(0)
    gaps, agrees = rng.random((6, 40)), (rng.random((6, 40)) < 0.7).astype(float)
    weights = rng.integers(0, 3, size=(6, 40)).astype(float)
    rows = fit_slopes(gaps, agrees, weights, typical=0.5)
    for position in range(6):
        counts = weights[position].astype(int)
        values = fit_slopes(
            np.repeat(gaps[position], counts), np.repeat(agrees[position], counts), np.ones(counts.sum()), typical=0.5
        )
        assert rows[position] == pytest.approx(float(values))


def test_curves_stay_short_of_certainty():
    gaps, agrees = [0.1, 0.2, 0.3], [1, 1, 1]
    assert 0.8 < Logistic.fit(gaps, agrees).at(0.2) < 1
    # Three that agree and the added half: 3.5 of 4.
    assert Isotonic.fit(gaps, agrees).at(9.0) == pytest.approx(3.5 / 4)
    for curve in (Logistic, Isotonic):
        assert curve.fit(gaps, agrees).at(0.0) == 0.5


def test_leaving_a_dataset_out():
    alike = {name: system_pairs(*judged(seed, 20)) for seed, name in enumerate("abc")}
    for left_out in leave_one_out(alike):
        assert left_out.own_loss <= left_out.loss < COIN_LOSS
        assert left_out.predicted == pytest.approx(left_out.observed, abs=0.15)
    metric, judges = judged(9, 20)
    odd = leave_one_out({**alike, "odd": system_pairs(-metric, judges)})
    assert odd[-1].loss > COIN_LOSS
    assert leave_one_out(alike, shape="isotonic")[0].loss < COIN_LOSS
    with pytest.raises(DataError, match="at least two"):
        leave_one_out({"a": alike["a"]})


def test_pooled_slopes_cover_the_datasets():
    calibrations = [calibrate(*judged(seed, 20, own=own), resamples=200) for seed, own in enumerate((0.3, 2.0))]
    few, many = pool_slopes(calibrations, documents=[10, 100])
    assert (
        many.low
        < min(calibration.slope for calibration in calibrations)
        < max(calibration.slope for calibration in calibrations)
        < many.high
    )
    assert few.high < many.high
    assert factor_at(calibrations[0].fewer, 100, 100) == 1.0
    with pytest.raises(DataError, match="no calibration"):
        pool_slopes([], documents=[10])


def test_log_loss_stays_finite():
    # -log(0.8), -log(1 - 0.5)
    assert log_loss([0.8, 0.5], [1, 0]) == pytest.approx((0.22314 + 0.69315) / 2, abs=1e-5)
    assert np.isfinite(log_loss([1.0], [0]))
