"""Scores from the cache, and masked words read once for all settings of estime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter import score
from gistmeter.metrics.masked.estime import Estime
from gistmeter.metrics.masked.masking import Masking, load_masked_reader
from gistmeter.metrics.registry import parse_metric
from gistmeter.scoring.cache import ScoreCache, cache_keys, cache_path, content_digests

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter import Example
    from gistmeter.scores import Scores

_AT_ONCE = 64
"""Summaries read together: their states at four layers, and those of their documents, fit into the reader's memory."""


def scored(examples: Sequence[Example], metrics: Sequence[str]) -> Scores:
    """Scores of metrics in the order of the examples, markers such as -lrb- taken for words, as the papers took them.

    Reading masked words is what ESTIME takes its time for, and one pass gives all layers: they are read for all of
    its settings at once, a few documents at a time.
    """
    distinct = list(dict.fromkeys(metrics))
    estimes = {one: metric for one in distinct if isinstance(metric := parse_metric(one), Estime)}
    layers = sorted({int(metric.facts()["layer"]) for metric in estimes.values()})
    if len(layers) > 1:
        reader = load_masked_reader("embedded", dtype="fp32", masking=Masking())
        for start in range(0, len(examples), _AT_ONCE):
            some = examples[start : start + _AT_ONCE]
            if not all(_kept(metric, some) for metric in estimes.values()):
                reader.read([text for one in some for text in (one.document or "", one.summary)], layers)
                score(some, list(estimes), cache=True, markers="keep")
    return score(examples, distinct, cache=True, markers="keep")


def _kept(metric: Estime, examples: Sequence[Example]) -> bool:
    """Whether the cache has the scores of all these examples."""
    cache = ScoreCache(cache_path())
    keys = cache_keys(metric, content_digests(metric.needs, examples))
    cached = cache.find_scores(keys, metric.width)
    cache.close()
    return bool(cached.present.all())
