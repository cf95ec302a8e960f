"""The generators of errors by kind: each gives every place of a text where something of its kind can be put wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.contrasts.clauses import find_negations, find_role_swaps
from gistmeter.linguistics.errors.exchanged_names import (
    find_other_speakers,
    find_outside_names,
    find_wrong_names,
    find_wrong_places,
)
from gistmeter.linguistics.errors.exchanged_numbers import find_dates, find_numbers
from gistmeter.linguistics.errors.exchanged_words import (
    find_causes,
    find_comparisons,
    find_directions,
    find_modality,
    find_quantities,
    find_units,
)
from gistmeter.linguistics.errors.merged_facts import find_elsewhere, find_merged

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from spacy.tokens import Doc

    from gistmeter.linguistics.contrasts.clauses import TextChange
    from gistmeter.linguistics.errors.context import ErrorContext, RuleErrorKind

    Generator = Callable[[Doc, ErrorContext], list[TextChange]]

GENERATORS: Mapping[RuleErrorKind, Generator] = {
    "number": find_numbers,
    "quantity": find_quantities,
    "unit": find_units,
    "date": find_dates,
    "name": find_wrong_names,
    "place": find_wrong_places,
    "role": lambda doc, context: find_role_swaps(doc),  # noqa: ARG005
    "negation": lambda doc, context: find_negations(doc),  # noqa: ARG005
    "modality": find_modality,
    "direction": find_directions,
    "attribution": find_other_speakers,
    "comparison": find_comparisons,
    "cause": find_causes,
    "elsewhere": find_elsewhere,
    "outside": find_outside_names,
    "merged": find_merged,
}


def find_errors(doc: Doc, kind: RuleErrorKind, context: ErrorContext) -> list[TextChange]:
    """Every place of a parsed text where something of a kind can be put wrong, each with what would stand there.

    The text and the document of `context` must have been parsed with `entities=True`.

    >>> import numpy as np
    >>> from gistmeter.linguistics.errors.context import ErrorContext, put_change
    >>> from gistmeter.linguistics.parser import load_parser
    >>> text = "Shares rose because of the merger."
    >>> (doc,) = load_parser().parse([text], entities=True)
    >>> context = ErrorContext(doc, np.random.default_rng(0))
    >>> [put_change(text, change) for kind in ("direction", "cause") for change in find_errors(doc, kind, context)]
    ['Shares fell because of the merger.', 'Shares rose regardless of the merger.']
    """
    return [change for change in GENERATORS[kind](doc, context) if doc.text[change.start : change.end] != change.text]
