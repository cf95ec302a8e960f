"""System effects: the F test by hand and against a plain fit, and how tests between metrics take notice."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats as scipy_stats

from gistmeter import meta, stats
from gistmeter.errors import ArgumentError, DataError
from gistmeter.report.sheets.meta import caption, result_sheet

CELLS = st.sampled_from([0.0, 0.5, 1.0, 2.5, -3.0, np.nan])


def test_effects_by_hand():
    # y is constant: standardised it is 0, and F does not depend on the scale of x. Document means are 3, 4 and 5,
    # system means 2, 4 and 6. Systems: 3 (4 + 0 + 4) = 24 with 2 df; the rest, x - document - system + 4, has the rows
    # (0, -1, 1), (1, 1, -2) and (-1, 0, 1): 10 with 4 df. F = 12 / 2.5.
    x = np.array([[1.0, 1, 4], [4, 5, 3], [4, 6, 8]])
    result = stats.system_effects(x, np.ones((3, 3)))
    assert (result.systems_df, result.residual_df) == (2, 4)
    assert result.f == pytest.approx(12 / 2.5)
    assert result.pvalue == pytest.approx(scipy_stats.f.sf(12 / 2.5, 2, 4))


def plain_effects(x, y):
    """F from two plain least-squares fits: documents alone, and documents with systems."""
    shared = ~(np.isnan(x) | np.isnan(y))
    rows, columns = np.nonzero(shared)
    first, second = ((table[shared] - table[shared].mean()) / (table[shared].std() or 1.0) for table in (x, y))
    documents = (columns[:, None] == np.unique(columns)).astype(float)
    systems = (rows[:, None] == np.unique(rows)).astype(float)

    def fit(design):
        solution, _, rank, _ = np.linalg.lstsq(design, first - second, rcond=1e-9)
        return ((first - second - design @ solution) ** 2).sum(), rank

    (alone, alone_rank), (together, rank) = fit(documents), fit(np.hstack([documents, systems]))
    return alone - together, rank - alone_rank, together, len(rows) - rank


@given(tables=hnp.arrays(np.float64, (2, 4, 5), elements=CELLS))
def test_effects_equal_those_of_plain_fits(tables):
    assume((~np.isnan(tables).any(axis=0)).any())
    explained, systems_df, error, residual_df = plain_effects(*tables)
    if systems_df < 1 or residual_df < 1:
        with pytest.raises(DataError, match="at least 2 systems with scores of at least 2 shared documents"):
            stats.system_effects(*tables)
        return
    result = stats.system_effects(*tables)
    assert (result.systems_df, result.residual_df) == (systems_df, residual_df)
    assume(error > 1e-6)
    assert result.f == pytest.approx(explained / systems_df / (error / residual_df), abs=1e-6)


def test_a_metric_and_its_percentage_favour_nothing():
    x = np.random.default_rng(0).normal(size=(6, 9))
    result = stats.system_effects(x, 100 * x + 7)
    assert (result.f, result.pvalue) == (0, 1)


def simulate(kind, *, systems, documents, rng, worse=1.0):
    """Two metrics and the judges: errors on single summaries, and with "effects" on whole systems."""
    z = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, documents))
    x, y = (
        z + size * (rng.normal(size=z.shape) + (kind == "effects") * rng.normal(size=(systems, 1)))
        for size in (1.0, worse)
    )
    return x, y, z


def test_effects_are_seen_where_they_are():
    rng = np.random.default_rng(4)
    rejected = {
        kind: np.mean(
            [
                stats.system_effects(*simulate(kind, systems=12, documents=30, rng=rng)[:2]).pvalue <= 0.05
                for _ in range(200)
            ]
        )
        for kind in ("independent", "effects")
    }
    assert rejected["independent"] == pytest.approx(0.05, abs=0.05)
    assert rejected["effects"] > 0.95


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("level", ["system", "summary", "pooled", "per-system"])
def test_scaled_systems_equal_plain_swaps(level, coefficient):
    """All 32 ways to swap five systems, each metric standardised (or ranked) as the correlation sees it."""
    x, y, z = simulate("effects", systems=5, documents=6, rng=np.random.default_rng(2))
    result = stats.permutation_test(
        x, y, z, level=level, coefficient=coefficient, method="scaled-systems", permutations=32
    )
    assert result.exact

    def rows(table):
        if level == "system":
            return table.mean(axis=1)[None]
        return {"summary": table.T, "pooled": table.reshape(1, -1), "per-system": table}[level]

    def scale(row):
        return (row - row.mean()) / row.std() if coefficient == "pearson" else scipy_stats.rankdata(row)

    correlation = {
        "pearson": scipy_stats.pearsonr,
        "spearman": scipy_stats.spearmanr,
        "kendall": scipy_stats.kendalltau,
    }
    a, b = (np.array([scale(row) for row in rows(table)]) for table in (x, y))
    differences = []
    for way in itertools.product([False, True], repeat=5):
        swapped = rows(np.repeat(np.array(way)[:, None], 6, axis=1)) > 0.5
        sides = np.where(swapped, b, a), np.where(swapped, a, b)
        of_x, of_y = (
            np.mean([correlation[coefficient](*pair).statistic for pair in zip(side, rows(z), strict=True)])
            for side in sides
        )
        differences.append(of_x - of_y)
    differences = np.array(differences)
    assert result.statistic == pytest.approx(differences[0])
    assert result.pvalue == np.mean(np.abs(differences) >= abs(differences[0]) - 1e-9)


def test_few_systems_are_swapped_in_all_ways():
    x, y, z = simulate("independent", systems=4, documents=9, rng=np.random.default_rng(1))
    for method in ("systems", "scaled-systems"):
        results = [stats.permutation_test(x, y, z, method=method, seed=seed) for seed in (0, 1)]
        assert results[0] == results[1]
        # Swapping all four turns the difference round: two of sixteen ways are as extreme, whatever the data.
        assert (results[0].draws, results[0].least) == (16, 2 / 16)
        assert results[0].pvalue >= 2 / 16
    assert stats.permutation_test(x, y, z, method="documents").draws == 2**9
    assert not stats.permutation_test(x, y, z, method="both").exact


def test_a_correction_gets_the_permutations_it_needs():
    rng = np.random.default_rng(5)
    z = rng.normal(size=(14, 12))
    metrics = {f"noise {size}": z + size * rng.normal(size=z.shape) for size in (0.1, 3, 3.1, 3.2, 3.3, 3.4, 3.5, 3.6)}
    result = stats.compare_all(metrics, z, correction="bonferroni-all")
    # 8 metrics make 56 tests: 56 / 1,001 is above .05, so 2 * 56 / .05 permutations are drawn.
    assert result.permutations == 2240
    assert result.notes == (
        "2,240 permutations and not 1,000: with those no p-value, corrected for 56 tests, could reach alpha 0.05",
    )
    assert result.significant[0, 1:].all()
    assert stats.compare_all(metrics, z, correction="bonferroni-metric").notes == ()
    few = {name: table[:6] for name, table in metrics.items()}
    with pytest.raises(ArgumentError, match=r"6 systems can be swapped in 64 ways only: no p-value is below 0\.016"):
        stats.compare_all(few, z[:6])
    with pytest.raises(ArgumentError, match="compare fewer metrics, take `correction=none`, or, if"):
        stats.compare_all(few, z[:6])
    # Four systems can be swapped in 16 ways: 1/16 is above .05 before any correction.
    with pytest.raises(
        ArgumentError, match=r"none can reach alpha 0\.05; score more systems, or, if metrics favour no"
    ):
        stats.compare_all({name: table[:4] for name, table in few.items()}, z[:4])
    assert stats.compare_all(few, z[:6], correction="none").permutations == 1000
    assert stats.compare_all(few, z[:6], method="both").notes == ()


@pytest.fixture
def favouring():
    """A study of metrics that each favour systems of their own."""
    rng = np.random.default_rng(3)
    z = rng.normal(size=(10, 1)) + rng.normal(size=(10, 30))
    tables = {name: z + rng.normal(size=(10, 1)) + rng.normal(size=z.shape) for name in ("a", "b", "c")}
    return meta.Study.from_tables({**tables, "rated": z}, aspects=["rated"])


def test_a_test_that_ignores_effects_says_so(favouring):
    two = meta.test(favouring, metrics=["a", "b"], method="both", coefficient="pearson", permutations=200)
    whole = meta.test(favouring, metrics=["a", "b"], coefficient="pearson", permutations=200)
    assert two.records()[0]["systems p"] == whole.pvalue
    assert two.effects == stats.system_effects(favouring["a"], favouring["b"])
    *_, note = two.notes
    assert note.startswith(
        f"the metrics favour different systems (F = {two.effects.f:.1f}, p < .001). Swapping by both"
    )
    assert not any("favour" in note for note in whole.notes)
    assert "systems p" not in whole.records()[0]
    three = meta.test(favouring, method="both", coefficient="pearson", permutations=200)
    *_, note = three.notes
    assert note.startswith("in 3 of 3 pairs the metrics favour different systems (F test). Swapping by both supposes")
    first = three.records()[0]
    alone = meta.test(
        favouring, metrics=[first["x"], first["y"]], coefficient="pearson", permutations=200, alternative="greater"
    )
    assert first["systems p"] == alone.pvalue
    assert "systems p" in result_sheet(three).columns


def test_captions_say_how_the_test_was_made(favouring):
    words = caption(meta.test(favouring, metrics=["a", "b"], method="both", permutations=50, seed=4))
    assert words.startswith("permutation test by both (50 permutations, seed 4), two-sided, alpha 0.05")
    words = caption(meta.test(favouring, metrics=["a", "b"], permutations=2000))
    assert words.startswith("permutation test by scaled-systems (all 1,024 ways to swap), two-sided")
    words = caption(meta.test(favouring, metrics=["a", "b"], test="bootstrap", permutations=50))
    assert words.startswith("bootstrap test by both (50 resamples, seed 0), two-sided")
    words = caption(meta.test(favouring, permutations=50, correction="holm", seed=2, alpha=0.1))
    assert "tests by scaled-systems of all pairs, 120 permutations, seed 2, holm correction, alpha 0.1" in words
    # Ten systems can be swapped in 2^10 ways, which is fewer than the permutations asked for: none is drawn.
    every_way = meta.test(favouring, permutations=1024)
    assert "tests by scaled-systems of all pairs, all 1,024 ways to swap, bonferroni-metric" in caption(every_way)
    assert (every_way.details()["permutations"], every_way.details()["exact"]) == (1024, True)


@pytest.mark.parametrize(
    ("alternative", "question"),
    [
        ("two-sided", "does one of x and y agree better with people than the other?"),
        ("greater", "does x agree better with people than y?"),
        ("less", "does x agree worse with people than y?"),
    ],
)
def test_the_caption_asks_what_the_test_asks(favouring, alternative, question):
    words = caption(meta.test(favouring, metrics=["a", "b"], test="williams", alternative=alternative))
    assert words == f"williams test, {alternative}, alpha 0.05: {question}"


def test_too_few_systems_are_noted(favouring):
    small = meta.Study.from_tables(
        {name: favouring[name][:4] for name in favouring}, aspects=favouring.aspects, systems=favouring.systems[:4]
    )
    *_, note = meta.test(small, metrics=["a", "b"]).notes
    assert note == "there are 16 ways to swap: no p-value can be below 0.12, and none reaches alpha 0.05"


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", ["pearson", "kendall"])
@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("kind", ["independent", "effects"])
def test_scaled_systems_hold_their_level(kind, level, coefficient):
    """Equally good metrics: 5% of 1,000 tests reject, with a standard error of .7%, whatever metrics favour."""
    rng = np.random.default_rng(17)
    rejected = 0
    for trial in range(1000):
        x, y, z = simulate(kind, systems=12, documents=20, rng=rng)
        result = stats.permutation_test(x, y, z, level=level, coefficient=coefficient, permutations=199, seed=trial)
        rejected += result.pvalue <= 0.05
    assert 0.02 <= rejected / 1000 <= 0.075


@pytest.mark.slow
def test_scaled_systems_find_more_than_systems():
    """Errors on single summaries, one metric three times as noisy: measured .8 of these tests against .3."""
    rng = np.random.default_rng(18)
    rejected = dict.fromkeys(("scaled-systems", "systems"), 0)
    for trial in range(200):
        x, y, z = simulate("independent", systems=12, documents=40, rng=rng, worse=3.0)
        for method in rejected:
            result = stats.permutation_test(x, y, z, level="system", method=method, permutations=199, seed=trial)
            rejected[method] += result.pvalue <= 0.05
    assert rejected["scaled-systems"] > 130
    assert rejected["systems"] < 90
