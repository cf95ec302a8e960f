"""Training entailment: that training learns and goes on, the cards, and the command."""

import json
from dataclasses import replace

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.training.entailment.nli_pairs import read_nli_pairs
from gistmeter.training.entailment.presence_labels import fold_labels, pair_labels
from invented_entailment import THINGS, WORDS, invent_labels, invent_pairs, write_records
from tiny_encoder import make_tiny_encoder

pytestmark = pytest.mark.more


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return make_tiny_encoder(
        tmp_path_factory.mktemp("base"),
        ["the", "is", *WORDS, *THINGS],
        layers=2,
        initializer_range=0.3,
        hidden_dropout_prob=0,
        attention_probs_dropout_prob=0,
    )


@pytest.fixture(scope="module")
def trained(tmp_path_factory, base):
    """A training of eight epochs."""
    from gistmeter.training.entailment.pretraining import pretrain
    from gistmeter.training.entailment.recipe import EntailmentRecipe

    folder = tmp_path_factory.mktemp("training")
    data = read_nli_pairs([write_records(folder / "nli.jsonl", invent_pairs())], held_out=0.1)
    recipe = EntailmentRecipe(
        epochs=8, rate=2e-2, rank=8, hidden=16, first=0, batch=32, joined=0.0, dropout=0.0, precision="fp32"
    )
    recipe = replace(recipe, check_every=20)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gistmeter.training.loop.adapted_weights.locate", lambda *_: base)
        yield data, recipe, pretrain(data, folder / "whole", recipe=recipe)


def test_training_learns_the_three_classes(trained):
    _, _, whole = trained
    checks = whole.run.checks
    assert checks[-1].loss < checks[0].loss / 2
    count, share = whole.accuracies["mnli"]
    assert count > 0
    assert share > 0.8


def test_an_interrupted_training_ends_in_the_same_weights(trained, base, monkeypatch, tmp_path):
    from safetensors.numpy import load_file

    from gistmeter.training.entailment.pretraining import pretrain

    def stop(check):
        if check.step == 5:
            raise KeyboardInterrupt

    data, recipe, _ = trained
    monkeypatch.setattr("gistmeter.training.loop.adapted_weights.locate", lambda *_: base)
    short = replace(recipe, epochs=1, check_every=5)
    whole = pretrain(data, tmp_path / "whole", recipe=short)
    with pytest.raises(KeyboardInterrupt):
        pretrain(data, tmp_path / "parts", recipe=short, report=stop)
    parts = pretrain(data, tmp_path / "parts", recipe=short)
    assert whole.run.checks[-1].step > 5
    a, b = load_file(whole.run.file), load_file(parts.run.file)
    assert all(np.array_equal(a[name], b[name]) for name in a)
    assert parts.run.plans == whole.run.plans
    assert parts.run.tokens == whole.run.tokens


def test_the_merged_model_says_what_training_saw(trained, base, monkeypatch):
    """Logits in training equal those of the encoder with the parts merged, up to half precision."""
    from gistmeter.models.entailment import model as role
    from gistmeter.training.loop.pair_run import predict_logits

    data, _, whole = trained
    pairs = [(pair.premise, pair.hypothesis) for pair in data.held_out[:20]]
    expected = predict_logits(whole.learner, whole.learner.tokenizer.pairs(pairs))
    monkeypatch.setattr("gistmeter.models.runtime.locate.locate", lambda *_: base)
    given = role.load_entailment(str(whole.run.file)).logits(pairs)
    np.testing.assert_allclose(given, expected, atol=0.05)
    assert np.ptp(given) > 1


def test_another_recipe_does_not_go_on_in_the_same_folder(trained, base, monkeypatch):
    from gistmeter.training.entailment.pretraining import pretrain

    data, recipe, whole = trained
    monkeypatch.setattr("gistmeter.training.loop.adapted_weights.locate", lambda *_: base)
    with pytest.raises(DataError, match="other settings or data"):
        pretrain(data, whole.run.file.parent, recipe=replace(recipe, seed=2))


