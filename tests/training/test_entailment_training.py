"""Training entailment: which pairs are read, that training learns and goes on, folds, and the card."""

import json
from dataclasses import replace

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.training.entailment.nli_pairs import NliPair, add_neighbours, nli_sets, read_nli_pairs
from gistmeter.training.entailment.presence_labels import (
    LabelledUnit,
    fold_labels,
    pair_labels,
    read_presence_labels,
)
from gistmeter.training.sources.evaluated import collect_runs
from gistmeter.training.sources.named_sets import count_by_set
from tiny_encoder import make_tiny_encoder

WORDS = ("red", "blue", "old", "new", "big")
THINGS = ("house", "car", "dog", "tree", "boat")


def written(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def invented():
    """What a thing is like: the same word entails, another word of the same thing contradicts, another thing is new."""
    rng = np.random.default_rng(0)
    for _ in range(250):
        word, other = rng.choice(WORDS, 2, replace=False)
        thing, another = rng.choice(THINGS, 2, replace=False)
        for label, said in (
            ("entailment", f"{word} {thing}"),
            ("contradiction", f"{other} {thing}"),
            ("neutral", f"{other} {another}"),
        ):
            yield {"source": "mnli", "premise": f"the {thing} is {word}", "hypothesis": said, "label": label}


def record(premise, hypothesis, label="neutral", source="mnli", **more):
    return {"source": source, "premise": premise, "hypothesis": hypothesis, "label": label, **more}


def test_what_may_not_be_learned_from_is_left_out(tmp_path):
    judged = written(
        tmp_path / "run.jsonl", [{"summary": "Officials said the old bridge over the river would be closed until May."}]
    )
    file = written(
        tmp_path / "nli.jsonl",
        [
            record("It rained.", "It was wet.", "entailment"),
            record("it  rained.", "It was wet.", "neutral"),
            record("A man sleeps.", "A man rests.", source="sick"),
            record("A man eats.", "A man rests.", source="anli_r1", nc=True),
            record("A man runs.", "A man rests.", nc=True),
            record("A dog runs.", "A dog rests.", source="snli_counterfactual", premise_in_snli_devtest=True),
            record("A dog barks.", "A dog is loud.", source="snli", split="dev"),
            record("A cat barks.", "A cat is odd.", source="mnli_matched", split="sample"),
            record("Well, officials said the old bridge over the river would be closed until May!", "It closes."),
            record("Ann left.", "Ann went.", "not_entailment", source="rte"),
            record("Bob left.", "Bob went.", "entailment", source="rte"),
        ],
    )
    found = read_nli_pairs([file], refused=collect_runs([judged]), held_out=0.0, limits={"rte": 1})
    assert [(pair.premise, pair.label) for pair in found.train if pair.source == "mnli"] == [("It rained.", 0)]
    assert count_by_set(found.train) == {"mnli": 1, "rte": 1}
    assert [pair.source for pair in found.tests] == ["snli dev", "mnli_matched sample"]
    assert found.left_out == {
        "seen before": 1,
        "non-commercial licence": 3,
        "premise in SNLI's development or test part": 1,
        "evaluation text": 1,
        "more than asked for": 1,
    }


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (record("a", "b", "maybe"), "has the label 'maybe'"),
        (record("a", "b", source="mine"), "whose licence"),
        (record("a", " "), "lacks a premise"),
    ],
)
def test_broken_pairs_are_named_with_their_line(tmp_path, broken, message):
    with pytest.raises(DataError, match=f"line 1 of nli.jsonl.*{message}"):
        read_nli_pairs([written(tmp_path / "nli.jsonl", [broken])])


def test_pairs_of_nothing_and_sets_that_are_not_there_are_refused(tmp_path):
    file = written(tmp_path / "nli.jsonl", [record("a", "b", source="sick")])
    with pytest.raises(DataError, match="no pair to learn from"):
        read_nli_pairs([file])
    with pytest.raises(DataError, match="no pairs of the set 'mnly'"):
        read_nli_pairs([written(tmp_path / "m.jsonl", [record("a", "b")])], limits={"mnly": 3})


