"""Published correlations, recomputed from the research data.

Tolerances are what was measured with rouge-score on the same files (expected_vs_measured.json beside the data);
where the published figure itself is not reached, the test pins what the data gives and says so.
"""

import numpy as np
import pytest

from gistmeter import Judgments
from gistmeter.api import correlate, read_run
from gistmeter.api import score as score_run
from gistmeter.example import Example

pytestmark = pytest.mark.data

# The scorer of the papers: ROUGE-1.5.5's tokens with rouge-score's stemmer.
PORTER = "stem=porter,tokenizer=rouge155"


def score(run, metrics):
    """Scores of texts as they were published: the papers took -lrb- and its kin for words."""
    return score_run(run, metrics, markers="keep")


def levels(scores, judgments, column, aspect, coefficients, undefined="drop"):
    return [
        correlate(
            scores, judgments, column=column, aspect=aspect, level=level, coefficient=coefficient, undefined=undefined
        ).value
        for level in ("system", "summary")
        for coefficient in coefficients
    ]


@pytest.mark.parametrize(
    ("order", "published"), [(1, [0.91, 0.92, 0.53, 0.50]), (2, [0.96, 0.95, 0.46, 0.43])], ids=["rouge1", "rouge2"]
)
def test_realsumm_recall(data, order, published):
    """Zhang and Bansal (2021), Table 2: system r and rho, summary r and rho, all four to two decimals."""
    path = data / "realsumm/realsumm.jsonl.gz"
    name = f"rouge{order}({PORTER})"
    result = levels(
        score(path, name), Judgments.read(path), f"{name}.recall", "litepyramid_recall", ("pearson", "spearman")
    )
    assert result == pytest.approx(published, abs=0.005)


@pytest.mark.parametrize(
    ("order", "published", "summary_level"),
    [
        # Summary level depends on four documents where all systems got the same human score, and the paper does not
        # say what it did with them: .52 and .50 lie between counting them as 0 and dropping them.
        (1, [0.98, 0.96], {"drop": [0.545, 0.525], "zero": [0.523, 0.504]}),
        (2, [0.99, 0.95], {"drop": [0.547, 0.523], "zero": [0.525, 0.502]}),
    ],
    ids=["rouge1", "rouge2"],
)
def test_pyrxsum_recall(data, order, published, summary_level):
    """Zhang and Bansal (2021), Table 2."""
    path = data / "pyrxsum/pyrxsum.jsonl.gz"
    name = f"rouge{order}({PORTER})"
    scores, judgments = score(path, name), Judgments.read(path)
    for policy, expected in summary_level.items():
        result = levels(
            scores, judgments, f"{name}.recall", "litepyramid_recall", ("pearson", "spearman"), undefined=policy
        )
        assert result[:2] == pytest.approx(published, abs=0.005)
        assert result[2:] == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize(
    ("order", "published", "tolerance"),
    [
        # Thesis Table 11 used its own ROUGE: of 120 pairs of systems two are swapped here, which moves system tau.
        (1, [0.61, 0.62, 0.50, 0.28, 0.26, 0.20], 0.035),
        (2, [0.64, 0.60, 0.43, 0.23, 0.19, 0.14], 0.025),
    ],
    ids=["rouge1", "rouge2"],
)
def test_summeval_relevance(data, order, published, tolerance):
    """Deutsch's thesis, Table 11: F1 against the first reference; r, rho, tau at system then summary level."""
    path = data / "summeval/summeval.jsonl.gz"
    first = [
        Example(
            doc_id=example.doc_id, system=example.system, summary=example.summary, references=example.references[:1]
        )
        for example in read_run(path)
    ]
    name = f"rouge{order}({PORTER})"
    result = levels(
        score(first, name), Judgments.read(path), f"{name}.f1", "relevance", ("pearson", "spearman", "kendall")
    )
    assert result == pytest.approx(published, abs=tolerance)
    assert result[3:] == pytest.approx(published[3:], abs=0.005)


