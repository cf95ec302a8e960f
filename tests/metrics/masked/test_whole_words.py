"""estime(mask=words): the program of ESTIME's authors, its words, and where it parts from the paper's text."""

import unicodedata

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nltk.tokenize.destructive import NLTKWordTokenizer

from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.masked.estime import Estime
from gistmeter.metrics.masked.masking import Masking
from gistmeter.metrics.masked.treebank import split_treebank_words
from gistmeter.metrics.masked.whole_words import WordReader
from gistmeter.models.masked_words.model import load_masked_words
from gistmeter.text.sentences import split_sentences
from plain_word_estime import ReleasedEstime
from tiny_checkpoints import DEPTH, make_checkpoint

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
# Words of one piece and of several (two of them start with the piece of another), in two spellings, with signs.
VOCABULARY = (
    "the",
    "The",
    "cat",
    "dog",
    "barked",
    "Bürgermeister",
    "Zürich",
    "surprised",
    "can't",
    "9.30",
    "3%",
    "ok,",
)
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=40)
SMALL = {"window": 24, "margin": 3, "distance": 4}
SENTENCES = (
    "He said, \"It's 3:30, isn't it?\" (Mr. Smith's).",
    "'Hello there,' she can't, gonna or cannot; 'tis more'n that.",
    "The U.S. won $3.5m--really... at 10% [sic] {yes} <q>.",
    "The dogs' tails, 'a' rock 'n' roll, we'll they're I'd.",
    "Don’t “do” that \u2014 «non», „so“.",
    'A "quote" at the end, he said: "no."',
    "state-of-the-art 1,000 a,b 5:a x*y #tag @user",
    "What?! Yes... No",
    "Café ﬁnds ½ of n’t.",
)


