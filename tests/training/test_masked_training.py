"""Training masked words: which text is read, how it is masked, and that training learns and goes on."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from gistmeter.errors import DataError
from gistmeter.training.masked_words.windows import Vocabulary, mask_evenly, mask_windows, pack_windows
from gistmeter.training.sources.corpus import read_corpus
from gistmeter.training.sources.evaluated import collect_runs, word_runs
from tiny_encoder import make_tiny_encoder

pytestmark = pytest.mark.more

VOCABULARY = Vocabulary(mask=3, start=1, end=2, continues=np.arange(40) >= 30)
TOPICS = [
    ["rain", "wind", "storm", "cloud", "snow"],
    ["goal", "team", "match", "player", "coach"],
    ["bank", "price", "market", "loan", "trade"],
    ["film", "actor", "scene", "stage", "song"],
]


def written(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def invented():
    """Passages that keep to one of four topics: a masked word can be guessed from the words around it."""
    rng = np.random.default_rng(0)
    for at in range(60):
        source = "bbc_news" if at % 3 else "other"
        yield {"source": source, "context": " ".join(rng.choice(TOPICS[at % len(TOPICS)], size=300))}


def test_what_may_not_be_learned_from_is_left_out(tmp_path):
    judged = written(
        tmp_path / "summeval.jsonl",
        [
            {
                "doc_id": "1",
                "document": "Officials said the old bridge over the river would be closed until spring.",
            }
        ],
    )
    text = "The committee met on Tuesday to talk about the plan."
    learned = written(
        tmp_path / "qa.jsonl",
        [
            {"source": "a", "context": text},
            {"source": "b", "context": "the committee met on tuesday, to talk about the plan"},
            {"source": "a", "context": "A text under a licence that forbids trade.", "nc": True},
            {
                "source": "a",
                "context": "A text under a licence nobody wrote down.",
                "licence": "not stated in LICENSE.txt",
            },
            {"source": "a", "context": "Part of a set that questions are tested on.", "in_squad_v2_dev_half": True},
            {
                "source": "a",
                "context": "Late, but OFFICIALS said: the old bridge over the river would be closed! So it was.",
            },
            {"source": "captions", "premise": "A man is playing a guitar in the park."},
            {"source": "a", "language": "de", "context": "Der Ausschuss tagte am Dienstag in Berlin."},
            {"source": "a", "context": "Too short."},
        ],
    )
    news = written(
        tmp_path / "news.v1.jsonl", [{"title": "T", "paragraphs": ["It rained all day.", "Then it\n stopped."]}]
    )
    corpus = read_corpus([learned, news], refused=collect_runs([judged]), skip=["captions"])
    assert [(p.source, p.text) for p in corpus.passages] == [
        ("a", text),
        ("news", "It rained all day. Then it stopped."),
    ]
    assert corpus.left_out == {
        "seen before": 1,
        "non-commercial licence": 1,
        "no licence stated": 1,
        "evaluation text": 2,
        "not asked for": 2,
        "too short": 1,
    }


def test_evaluated_text_is_found_across_sentences_and_fields(tmp_path):
    # two sentences of seven words each: a run of ten words stands in neither of them, but in the two together
    cut = ["The old bridge was closed on Monday.", "Nobody was told before the night fell."]
    runs = collect_runs([written(tmp_path / "cut.jsonl", [{"summary": {"sentences": cut}, "n": 1}])])
    assert runs == set(word_runs(" ".join(cut)))
    assert len(runs) == 5
    assert not collect_runs([written(tmp_path / "short.jsonl", [{"title": "Too short to tell"}])])


def test_a_corpus_of_nothing_is_refused(tmp_path):
    file = written(tmp_path / "x.jsonl", [{"context": "All of this is forbidden to us.", "nc": True}])
    with pytest.raises(DataError, match="no passage to learn from"):
        read_corpus([file])


def test_windows_hold_all_text_in_order_without_padding():
    stream = np.arange(20_000) % 25 + 4
    cut = pack_windows([stream], vocabulary=VOCABULARY, batch_tokens=1024, seed=(3,))
    assert all(rows.shape in {(8, 128), (4, 256), (2, 448)} for rows in cut)
    for rows in cut:
        assert set(rows[:, 0]) == {1}
        assert set(rows[:, -1]) == {2}
        inner = rows[:, 1:-1]
        assert np.all((np.diff(inner, axis=1) == 1) | (np.diff(inner, axis=1) == -24))
    again = pack_windows([stream], vocabulary=VOCABULARY, batch_tokens=1024, seed=(3,))
    assert all(np.array_equal(a, b) for a, b in zip(cut, again, strict=True))


def test_masks_take_whole_words_or_stand_apart_and_spare_special_tokens():
    rng = np.random.default_rng(0)
    windows = rng.integers(4, 40, size=(200, 128))
    windows[:, 0], windows[:, -1] = 1, 2
    batch = mask_windows(windows, vocabulary=VOCABULARY, rng=rng)
    hidden = batch.ids == 3
    assert 0.12 < hidden.mean() < 0.22
    assert not hidden[:, [0, -1]].any()
    assert np.array_equal(np.flatnonzero(hidden), batch.positions)
    assert np.array_equal(windows.reshape(-1)[batch.positions], batch.answers)
    assert np.array_equal(batch.ids[~hidden], windows[~hidden])
    for row, mask in zip(windows, hidden, strict=True):
        apart = len(set(np.diff(np.flatnonzero(mask)))) == 1
        tail = VOCABULARY.continues[row]
        # In a row of whole words, a piece that goes on with a word is masked exactly when the piece before it is.
        assert apart or np.array_equal(mask[2:-1][tail[2:-1]], mask[1:-2][tail[2:-1]])


def test_a_check_masks_every_eighth_token():
    windows = np.full((2, 20), 5)
    first, second = mask_evenly(windows, vocabulary=VOCABULARY)
    assert first.positions.tolist() == [1, 9, 17, 21, 29, 37]
    assert second.positions.tolist() == [5, 13, 25, 33]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    words = ["##s", *(word for topic in TOPICS for word in topic)]
    return make_tiny_encoder(tmp_path_factory.mktemp("base"), words, layers=1, initializer_range=0.5)


@pytest.fixture(scope="module")
def trained(tmp_path_factory, base):
    """One training of 30 steps, and the same one stopped after 10 and taken up again."""
    from gistmeter.training.masked_words import training
    from gistmeter.training.masked_words.recipe import MaskedWordsRecipe

    folder = tmp_path_factory.mktemp("training")
    corpus = read_corpus([written(folder / "text.jsonl", invented())])
    recipe = MaskedWordsRecipe(
        steps=30, warm_up=3, rank=4, batch_tokens=512, held_out=0.2, precision="fp32", check_every=10, rate=3e-2
    )
    recorded = []

    def stop(at):
        if at.step == 10:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "locate", lambda: base)
        whole = training.fit_masked_words(corpus, folder / "whole", recipe)
        with pytest.raises(KeyboardInterrupt):
            training.fit_masked_words(corpus, folder / "parts", recipe, stop)
        parts = training.fit_masked_words(corpus, folder / "parts", recipe, recorded.append)
        assert [at.step for at in recorded] == [20, 30]
        yield corpus, recipe, whole, parts


def test_training_lowers_the_loss(trained):
    _, _, whole, _ = trained
    first, _, last = whole.run.checks
    assert (first.step, last.step) == (10, 30)
    assert last.loss < first.loss - 0.5
    assert 0 <= last.figures["news"] <= 1


def test_an_interrupted_training_ends_in_the_same_weights(trained):
    from safetensors.numpy import load_file

    _, _, whole, parts = trained
    a, b = load_file(whole.file), load_file(parts.file)
    assert a.keys() == b.keys()
    assert all(np.array_equal(a[name], b[name]) for name in a)
    once, twice = ([(check.step, check.loss, check.figures) for check in run.checks] for run in (whole.run, parts.run))
    assert once == twice


def test_the_merged_model_says_what_training_saw(trained, base):
    """Logits in training equal those of the encoder with the parts merged, up to half precision."""
    import torch

    from gistmeter.models.masked_words.model import MaskedWords
    from gistmeter.models.runtime.settings import current_settings
    from gistmeter.training.masked_words import training

    corpus, recipe, whole, _ = trained
    run = training.MaskedWordsTraining(corpus, whole.file.parent, recipe)
    run.resume()
    (batch, *_) = mask_evenly(run.held_out["news"][:1], vocabulary=run.vocabulary)
    with torch.no_grad():
        expected = run.logits(batch).numpy()
    model = MaskedWords(base, adapter=whole.file, dtype="fp32", settings=current_settings())
    given = model.predict([batch.ids[0]], [batch.positions])[0]
    # The mask itself is never an answer, and its trained input vector is the only one that the output does not see.
    words = np.arange(model.vocabulary) != model.mask_id
    np.testing.assert_allclose(given[:, words], expected[:, words], atol=0.02)


def test_another_recipe_does_not_go_on_in_the_same_folder(trained):
    from dataclasses import replace

    from gistmeter.training.masked_words.training import fit_masked_words

    corpus, recipe, whole, _ = trained
    with pytest.raises(DataError, match="other settings or data"):
        fit_masked_words(corpus, whole.file.parent, replace(recipe, seed=2))
    with pytest.raises(DataError, match="steps or a number of minutes"):
        fit_masked_words(corpus, whole.file.parent, replace(recipe, minutes=1.0))


def test_the_card_tells_the_command_the_text_and_the_figures(trained):
    from gistmeter.training.masked_words.card import masked_words_card

    _, recipe, whole, _ = trained
    command = "gistmeter train masked-words out --seed 1"
    card = masked_words_card(whole, recipe, command=command, notes=["All invented."]).text()
    assert command in card
    assert "All invented." in card
    assert "| bbc_news | 40 |" in card
    assert f"| 30 | {whole.run.checks[-1].tokens:,} |" in card


def test_the_command_refuses_a_repeat_that_is_none(tmp_path):
    from gistmeter.cli.train import app
    from gistmeter.errors import GistmeterError

    file = written(tmp_path / "text.jsonl", [{"context": "A text to learn from, of some words."}])
    result = CliRunner().invoke(
        app, ["masked", str(tmp_path / "out"), "--data", file, "--repeat", "bbc_news=x", "--steps", "1"]
    )
    assert isinstance(result.exception, GistmeterError)
    assert "SOURCE=N" in str(result.exception)


def test_the_recorded_command_names_no_machine(monkeypatch):
    from gistmeter.cli.train.parsing import describe_command

    monkeypatch.setenv("GISTMETER_DATA", "/here/data")
    words = ["train", "masked", "/there/out", "--data", "/here/data/a b.jsonl", "--note", "An aside.", "--steps", "9"]
    assert describe_command(words) == "gistmeter train masked out --data $GISTMETER_DATA/'a b.jsonl' --steps 9"
