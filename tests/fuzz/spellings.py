"""Odd words for a command line, and metrics that are spelled oddly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

ODD_TEXTS = (
    "", " ", "-", "--", "-1", "0", "1", "2", "nan", "inf", "-inf", "1e308", "1e-320", "0.5", "99999999999999999999",
    "9" * 5000, "x" * 5000, "a=b", "=", ",", ",,", "é", "\u202eabc", "\x1b[31mred", "a\nb", "%s", "{}", "{0}",
    "$HOME", "~", ".", "..", "/", "/dev/null", "/dev/full", "/proc/self/mem", "*", "?", "[", "[a-z]*", "run.jsonl",
    "none.jsonl", "true", "None", "xx", "zh", "../x", "http://localhost:1/x", "rouge1", "a,b", "careful",
    "harbour-01", "content", "@x", "'", '"', "\\", "🎉",
)  # fmt: skip

NAMES = (
    "rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU", "rouge9", "bleu", "chrf", "meteor",
    "js", "novelty", "length", "compression", "pyramid", "litepyramid", "lite2pyramid", "lite2.5pyramid",
    "jackknife", "max", "content", "ffci", "focus", "rouge", "roge", "", "ROUGE-1", "bert score", "x" * 300,
    "simetrix", "cosine", "repetition", "redundancy", "autosummeng", "memog", "npower",
)  # fmt: skip
SETTINGS = (
    "stem", "tokenizer", "metric", "metrics", "model", "layer", "idf", "char_order", "word_order", "beta", "alpha",
    "gamma", "skip", "window", "bootstrap", "lower", "references", "combine", "n", "weight", "limit", "smooth",
    "preset", "language", "x", "",
)  # fmt: skip
VALUES = (
    "porter", "german", "none", "yes", "no", "0", "1", "-1", "2", "9", "200000", "1e308", "nan", "inf", "0.5",
    "best", "mean", "en", "embedded", "rouge1", "rouge1(stem=porter)", "", "(", ")", "=", "()", "auto", "paper",
    "../x", "a b", "\x1b[0m", "'x'", "99999999999",
)  # fmt: skip


def odd_metric(rng: random.Random) -> str:
    """A metric with settings drawn at random; sometimes several, sometimes one in another, sometimes cut."""
    if rng.random() < 0.02:
        return "jackknife(metric=" * 1000 + "rouge1" + ")" * 1000
    names = [_metric(rng, depth=0) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    text = ",".join(names)
    if rng.random() < 0.15:
        text = text[: rng.randrange(len(text) + 1)]
    if rng.random() < 0.1:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice("()=,|:% \n'\"") + text[at:]
    return text


def _metric(rng: random.Random, depth: int) -> str:
    name = rng.choice(NAMES)
    if rng.random() < 0.4:
        return name
    settings = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        value = _metric(rng, depth + 1) if depth < 3 and rng.random() < 0.2 else rng.choice(VALUES)
        settings.append(f"{rng.choice(SETTINGS)}={value}")
    return f"{name}({','.join(settings)})"
