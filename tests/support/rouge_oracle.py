"""ROUGE in the plainest Python there is: what the compiled loops must equal."""

from __future__ import annotations

from collections import Counter


def count_ngram_matches(summary, reference, order):
    def grams(words):
        return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))

    return sum((grams(summary) & grams(reference)).values())


def skip_bigrams(words, gap, unigrams):
    counts = Counter()
    for i in range(len(words) - 1):
        if unigrams:
            counts[words[i]] += 1
        for j in range(i + 1, len(words)):
            if gap is None or j - i - 1 <= gap:
                counts[words[i], words[j]] += 1
    return counts


def lcs_length(a, b):
    if not a or not b:
        return 0
    if a[-1] == b[-1]:
        return 1 + lcs_length(a[:-1], b[:-1])
    return max(lcs_length(a[:-1], b), lcs_length(a, b[:-1]))


def subsequence_positions(reference, summary, weight):
    """Positions of the reference in one weighted LCS, by ROUGE-1.5.5's order of preference."""
    m, n = len(reference), len(summary)
    best = [[0.0] * (n + 1) for _ in range(m + 1)]
    run = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if reference[i - 1] == summary[j - 1]:
                k = run[i - 1][j - 1]
                best[i][j] = best[i - 1][j - 1] + (k + 1) ** weight - k**weight
                run[i][j] = k + 1
            else:
                best[i][j] = max(best[i - 1][j], best[i][j - 1])
    result, i, j = set(), m, n
    while i and j:
        if reference[i - 1] == summary[j - 1]:
            i, j = i - 1, j - 1
            result.add(i)
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return result


def count_union_matches(summary_sentences, reference_sentences, weight, by_run):
    left = Counter(word for sentence in summary_sentences for word in sentence)
    total = 0.0
    for reference in reference_sentences:
        marked = set()
        for summary in summary_sentences:
            marked |= subsequence_positions(reference, summary, weight)
        run = 0
        for i in sorted(marked):
            if not left[reference[i]]:
                continue
            left[reference[i]] -= 1
            if not by_run:
                total += 1
                continue
            run += 1
            if i + 1 == len(reference) or i + 1 not in marked:
                total += run**weight
                run = 0
    return total
