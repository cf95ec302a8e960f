"""BLANC: which words are asked for, and what counts as help."""

import math

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics.masked.blanc import Blanc, _guess
from gistmeter.models.masked_words.model import load_masked_words
from gistmeter.models.masked_words.tuning import TuningRecipe, find_special_ends, tune_on_text

DOCUMENT = "The mayor opened a bridge. It cost ten million.\nThe xylophonists played all night."


def example(summary, **fields):
    return Example(doc_id="d", system="s", summary=summary, **({"document": DOCUMENT} | fields))


def words_of(cloze):
    """The words under the masks."""
    tokens = cloze.tokens
    return [tokens.text[tokens.starts[position] : tokens.ends[position]] for position in cloze.masked]


@pytest.mark.more
def test_every_long_enough_word_is_asked_for_once():
    clozes = Blanc()._mask_document("The mayor opened a bridge. It cost ten million.", "en")
    words = sorted(word for cloze in clozes for word in words_of(cloze))
    assert words == ["bridge", "cost", "mayor", "million", "opened"]  # ten, The, It and a are too short


def test_masks_stand_a_gap_apart():
    text = "Seven large white swans swam slowly across that deep green lake near here."
    for gap in (2, 6):
        for cloze in Blanc(gap=gap)._mask_document(text, "en"):
            assert (np.diff(cloze.masked) % gap == 0).all()


def test_parts_of_cut_words():
    """A word that is cut (penguin ##like) is asked for by its beginning, and never by the rest."""
    clozes = Blanc()._mask_document("penguinlike", "en")
    (tokens,) = load_masked_words().tokens(["penguinlike"])
    assert (~tokens.special).sum() > 1  # it is cut
    assert [position for cloze in clozes for position in cloze.masked] == [1]
    assert len(Blanc(later_letters=1)._mask_document("penguinlike", "en")) > 1


def test_masked_words_stand_in_the_document_where_they_are_said_to():
    for cloze in Blanc()._mask_document(DOCUMENT, "en"):
        for position, word in zip(cloze.masked, words_of(cloze), strict=True):
            start, end = cloze.locate(position)
            assert DOCUMENT[start:end] == word


def test_the_score_is_what_is_won_less_what_is_lost(monkeypatch):
    """Right with the summary: mayor, opened, bridge; with dots: mayor, cost. Of 5 words 2 won, 1 lost: 1/5."""
    guesses = iter([{"mayor", "opened", "bridge"}, {"mayor", "cost"}])
    read = []

    def guess(model, clozes, leads, ends):
        guessed = next(guesses)
        read.append([model.word(int(token)) for token in leads[0]])
        return [np.array([word in guessed for word in words_of(cloze)]) for cloze in clozes]

    monkeypatch.setattr("gistmeter.metrics.masked.blanc._guess", guess)
    case = example("A bridge!", document="The mayor opened a bridge. It cost ten million.")
    assert Blanc().score([case])[0, 0] == pytest.approx(1 / 5)
    assert read == [["a", "bridge", "!"], [".", ".", "."]]  # the summary, and as many dots


@pytest.mark.parametrize("variant", ["help", pytest.param("tune", marks=pytest.mark.slow)])
def test_a_summary_that_says_it_all_helps_more_than_one_that_says_nothing(variant):
    metric = Blanc(variant=variant, rate=5e-4 if variant == "tune" else 5e-5)
    document = "The zoo of Leipzig bought seventeen penguins. The penguins came from Norway by plane."
    same, other = metric.score([example(text, document=document) for text in (document, "Shares fell on Monday.")])[
        :, 0
    ]
    assert same > other


@pytest.mark.parametrize("variant", ["help", pytest.param("tune", marks=pytest.mark.slow)])
def test_empty_texts(variant):
    metric = Blanc(variant=variant)
    scores = metric.score([example(""), example("A bridge.", document=""), example("A bridge.", document="a b . !")])
    assert scores[0, 0] == 0
    assert math.isnan(scores[1, 0])
    assert math.isnan(scores[2, 0])


