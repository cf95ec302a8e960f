"""Semantic triplet units (STUs): short statements cut from the frames of a reference (Zhang and Bansal, 2021, 3.2).

Of each frame the arguments before the verb and the verb are kept, and each argument after the verb makes one unit.
A be-verb or a negation straight before the verb is kept, and so is a negation straight after it. As in the units
that the authors released: a frame with nothing before or nothing after its verb gives no unit, nor does a verb
straight after `to`; of the be-verbs `be` and `being` are left out; equal units of a sentence count once; a sentence
without any unit is a unit itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.example import Unit
from gistmeter.text.words import has_words
from gistmeter.units.mentions import Names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.linguistics.roles.frames import Frame
    from gistmeter.linguistics.roles.labeller import Roles
    from gistmeter.units.mentions import Clusters

_BE = frozenset({"am", "are", "is", "was", "were", "been"})
_MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})


def extract(sentences: Sequence[Roles], clusters: Clusters = (), *, first: int = 0) -> tuple[Unit, ...]:
    """The units of a reference, in the order of its sentences and their verbs.

    `clusters` says which words speak of the same thing: spans (start, end) of the words of all sentences, counted
    through. Later mentions are then replaced by the name that comes first, and each other name gives a unit
    `name is other name` at the end. `first` is the number of the first sentence.

    >>> from gistmeter.linguistics.roles.labeller import roles
    >>> sentences = roles(["Ann Lee won the race in May.", "She did not thank her coach."])
    >>> [unit.text for unit in extract(sentences, [[(0, 2), (8, 9), (12, 13)]])]
    ['Ann Lee won the race', 'Ann Lee won in May', 'Ann Lee not thank Ann Lee coach']
    """
    names = Names.of(sentences, clusters)
    units: list[Unit] = []
    for place, sentence in enumerate(sentences):
        texts = dict.fromkeys(text for frame in sentence.frames for text in _triplets(names, place, frame))
        whole = names.text(place, 0, len(sentence.words))
        if not texts and has_words(whole):
            texts[whole] = None
        units += [Unit(text, sentence=first + place) for text in texts]
    return (*units, *(Unit(text, sentence=first + place) for place, text in names.statements))


def _triplets(names: Names, place: int, frame: Frame) -> Iterator[str]:
    """What is before the verb, the verb, and each argument after it."""
    words = names.sentences[place].words
    start, end = frame.verb
    previous = words[start - 1].lower() if start else ""
    if not frame.before or previous == "to" or words[start].lower() in _MODALS:
        return
    if previous in _BE and frame.before[-1][1] < start:
        start -= 1
    begin = " ".join([*(names.text(place, *span) for span in frame.before), names.text(place, start, end)])
    for span in frame.after:
        yield f"{begin} {names.text(place, *span)}"
