"""Next sentence as roles: for English, and for other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.next_sentence.heads import head_file
from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.next_sentence.model import NextSentence

_ENGLISH = head_file(multilingual=False)
_MULTILINGUAL = head_file(multilingual=True)


def _load(language: str) -> NextSentence:
    from gistmeter.models.next_sentence.model import load_next_sentence

    return load_next_sentence(language=language)


def _check(model: NextSentence, first: str, following: str, unrelated: str) -> str:
    near, far = model.probabilities([(first, following), (first, unrelated)])
    return "" if near > far else "finds a sentence on another matter the likelier next one"


ROLES = (
    Role(
        name="next-sentence",
        model="next-sentence",
        about="Whether a sentence follows another: a head on the encoder, cues of order, a reader of both.",
        licence="CC BY-SA 4.0",
        citation="Koto, Baldwin and Lau (2022), FFCI, appendix B; trained by gistmeter train next-sentence",
        languages=("en",),
        by_name="a checkpoint with a next-sentence head, or a classifier of pairs",
        load=lambda: _load("en"),
        check=lambda model: _check(
            model,
            "The man went to the shop.",
            "He bought some milk and bread there.",
            "Jupiter has ninety-five known moons.",
        ),
        files=(_ENGLISH,),
        card=_ENGLISH.with_name("card.md"),
    ),
    Role(
        name="next-sentence-multilingual",
        model="next-sentence-multilingual",
        about="The same on multilingual sentence vectors, without cues of order or a reader.",
        licence="Apache-2.0",
        citation="Koto, Baldwin and Lau (2022), FFCI, appendix B; trained by gistmeter train next-sentence "
        "--multilingual",
        languages=("de", "es", "fr", "id", "ru", "tr", "zh"),
        by_name="a checkpoint with a next-sentence head, or a classifier of pairs",
        load=lambda: _load("fr"),
        check=lambda model: _check(
            model,
            "L'homme est allé au magasin.",
            "Il y a acheté du lait et du pain.",
            "Jupiter a de nombreuses lunes.",
        ),
        files=(_MULTILINGUAL,),
        card=_MULTILINGUAL.with_suffix(".md"),
    ),
)
