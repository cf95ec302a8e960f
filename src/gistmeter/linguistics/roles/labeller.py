"""Semantic roles: what each verb of a sentence says of whom, as spans of its words.

A frame is a verb with its arguments in their order: those before it (subject, relative pronoun, modal, adverbs,
clauses put first) and those after it (objects, complements, prepositional phrases, times, clauses). Which words
those are follows PropBank as BERT labels it (Shi and Lin, 2019). Embedded, frames are derived from the dependency
parse by the rules of `frames`; `file` reads what any role labeller wrote.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.roles.frames import find_frames
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.roles.frames import Frame


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence as words, the white space after each, and its frames in the order of their verbs."""

    words: tuple[str, ...]
    spaces: tuple[str, ...]
    frames: tuple[Frame, ...]

    def text(self, start: int, end: int) -> str:
        """The text of the words from `start` up to `end`."""
        pairs = zip(self.words[start:end], self.spaces[start:end], strict=True)
        return "".join(word + space for word, space in pairs).strip()


def label_roles(sentences: Sequence[str], name: str = EMBEDDED, language: str = "en") -> list[LabelledSentence]:
    """The roles of each sentence from its dependency parse. Equal sentences are parsed once.

    >>> (sentence,) = label_roles(["The cat has eaten the fish in the kitchen."])
    >>> (frame,) = sentence.frames
    >>> sentence.text(*frame.verb), [sentence.text(*span) for span in frame.before + frame.after]
    ('eaten', ['The cat', 'the fish', 'in the kitchen'])
    """
    distinct = list(dict.fromkeys(sentences))
    labelled = {
        sentence: LabelledSentence(
            words=tuple(word.text for word in doc),
            spaces=tuple(word.whitespace_ for word in doc),
            frames=find_frames(doc),
        )
        for sentence, doc in zip(distinct, load_parser(name, language).parse(distinct), strict=True)
    }
    return [labelled[sentence] for sentence in sentences]
