"""Koto, Lau and Baldwin (2021): their 160 correlations, and their choice of layers, from their per-layer scores."""

import json
from collections import defaultdict

import numpy as np
import pytest

from gistmeter import Judgments, stats
from gistmeter.insight.layer_choice import order_rows
from gistmeter.io.runs import read_records

pytestmark = pytest.mark.data
SIDES = {"focus": "precision", "coverage": "recall"}


@pytest.fixture(scope="module")
def human(data):
    """By aspect, system and document."""
    judgments = Judgments.read(data / "multi_summeval/multi_summeval.jsonl.gz")
    results = {}
    for aspect in SIDES:
        for doc_id, system, value in judgments.means(aspect).iter_rows():
            results[aspect, system, doc_id] = value
    return results


@pytest.fixture(scope="module")
def expected(data):
    return json.loads((data / "multi_summeval/expected/correlations.json").read_text())


def tables(records, human, aspect, values):
    """Scores and judgments as systems x documents, the two systems' documents being the same."""
    documents = sorted(records[0]["doc_ids"])
    x, z = np.empty((len(records), len(documents))), np.empty((len(records), len(documents)))
    for row, record in enumerate(records):
        scores = dict(zip(record["doc_ids"], record[values], strict=True))
        x[row] = [scores[doc_id] for doc_id in documents]
        z[row] = [human[aspect, record["system_id"], doc_id] for doc_id in documents]
    return x, z


@pytest.fixture(scope="module")
def by_layer(data):
    """The records of both systems by language, model and layer."""
    result = defaultdict(list)
    for record in read_records(str(data / "multi_summeval/expected/bert_score.jsonl.gz")):
        result[record["language"], record["model"], record["layer"]].append(record)
    return result


@pytest.mark.parametrize("aspect", SIDES)
def test_bertscore_correlations(by_layer, human, expected, aspect):
    """80 printed correlations: 8 languages x 5 models x focus and coverage."""
    checked = 0
    for language, models in expected["bert_score"][aspect].items():
        for model, value in models.items():
            records = by_layer[language, model, expected["bert_score_layer"][aspect][model]]
            x, z = tables(records, human, aspect, SIDES[aspect])
            assert stats.correlate(x, z, level="pooled").value == pytest.approx(value, abs=1e-6)
            checked += 1
    assert checked == 40


@pytest.mark.parametrize("aspect", SIDES)
def test_moverscore_correlations(data, human, expected, aspect):
    """80 more for MoverScore."""
    result = defaultdict(list)
    for record in read_records(str(data / "multi_summeval/expected/mover_score.jsonl.gz")):
        result[record["language"], record["model"]].append(record)
    checked = 0
    for language, models in expected["mover_score"][aspect].items():
        for model, value in models.items():
            x, z = tables(result[language, model], human, aspect, "moverscore")
            assert stats.correlate(x, z, level="pooled").value == pytest.approx(value, abs=1e-6)
            checked += 1
    assert checked == 40


def agreement(by_layer, human, aspect, languages, model):
    """The layers, and a table of them by language and system: the correlation over documents."""
    layers = sorted(layer for lang, name, layer in by_layer if (lang, name) == (languages[0], model))
    values = np.array(
        [
            [
                stats.correlate(x[None], z[None], level="pooled").value
                for language in languages
                for x, z in zip(*tables(by_layer[language, model, layer], human, aspect, SIDES[aspect]), strict=True)
            ]
            for layer in layers
        ]
    )
    return layers, values


@pytest.mark.parametrize("aspect", SIDES)
def test_the_layers_of_all_twelve_models_are_those_of_the_highest_mean(by_layer, human, expected, aspect):
    """Tables 3 and 4: 24 of 24 layers, over 8 languages x 2 systems where a model reads all, else over 2 systems."""
    languages_of = defaultdict(set)
    for language, model, _ in by_layer:
        languages_of[model].add(language)
    published = expected["bert_score_layer"][aspect]
    chosen = {}
    for model, languages in languages_of.items():
        layers, values = agreement(by_layer, human, aspect, sorted(languages), model)
        chosen[model] = layers[order_rows(values, "mean")[0]]
    assert len(chosen) == 12
    assert chosen == {model: published[model] for model in chosen}