def example(summary, document, language="en"):
    return Example(doc_id="1", system="s", summary=summary, document=document, language=language)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The folder of a tiny random masked language model."""
    return str(make_checkpoint(tmp_path_factory.mktemp("words") / "bert", "bert"))


@pytest.fixture(scope="module")
def oracle(tiny):
    """The released program, plainly, on that model; called with a layer."""
    import transformers

    network = transformers.AutoModelForMaskedLM.from_pretrained(tiny).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    return lambda layer: ReleasedEstime(tokenizer, network, layer, **SMALL)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_words_are_those_of_nltk(sentence):
    split = split_treebank_words(sentence)
    normalised = unicodedata.normalize("NFKD", sentence)
    expected = [word for part in split_sentences(normalised) for word in NLTKWordTokenizer().tokenize(part)]
    assert [word.text for word in split.words] == expected
    spelled = [split.text[word.start : word.end] for word in split.words]
    assert [
        {chr(34): word.text}.get(letters, letters) for letters, word in zip(spelled, split.words, strict=True)
    ] == expected


@settings(max_examples=8)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=3), st.integers(1, DEPTH))
def test_equals_the_released_program(tiny, oracle, pairs, layer):
    examples = [example(" ".join(summary), " ".join(document)) for summary, document in pairs]
    expected = [oracle(layer).check_words(case.summary, case.document) for case in examples]
    # Random weights may put two words equally near, where a count hangs on the last digit.
    assume(all(abs(word.best - word.own) > 1e-4 for words in expected for word in words))
    scores = Estime(model=tiny, mask="words", layer=layer, **SMALL).score(examples)
    for row, words in zip(scores, expected, strict=True):
        if not words:
            assert np.isnan(row).all()
            continue
        alarms = sum(word.best > word.own for word in words)
        assert row[:2] == pytest.approx([alarms, alarms / len(words)])
        assert abs(row[2] - sum(word.winners for word in words)) <= 1


def test_products_are_those_of_the_released_program(tiny, oracle):
    # Longer than a window, so that windows, margins and groups all show.
    summary, document = "the catdog sat at 9.30, ok", "the catmat sat on the dog and the cat barked at 9.30 " * 5
    expected = oracle(2).check_words(summary, document)
    assert [word.word for word in expected] == ["the", "sat", "at", "9.30"]
    (reading,) = Estime(model=tiny, mask="words", layer=2, **SMALL)._read([example(summary, document)], [2])
    alarms = Estime(model=tiny, mask="words", layer=2, **SMALL)._find_alarms(reading, 2)
    np.testing.assert_allclose(alarms.own[alarms.checked], [word.own for word in expected], rtol=1e-4)
    np.testing.assert_allclose(alarms.best[alarms.checked], [word.best for word in expected], rtol=1e-4)


def test_excluded_words_leave_the_document_alone(tiny, oracle):
    # "the" is a determiner in both texts; without it, it is not asked for, and nothing is compared with it.
    case = example("The cat barked at the dog.", "The dog sat on the mat, and the cat barked at 9.30.")
    expected = oracle(2).check_words(case.summary, case.document, excluded=frozenset({"The", "the"}))
    assert [word.word for word in expected] == ["cat", "barked", "at", "dog", "."]
    row = Estime(model=tiny, mask="words", layer=2, exclude="DET", **SMALL).score([case])[0]
    assert row[0] == sum(word.best > word.own for word in expected)
    assert row[1] == row[0] / 5
    assert row[2] == sum(word.winners for word in expected)


def test_a_word_is_asked_for_in_its_spelling(tiny):
    # Uncased, "The" and "the" are one token; as words they are two, so the document has neither "The" nor "Cat".
    case = example("The Cat sat", "the cat sat on the mat")
    checked = {
        mask: Estime(model=tiny, mask=mask, layer=1, **SMALL).explain(case).headline for mask in ("tokens", "words")
    }
    assert checked["words"].endswith("among 1 checked words; the document lacks 2 more")
    assert checked["tokens"].endswith("among 3 checked tokens; the document lacks 0 more")


def test_all_pieces_of_a_word_are_masked_and_only_words_asked_for(tiny):
    model = load_masked_words(tiny)
    reader = WordReader(model, Masking(**SMALL))
    words = reader.split("the catmat barked at the cat", "en")
    pieces = np.diff(words.cuts)
    assert pieces[1] > 1
    chosen = np.array([False, True, False, False, False, True])  # four apart: one copy
    (copy,) = reader._make_copies(words, chosen)
    assert (copy.ids == model.mask_id).sum() == pieces[1] + pieces[5]
    assert copy.positions.tolist() == [1, 5]
    assert copy.masked.tolist() == [1 + words.cuts[1], 1 + words.cuts[5]]  # [CLS] is before them


def test_batch_and_order_do_not_matter(tiny):
    metric = Estime(model=tiny, mask="words", **SMALL)
    examples = [
        example("the cat sat", "the cat sat on the mat"),
        example("ok, the dog", "the dog barked ok,"),
        example("", ""),
    ]
    together = metric.score(examples)
    np.testing.assert_array_equal(metric.score(examples[::-1])[::-1], together)
    np.testing.assert_array_equal(np.concatenate([metric.score([case]) for case in examples]), together)


@pytest.mark.parametrize(
    ("summary", "document"),
    [("", "the cat"), ("the cat", ""), (" \n", "the"), ("Elephants", "Rain."), ("\x00\x07", "\x00\x07")],
)
def test_nothing_to_check_is_missing(tiny, summary, document):
    assert np.isnan(Estime(model=tiny, mask="words", **SMALL).score([example(summary, document)])).all()


def test_unseen_words_are_alarms_when_asked(tiny):
    # Of "elephants sat" the document has "sat" alone, which nothing else there can beat.
    metric = Estime(model=tiny, mask="words", unseen="alarm", **SMALL)
    assert metric.score([example("elephants sat", "sat")])[0, :2].tolist() == [1, 0.5]


def test_a_word_wider_than_a_window_and_scripts_without_spaces_are_read(tiny):
    metric = Estime(model=tiny, mask="words", **SMALL)
    wide = "-".join(["dog"] * 40)
    assert np.isfinite(metric.score([example(f"the {wide} sat", f"the {wide} sat on the mat")])).all()
    # Each character is a word, as elsewhere in gistmeter.
    assert [word.text for word in split_treebank_words("北京 ok", "zh").words] == ["北", "京", "ok"]


def test_the_spelling_and_signature_say_what_is_masked(tiny):
    assert parse_metric("estime(mask=words)") == Estime(mask="words")
    assert "|mask:words|" in Estime(mask="words").signature()


def test_evidence_shows_words_of_the_document():
    document = "The mayor of Paris opened a new bridge over the river on Friday. It cost 30 million euros."
    evidence = Estime(mask="words").explain(
        example("The mayor of Friday opened a new river over the bridge on Paris.", document)
    )
    assert "checked words" in evidence.headline
    assert {"Friday", "Paris"} & {row[0] for row in evidence.table.rows}
