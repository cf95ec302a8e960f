"""A tiny encoder that stands for the embedded one in tests of training: its words are those of the test."""

import pytest


def make_tiny_encoder(folder, words, *, layers, initializer_range, **settings):
    """Write a BERT of width 32 with these words to a folder, and locate it."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")

    from gistmeter.models.runtime.locate import locate

    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": layers, "num_attention_heads": 2, "intermediate_size": 64}
    config = transformers.BertConfig(vocab_size=len(names), initializer_range=initializer_range, **sizes, **settings)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizer(vocab={name: number for number, name in enumerate(names)}).save_pretrained(folder)
    return locate(str(folder))
