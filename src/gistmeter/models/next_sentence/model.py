"""The next-sentence role: how likely it is that one sentence follows another.

Embedded are two small heads that gistmeter trained itself (`gistmeter train next-sentence`). The one for English is on
the states of the embedded encoder, with cues that tell the order of the two sentences and a reader of both at once. The
one for other languages is on multilingual sentence vectors and tells what belongs together, but not the order. By name,
any checkpoint with a next-sentence head, or a classifier of sentence pairs with two classes, does the same.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.next_sentence.heads import (
    READS_SENTENCE_VECTORS,
    PairHead,
    head_file,
    load_vector_source,
    read_head,
)
from gistmeter.models.next_sentence.votes import HeadVoters
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import import_torch, load_pretrained, move_to_device, quiet_loading
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.stored_json import read_config
from gistmeter.models.sentence_vectors import vectors as sentences
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED, digest_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.locate import Checkpoint


_NEXT_HEAD = "cls.seq_relationship.weight"
_CLASSIFIER_HEADS = (
    "classifier.weight",
    "classifier.out_proj.weight",
    "score.weight",
    "classification_head.out_proj.weight",
)
_FOLLOWS_LABELS = ("isnext", "next", "follows", "coherent", "label1")
_MAX_TOKENS = 512


class NextSentence(Protocol):
    """What gives the probability that a sentence follows another."""

    name: str
    digest: str

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """For each (first, second): the probability that the second follows the first."""
        ...

    def describe_order(self, pairs: Sequence[tuple[str, str]]) -> list[str]:
        """For each pair what speaks for or against its order, in words; nothing where the model cannot tell."""
        ...


def load_next_sentence(name: str = EMBEDDED, *, dtype: Dtype = "fp32", language: str = "en") -> NextSentence:
    """The model of that name, loaded once a process.

    `name` is `embedded`, a head that `gistmeter train next-sentence` wrote (a .safetensors file), a folder with a
    checkpoint, or a Hugging Face name. `language` decides which embedded head is right.
    """
    return _load_next_sentence_once(name, dtype, language_code(language), current_settings())


@functools.lru_cache(maxsize=8)
def _load_next_sentence_once(name: str, dtype: Dtype, language: str, settings: RuntimeSettings) -> NextSentence:
    if name == EMBEDDED:
        file = head_file(multilingual=language != "en")
        return EmbeddedNextSentence(EMBEDDED, read_head(file), language, dtype)
    if name.endswith(".safetensors"):
        return EmbeddedNextSentence(name, read_head(name), language, dtype)
    return load_classifier(locate(name), dtype=dtype, settings=settings)


def weights_digest(name: str = EMBEDDED) -> str:
    """A digest of the weights of a model, found without loading it; for `embedded`, of all its heads and encoders."""
    if name == EMBEDDED:
        heads = [head_file(multilingual=multilingual) for multilingual in (False, True)]
        return f"{digest_files(heads)}+{sentences.weights_digest()}"
    if name.endswith(".safetensors"):
        head = read_head(name)
        source = sentences.multilingual_digest() if head.reads == READS_SENTENCE_VECTORS else locate(EMBEDDED).digest
        return f"{head.digest}+{source}"
    return locate(name).digest


class EmbeddedNextSentence:
    """A head gistmeter trained, on the vectors of the two sentences, the cues of their order and, perhaps, a reader.

    For the vectors each sentence is encoded once; a reader reads each pair.
    """

    def __init__(self, name: str, head: PairHead, language: str, dtype: Dtype) -> None:
        if head.reads != READS_SENTENCE_VECTORS:
            check_language(EMBEDDED, language, "coherence")
        self.name = name
        self._head = head
        self._voters = HeadVoters(head, language, dtype)
        self._vectors = load_vector_source(head.reads, language=language, dtype=dtype)
        self.digest = f"{head.digest}+{self._vectors.digest}"

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """The probabilities, of which each depends on its own pair alone."""
        if not pairs:
            return np.zeros(0)
        row_of_text: dict[str, int] = {}
        rows = np.array([[row_of_text.setdefault(text, len(row_of_text)) for text in pair] for pair in pairs])
        vectors = self._vectors.of(list(row_of_text))
        networks = self._head.probabilities(vectors.first[rows[:, 0]], vectors.second[rows[:, 1]])
        return self._voters.add_to(networks, pairs)

    def describe_order(self, pairs: Sequence[tuple[str, str]]) -> list[str]:
        """For each pair what speaks for or against its order, in words; nothing where there are no cues."""
        return self._voters.describe_order(pairs)


class NextSentenceClassifier:
    """A checkpoint that reads both sentences at once, and says nothing of why."""

    def __init__(self, checkpoint: Checkpoint, model: Any, tokenizer: Any, follows: int, *, batch_tokens: int) -> None:
        self.name = checkpoint.name
        self.digest = checkpoint.digest
        self._model = model
        self._tokenizer = tokenizer
        self._follows = follows
        self._batch_tokens = batch_tokens

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """The probabilities, in batches of pairs of about one length."""
        if not pairs:
            return np.zeros(0)
        torch = import_torch()
        distinct = list(dict.fromkeys(pairs))
        longest = min(_MAX_TOKENS, self._tokenizer.model_max_length)
        ids = self._tokenizer(*map(list, zip(*distinct, strict=True)), truncation=True, max_length=longest)
        probabilities = np.empty(len(distinct))
        for rows in split_into_batches([len(ids_of_pair) for ids_of_pair in ids["input_ids"]], self._batch_tokens):
            batch = self._tokenizer.pad({key: [ids[key][row] for row in rows] for key in ids}, return_tensors="pt")
            with torch.inference_mode():
                logits = self._model(**batch.to(self._model.device)).logits.float()
            probabilities[rows] = torch.softmax(logits, dim=-1)[:, self._follows].cpu().numpy()
        row_of_pair = {pair: row for row, pair in enumerate(distinct)}
        return probabilities[[row_of_pair[pair] for pair in pairs]]

    def describe_order(self, pairs: Sequence[tuple[str, str]]) -> list[str]:  # noqa: ARG002
        """Nothing: a network gives no reasons."""
        return []


def load_classifier(
    checkpoint: Checkpoint, *, dtype: Dtype = "fp32", settings: RuntimeSettings | None = None
) -> NextSentenceClassifier:
    """A checkpoint with a next-sentence head or a head of two classes, read anew each time."""
    settings = settings or current_settings()
    transformers = require("transformers", "a next-sentence model by name")
    config = read_config(checkpoint.folder / "config.json", checkpoint.name)
    kind, follows = _find_head(checkpoint, config)
    model, missing = load_pretrained(checkpoint, kind, dtype=dtype, purpose=" as a next-sentence model")
    random = [key for key in missing if not key.endswith("position_ids")]
    if random:
        raise MetricError(f"{checkpoint.name} lacks weights of a next-sentence model: {random[0]} would be random")
    with quiet_loading():
        tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint.folder, local_files_only=True)
    return NextSentenceClassifier(
        checkpoint, move_to_device(model, settings.device), tokenizer, follows, batch_tokens=settings.batch_tokens
    )


def _find_head(checkpoint: Checkpoint, config: dict[str, Any]) -> tuple[str, int]:
    """Which class of transformers reads the head, and which of its outputs means "follows".

    transformers fills a missing head with random numbers, so the tensors themselves are asked.
    """
    tensors = checkpoint.tensors
    architectures = " ".join(config.get("architectures") or ())
    if _NEXT_HEAD in tensors or (
        not tensors and ("ForNextSentence" in architectures or "ForPreTraining" in architectures)
    ):
        return "AutoModelForNextSentencePrediction", 0
    if any(head in tensors for head in _CLASSIFIER_HEADS) or (
        not tensors and "ForSequenceClassification" in architectures
    ):
        labels = {int(index): str(label) for index, label in (config.get("id2label") or {0: "0", 1: "label1"}).items()}
        if len(labels) == 2:
            plain = {"".join(filter(str.isalnum, label.lower())): index for index, label in labels.items()}
            follows = next((plain[label] for label in _FOLLOWS_LABELS if label in plain), 1)
            return "AutoModelForSequenceClassification", follows
        raise MetricError(
            f"{checkpoint.name} cannot say whether a sentence follows another: it has {len(labels)} classes, not 2"
        )
    raise MetricError(
        f"{checkpoint.name} has no next-sentence head: name a checkpoint of BertForNextSentencePrediction or a "
        "classifier with two classes, or leave the model out to use the embedded one"
    )
