"""Power of the tests, ROUGE-1 of a share of the tokens by plain counting, and thesis Fig. 27."""

import gzip
import json
import math
from collections import Counter

import numpy as np
import pytest

from gistmeter.errors import GistmeterError
from gistmeter.meta.study import Study
from gistmeter.stats import correlate, permutation_test, williams_test
from gistmeter.stats.planning.power import power
from gistmeter.stats.planning.worse_metrics import TokenMatches, noisy_scores, thinned_rouge
from gistmeter.text.stems import get_stemmer
from gistmeter.text.words import split_words


def tables(systems=8, documents=25, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(systems, documents))
    return z + rng.normal(size=z.shape), z


def plain_rouge(summary, references, variant):
    values = []
    for reference in references:
        overlap = sum((Counter(summary) & Counter(reference)).values())
        precision = overlap / len(summary) if summary else 0.0
        recall = overlap / len(reference) if reference else 0.0
        f1 = 2 * precision * recall / (precision + recall) if overlap else 0.0
        values.append({"precision": precision, "recall": recall, "f1": f1}[variant])
    return sum(values) / len(values)


def tokens(*texts):
    return [text.split() for text in texts]


SUMMARIES = [tokens("the cat sat on the mat", "a dog", ""), tokens("the the the", "a big dog ran", "rain")]
REFERENCES = [tokens("the cat is on a mat", "the mat"), tokens("a dog ran away"), tokens("", "rain rain")]


@pytest.mark.parametrize("variant", ["precision", "recall", "f1"])
def test_all_tokens_give_rouge(variant):
    values = thinned_rouge(TokenMatches.of(SUMMARIES, REFERENCES), 1.0, variant=variant)
    expected = [
        [plain_rouge(summary, references, variant) for summary, references in zip(row, REFERENCES, strict=True)]
        for row in SUMMARIES
    ]
    assert values == pytest.approx(np.array(expected), abs=1e-12)


def test_a_share_of_the_tokens_is_drawn_without_replacement():
    # 2 of the 4 tokens a a b c, reference a b: the six draws have overlap 1 (aa), 2, 1, 2, 1, 1 (ab, ac twice; bc).
    matches = TokenMatches.of([tokens("a a b c")], [tokens("a b")])
    rng = np.random.default_rng(0)
    drawn = np.array([thinned_rouge(matches, 0.5, variant="recall", rng=rng).item() for _ in range(3000)])
    assert set(drawn) == {0.5, 1.0}
    assert (drawn == 1.0).mean() == pytest.approx(2 / 6, abs=0.03)


def test_the_number_of_tokens_is_rounded_down():
    # 29 of 100 tokens, although 0.29 * 100 is a little less; and of a summary of one token, none.
    matches = TokenMatches.of([[list(range(100)), [1]]], [[list(range(100))], [[1]]])
    assert thinned_rouge(matches, 0.29, variant="recall").tolist() == [[0.29, 0.0]]


def test_a_missing_summary_is_missing():
    values = thinned_rouge(TokenMatches.of([[["a"], None]], [[["a"]], [["b"]]]), 1.0)
    assert values[0, 0] == 1.0
    assert math.isnan(values[0, 1])


def test_noise_keeps_the_mean_and_grows_as_the_share_shrinks():
    x, _ = tables(20, 400)
    rng = np.random.default_rng(0)
    for share in (0.2, 0.5, 0.8):
        noise = noisy_scores(x, share, system_noise=0.0, rng=rng) - x
        assert noise.mean() == pytest.approx(0.0, abs=0.1)
        assert noise.var() == pytest.approx(x.var(axis=0).mean() * (1 - share) / share, rel=0.05)
        common = (noisy_scores(x, share, summary_noise=0.0, rng=rng) - x).std(axis=1)
        assert common == pytest.approx(np.zeros(20), abs=1e-12)
    assert np.isnan(noisy_scores([[math.nan, 1.0], [2.0, 3.0]], 0.5)).tolist() == [[True, False], [False, False]]


