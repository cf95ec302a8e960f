"""s3: features by hand, shipped weights, weights of one's own and their training, batches, bad input."""

import json

import numpy as np
import pytest

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.learned.features import FEATURES, describe_summaries, measure_nearness
from gistmeter.models.roles import check_role, find_role, read_card
from gistmeter.models.s3.regression import find_regression
from gistmeter.training.s3.recipe import S3Data, S3Recipe
from gistmeter.training.s3.training import JudgedSummaries, fit_regression, predict_held_out, train_s3


def example(summary, *references, doc_id="1", system="s"):
    return Example(doc_id=doc_id, system=system, summary=summary, references=references)


class Directions:
    """Invented vectors: rain and storm are near (cosine .6), town stands alone."""

    def find(self, words):
        vectors = {"rain": (1.0, 0.0, 0.0), "storm": (0.6, 0.8, 0.0), "town": (0.0, 0.0, 1.0)}
        return np.array([vectors[word] for word in words])


def test_nearness_by_hand():
    # rain is .6 from storm, town is there: (.6 + 1) / 2.
    assert measure_nearness(["storm", "town"], ["rain", "town"], Directions(), 1) == pytest.approx(0.8)
    # Pairs: rain + town and storm + town, each of length sqrt 2: (.6 + 1) / 2.
    assert measure_nearness(["storm", "town"], ["rain", "town"], Directions(), 2) == pytest.approx(0.8)
    assert measure_nearness(["storm"], ["rain", "town"], Directions(), 2) == 0  # no pair
    assert measure_nearness([], ["rain"], Directions(), 1) == 0


def test_features_by_hand():
    (row,) = describe_summaries([example("the storm hit", "the storm hit the town")])
    by_name = dict(zip(FEATURES, row, strict=True))
    assert by_name["ROUGE-1 recall"] == pytest.approx(3 / 5)
    assert by_name["ROUGE-1 precision"] == 1
    assert by_name["ROUGE-2 recall"] == pytest.approx(2 / 4)
    assert by_name["ROUGE-L recall"] == pytest.approx(3 / 5)
    # the storm hit, the is there again, and town is near none of the three: less than .3 away from 4 of 5.
    assert 4 / 5 < by_name["ROUGE-WE-1 recall"] < 4 / 5 + 0.3 / 5 + 0.1
    # the 1/3, storm 1/3, hit 1/3 against the 2/5, storm, hit, town 1/5 each.
    left, right = np.array([1, 1, 1, 0]) / 3, np.array([2, 1, 1, 1]) / 5
    middle = (left + right) / 2
    divergence = np.mean([(p[p > 0] * np.log2(p[p > 0] / middle[p > 0])).sum() for p in (left, right)])
    assert by_name["JS-1"] == pytest.approx(divergence)


def test_missing_and_single_words():
    rows = describe_summaries([example("rain", ""), example("rain", "rain"), example("", "rain fell")])
    assert np.isnan(rows[0]).all()
    assert np.isfinite(rows[1:]).all()
    assert np.isnan(parse_metric("s3").score([example("rain", " ")])).all()


def test_a_score_does_not_depend_on_the_batch():
    metric = parse_metric("s3")
    examples = [example(text, "It rained in Porto.", "Rain fell.") for text in ("It rained.", "", "Porto", "a b c")]
    together = metric.score(examples)
    assert together == pytest.approx(np.concatenate([metric.score([each]) for each in examples]), abs=1e-12)


def test_shipped_weights_and_their_cards():
    for target in ("pyr", "resp"):
        metric = parse_metric(f"s3(target={target})")
        same, part, other = (
            example(text, "The council approved the plan on Monday.")
            for text in ("The council approved the plan on Monday.", "The council met.", "Cats sleep all day.")
        )
        scores = metric.score([same, part, other])[:, 0]
        assert scores[0] > scores[1] > scores[2]
        assert check_role(find_role(f"s3-{target}")) == ""
        assert "Held-out figures" in read_card(f"s3-{target}")
    assert parse_metric("S3(target=resp)").facts() != parse_metric("s3").facts()


