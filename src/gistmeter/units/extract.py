"""Semantic triplet units (STUs): short statements cut from the frames of a reference's sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.records import Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from gistmeter.models.roles import Roles
    from gistmeter.models.role_frames import Frame

_BE = frozenset({"am", "are", "is", "was", "were", "been"})

def extract(sentences: Sequence[Roles]) -> tuple[Unit, ...]:
    found = []
    for place, sentence in enumerate(sentences):
        texts = dict.fromkeys(t for frame in sentence.frames for t in _triplets(sentence, frame))
        if not texts:
            texts = {sentence.text(0, len(sentence.words)): None}
        found += [Unit(t, sentence=place) for t in texts]
    return tuple(found)

def _triplets(sentence, frame):
    start, end = frame.verb
    if not frame.before or not frame.after: return
    prev = sentence.words[start-1].lower() if start else ""
    if prev == "to": return
    if prev in _BE: start -= 1
    head = [sentence.text(*s) for s in frame.before] + [sentence.text(start, end)]
    for s in frame.after:
        yield " ".join([*head, sentence.text(*s)])
