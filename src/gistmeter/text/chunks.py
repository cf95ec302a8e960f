"""Chunks: a text too long to be read at once, divided between sentences, or between words where it must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def split_into_chunks(text: str, max_tokens: int, *, lengths: Callable[[Sequence[str]], list[int]]) -> list[str]:
    """As few chunks of whole sentences as have at most `max_tokens` tokens; a longer sentence is cut between words.

    `lengths` counts the tokens of each of several texts.

    >>> words = lambda texts: [len(text.split()) for text in texts]
    >>> split_into_chunks("It rained all day. He left. She stayed at home with the two dogs.", 6, lengths=words)
    ['It rained all day. He left.', 'She stayed at home with the', 'two dogs.']
    """
    pieces: list[tuple[str, int]] = []
    text_sentences = split_sentences(text)
    for sentence, length in zip(text_sentences, lengths(text_sentences), strict=True):
        if length <= max_tokens:
            pieces.append((sentence, length))
        else:
            words = sentence.split()
            pieces += _join_neighbours(list(zip(words, lengths(words), strict=True)), max_tokens)
    return [chunk for chunk, _ in _join_neighbours(pieces, max_tokens)]


def _join_neighbours(pieces: Sequence[tuple[str, int]], max_tokens: int) -> list[tuple[str, int]]:
    """Pieces and their lengths, neighbours joined while they have at most `max_tokens` tokens together."""
    joined: list[tuple[str, int]] = []
    for piece, length in pieces:
        if joined and joined[-1][1] + length <= max_tokens:
            joined[-1] = (f"{joined[-1][0]} {piece}", joined[-1][1] + length)
        else:
            joined.append((piece, length))
    return joined
