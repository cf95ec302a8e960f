"""Tiny random checkpoints of each architecture, written to disk as `save_pretrained` writes the real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = (
    "The cat sat on the mat, and the dog barked at 9.30 in Zürich.",
    "Prices rose by 3% on Monday; nobody was surprised.",
    "Der Bürgermeister von Köln eröffnete am Freitag eine neue Brücke.",
    "Le maire a ouvert le pont, disent les journaux.",
    "北京今天下雨。",
    "ok",
)
FAMILIES = ("bert", "mbert", "distilbert", "roberta", "xlm-roberta", "gpt2", "t5", "bart", "pegasus", "xlnet")
WIDTH = 24
DEPTH = 3
_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


class Family(NamedTuple):
    """How one architecture is made."""

    config: Any
    network: str
    tokenizer: Any


def make_checkpoint(folder: Path, family: str, *, safe: bool = True, positions: int = 40, seed: int = 0) -> Path:
    """Write a tiny random checkpoint of a family to a folder, and give the folder back."""
    import torch
    import transformers

    built = _FAMILIES[family](positions)
    torch.manual_seed(seed)
    built.config.initializer_range = 0.15  # states of different tokens far apart, so that a mix-up shows
    model = getattr(transformers, built.network)(built.config).eval()
    with torch.no_grad():
        for name, values in model.named_parameters():
            if "norm" in name.lower() or "ln_" in name:  # norms that do something
                values.add_(0.3 * torch.randn_like(values))
            elif values.ndim == 1:
                values.add_(0.1 * torch.randn_like(values))
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    if not safe:
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
    built.tokenizer.save_pretrained(folder)
    return folder


def make_classifier(
    folder: Path, family: str, *, labels: tuple[str, ...] = ("LABEL_0",), positions: int = 48, scale: float = 0.3
) -> Path:
    """Write a tiny random checkpoint with a head for sequences, one number or one for each label, to a folder."""
    import torch
    import transformers

    make_checkpoint(folder, family, positions=positions)
    config = transformers.AutoConfig.from_pretrained(folder)
    config.id2label, config.num_labels = dict(enumerate(labels)), len(labels)
    config.label2id = {label: position for position, label in enumerate(labels)}
    config.initializer_range = scale
    torch.manual_seed(3)
    transformers.AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    return folder


def _bert(positions: int, *, lower: bool = True) -> Family:
    import transformers

    tokenizer = transformers.BertTokenizer(
        vocab=_wordpieces(lower=lower), do_lower_case=lower, model_max_length=positions
    )
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        num_hidden_layers=DEPTH,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
    )
    return Family(config, "BertForMaskedLM", tokenizer)


def _distilbert(positions: int) -> Family:
    import transformers

    tokenizer = transformers.BertTokenizer(vocab=_wordpieces(lower=True), model_max_length=positions)
    config = transformers.DistilBertConfig(
        vocab_size=len(tokenizer),
        dim=WIDTH,
        n_layers=DEPTH,
        n_heads=2,
        hidden_dim=32,
        max_position_embeddings=positions,
    )
    return Family(config, "DistilBertModel", tokenizer)


def _roberta(positions: int) -> Family:
    import transformers

    vocab, merges = _byte_pairs()
    tokenizer = transformers.RobertaTokenizer(vocab=vocab, merges=merges, model_max_length=positions)
    return Family(_roberta_config("RobertaConfig", len(tokenizer), positions), "RobertaModel", tokenizer)


def _xlm_roberta(positions: int) -> Family:
    import transformers

    tokenizer = transformers.XLMRobertaTokenizer(
        vocab=_unigrams("<s>", "<pad>", "</s>", "<unk>", "<mask>"), model_max_length=positions
    )
    return Family(_roberta_config("XLMRobertaConfig", len(tokenizer), positions), "XLMRobertaForMaskedLM", tokenizer)


def _roberta_config(kind: str, size: int, positions: int) -> Any:
    import transformers

    return getattr(transformers, kind)(
        vocab_size=size,
        hidden_size=WIDTH,
        num_hidden_layers=DEPTH,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions + 2,  # two are lost before the first token
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )


def _gpt2(positions: int) -> Family:
    import transformers

    vocab, merges = _byte_pairs()
    tokenizer = transformers.GPT2Tokenizer(
        vocab=vocab,
        merges=merges,
        **dict.fromkeys(("unk_token", "bos_token", "eos_token"), "</s>"),
        model_max_length=positions,
    )
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=WIDTH, n_layer=DEPTH, n_head=2, n_positions=positions
    )
    return Family(config, "GPT2LMHeadModel", tokenizer)


def _t5(positions: int) -> Family:
    import transformers

    tokenizer = transformers.T5Tokenizer(
        vocab=_unigrams("<pad>", "</s>", "<unk>"), extra_ids=3, model_max_length=positions
    )
    config = transformers.T5Config(
        vocab_size=len(tokenizer), d_model=WIDTH, d_kv=12, d_ff=32, num_layers=DEPTH, num_heads=2, n_positions=positions
    )
    return Family(config, "T5ForConditionalGeneration", tokenizer)


def _bart(positions: int) -> Family:
    import transformers

    vocab, merges = _byte_pairs()
    tokenizer = transformers.BartTokenizer(vocab=vocab, merges=merges, model_max_length=positions)
    return Family(_bart_config("BartConfig", len(tokenizer), positions), "BartForConditionalGeneration", tokenizer)


def _pegasus(positions: int) -> Family:
    import transformers

    tokenizer = transformers.PegasusTokenizer(
        vocab=_unigrams("<pad>", "</s>", "<mask_1>", "<mask_2>", "<unk>"), offset=0, model_max_length=positions
    )
    config = _bart_config("PegasusConfig", len(tokenizer), positions)
    return Family(config, "PegasusForConditionalGeneration", tokenizer)


def _bart_config(kind: str, size: int, positions: int) -> Any:
    import transformers

    return getattr(transformers, kind)(
        vocab_size=size,
        d_model=WIDTH,
        encoder_layers=DEPTH,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=positions,
    )


def _xlnet(positions: int) -> Family:
    import transformers

    tokenizer = transformers.XLNetTokenizer(
        vocab=_unigrams("<unk>", "<s>", "</s>", "<cls>", "<sep>", "<pad>", "<mask>", "<eod>", "<eop>")
    )
    config = transformers.XLNetConfig(
        vocab_size=len(tokenizer), d_model=WIDTH, n_layer=DEPTH, n_head=2, d_inner=32, pad_token_id=5
    )
    return Family(config, "XLNetModel", tokenizer)


def _wordpieces(*, lower: bool) -> dict[str, int]:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token=_SPECIAL[1]))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lower)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(
        TEXTS, trainers.WordPieceTrainer(vocab_size=180, special_tokens=_SPECIAL, show_progress=False)
    )
    return tokenizer.get_vocab()


def _byte_pairs() -> tuple[dict[str, int], list[tuple[str, str]]]:
    import json

    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    learned = json.loads(tokenizer.to_str())["model"]
    return learned["vocab"], [tuple(pair) for pair in learned["merges"]]


def _unigrams(*special: str) -> list[tuple[str, float]]:
    """A vocabulary of sentence pieces: special ones, a few words, and single characters for the rest."""
    words = sorted({word for text in TEXTS for word in text.split() if word.isalpha()})[:20]
    letters = sorted({letter for text in TEXTS for letter in text if not letter.isspace()})
    pieces = ["▁", *(f"▁{word}" for word in words), *letters]
    return [*((piece, 0.0) for piece in special), *((piece, -2.0 - n / 100) for n, piece in enumerate(pieces))]


_FAMILIES = {
    "bert": _bert,
    "mbert": lambda positions: _bert(positions, lower=False),
    "distilbert": _distilbert,
    "roberta": _roberta,
    "xlm-roberta": _xlm_roberta,
    "gpt2": _gpt2,
    "t5": _t5,
    "bart": _bart,
    "pegasus": _pegasus,
    "xlnet": _xlnet,
}
