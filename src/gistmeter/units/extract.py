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
from gistmeter.units.marks import drop_unpaired_marks
from gistmeter.units.mentions import NamedSentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.linguistics.roles.frames import Frame
    from gistmeter.linguistics.roles.labeller import LabelledSentence
    from gistmeter.units.mentions import Clusters

_BE_VERBS = frozenset({"am", "are", "is", "was", "were", "been"})
_MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})


def extract_units(
    sentences: Sequence[LabelledSentence], clusters: Clusters = (), *, first: int = 0, confident: bool = False
) -> tuple[Unit, ...]:
    """The units of a reference, in the order of its sentences and their verbs.

    `clusters` says which words speak of the same thing: spans (start, end) of the words of all sentences, counted
    through. Later mentions are then replaced by the name that comes first, and each other name gives a unit
    `name is other name` at the end. `first` is the number of the first sentence.

    >>> from gistmeter.linguistics.roles.labeller import label_roles
    >>> sentences = label_roles(["Ann Lee won the race in May.", "She did not thank her coach."])
    >>> [unit.text for unit in extract_units(sentences, [[(0, 2), (8, 9), (12, 13)]])]
    ['Ann Lee won the race', 'Ann Lee won in May', 'Ann Lee not thank Ann Lee coach']
    """
    named = NamedSentences.of(sentences, clusters, confident=confident)
    units: list[Unit] = []
    for number, sentence in enumerate(sentences):
        texts = dict.fromkeys(text for frame in sentence.frames for text in _write_triplets(named, number, frame))
        sentence_text = drop_unpaired_marks(named.text(number, (0, len(sentence.words))))
        if not texts and has_words(sentence_text):
            texts[sentence_text] = None
        units += [Unit(text, sentence=first + number) for text in texts]
    return (*units, *(Unit(text, sentence=first + number) for number, text in named.statements))


def _write_triplets(named: NamedSentences, number: int, frame: Frame) -> Iterator[str]:
    """For each argument after the verb of a frame: what is before the verb, the verb, and the argument."""
    words = named.sentences[number].words
    start, end = frame.verb
    previous = words[start - 1].lower() if start else ""
    if not frame.before or previous == "to" or words[start].lower() in _MODALS:
        return
    if previous in _BE_VERBS and frame.before[-1][1] < start:
        start -= 1
    for span in frame.after:
        yield drop_unpaired_marks(named.text(number, *frame.before, (start, end), span))
