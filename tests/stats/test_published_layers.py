"""Koto, Lau and Baldwin (2021): their 160 correlations, and their choice of layers, from their per-layer scores."""

import json
from collections import defaultdict

import numpy as np
import pytest

from gistmeter import Judgments, stats
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


def agreement(by_layer, human, aspect, language, model):
    """By layer: the mean over the two systems of the correlation over documents."""
    layers = sorted(layer for lang, name, layer in by_layer if (lang, name) == (language, model))
    return {
        layer: stats.correlate(
            *tables(by_layer[language, model, layer], human, aspect, SIDES[aspect]), level="per-system"
        ).value
        for layer in layers
    }


@pytest.mark.parametrize("aspect", SIDES)
def test_layers_of_monolingual_models(by_layer, human, expected, aspect):
    """Table 4: the layer with the highest mean correlation over the two systems."""
    multilingual = {
        "bert-base-multilingual-cased",
        "bert-base-multilingual-uncased",
        "xlm-roberta-base",
        "xlm-roberta-large",
    }
    models = {(lang, name) for lang, name, _ in by_layer if name not in multilingual}
    assert len(models) == 8
    chosen = {}
    for language, model in models:
        values = agreement(by_layer, human, aspect, language, model)
        chosen[model] = max(values, key=values.__getitem__)
    wrong = {model: layer for model, layer in chosen.items() if layer != expected["bert_score_layer"][aspect][model]}
    assert wrong == {}


@pytest.mark.parametrize("aspect", SIDES)
def test_layers_of_multilingual_models(by_layer, human, expected, aspect):
    """Table 3: the layer with the highest mean over 8 languages x 2 systems."""
    languages = sorted({lang for lang, _, _ in by_layer})
    wrong = {}
    for model in (
        "bert-base-multilingual-cased",
        "bert-base-multilingual-uncased",
        "xlm-roberta-base",
        "xlm-roberta-large",
    ):
        by_language = [agreement(by_layer, human, aspect, language, model) for language in languages]
        means = {layer: np.mean([values[layer] for values in by_language]) for layer in by_language[0]}
        best = max(means, key=means.__getitem__)
        if best != expected["bert_score_layer"][aspect][model]:
            wrong[model] = (best, means[best], means[expected["bert_score_layer"][aspect][model]])
    assert wrong == {}
