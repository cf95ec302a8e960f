"""Presets: settings under one name, the same metric as if they were written out."""

import pytest
from typer.testing import CliRunner

from gistmeter.cli.main import app
from gistmeter.errors import MetricError
from gistmeter.metrics.presets import list_presets, list_presets_using
from gistmeter.metrics.registry import BUILT_IN, list_entries, parse_metric
from gistmeter.models.encoder.layers import recommend
from gistmeter.models.encoder.recommended import list_recommended

WITH_PRESETS = [
    (entry.names[0], name, preset) for entry in BUILT_IN for name, preset in list_presets(entry.template).items()
]


@pytest.mark.parametrize(("metric", "name", "preset"), WITH_PRESETS, ids=[f"{m}-{n}" for m, n, _ in WITH_PRESETS])
def test_a_preset_is_what_it_stands_for(metric, name, preset):
    written_out = ",".join(f"{key}={value}" for key, value in preset.settings.items())
    assert parse_metric(f"{metric}(preset={name})") == parse_metric(f"{metric}({written_out})")
    assert preset.about


def test_every_preset_belongs_to_a_metric():
    from gistmeter.metrics.presets import _read_presets

    assert _read_presets().keys() <= {entry.template for entry in list_entries()}
    assert {"estime", "lite2pyramid", "lite3pyramid", "qaeval", "focus", "coverage"} <= _read_presets().keys()


def test_a_setting_beside_a_preset_counts():
    metric = parse_metric("estime(preset=paper,layer=24)")
    assert (metric.model, metric.layer) == ("bert-large-uncased-whole-word-masking", 24)


def test_the_layers_of_presets_are_the_published_ones():
    focus, coverage = parse_metric("focus(preset=paper)"), parse_metric("coverage(preset=paper)")
    faithfulness = parse_metric("faithfulness(preset=paper)")
    assert focus.metric.layer == recommend("gpt2-xl", "focus").layer == 29
    assert coverage.metric.layer == recommend("gpt2-xl", "coverage").layer == 4
    assert faithfulness.within.layer == recommend("roberta-large-mnli", "faithfulness").layer == 8
    assert {focus.metric.idf, coverage.metric.idf, faithfulness.within.idf} == {"none"}


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("estime(preset=papr)", r"estime has no preset 'papr'; did you mean paper\? \(it has paper\)"),
        ("rouge1(preset=paper)", r"rouge1 has no preset 'paper' \(it has none\)"),
        ("estime(preset=paper,lair=3)", "estime has no setting 'lair'; did you mean layer"),
    ],
)
def test_a_preset_that_is_not_there(spelling, message):
    with pytest.raises(MetricError, match=message):
        parse_metric(spelling)


def test_recommended_models_by_language():
    names = [model.name for model in list_recommended("fr")]
    assert "camembert-base" in names
    assert "bert-base-multilingual-uncased" in names
    assert "rubert" not in " ".join(names)
    by_name = {model.name: model for model in list_recommended()}
    assert {key: row.layer for key, row in by_name["gpt2-xl"].layers.items()} == {
        "faithfulness": 2,
        "focus": 29,
        "coverage": 4,
    }
    assert by_name["gpt2-xl"].layers["focus"].idf == "none"
    # every model that a preset names is listed with its size
    of_presets = {preset.settings["model"] for _, _, preset in WITH_PRESETS if "model" in preset.settings}
    assert of_presets <= by_name.keys()
    # gpt2 is not gpt2-xl, and a model within the spelling of a metric counts
    assert list_presets_using("gpt2") == []
    assert list_presets_using("gpt2-xl") == [f"{name}(preset=paper)" for name in ("bertscore", "focus", "coverage")]
    shown = CliRunner().invoke(app, ["models", "recommended", "--language", "id"])
    assert shown.exit_code == 0
    assert "indolem/indobert-base-uncased" in shown.output


def test_the_published_bertscore_is_that_of_bert_score():
    from importlib.resources import files
    from pathlib import Path

    from gistmeter.models.encoder.baselines import read_baseline

    published = parse_metric("bertscore(preset=published)")
    assert (published.model, published.layer, published.idf, published.baseline) == (
        "roberta-large",
        17,
        "none",
        "rescale",
    )
    folder = Path(str(files("gistmeter.models.encoder") / "baseline_tables"))
    # rescale_baseline/en/roberta-large.tsv of bert-score, layer 17: P, R, F.
    assert read_baseline(folder / "roberta-large.en.none.toml").at(17).tolist() == [0.83150584, 0.8314941, 0.83122575]