def test_layers_below_the_first_that_learns_are_run_once_and_say_the_same(trained, base, monkeypatch, tmp_path):
    from gistmeter.training.entailment import learners
    from gistmeter.training.entailment.fine_tuning import cross_validate_presence
    from gistmeter.training.entailment.presence_figures import measure_presence

    _, recipe, whole = trained
    monkeypatch.setattr("gistmeter.training.loop.adapted_weights.locate", lambda *_: base)
    rows = invent_labels()
    question = pair_labels(rows)
    assert len(question.pairs) < len(rows)  # the same premise and unit of two systems is one pair
    parts = fold_labels(rows, "documents", count=3)
    tuned = replace(recipe, first=1, epochs=4, rate=3e-3)
    values = cross_validate_presence(question, parts, tmp_path / "kept", recipe=tuned, start=whole.run.file)
    assert not np.isnan(values).any()
    assert measure_presence(rows, values).rows == len(rows)
    # Without the store, each layer is run anew; nothing else changes.
    anew = learners.load_learner

    def without_store(*args, **named):
        return anew(*args, **(named | {"states": None}))

    monkeypatch.setattr("gistmeter.training.entailment.fine_tuning.load_learner", without_store)
    again = cross_validate_presence(question, parts, tmp_path / "anew", recipe=tuned, start=whole.run.file)
    np.testing.assert_allclose(values, again, atol=1e-5)


def test_a_classifier_by_name_learns_whole_or_by_updates(trained, base, tmp_path):
    from gistmeter.models.entailment.model import load_entailment
    from gistmeter.training.entailment.pretraining import pretrain
    from gistmeter.training.loop.pair_run import predict_logits

    data, recipe, _ = trained
    for method in ("lora", "full"):
        short = replace(recipe, method=method, epochs=3, rate=3e-3, check_every=8)
        done = pretrain(data, tmp_path / method, recipe=short, model=str(base.folder))
        pairs = [(pair.premise, pair.hypothesis) for pair in data.held_out[:5]]
        shipped = load_entailment(str(done.run.file)).logits(pairs)
        np.testing.assert_allclose(
            shipped, predict_logits(done.learner, done.learner.tokenizer.pairs(pairs)), atol=1e-4
        )
        assert done.run.checks[-1].loss < done.run.checks[0].loss
        assert json.loads((done.run.file / "config.json").read_text())["gistmeter_learned"] == "entailment"


def test_the_loss_of_two_classes_is_that_of_p2c():
    torch = pytest.importorskip("torch")

    from gistmeter.training.entailment.loss import entailment_loss

    logits = torch.tensor([[1.0, 2.0, -0.5]])
    p = 1 / (1 + np.exp(-(1.0 - 2.0 + 0.5)))  # e - n - c = -.5
    three = -np.log(np.exp([1.0, 2.0, -0.5]) / np.exp([1.0, 2.0, -0.5]).sum())
    np.testing.assert_allclose(entailment_loss(logits, torch.tensor([3]), two_way=0.25), -np.log(1 - p), rtol=1e-5)
    np.testing.assert_allclose(
        entailment_loss(logits, torch.tensor([0]), two_way=0.25), three[0] - 0.25 * np.log(p), rtol=1e-5
    )
    half = -0.25 * np.log(p) - 0.75 * np.log(1 - p)
    np.testing.assert_allclose(entailment_loss(logits, torch.tensor([0.25]), two_way=0.25), half, rtol=1e-5)