def test_evidence_adds_up():
    metric, case = parse_metric("s3"), example("The council met.", "The council approved the plan.")
    evidence = metric.explain(case)
    added = sum(float(row[3]) for row in evidence.table.rows)
    mean = float(evidence.headline.partition(": ")[2].split()[0])
    assert mean + added == pytest.approx(metric.score([case])[0, 0], abs=0.01)
    assert metric.explain(example("x", "")) is None


def test_bad_input_is_one_sentence(tmp_path):
    with pytest.raises(DataError, match="s3 reads English only, not language 'de'"):
        parse_metric("s3").check_language("de")
    with pytest.raises(MetricError, match="there is no such file; take gistmeter"):
        parse_metric("s3(weights=absent.json)").score([example("x", "x")])
    broken = tmp_path / "broken.json"
    broken.write_text('{"features": ["a"], "means": [0], "deviations": [1], "coefficients": [1], "intercept": 0}')
    with pytest.raises(MetricError, match="it needs the features "):
        parse_metric(f"s3(weights={broken})").score([example("x", "x")])
    shipped = json.loads(find_regression("gistmeter", "pyr").read_text("utf-8"))
    broken.write_text(json.dumps({**shipped, "features": shipped["features"][::-1]}))  # as many, in another order
    with pytest.raises(MetricError, match="it needs the features "):
        parse_metric(f"s3(weights={broken})").score([example("x", "x")])
    broken.write_text("[]")
    with pytest.raises(MetricError, match=r"broken\.json"):
        parse_metric(f"s3(weights={broken})").score([example("x", "x")])


def invented_set(documents=12, systems=4, seed=1):
    """Judgments that follow the first measure within documents, and a level of the document's own."""
    rng = np.random.default_rng(seed)
    rows = rng.random((documents * systems, len(FEATURES)))
    names = np.repeat([f"d{number}" for number in range(documents)], systems)
    levels = np.repeat(rng.random(documents), systems)
    return JudgedSummaries(
        group="set",
        aspect="a",
        rows=rows,
        judged=rows[:, 0] + 5 * levels,
        documents=names,
        systems=np.tile([f"s{number}" for number in range(systems)], documents),
    )


def test_differences_within_documents_are_learned():
    judged = invented_set()
    within = fit_regression([judged], S3Recipe(penalty=0.0))
    slopes = np.array(within.coefficients) / np.array(within.deviations)
    assert slopes == pytest.approx([1, 0, 0, 0, 0, 0, 0, 0, 0], abs=1e-9)
    everything = fit_regression([judged], S3Recipe(penalty=0.0, learn="all"))
    assert abs(everything.coefficients[0] / everything.deviations[0] - 1) > 0.01  # the documents' levels disturb it
    predicted = predict_held_out([judged], 0, S3Recipe(penalty=0.0))
    differences = [predicted[rows] - judged.judged[rows] for rows in np.arange(48).reshape(12, 4)]
    assert np.ptp(differences, axis=1) == pytest.approx(np.zeros(12), abs=1e-9)


def test_training_writes_weights_that_score(tmp_path):
    texts = ("It rained in Porto.", "It rained.", "Rain fell in Porto all day.", "Cats sleep.")
    lines = [
        {"doc_id": f"d{number}", "system": f"s{index}", "summary": text, "human": {"content": value},
         "references": [f"It rained in Porto {number}."]}
        for number in range(5)
        for index, (text, value) in enumerate(zip(texts, (5, 4, 3, 1), strict=True))
    ]  # fmt: skip
    run = tmp_path / "run.jsonl"
    run.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    out = tmp_path / "own.json"
    trained = train_s3(out, S3Data(data=(str(run),), aspect=("content",)), recipe=S3Recipe(penalty=1.0))
    assert trained.figures[0].summary > 0.9
    assert "own.json: summary-level r on held-out documents: run 1.000 (ROUGE-1 0.886)" in trained.summary()
    scores = parse_metric(f"s3(weights={out})").score([example(text, "It rained in Porto 9.") for text in texts])[:, 0]
    assert scores[0] > scores[3]
    with pytest.raises(DataError, match="at least 6 judged documents"):
        train_s3(out, S3Data(data=(str(run),), aspect=("content",)), recipe=S3Recipe(folds=6))
    with pytest.raises(DataError, match="there are 1 runs but 2 aspects"):
        train_s3(out, S3Data(data=(str(run),), aspect=("content", "x")))