@pytest.mark.parametrize(
    ("aspect", "column", "published"),
    [
        ("focus", "precision", {"cnndm": [0.607, 0.623], "xsum": [0.540, 0.562]}),
        ("coverage", "recall", {"cnndm": [0.592, 0.641], "xsum": [0.480, 0.514]}),
    ],
)
def test_ffci_rouge1(data, aspect, column, published):
    """FFCI, Table 4: Pearson over 135 summaries of one system (PG, then BERT) on one dataset."""
    path = data / "ffci/focus_coverage.jsonl.gz"
    name = f"rouge1({PORTER})"
    examples, judgments = read_run(path), Judgments.read(path)
    for subset, expected in published.items():
        for system, value in zip(("PG", "BERT"), expected, strict=True):
            sample = [example for example in examples if example.system == system and example.doc_id.startswith(subset)]
            assert len(sample) == 135
            result = correlate(
                score(sample, name), judgments, column=f"{name}.{column}", aspect=aspect, level="pooled"
            ).value
            assert result == pytest.approx(value, abs=0.007)


LANGUAGES = ("en", "id", "fr", "tr", "zh", "ru", "de", "es")
TABLE_2 = {
    "focus": ("precision", [0.61, 0.69, 0.68, 0.81, 0.80, 0.47, 0.88, 0.53]),
    "coverage": ("recall", [0.62, 0.72, 0.67, 0.83, 0.79, 0.58, 0.89, 0.67]),
}
# What the data gives where it is not the published figure: Turkish (both) and Spanish focus.
MEASURED = {("focus", "tr"): 0.825, ("focus", "es"): 0.571, ("coverage", "tr"): 0.859}

SCORERS = {"zh": "rouge1(stem=none)", "ru": "rouge1(stem=none,tokenizer=whitespace)"}


@pytest.mark.parametrize("aspect", TABLE_2)
def test_multi_summeval_rouge1(data, aspect):
    """Koto, Lau and Baldwin (2021), Table 2: ROUGE-1 in eight languages, Pearson over 270 summaries.

    The authors ran ROUGE-1.5.5 with its ASCII tokens and Porter stems on all languages, Chinese characters and
    Russian words mapped to numbers first. Their Russian words are what stands between spaces, punctuation
    included; our default (words and Snowball stems) gives .59 and .66 there.
    """
    path = data / "multi_summeval/multi_summeval.jsonl.gz"
    column, published = TABLE_2[aspect]
    examples, judgments = read_run(path), Judgments.read(path)
    for language, value in zip(LANGUAGES, published, strict=True):
        name = SCORERS.get(language, f"rouge1({PORTER})")
        sample = [example for example in examples if example.language == language]
        assert len(sample) == 270
        result = correlate(
            score(sample, name), judgments, column=f"{name}.{column}", aspect=aspect, level="pooled"
        ).value
        expected = MEASURED.get((aspect, language), value)
        assert result == pytest.approx(expected, abs=0.011), (language, result)


def test_the_default_does_not_harm_other_languages(data):
    """With Unicode words and Snowball stems the eight-language mean is at least that of ROUGE-1.5.5's tokens."""
    path = data / "multi_summeval/multi_summeval.jsonl.gz"
    examples, judgments = read_run(path), Judgments.read(path)
    result = {name: [] for name in ("rouge1", f"rouge1({PORTER})")}
    for language in ("id", "fr", "tr", "de", "es"):
        sample = [example for example in examples if example.language == language]
        for name, values in result.items():
            scores = score(sample, name)
            for aspect, (column, _) in TABLE_2.items():
                correlation = correlate(scores, judgments, column=f"{name}.{column}", aspect=aspect, level="pooled")
                values.append(correlation.value)
    assert np.mean(result["rouge1"]) > np.mean(result[f"rouge1({PORTER})"]) - 0.005
