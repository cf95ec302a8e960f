"""Training a summarizer: marks in documents, augmentation by hand, noise, and a tiny model that obeys its marks."""

import json

import pytest

from gistmeter import summarize
from gistmeter.errors import ArgumentError, DataError, MetricError
from gistmeter.models.generation.marked import load_marked_summarizer, mark_document
from gistmeter.summarize import Span, StatedPhrase
from gistmeter.summarize.documents import Source
from gistmeter.training.summarizer.examples import augment_document, make_examples, parse_augmentation

DOCUMENT = "Ann won in Rome. Bo left early. It rained."
REFERENCE = "Ann is the winner. It was a wet day. Bo went home."


def stated(start, end, text):
    """A span of the document, and the place of a text in the reference that states it."""
    at = REFERENCE.index(text)
    phrase = StatedPhrase(reference=0, start=at, end=at + len(text), text=text)
    return Span(start=start, end=end, text=DOCUMENT[start:end], stated=(phrase,))


ANN, BO = stated(0, 3, "Ann"), stated(17, 19, "Bo")
SOURCE = Source("1", DOCUMENT, (REFERENCE,))


def test_marks_stand_around_spans():
    assert (
        mark_document(DOCUMENT, [(0, 3), (17, 19)]) == "[SS] Ann [SE] won in Rome. [SS] Bo [SE] left early. It rained."
    )
    assert mark_document(DOCUMENT, []) == DOCUMENT


def test_augmentation_by_hand():
    def summaries(augment):
        return [
            (example.text.count("[SS]"), example.summary) for example in augment_document(SOURCE, [ANN, BO], augment)
        ]

    assert summaries(frozenset()) == [(2, REFERENCE)]
    assert summaries(frozenset({"sentences"})) == [(2, "Ann is the winner. Bo went home.")]
    # The first sentence with its span alone, then the first two that a span maps to with both.
    assert summaries(frozenset({"sentences", "prefixes"})) == [
        (1, "Ann is the winner."),
        (2, "Ann is the winner. Bo went home."),
    ]
    assert summaries(frozenset({"prefixes"})) == [
        (1, "Ann is the winner."),
        (1, "Ann is the winner. It was a wet day."),
        (2, REFERENCE),
    ]


def test_noise_leaves_spans_out_and_depends_on_the_seed_alone():
    spans = [summarize.DocumentSpans(doc_id="1", spans=(ANN, BO))]
    many = [SOURCE] * 200
    counts = [
        [example.text.count("[SS]") for example in make_examples(many, spans, noise=0.3, seed=seed)]
        for seed in (1, 1, 2)
    ]
    assert counts[0] == counts[1] != counts[2]
    assert 0.55 < sum(counts[0]) / 400 < 0.85  # 70% of the spans stay, give or take


def test_spans_without_a_place_in_the_reference_cannot_augment():
    with pytest.raises(DataError, match="do not say where the reference states them"):
        augment_document(SOURCE, [Span.of(DOCUMENT, 0, 3)], frozenset({"prefixes"}))


def test_unknown_augmentation_suggests():
    with pytest.raises(ArgumentError, match="not 'prefix'; did you mean prefixes"):
        parse_augmentation("sentences,prefix")


@pytest.mark.more
def test_a_model_without_marks_is_refused(tmp_path):
    from support.tiny_checkpoints import make_checkpoint

    folder = make_checkpoint(tmp_path / "bart", "bart", positions=64)
    with pytest.raises(MetricError, match=r"does not know the marks \[SS\] and \[SE\]: teach it with `gistmeter train"):
        load_marked_summarizer(str(folder))


PEOPLE = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo")
DEEDS = ("won", "left", "sang", "slept", "ran", "read", "ate", "swam", "wrote", "fell")


def write_ten_documents(folder):
    """Ten documents of two statements; each is there twice, with one mark and the statement that it asks for."""
    run, spans = [], []
    for number in range(10):
        first, second = f"{PEOPLE[number]} {DEEDS[number]}.", f"{PEOPLE[(number + 3) % 10]} {DEEDS[(number + 3) % 10]}."
        document = f"{first} {second}"
        for part, statement in enumerate((first, second)):
            name = f"{number}-{part}"
            start = document.index(statement)
            run.append({"doc_id": name, "document": document, "reference": statement})
            end = start + len(statement.split()[0])
            spans.append({"doc_id": name, "spans": [{"start": start, "end": end, "text": document[start:end]}]})
    for name, rows in (("run.jsonl", run), ("spans.jsonl", spans)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return run


def make_word_model(folder):
    """A random BART with a word for each token."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    words = ["<s>", "<pad>", "</s>", "<unk>", ".", *PEOPLE, *DEEDS]
    backend = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token=words[3]))
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_max_length=32,
        **dict(zip(("bos_token", "pad_token", "eos_token", "unk_token"), words, strict=False)),
    )
    torch.manual_seed(0)
    sizes = {"encoder_layers": 2, "decoder_layers": 2, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64}
    heads = {"encoder_attention_heads": 4, "decoder_attention_heads": 4, "dropout": 0.0}
    config = BartConfig(
        vocab_size=len(words), d_model=48, max_position_embeddings=32, forced_eos_token_id=None, **sizes, **heads
    )
    BartForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_a_model_that_overfits_ten_documents_obeys_its_marks(tmp_path):
    from gistmeter.training.summarizer.recipe import SummarizerData, SummarizerRecipe
    from gistmeter.training.summarizer.training import train_summarizer

    run = write_ten_documents(tmp_path)
    data = SummarizerData(
        model=str(make_word_model(tmp_path / "tiny")),
        data=(str(tmp_path / "run.jsonl"),),
        spans=(str(tmp_path / "spans.jsonl"),),
    )
    recipe = SummarizerRecipe(rate=3e-3, epochs=150, batch=20, check_every=50)
    trained = train_summarizer(tmp_path / "out", data, recipe=recipe)
    written = summarize.summarize(
        tmp_path / "run.jsonl", spans=tmp_path / "spans.jsonl", model=str(trained.file)
    ).summaries
    obeyed = [
        summary.text.replace(" .", ".") == record["reference"] for summary, record in zip(written, run, strict=True)
    ]
    assert sum(obeyed) >= 18  # of 20: without reading the marks at most one statement of each document, so 10
    assert trained.examples == 20
    again = train_summarizer(tmp_path / "out", data, recipe=recipe)  # it goes on where it was: at the end
    assert again.file == trained.file