def test_every_set_has_a_licence_and_the_forbidden_ones_are_marked():
    for name, facts in nli_sets().items():
        assert facts["licence"], name
        assert facts["citation"], name
        assert bool(facts.get("nc")) == ("-NC" in facts["licence"]), name


def test_premises_are_held_out_whole(tmp_path):
    pairs = [record(f"Premise {n}.", f"Hypothesis {n} {m}.") for n in range(200) for m in range(3)]
    found = read_nli_pairs([written(tmp_path / "nli.jsonl", pairs)], held_out=0.2)
    train, out = ({pair.premise for pair in part} for part in (found.train, found.held_out))
    assert not train & out
    assert 20 <= len(out) <= 60


def test_a_neighbour_is_another_premise_of_the_same_set():
    pairs = [NliPair(f"{source} {n}.", "h", 1, source) for source in ("mnli", "snli") for n in range(50)]
    made = add_neighbours(pairs, 0.5, seed=1)
    longer = [(old, new) for old, new in zip(pairs, made, strict=True) if old != new]
    assert 30 < len(longer) < 70
    for old, new in longer:
        assert old.premise in new.premise
        assert new.premise.count(old.source) == 2
        assert (new.hypothesis, new.label) == (old.hypothesis, old.label)
    assert made == add_neighbours(pairs, 0.5, seed=1)


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
    data = read_nli_pairs([written(folder / "nli.jsonl", invented())], held_out=0.1)
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


def labelled():
    rng = np.random.default_rng(1)
    rows = []
    for document in range(6):
        word, thing = rng.choice(WORDS), rng.choice(THINGS)
        for system in "abcde":
            told = word if rng.random() < 0.5 else next(w for w in WORDS if w != word)
            rows.append(
                LabelledUnit(f"d{document}", system, 0, f"the {thing} is {told}", f"{word} {thing}", told == word)
            )
    return tuple(rows)


def test_layers_below_the_first_that_learns_are_run_once_and_say_the_same(trained, base, monkeypatch, tmp_path):
    from gistmeter.training.entailment import learners
    from gistmeter.training.entailment.fine_tuning import cross_validate_presence
    from gistmeter.training.entailment.presence_figures import measure_presence

    _, recipe, whole = trained
    monkeypatch.setattr("gistmeter.training.loop.adapted_weights.locate", lambda *_: base)
    rows = labelled()
    question = pair_labels(rows)
    assert len(question.pairs) < len(rows)  # the same premise and unit of two systems is one pair
    parts = fold_labels(rows, "examples", count=3)
    tuned = replace(recipe, first=1, epochs=4, rate=3e-3)
    found = cross_validate_presence(question, parts, tmp_path / "kept", recipe=tuned, start=whole.run.file)
    assert not np.isnan(found).any()
    assert measure_presence(rows, found).rows == len(rows)
    # Without the store, each layer is run anew; nothing else changes.
    anew = learners.load_learner

    def without_store(*args, **named):
        return anew(*args, **(named | {"states": None}))

    monkeypatch.setattr("gistmeter.training.entailment.fine_tuning.load_learner", without_store)
    again = cross_validate_presence(question, parts, tmp_path / "anew", recipe=tuned, start=whole.run.file)
    np.testing.assert_allclose(found, again, atol=1e-5)


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


def test_folds_are_those_released_or_drawn_and_share_nothing(tmp_path):
    rows = labelled()
    for by, field in (("examples", "doc_id"), ("systems", "system")):
        parts = fold_labels(rows, by, count=3, seed=1)
        assert sorted(np.concatenate(parts).tolist()) == list(range(len(rows)))
        keys = [{getattr(rows[i], field) for i in part} for part in parts]
        assert sum(map(len, keys)) == len(set().union(*keys))
    file = tmp_path / "folds.json"
    file.write_text(json.dumps({"by_examples": [["d0", "d1"], ["d2", "d3", "d4"]]}))
    with pytest.raises(DataError, match="d5 is in none of the folds"):
        fold_labels(rows, "examples", file=str(file))
    with pytest.raises(DataError, match="no folds by_systems"):
        fold_labels(rows, "systems", file=str(file))
    with pytest.raises(DataError, match="9 folds need as many"):
        fold_labels(rows, "examples", count=9)