def test_a_trial_is_a_test_against_a_worse_version():
    x, z = tables()
    worse = noisy_scores(x, 0.3, rng=np.random.default_rng(5))
    result = power(
        x, z, lambda share, rng: worse, shares=[0.3], tests=["perm-documents", "williams"], trials=4, draws=99
    )
    rejects = williams_test(x, worse, z, level="summary", alternative="greater").pvalue <= 0.05
    assert result.row("williams").rejected == (4 * rejects,)
    pvalue = permutation_test(x, worse, z, method="documents", alternative="greater", permutations=99).pvalue
    assert result.row("perm-documents").power[0] == (pvalue <= 0.05)
    assert result.lost[0] == pytest.approx(correlate(x, z).value - correlate(worse, z).value)
    assert result.degraded == "given"


def test_the_result_is_the_same_for_any_number_of_workers():
    x, z = tables()
    recorded = []
    settings = {"shares": [0.2, 0.6], "trials": 6, "draws": 50}
    item = power(x, z, progress=lambda done, total: recorded.append((done, total)), **settings)
    assert item == power(x, z, workers=3, **settings)
    assert recorded[-1] == (12, 12)
    assert item.degraded == "noise"
    assert [row.trials for row in item.rows] == [(6, 6)] * 4
    assert all(interval.low <= interval.value <= interval.high for row in item.rows for interval in row.intervals)


def test_a_test_does_not_find_what_is_not_there():
    x, z = tables()
    result = power(x, z, shares=[1.0], trials=3, draws=50)
    assert [row.power for row in result.rows] == [(0.0,)] * 4
    assert result.lost == (0.0,)


def test_trials_without_a_pvalue_are_left_out():
    x, z = tables()
    result = power(x, z, lambda share, rng: np.ones_like(x), shares=[0.5], trials=3, draws=20, tests=["williams"])
    assert result.row("williams").trials == (0,)
    assert math.isnan(result.row("williams").power[0])
    assert math.isnan(result.lost[0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tests": ["perm"]}, "unknown test 'perm'"),
        ({"tests": []}, "tests are a list"),
        ({"shares": [0.0]}, "shares are above 0 and at most 1"),
        ({"shares": [0.5, 1.5]}, "shares are above 0 and at most 1"),
        ({"shares": []}, "shares are a list"),
        ({"alpha": 5}, "alpha is between 0 and 1"),
        ({"trials": 0}, "trials must be at least 1"),
        ({"degrade": lambda share, rng: np.ones((2, 2))}, r"the worse version has shape \(2, 2\)"),
    ],
)
def test_bad_settings_are_refused(changes, message):
    x, z = tables()
    with pytest.raises(GistmeterError, match=message):
        power(x, z, **{"trials": 1, "draws": 10, **changes})


def test_bad_tokens_are_refused():
    with pytest.raises(GistmeterError, match="a share of the tokens"):
        thinned_rouge(TokenMatches.of(SUMMARIES, REFERENCES), 0.0)
    with pytest.raises(GistmeterError, match="a share of the tokens"):
        noisy_scores([[1.0]], 1.5)
    with pytest.raises(GistmeterError, match="unknown variant"):
        thinned_rouge(TokenMatches.of(SUMMARIES, REFERENCES), 1.0, variant="f2")
    with pytest.raises(GistmeterError, match="references of those documents"):
        TokenMatches.of(SUMMARIES, REFERENCES[:2])


@pytest.fixture(scope="module")
def summeval(data):
    """The matrices of SummEval, and its summaries' tokens against the one reference of CNN/DM, as in the thesis."""
    matrices = Study.read(data / "matrices" / "summeval.json.gz")
    stem = get_stemmer("porter")
    summaries, references = {}, {}
    with gzip.open(data / "summeval" / "summeval.jsonl.gz") as lines:
        for line in lines:
            record = json.loads(line)
            summaries[record["system_id"], record["doc_id"]] = list(map(stem, split_words(record["summary"]["text"])))
            references.setdefault(record["doc_id"], [list(map(stem, split_words(record["references"][0])))])
    matches = TokenMatches.of(
        [[summaries[system, document] for document in matrices.documents] for system in matrices.systems],
        [references[document] for document in matrices.documents],
    )
    return matrices, matches


