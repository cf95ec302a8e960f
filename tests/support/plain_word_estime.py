"""ESTIME as the program of its authors computes it, word by word and one masked copy at a time: an oracle.

It shares nothing with `gistmeter.metrics.masked` but the weights and where sentences end; words are nltk's. Each step
is written as that program documents it, without regard to speed.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any, NamedTuple

from nltk.tokenize.destructive import NLTKWordTokenizer

from gistmeter.text.sentences import split_sentences


class CheckedWord(NamedTuple):
    """A word of the summary that the document has: the fit of its own piece, the best other fit, who beats it."""

    word: str
    own: float
    best: float
    winners: int


@dataclass(frozen=True)
class ReleasedEstime:
    """The program with its settings: a transformers tokenizer and network, and the layer whose states are compared."""

    tokenizer: Any
    network: Any
    layer: int
    distance: int = 8
    window: int = 450
    margin: int = 50

    def check_words(self, summary: str, document: str, excluded: frozenset[str] = frozenset()) -> list[CheckedWord]:
        """What is found of each checked word; `excluded` spellings of the document are not of interest."""
        document_words, summary_words = self.words(document), self.words(summary)
        of_interest = [i for i, word in enumerate(document_words) if word not in excluded]
        spellings = {document_words[i] for i in of_interest}
        checked = [i for i, word in enumerate(summary_words) if word in spellings]
        document_states = self.states_of(document_words, of_interest)
        summary_states = self.states_of(summary_words, checked)
        results = []
        for i in checked:
            first = self.pieces(summary_words[i])[0]
            own, others = [], []
            for j in of_interest:
                product = float(summary_states[i] @ document_states[j])
                (own if self.pieces(document_words[j])[0] == first else others).append(product)
            winners = sum(product > max(own) for product in others)
            results.append(CheckedWord(summary_words[i], max(own), max(others, default=float("-inf")), winners))
        return results

    def words(self, text: str) -> list[str]:
        """The Treebank words of a normalised text that have pieces."""
        sentences = split_sentences(unicodedata.normalize("NFKD", text))
        words = [word for sentence in sentences for word in NLTKWordTokenizer().tokenize(sentence)]
        return [word for word in words if self.pieces(word)]

    def pieces(self, word: str) -> list[str]:
        """A word as the tokenizer cuts it."""
        return self.tokenizer.tokenize(word)

    def states_of(self, words: list[str], wanted: list[int]) -> dict[int, Any]:
        """The state of the first piece of each wanted word, when all its pieces are masked."""
        tokens: list[str] = []
        spans = {}
        for i, word in enumerate(words):
            spans[i] = (len(tokens), len(tokens) + len(self.pieces(word)))
            tokens += self.pieces(word)
        states: dict[int, Any] = {}
        remaining = list(wanted)
        while remaining:
            group: list[int] = []
            for i in remaining:
                if not group or i - group[-1] >= self.distance:
                    group.append(i)
            remaining = [i for i in remaining if i not in group]
            while group:
                begin = max(0, spans[group[0]][0] - self.margin)
                allowed = begin + self.window - self.margin
                masked = [i for i in group if spans[i][1] - 1 <= allowed]
                states |= self.states_in_window(tokens, begin, {i: spans[i] for i in masked})
                group = group[len(masked) :]
        return states

    def states_in_window(self, tokens: list[str], begin: int, spans: dict[int, tuple[int, int]]) -> dict[int, Any]:
        """One window, read alone."""
        import torch

        window = tokens[begin : begin + self.window]
        for start, end in spans.values():
            for position in range(start, end):
                window[position - begin] = self.tokenizer.mask_token
        sequence = [self.tokenizer.cls_token, *window, self.tokenizer.sep_token]
        ids = self.tokenizer.convert_tokens_to_ids(sequence)
        with torch.no_grad():
            hidden = self.network(torch.tensor([ids]), output_hidden_states=True).hidden_states[self.layer][0].numpy()
        return {i: hidden[1 + start - begin] for i, (start, _) in spans.items()}
