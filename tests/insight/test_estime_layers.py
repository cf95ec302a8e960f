"""layers --aspect consistency: ESTIME by layer is what `estime` gives at each layer, and reads texts once."""

import json

import numpy as np
import pytest
from scipy.stats import spearmanr

from gistmeter.errors import ArgumentError, DataError
from gistmeter.insight import draw_estime_layers
from gistmeter.insight.judged_summaries import read_judged_summaries
from gistmeter.metrics import parse_metric
from gistmeter.metrics.masked.masking import MaskedReader
from gistmeter.report.sheets.insight.estime_layers import estime_layers_sheet
from tiny_checkpoints import DEPTH, make_checkpoint

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SETTINGS = "window=24,margin=3,distance=4"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The folder of a tiny random masked language model."""
    return str(make_checkpoint(tmp_path_factory.mktemp("layers") / "bert", "bert"))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Four systems and three documents, all judged."""
    rng = np.random.default_rng(3)
    words = ["the", "cat", "sat", "on", "mat", "and", "dog", "barked", "at", "prices", "rose", "monday"]
    file = tmp_path_factory.mktemp("run") / "run.jsonl"
    records = []
    for document in range(3):
        text = " ".join(rng.choice(words, 30))
        for system in "abcd":
            human = {"consistency": float(rng.integers(1, 6)), "fluency": float(rng.integers(1, 6))}
            records.append(
                {
                    "doc_id": str(document),
                    "system": system,
                    "document": text,
                    "summary": " ".join(rng.choice(words, 12)),
                    "human": human,
                }
            )
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def settings(tiny, more=""):
    return f"estime(model={tiny},{SETTINGS}{more})"


@pytest.mark.more
def test_each_layer_is_what_the_metric_gives_there(tiny, run):
    names = [settings(tiny), settings(tiny, ",normalise=yes"), settings(tiny, ",mask=words")]
    drawn = draw_estime_layers([run], metrics=names, scores=["alarms", "winners"], humans=["consistency", "fluency"])
    assert len(drawn.curves) == 3 * 2 * 2
    assert (drawn.summaries, drawn.systems) == (12, 4)
    for curve in drawn.curves:
        assert curve.layers == tuple(range(1, DEPTH + 1))
        judged = read_judged_summaries([run], human=curve.human)
        for layer, value in zip(curve.layers, curve.values, strict=True):
            metric = parse_metric(curve.metric.replace("estime(", f"estime(layer={layer},"))
            scores = metric.score([summary.example for summary in judged])[:, 0 if curve.score == "alarms" else 2]
            expected = spearmanr(-scores, [summary.human for summary in judged]).statistic
            assert value == pytest.approx(expected, nan_ok=True)


@pytest.mark.more
def test_system_level_correlates_means(tiny, run):
    (pooled,) = draw_estime_layers([run], metrics=[settings(tiny)], scores=["alarms"], layers=[1]).curves
    drawn = draw_estime_layers([run], metrics=[settings(tiny)], scores=["alarms"], layers=[1], level="system")
    judged = read_judged_summaries([run], human="consistency")
    scores = parse_metric(settings(tiny, ",layer=1")).score([summary.example for summary in judged])[:, 0]
    systems = np.array([summary.example.system for summary in judged])
    people = np.array([summary.human for summary in judged])
    means = [(-scores[systems == name].mean(), people[systems == name].mean()) for name in "abcd"]
    assert drawn.curves[0].values[0] == pytest.approx(spearmanr(np.array(means)).statistic)
    assert pooled.values[0] != drawn.curves[0].values[0]
    assert "the means of 4 systems (12 summaries)" in estime_layers_sheet(drawn).caption


def test_settings_that_mask_alike_are_read_once(tiny, run, monkeypatch):
    counts = []
    whole = MaskedReader._run_model

    def count_texts(reader, texts, layers):
        counts.append(len(texts))
        return whole(reader, texts, layers)

    monkeypatch.setattr(MaskedReader, "_run_model", count_texts)
    # Another distance than in the other tests, as recent texts are remembered.
    sparse = f"model={tiny},window=24,margin=3,distance=5"
    alike = [f"estime({sparse}{more})" for more in ("", ",normalise=yes", ",unseen=alarm")]
    draw_estime_layers([run], metrics=alike)
    assert sum(counts) == 3 + 12  # documents and summaries


def test_what_cannot_be_drawn_is_refused(run):
    with pytest.raises(ArgumentError, match="rouge1 has no alarms by layer"):
        draw_estime_layers([run], metrics="rouge1")
    with pytest.raises(ArgumentError, match="`scores` cannot be 'alarm'; did you mean alarms"):
        draw_estime_layers([run], scores=["alarm"])
    with pytest.raises(DataError, match="no judgments of 'humour'"):
        draw_estime_layers([run], humans=["humour"])


@pytest.mark.more
def test_the_command(tiny, run, command, tmp_path):
    figure = tmp_path / "layers.svg"
    code, shown, _ = command(
        "layers", "--data", run, "--aspect", "consistency", "-m", settings(tiny), "--human", "consistency",
        "--human", "fluency", "--coefficient", "spearman", "--figure", figure, "--json",
    )  # fmt: skip
    assert code == 0
    rows = json.loads(shown)["rows"]
    assert [row["layer"] for row in rows] == list(range(1, DEPTH + 1))
    assert len(rows[0]) == 1 + 2 * 2
    assert figure.stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--aspect", "consistency", "--keep"], "leave out --keep"),
        (["--aspect", "consistency", "--aspect", "focus"], "leave out other aspects"),
        (["--aspect", "focus", "--count", "alarms"], "only --aspect consistency takes --count"),
        (["--aspect", "consistency", "--count", "alarm"], "unknown score 'alarm'; did you mean alarms"),
    ],
)
def test_options_that_would_do_nothing_are_refused(run, command, options, message):
    code, _, errors = command("layers", "--data", run, *options)
    assert code == 2
    assert message in errors
