"""Segments of a text: its clauses, or triples of who did what, from the frames of its verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from gistmeter.text.words import has_words
from gistmeter.units.references import split_references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.roles.labeller import LabelledSentence

SegmentKind = Literal["clauses", "triples"]


def cut_texts(texts: Sequence[str], kind: SegmentKind) -> list[list[str]]:
    """The segments of each English text, in order, each once; texts are parsed together.

    >>> cut_texts(["Ann won the race after she had trained in Porto."], "clauses")
    [['Ann won the race', 'she trained in Porto']]
    >>> cut_texts(["Ann Lee won the race in May."], "triples")
    [['Ann Lee won the race', 'Ann Lee won in May']]
    """
    from gistmeter.linguistics.roles.labeller import label_roles
    from gistmeter.units.extract import extract_units

    sentences = [split_references([text]) for text in texts]
    labelled = iter(label_roles([sentence for each in sentences for sentence in each]))
    segments = []
    for of_text in sentences:
        own = [next(labelled) for _ in of_text]
        if kind == "triples":
            cut = [unit.text for unit in extract_units(own)]
        else:
            cut = [clause for sentence in own for clause in _list_clauses(sentence)]
        segments.append([segment for segment in dict.fromkeys(cut) if has_words(segment)])
    return segments


def _list_clauses(sentence: LabelledSentence) -> list[str]:
    """A clause for each verb with something before and after it, without clauses within it; else the sentence.

    Words that belong to several clauses, as the subject of two verbs does, stand in each.
    """
    frames = [frame for frame in sentence.frames if frame.before]
    clauses = []
    for frame in frames:
        others = {other.verb[0] for other in frames if other is not frame}
        spans = [
            span
            for span in (*frame.before, frame.verb, *frame.after)
            if span == frame.verb or not others & set(range(*span))
        ]
        if len(spans) > 1:
            clauses.append(" ".join(sentence.text(*span) for span in sorted(spans)))
    return clauses or [sentence.text(0, len(sentence.words)).rstrip(" .")]
