"""Stretches: a text too long to be read at once, divided between sentences, or between words where it must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def stretches(text: str, most: int, *, lengths: Callable[[Sequence[str]], list[int]]) -> list[str]:
    """As few stretches of whole sentences as have at most `most` tokens each; a longer sentence is cut between words.

    >>> words = lambda texts: [len(text.split()) for text in texts]
    >>> stretches("It rained all day. He left. She stayed at home with the two dogs.", 6, lengths=words)
    ['It rained all day. He left.', 'She stayed at home with the', 'two dogs.']
    """
    pieces: list[tuple[str, int]] = []
    found = sentences(text)
    for sentence, length in zip(found, lengths(found), strict=True):
        if length <= most:
            pieces.append((sentence, length))
        else:
            words = sentence.split()
            pieces += _gathered(list(zip(words, lengths(words), strict=True)), most)
    return [stretch for stretch, _ in _gathered(pieces, most)]


def _gathered(pieces: Sequence[tuple[str, int]], most: int) -> list[tuple[str, int]]:
    """Neighbours joined while they fit."""
    joined: list[tuple[str, int]] = []
    for piece, length in pieces:
        if joined and joined[-1][1] + length <= most:
            joined[-1] = (f"{joined[-1][0]} {piece}", joined[-1][1] + length)
        else:
            joined.append((piece, length))
    return joined
