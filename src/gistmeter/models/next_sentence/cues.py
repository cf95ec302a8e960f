"""Cues of order: what in two sentences tells which of them a writer put first, read without a network.

A name stands in full before it stands alone, a thing is "a bridge" before it is "the bridge", and a sentence that
begins with "he" or "but" follows another. A cue is a text such as `starts:but` or `mention:a>the`; every cue counts
for the order first, second and against the opposite order, so that the log odds of a pair are those of its reversal
with the other sign. Which cues count, and how much, is learned (`gistmeter.training.next_sentence.order`). Sentences
must be in one spelling (`normalize_spelling`): case and tokenisation tell nothing.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.text.stopwords import load_stopwords

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d.,]*|[^\w\s]")
_OPENING_WORDS = 3
_LONG_SENTENCE = 30
_CACHED_SENTENCES = 16384
_PLACES = {"name": "another word", "1": "a number", "^": "nothing"}
"""What stands before a word where it is no function word."""


class DescribedSentence(NamedTuple):
    """What a sentence says of its place on its own, and how it speaks of each thing."""

    cues: Mapping[str, float]
    mentions: Mapping[str, Mention]
    start: str


class Mention(NamedTuple):
    """How a word is first spoken of: what stands before it, whether a content word follows, and how late it comes."""

    before: str
    leads: bool
    position: float


@dataclass(frozen=True, slots=True)
class OrderCues:
    """What each cue adds to the log odds that a pair stands in this order, for texts of one language."""

    weights: Mapping[str, float]
    language: str

    def log_odds(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """For each pair in one spelling: above 0 where its order is the likelier one, 0 where nothing tells.

        >>> OrderCues({"starts:but": 0.5}, "en").log_odds([("it rained", "but he left"), ("but he left", "it rained")])
        array([ 0.5, -0.5])
        """
        weight_of = self.weights.get
        return np.array(
            [
                sum(weight_of(cue, 0.0) * value for cue, value in list_order_cues(*pair, self.language).items())
                for pair in pairs
            ],
            dtype=np.float64,
        )

    def describe(self, pair: tuple[str, str], *, top: int = 3) -> str:
        """The log odds of a pair in one spelling, and the cues that weigh most, in words.

        >>> cues = OrderCues({"starts:but": 0.5, "mention:a>the": 0.2}, "en")
        >>> cues.describe(("but the rain fell", "a rain came"))
        '-0.70: first starts "but", word after "the", then after "a"'
        """
        words = self.list_strongest(pair, top=top)
        return f"{self.log_odds([pair])[0]:+.2f}: {words}" if words else "+0.00"

    def list_strongest(self, pair: tuple[str, str], *, top: int = 3) -> str:
        """The cues of a pair that weigh most, in words, with commas between."""
        present = list_order_cues(*pair, self.language)
        added = {cue: self.weights[cue] * value for cue, value in present.items() if cue in self.weights}
        strongest = sorted(added, key=lambda cue: (-abs(added[cue]), cue))
        # Mirrored cues read alike, and a word at the very start is also near it.
        starts = {cue: cue.removeprefix("near ").replace("start:", "starts:") for cue in strongest}
        names = [starts[cue] if present.get(starts[cue]) == present[cue] else cue for cue in strongest]
        distinct = dict.fromkeys(_describe_cue(name, present[name]) for name in names)
        return ", ".join(list(distinct)[:top])


def list_order_cues(first: str, second: str, language: str = "en") -> dict[str, float]:
    """The cues for the order first, second, with those for the opposite order counted against it.

    >>> cues = list_order_cues("a bridge was opened by mayor ann lee", "the bridge is hers, lee said")
    >>> cues["mention:a>the"], cues["mention:the>a"], cues["starts:the"], cues["starts:a"]
    (1.0, -1.0, 1.0, -1.0)
    """
    before, after = describe_sentence(first, language), describe_sentence(second, language)
    cues: defaultdict[str, float] = defaultdict(float)
    for sign, (here, there) in ((1.0, (before, after)), (-1.0, (after, before))):
        for cue, value in there.cues.items():
            cues[cue] += sign * value
        for cue, value in _pair_cues(here, there).items():
            cues[cue] += sign * value
    return {cue: value for cue, value in cues.items() if value}


@functools.lru_cache(maxsize=_CACHED_SENTENCES)
def describe_sentence(sentence: str, language: str = "en") -> DescribedSentence:
    """The cues that a sentence carries alone, and its mentions."""
    tokens = _TOKEN.findall(sentence)
    stop_words = load_stopwords("language", language)
    cues: dict[str, float] = {f"word:{token}": 1.0 for token in tokens}
    for pair in itertools.pairwise(tokens):
        if not stop_words.isdisjoint(pair):
            cues["pair:" + " ".join(pair)] = 1.0
    for token in tokens[:_OPENING_WORDS]:
        if token in stop_words:
            cues[f"near start:{token}"] = 1.0
    for count in range(1, _OPENING_WORDS + 1):
        if len(tokens) >= count:
            cues["starts:" + " ".join(tokens[:count])] = 1.0
    if tokens:
        cues["length"] = min(len(tokens) / _LONG_SENTENCE, 2.0)
    if any(token[0].isdigit() for token in tokens):
        cues["number"] = 1.0
    return DescribedSentence(cues, _find_mentions(tokens, stop_words), tokens[0] if tokens else "")


def _find_mentions(tokens: list[str], stop_words: frozenset[str]) -> dict[str, Mention]:
    """How each content word is spoken of first."""
    mentions: dict[str, Mention] = {}
    for index, token in enumerate(tokens):
        if not _is_content(token, stop_words):
            continue
        previous, following = tokens[index - 1] if index else "^", tokens[index + 1] if index + 1 < len(tokens) else "$"
        before = "name" if _is_content(previous, stop_words) else "1" if previous[0].isdigit() else previous
        mention = Mention(before, leads=_is_content(following, stop_words), position=index / len(tokens))
        mentions.setdefault(_stem(token), mention)
    return mentions


def _pair_cues(here: DescribedSentence, there: DescribedSentence) -> Mapping[str, float]:
    """The cues of two sentences in this order that neither has alone."""
    cues: defaultdict[str, float] = defaultdict(float)
    shared = here.mentions.keys() & there.mentions.keys()
    for word in shared:
        earlier, later = here.mentions[word], there.mentions[word]
        cues[f"mention:{earlier.before}>{later.before}"] += 1.0
        cues[f"leads:{earlier.leads:d}>{later.leads:d}"] += 1.0
        cues["late:first"] += earlier.position
        cues["late:second"] += later.position
    if here.start and there.start:
        cues[f"starts:{here.start}>{there.start}"] = 1.0
        cues[f"starts:{there.start} shares {bool(shared):d}"] = 1.0
    return cues


def _is_content(token: str, stop_words: frozenset[str]) -> bool:
    return len(token) > 2 and token[0].isalpha() and token not in stop_words


def _stem(word: str) -> str:
    """A word without the ending that a second mention often has or lacks."""
    word = word.partition("'")[0]
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


def _describe_cue(cue: str, value: float) -> str:
    """A cue in words; below 0 it is the first sentence that has it, or the opposite order that it speaks of.

    >>> _describe_cue("word:said", -1.0), _describe_cue("mention:a>the", -1.0), _describe_cue("length", 0.3)
    ('first has "said"', 'word after "the", then after "a"', 'second longer')
    """
    kind, _, text = cue.partition(":")
    side = "second" if value > 0 else "first"
    if kind in ("leads", "late"):
        return "where shared words stand"
    if not text:
        return f"{side} longer" if kind == "length" else f"{side} has a {kind}"
    earlier, arrow, later = text.partition(">")
    if arrow:
        order = (earlier, later) if value > 0 else (later, earlier)
        here, there = (_PLACES.get(word, f'"{word}"') for word in order)
        return f"starts {here}, then {there}" if kind == "starts" else f"word after {here}, then after {there}"
    if kind == "near start":
        return f'{side} has "{text}" near its start'
    return f'{side} {"starts" if kind == "starts" else "has"} "{text.partition(" shares ")[0]}"'