def test_the_card_tells_the_command_the_licences_and_the_figures(trained):
    from gistmeter.training.entailment.card import fine_tuning_card, pretraining_card
    from gistmeter.training.entailment.presence_figures import PresenceAgreement
    from gistmeter.training.entailment.result import TrainedEntailment, TunedEntailment

    data, recipe, whole = trained
    result = TrainedEntailment(
        file=whole.run.file,
        card=whole.run.file.with_suffix(".md"),
        run=whole.run,
        pairs=data,
        too_long=whole.too_long,
        accuracies=whole.accuracies,
        presence={},
    )
    command = "gistmeter train entailment out"
    card = pretraining_card(result, recipe, command=command, notes=["All invented."]).text()
    for phrase in (
        "gistmeter train entailment out",
        "All invented.",
        f"| mnli | {len(data.train):,} | OANC and others",
        "Williams et al. (2018)",
        "seen before",
        f"| mnli | {len(data.held_out):,} | {whole.accuracies['mnli'][1]:.3f} |",
        f"| {whole.run.checks[-1].step:,} | {whole.run.checks[-1].loss:.3f} |",
        "seed 1",
    ):
        assert phrase in card
    agreement = PresenceAgreement(rows=10, accuracy=0.8, summary_pearson=0.6, system_pearson=0.9, undefined=1)
    tuned = TunedEntailment(
        file=whole.run.file,
        card=whole.run.file.with_suffix(".md"),
        run=None,
        labels=(("realsumm", 10),),
        agreements={"realsumm, by examples": agreement},
    )
    other = fine_tuning_card(tuned, recipe, command="c", notes=()).text()
    assert "| realsumm, by examples | 10 | 0.800 | 0.600 | 0.900 | 1 |" in other


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "one of the two"),
        (["--data", "a", "--presence", "b"], "one of the two"),
        (["--data", "a", "--most", "mnli"], "SOURCE=N"),
    ],
)
def test_the_command_says_what_is_missing(tmp_path, options, message):
    from typer.testing import CliRunner

    from gistmeter.cli.train import app
    from gistmeter.errors import GistmeterError

    result = CliRunner().invoke(app, ["entailment", str(tmp_path), *options])
    assert isinstance(result.exception, GistmeterError)
    assert message in str(result.exception)


def test_the_command_trains_cross_validates_and_writes_cards(trained, base, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from gistmeter.cli.train import app
    from gistmeter.models.entailment.model import has_learned_presence

    monkeypatch.setattr("gistmeter.training.loop.adapted_weights.locate", lambda *_: base)
    pairs = write_records(tmp_path / "nli.jsonl", list(invent_pairs())[:90])
    settings = ["--first", "1", "--rank", "4", "--precision", "fp32", "--batch", "64"]
    done = CliRunner().invoke(
        app, ["entailment", str(tmp_path / "one"), "--data", pairs, *settings], catch_exceptions=False
    )
    assert done.exit_code == 0
    assert "## Learned from" in (tmp_path / "one" / "entailment.md").read_text(encoding="utf-8")
    documents, records = {}, {}
    for row in invent_labels():
        documents[row.doc_id] = {"doc_id": row.doc_id, "scus": [row.text]}
        records[row.doc_id, row.system] = {
            "doc_id": row.doc_id,
            "system_id": row.system,
            "summary": row.summary,
            "scu_labels": [int(row.present)],
        }
    run = write_records(tmp_path / "run.jsonl", records.values())
    units = write_records(tmp_path / "documents.jsonl", documents.values())
    summary = next(iter(records.values()))["summary"]
    other = write_records(
        tmp_path / "other.jsonl", [{"doc_id": "x", "system_id": "s", "summary": summary, "scu_labels": [1]}]
    )
    more = write_records(tmp_path / "more.jsonl", [{"doc_id": "x", "scus": ["A dog."]}])
    two = ["entailment", str(tmp_path / "two"), "--presence", run, "--units", units, "--by", "systems", *settings]
    weights = str(tmp_path / "one" / "entailment.safetensors")
    done = CliRunner().invoke(app, [*two, "--start", weights], catch_exceptions=False)
    assert done.exit_code == 0
    result = np.load(tmp_path / "two" / "judged.npz")
    assert len(result["p"]) == len(invent_labels())
    assert np.all((result["p"] > 0) & (result["p"] < 1))
    assert "run, by systems" in (tmp_path / "two" / "presence.md").read_text(encoding="utf-8")
    three = ["entailment", str(tmp_path / "three"), "--presence", run, "--presence", other, "--units", units]
    done = CliRunner().invoke(app, [*three, "--units", more, *settings, "--start", weights], catch_exceptions=False)
    assert done.exit_code == 0
    output = (tmp_path / "three" / "presence.md").read_text(encoding="utf-8")
    assert f"| run | {len(invent_labels())} |" in output
    assert "| other | 1 |" in output
    assert not has_learned_presence(weights)
    assert has_learned_presence(str(tmp_path / "three" / "entailment.safetensors"))
