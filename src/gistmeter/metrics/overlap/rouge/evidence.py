"""Evidence for ROUGE: which n-grams, pairs or subsequences matched, in the best-matching reference."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.marks import linked_groups, marks_of
from gistmeter.metrics.overlap.rouge.variants import RougeL, RougeLsum, RougeN, RougeS, RougeW
from gistmeter.text.sentences import resolve_rule, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.example import Example
    from gistmeter.metrics.overlap.rouge.family import Rouge
    from gistmeter.text.words import Word

    Match = tuple[int, int]
    """Positions of a matched word: in the summary, in the reference."""


def explain_rouge(metric: Rouge, example: Example) -> Evidence:
    """What `metric` matched between the summary and the reference it matches best."""
    chosen = _best_reference(metric, example)
    analysis = metric.analysis(example.language)
    summary, reference = analysis.spans(example.summary), analysis.spans(example.references[chosen])
    table: Table | None = None
    if isinstance(metric, RougeN):
        matches, counts = _ngram_matches(summary, reference, metric.order)
        table = _count_table(f"{metric.order}-gram", counts)
        what = f"{sum(shared for shared, _, _ in counts.values())} matched {metric.order}-grams"
    elif isinstance(metric, RougeS):
        matches, counts = _skip_matches(summary, reference, metric.gap, unigrams=metric._unigrams)
        table = _count_table("pair", counts)
        what = f"{sum(shared for shared, _, _ in counts.values())} matched pairs of words"
    elif isinstance(metric, RougeL):
        matches = _subsequence([w.text for w in summary], [w.text for w in reference])
        what = f"a longest common subsequence of {len(matches)} words"
    else:
        matches = _union(metric, example, chosen, summary, reference)
        what = f"{len({there for _, there in matches})} reference words in common subsequences by sentence"
    left, right = linked_groups(matches)
    number = f" {chosen + 1} of {len(example.references)}, the best match" if len(example.references) > 1 else ""
    return Evidence(
        metric=metric.spelling,
        headline=f"{what}; {len(summary)} words in the summary, {len(reference)} in the reference{number}",
        panes=(
            Pane("summary", analysis.shown(example.summary), marks_of(summary, left)),
            Pane(f"reference{number}", analysis.shown(example.references[chosen]), marks_of(reference, right)),
        ),
        table=table,
    )


def _best_reference(metric: Rouge, example: Example) -> int:
    if len(example.references) == 1:
        return 0
    alone = [replace(example, references=(text,)) for text in example.references]
    scores = metric.score(alone)[:, 2]
    return max(range(len(alone)), key=lambda i: (scores[i] == scores[i], scores[i]))


def _ngram_matches(
    summary: Sequence[Word], reference: Sequence[Word], order: int
) -> tuple[list[Match], dict[str, tuple[int, int, int]]]:
    """Matched word positions, and for each n-gram: times matched, in the summary, in the reference."""
    mine, theirs = _places(summary, order), _places(reference, order)
    matches: list[Match] = []
    counts: dict[str, tuple[int, int, int]] = {}
    for gram in sorted(theirs, key=lambda g: theirs[g][0]):
        shared = min(len(mine.get(gram, ())), len(theirs[gram]))
        if not shared:
            continue
        counts[" ".join(gram)] = (shared, len(mine[gram]), len(theirs[gram]))
        for here, there in zip(mine[gram][:shared], theirs[gram][:shared], strict=True):
            matches.extend((here + k, there + k) for k in range(order))
    return matches, counts


def _places(words: Sequence[Word], order: int) -> dict[tuple[str, ...], list[int]]:
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i in range(len(words) - order + 1):
        places[tuple(word.text for word in words[i : i + order])].append(i)
    return places


def _skip_matches(
    summary: Sequence[Word], reference: Sequence[Word], gap: int | None, *, unigrams: bool
) -> tuple[list[Match], dict[str, tuple[int, int, int]]]:
    def pairs(words: Sequence[Word]) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        for i in range(len(words) - 1):
            if unigrams:
                yield (words[i].text,), (i,)
            last = len(words) if gap is None else min(len(words), i + gap + 2)
            for j in range(i + 1, last):
                yield (words[i].text, words[j].text), (i, j)

    mine: dict[tuple[str, ...], list[tuple[int, ...]]] = defaultdict(list)
    for key, place in pairs(summary):
        mine[key].append(place)
    matches: list[Match] = []
    used: Counter[tuple[str, ...]] = Counter()
    total: Counter[tuple[str, ...]] = Counter()
    for key, there in pairs(reference):
        total[key] += 1
        if used[key] < len(mine.get(key, ())):
            matches.extend(zip(mine[key][used[key]], there, strict=True))
            used[key] += 1
    return matches, {" … ".join(key): (used[key], len(mine[key]), total[key]) for key in used if used[key]}


def _subsequence(summary: Sequence[str], reference: Sequence[str], power: float = 1.0) -> list[Match]:
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


def _union(
    metric: Rouge, example: Example, chosen: int, summary: Sequence[Word], reference: Sequence[Word]
) -> list[Match]:
    """The words that count: marked by a subsequence with any summary sentence, no oftener than the summary has them.

    A reference word is linked to the first summary word it was matched with.
    """
    rule_of = metric.sentences if isinstance(metric, RougeLsum) else "auto"
    power = metric.weight if isinstance(metric, RougeW) else 1.0
    rule = resolve_rule(rule_of, example.summary, *example.references)
    analysis = metric.analysis(example.language)

    def ranges(text: str) -> list[range]:
        sizes = [len(analysis.tokens(one)) for one in sentences(analysis.cut(text), rule, analysis.language)]
        starts = [sum(sizes[:i]) for i in range(len(sizes))]
        return [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]

    left = Counter(word.text for word in summary)
    matches: list[Match] = []
    mine_all = ranges(example.summary)
    for theirs in ranges(example.references[chosen]):
        matched: dict[int, int] = {}
        for mine in mine_all:
            found = _subsequence([summary[k].text for k in mine], [reference[k].text for k in theirs], power)
            for here, there in found:
                matched.setdefault(theirs[there], mine[here])
        for there in sorted(matched):
            if left[reference[there].text]:
                left[reference[there].text] -= 1
                matches.append((matched[there], there))
    return matches


def _count_table(unit: str, counts: dict[str, tuple[int, int, int]]) -> Table:
    rows = sorted(counts.items(), key=lambda item: -item[1][0])
    return Table(
        (unit, "matched", "in summary", "in reference"),
        tuple((text, *(str(number) for number in numbers)) for text, numbers in rows),
    )