@pytest.mark.more
@pytest.mark.parametrize("variant", ["help", pytest.param("tune", marks=pytest.mark.slow)])
def test_a_score_depends_on_its_example_alone(variant):
    examples = [example("A bridge was opened."), example("Music!"), example("It rained.", document="It rained a lot.")]
    metric = Blanc(variant=variant, epochs=2)
    alone = np.concatenate([metric.score([case]) for case in examples])
    np.testing.assert_array_equal(metric.score(examples[::-1])[::-1], alone)


@pytest.mark.slow
def test_long_sentences_and_summaries_are_read():
    long = "people crossed the large bridge and " * 150
    assert np.isfinite(Blanc(gap=6).score([example("x " * 700, document=long[:1500])])).all()
    clozes = Blanc()._mask_document(long, "en")
    assert sum(len(cloze.masked) for cloze in clozes) == 4 * 150
    assert max(len(cloze.inner) for cloze in clozes) <= load_masked_words().max_tokens // 2


@pytest.mark.slow
def test_tuning_teaches_the_copy_and_leaves_the_model():
    words = load_masked_words()
    text = "The zorblat of Leipzig bought penguins."
    (tokens,) = words.tokens([text])
    inner = tokens.ids[~tokens.special]
    masked = tokens.ids.copy()
    position = int(np.flatnonzero(tokens.ids == words.tokens(["penguins"])[0].ids[1])[0])
    masked[position] = words.mask_id
    answer = int(tokens.ids[position])
    before = words.predict([masked], [np.array([position])])[0]
    recipe = TuningRecipe(rate=5e-4)
    first, again = (tune_on_text(words, inner, recipe).predict([masked], [np.array([position])])[0] for _ in range(2))
    assert (first == again).all()  # the same text gives the same model
    assert (first > first[0, answer]).sum() < (before > before[0, answer]).sum()
    assert (words.predict([masked], [np.array([position])])[0] == before).all()


def test_a_tuned_model_of_nothing_is_the_model():
    words = load_masked_words()
    clozes = Blanc()._mask_document("The mayor opened a bridge.", "en")
    no_leads = [np.empty(0, dtype=np.int64)] * len(clozes)
    ends = find_special_ends(words)
    same = tune_on_text(words, np.empty(0, dtype=np.int64), TuningRecipe())
    for by_copy, by_model in zip(
        _guess(same, clozes, no_leads, ends), _guess(words, clozes, no_leads, ends), strict=True
    ):
        assert (by_copy == by_model).all()


def test_what_cannot_be():
    with pytest.raises(MetricError, match="gap=0"):
        Blanc(gap=0)
    with pytest.raises(MetricError, match="cannot mask 3 tokens in every 2"):
        Blanc(gap=2, gap_mask=3)
    with pytest.raises(MetricError, match="takes dtype=fp32"):
        Blanc(variant="tune", dtype="bf16")
    with pytest.raises(MetricError, match="blanc with the embedded encoder reads English, not 'fr'"):
        Blanc().score([example("Un pont.", language="fr")])


def test_a_model_without_the_head_is_refused(tiny_encoder):
    with pytest.raises(MetricError, match="masked"):
        Blanc(model=str(tiny_encoder)).score([example("A bridge.")])


@pytest.fixture
def tiny_encoder(tmp_path):
    import transformers

    from gistmeter.models.runtime.locate import locate

    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(locate().folder).save_pretrained(tmp_path)
    return tmp_path


def test_evidence():
    shown = Blanc().explain(example("The mayor opened a bridge."))
    assert "words asked for" in shown.headline
    document = shown.panes[1]
    assert [document.text[mark.start : mark.end] for mark in document.marks] == [row[0] for row in shown.table.rows]
    assert "no word to ask for" in Blanc().explain(example("x", document="")).headline
