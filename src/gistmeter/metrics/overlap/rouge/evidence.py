"""Evidence for ROUGE: which n-grams, pairs or subsequences of a summary and a reference match."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.evidence import Table
from gistmeter.metrics.marks import list_matches
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.text.words import Word

    Match = tuple[int, int]
    """Positions of a matched word: in the summary, in the reference."""


@dataclass(frozen=True, slots=True)
class ComparedWords:
    """The words of an example's summary and of its reference at the position `chosen`."""

    example: Example
    chosen: int
    summary: Sequence[Word]
    reference: Sequence[Word]


@dataclass(frozen=True, slots=True)
class RougeMatches:
    """The words that match, what they are in a few words, and a table of the units they make up, if there is one."""

    matches: list[Match]
    about: str
    table: Table | None = None


class _UnitCount(NamedTuple):
    """How often a unit matches, and how often it stands in the summary and in the reference."""

    matched: int
    in_summary: int
    in_reference: int


def match_words(alignment: Alignment) -> RougeMatches:
    """The words that an alignment pairs, and a table of how often each stands in both texts."""
    summary, reference = alignment.summary.tokens, alignment.other.tokens
    in_summary, in_reference = (Counter(token.key for token in tokens) for tokens in (summary, reference))
    matches = list_matches(alignment)
    matched = Counter(summary[left].key for left, _ in matches)
    in_order = (token.key for token in reference if token.key in matched)
    counts = {text: _UnitCount(matched[text], in_summary[text], in_reference[text]) for text in in_order}
    return RougeMatches(matches, f"{len(matches)} matched 1-grams", _build_table("1-gram", counts))


def match_ngrams(summary: Sequence[Word], reference: Sequence[Word], order: int) -> RougeMatches:
    """The n-grams that both texts have, each matched at most as often as it stands in both."""
    in_summary, in_reference = _index_ngrams(summary, order), _index_ngrams(reference, order)
    matches: list[Match] = []
    counts: dict[str, _UnitCount] = {}
    for gram in sorted(in_reference, key=lambda gram: in_reference[gram][0]):
        shared = min(len(in_summary.get(gram, ())), len(in_reference[gram]))
        if not shared:
            continue
        counts[" ".join(gram)] = _UnitCount(shared, len(in_summary[gram]), len(in_reference[gram]))
        for left, right in zip(in_summary[gram][:shared], in_reference[gram][:shared], strict=True):
            matches.extend((left + k, right + k) for k in range(order))
    about = f"{sum(count.matched for count in counts.values())} matched {order}-grams"
    return RougeMatches(matches, about, _build_table(f"{order}-gram", counts))


def match_skip_bigrams(
    summary: Sequence[Word], reference: Sequence[Word], gap: int | None, *, unigrams: bool
) -> RougeMatches:
    """The pairs of words in order that both texts have, with at most `gap` words between them."""

    def iterate_pairs(words: Sequence[Word]) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        for i in range(len(words) - 1):
            if unigrams:
                yield (words[i].text,), (i,)
            last = len(words) if gap is None else min(len(words), i + gap + 2)
            for j in range(i + 1, last):
                yield (words[i].text, words[j].text), (i, j)

    in_summary: dict[tuple[str, ...], list[tuple[int, ...]]] = defaultdict(list)
    for pair, positions in iterate_pairs(summary):
        in_summary[pair].append(positions)
    matches: list[Match] = []
    matched: Counter[tuple[str, ...]] = Counter()
    in_reference: Counter[tuple[str, ...]] = Counter()
    for pair, positions in iterate_pairs(reference):
        in_reference[pair] += 1
        if matched[pair] < len(in_summary.get(pair, ())):
            matches.extend(zip(in_summary[pair][matched[pair]], positions, strict=True))
            matched[pair] += 1
    counts = {
        " … ".join(pair): _UnitCount(count, len(in_summary[pair]), in_reference[pair])
        for pair, count in matched.items()
        if count
    }
    about = f"{sum(count.matched for count in counts.values())} matched pairs of words"
    return RougeMatches(matches, about, _build_table("pair", counts))


def match_subsequence(summary: Sequence[Word], reference: Sequence[Word]) -> RougeMatches:
    """One longest common subsequence of the words of both texts."""
    matches = _find_subsequence([word.text for word in summary], [word.text for word in reference])
    return RougeMatches(matches, f"a longest common subsequence of {format_count(len(matches), 'word')}")


def match_sentences(
    summary: Sequence[Word],
    reference: Sequence[Word],
    summary_sentences: Sequence[range],
    reference_sentences: Sequence[range],
    *,
    power: float,
) -> RougeMatches:
    """The reference words that a subsequence with any summary sentence has, no oftener than the summary has them.

    Sentences are given by the positions of their words; runs of k words weigh k to the power. A reference word is
    linked to the first summary word it was matched with.
    """
    remaining = Counter(word.text for word in summary)
    matches: list[Match] = []
    for reference_range in reference_sentences:
        partners: dict[int, int] = {}
        for summary_range in summary_sentences:
            subsequence = _find_subsequence(
                [summary[position].text for position in summary_range],
                [reference[position].text for position in reference_range],
                power,
            )
            for left, right in subsequence:
                partners.setdefault(reference_range[right], summary_range[left])
        for position in sorted(partners):
            text = reference[position].text
            if remaining[text]:
                remaining[text] -= 1
                matches.append((partners[position], position))
    matched_words = {right for _, right in matches}
    return RougeMatches(
        matches, f"{format_count(len(matched_words), 'reference word')} in common subsequences by sentence"
    )


def _index_ngrams(words: Sequence[Word], order: int) -> dict[tuple[str, ...], list[int]]:
    """For each n-gram of a text the positions where it starts."""
    positions: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i in range(len(words) - order + 1):
        positions[tuple(word.text for word in words[i : i + order])].append(i)
    return positions


def _find_subsequence(summary: Sequence[str], reference: Sequence[str], power: float = 1.0) -> list[Match]:
    """One longest common subsequence, runs of k words weighing k to the power, chosen as ROUGE-1.5.5 chooses."""
    m, n = len(reference), len(summary)
    best = [[0.0] * (n + 1) for _ in range(m + 1)]
    runs = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if reference[i - 1] == summary[j - 1]:
                k = runs[i - 1][j - 1]
                best[i][j] = best[i - 1][j - 1] + (k + 1) ** power - k**power
                runs[i][j] = k + 1
            else:
                best[i][j] = max(best[i - 1][j], best[i][j - 1])
    matches: list[Match] = []
    i, j = m, n
    while i and j:
        if reference[i - 1] == summary[j - 1]:
            i, j = i - 1, j - 1
            matches.append((j, i))
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return matches[::-1]


def _build_table(unit: str, counts: Mapping[str, _UnitCount]) -> Table:
    rows = sorted(counts.items(), key=lambda item: -item[1].matched)
    return Table(
        (unit, "matched", "in summary", "in reference"),
        tuple((text, *(str(number) for number in count)) for text, count in rows),
    )
