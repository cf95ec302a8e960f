"""Salience as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.salience.predictor import WEIGHTS, load_predictor
from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.salience.predictor import SaliencePredictor

_TEXT = "Ann Lee, 34, won the race in Rome on Sunday. Lee beat Bo Tan. People in the street had a cup of tea after it."


def _check(model: SaliencePredictor) -> str:
    from gistmeter.models.salience.candidates import find_candidates

    phrases = find_candidates(_TEXT)
    scores = dict(zip((candidate.phrase.text for candidate in phrases.candidates), model.predict(phrases), strict=True))
    return "" if scores["Ann Lee"] > scores["a cup"] else "finds a cup of tea more salient than who won a race"


ROLES = (
    Role(
        name="salience",
        model="salience",
        about="Which noun phrases of a document a reference would state: a regression over features and states.",
        licence="Apache-2.0",
        citation="after Deutsch (2022), SpanSum; trained by gistmeter train salience",
        languages=("en",),
        by_name="a file of gistmeter train salience",
        load=load_predictor,
        check=_check,
        files=(WEIGHTS,),
        card=WEIGHTS.with_name("card.md"),
    ),
)