def test_labels_are_joined_to_units(tmp_path):
    documents = written(tmp_path / "documents.jsonl", [{"doc_id": "d", "scus": ["One.", "Two.", "Three."]}])
    one = {"doc_id": "d", "system_id": "s", "summary": "One. Three."}
    run = written(tmp_path / "run.jsonl", [one | {"scu_labels": [1, 0, None]}])
    assert [(row.unit, row.text, row.present, row.summary) for row in read_presence_labels(run, documents)] == [
        (0, "One.", True, "One. Three."),
        (1, "Two.", False, "One. Three."),
    ]
    with pytest.raises(DataError, match="has no units with labels"):
        read_presence_labels(written(tmp_path / "run.jsonl", [one]), documents)
    with pytest.raises(DataError, match="labels for 1 units, but 3 units"):
        read_presence_labels(written(tmp_path / "run.jsonl", [one | {"scu_labels": [1]}]), documents)


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
    for said in (
        "gistmeter train entailment out",
        "All invented.",
        f"| mnli | {len(data.train):,} | OANC and others",
        "Williams et al. (2018)",
        "seen before",
        f"| mnli | {len(data.held_out):,} | {whole.accuracies['mnli'][1]:.3f} |",
        f"| {whole.run.checks[-1].step:,} | {whole.run.checks[-1].loss:.3f} |",
        "seed 1",
    ):
        assert said in card
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
    pairs = written(tmp_path / "nli.jsonl", list(invented())[:90])
    settings = ["--first", "1", "--rank", "4", "--precision", "fp32", "--batch", "64"]
    done = CliRunner().invoke(
        app, ["entailment", str(tmp_path / "one"), "--data", pairs, *settings], catch_exceptions=False
    )
    assert done.exit_code == 0
    assert "## Learned from" in (tmp_path / "one" / "entailment.md").read_text(encoding="utf-8")
    documents, records = {}, {}
    for row in labelled():
        documents[row.doc_id] = {"doc_id": row.doc_id, "scus": [row.text]}
        records[row.doc_id, row.system] = {
            "doc_id": row.doc_id,
            "system_id": row.system,
            "summary": row.summary,
            "scu_labels": [int(row.present)],
        }
    run = written(tmp_path / "run.jsonl", records.values())
    units = written(tmp_path / "documents.jsonl", documents.values())
    summary = next(iter(records.values()))["summary"]
    other = written(
        tmp_path / "other.jsonl", [{"doc_id": "x", "system_id": "s", "summary": summary, "scu_labels": [1]}]
    )
    more = written(tmp_path / "more.jsonl", [{"doc_id": "x", "scus": ["A dog."]}])
    two = ["entailment", str(tmp_path / "two"), "--presence", run, "--units", units, "--by", "systems", *settings]
    weights = str(tmp_path / "one" / "entailment.safetensors")
    done = CliRunner().invoke(app, [*two, "--start", weights], catch_exceptions=False)
    assert done.exit_code == 0
    found = np.load(tmp_path / "two" / "judged.npz")
    assert len(found["p"]) == len(labelled())
    assert np.all((found["p"] > 0) & (found["p"] < 1))
    assert "run, by systems" in (tmp_path / "two" / "presence.md").read_text(encoding="utf-8")
    three = ["entailment", str(tmp_path / "three"), "--presence", run, "--presence", other, "--units", units]
    done = CliRunner().invoke(app, [*three, "--units", more, *settings, "--start", weights], catch_exceptions=False)
    assert done.exit_code == 0
    said = (tmp_path / "three" / "presence.md").read_text(encoding="utf-8")
    assert f"| run | {len(labelled())} |" in said
    assert "| other | 1 |" in said
    assert not has_learned_presence(weights)
    assert has_learned_presence(str(tmp_path / "three" / "entailment.safetensors"))