@pytest.mark.data
def test_all_tokens_of_summeval_give_the_rouge_of_the_thesis(summeval):
    """On a scale of 100, mean difference .31 and most 4.8, for some of the texts are of another version."""
    matrices, matches = summeval
    away = np.abs(100 * thinned_rouge(matches, 1.0) - matrices["rouge-1_f1"])
    assert away.mean() < 0.35
    assert away.max() < 5
    assert (away < 0.01).mean() > 0.8


@pytest.mark.data
def test_noise_loses_about_as_much_correlation_as_thinning(summeval):
    """Correlations with relevance at summary level (.28 with all tokens) and system level (.61), means of 30 draws.

    share   R_k summary, system   noise summary, system
    .2      .155  .394            .123  .350
    .5      .220  .512            .191  .486
    .8      .260  .597            .246  .568
    """
    matrices, matches = summeval
    x, z = thinned_rouge(matches, 1.0), matrices["expert_relevance"]
    rng = np.random.default_rng(0)
    for share in (0.2, 0.5, 0.8):
        thinned = [thinned_rouge(matches, share, rng=rng) for _ in range(8)]
        noisy = [noisy_scores(x, share, rng=rng) for _ in range(8)]
        for level, allowed in (("summary", 0.05), ("system", 0.1)):
            first, second = (np.mean([correlate(y, z, level=level).value for y in ys]) for ys in (thinned, noisy))
            assert second == pytest.approx(first, abs=allowed), (share, level)


@pytest.mark.slow
@pytest.mark.data
def test_figure_27(summeval):
    """The order of power on SummEval with R_k, 40 trials of 300 draws.

    Measured with 100 trials of 1,000 draws, shares .05 .1 .2 .3 .5 .7 .8 .9 .95 1:
    summary   perm-both 1 1 1 1 .91 .75 .44 .19 .20 0    boot-both 1 .99 .82 .78 .30 .12 .02 0 0 0   Williams all 0
    system    perm-both .97 1 .99 .99 .80 .47 .26 .11 .11 0    boot-both all 0    Williams .01 and 0
    """
    matrices, matches = summeval
    x, z = thinned_rouge(matches, 1.0), matrices["expert_relevance"]
    shares = (0.1, 0.5, 0.8, 1.0)

    def thinned(share, rng):
        return thinned_rouge(matches, share, rng=rng)

    for level in ("summary", "system"):
        result = power(x, z, thinned, shares=shares, level=level, trials=40, draws=300, workers=2)
        perm, boot, williams = (row.power for row in result.rows)
        assert perm[0] >= 0.9
        assert list(perm) == sorted(perm, reverse=True)
        assert perm[-1] == 0.0
        for position in (1, 2):
            assert perm[position] > boot[position] >= williams[position]
        assert max(williams) <= 0.05
        if level == "system":
            assert max(boot) <= 0.05
        else:
            assert boot[0] > 0.8


def test_a_two_sided_test_needs_more_and_must_find_the_right_one():
    x, z = tables()
    better = z + 0.1 * np.random.default_rng(2).normal(size=z.shape)
    options = {"shares": [0.5], "tests": ["perm-scaled-systems"], "trials": 2, "draws": 99}
    # The "worse version" is better: one-sided p is near 1, and two-sided p is low for the wrong metric.
    for alternative in ("greater", "two-sided"):
        assert power(x, z, lambda share, rng: better, alternative=alternative, **options).rows[0].power == (0.0,)
        assert power(better, z, lambda share, rng: x, alternative=alternative, **options).rows[0].power == (1.0,)
    # 8 systems are swapped in 256 ways. With 99 drawn, p is at least .01: never as low as an alpha of .001.
    strict = power(better, z, lambda share, rng: x, alpha=0.001, **options)
    assert strict.rows[0].power == (0.0,)
    with pytest.raises(GistmeterError, match="alternative is one of greater, two-sided"):
        power(x, z, alternative="less")
