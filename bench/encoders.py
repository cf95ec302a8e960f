"""Speed of the measures that read models: against the bare encoder, and BERTScore against bert-score.

`python -m bench.encoders`. One core, CPU seconds, the rounds interleaved. The bare encoder is transformers' own
forward pass over the same distinct texts, sorted by length and padded in batches: what a careful user would write.
"""

from __future__ import annotations

import logging
import os
import time
import warnings
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GISTMETER_THREADS", "1")

import numpy as np

from bench.pairs import timed_pairs
from gistmeter.metrics import parse_metric
from gistmeter.models.encoder.encoder import _load_encoder, load_encoder
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.locate import locate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter import Example

ROUNDS = 2
LAYER = 6
BATCH_TOKENS = 2048


def main(most: int = 2500) -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    name, pairs = timed_pairs(most)
    texts = list(dict.fromkeys(text for one in pairs for text in (one.summary, *one.references)))
    count = sum(len(one) for one in load_encoder(long="truncate").tokens(texts))
    print(f"BERTScore of {len(pairs)} pairs of {name}: {len(texts)} distinct texts, {count:,} tokens; one core\n")
    print("| what | CPU seconds | tokens/s |\n| --- | --- | --- |")
    runs: dict[str, Callable[[], object]] = {
        "transformers' encoder alone, fp32": lambda: bare(texts, "float32"),
        "bert-score 0.3.13, fp32": lambda: peer(pairs),
        "gistmeter, fp32": lambda: mine(pairs, "fp32"),
        "transformers' encoder alone, bf16": lambda: bare(texts, "bfloat16"),
        "gistmeter, bf16": lambda: mine(pairs, "bf16"),
    }
    taken: dict[str, float] = dict.fromkeys(runs, np.inf)
    results: dict[str, Any] = {}
    for _ in range(ROUNDS):
        for what, run in runs.items():
            start = time.process_time()
            results[what] = run()
            taken[what] = min(taken[what], time.process_time() - start)
    for what, seconds in taken.items():
        print(f"| {what} | {seconds:.1f} | {count / seconds:,.0f} |")
    peer_seconds, fp32, bf16 = (
        taken[what] for what in ("bert-score 0.3.13, fp32", "gistmeter, fp32", "gistmeter, bf16")
    )
    print(
        f"\nagainst bert-score: {peer_seconds / fp32:.2f}x in fp32 (goal 1.7x), {peer_seconds / bf16:.2f}x in bf16 (3x)"
    )
    for kind, seconds in (("fp32", fp32), ("bf16", bf16)):
        share = taken[f"transformers' encoder alone, {kind}"] / seconds
        print(f"of the bare encoder's speed: {share:.0%} in {kind} (goal 90%)")
    difference = np.abs(results["gistmeter, fp32"] - results["gistmeter, bf16"])
    print(f"bf16 moves scores by {difference.mean():.5f} on average, {difference.max():.5f} at most")
    away = np.abs(results["gistmeter, fp32"] - results["bert-score 0.3.13, fp32"]).max()
    print(f"fp32 differs from bert-score by {away:.1e} at most")


def mine(pairs: Sequence[Example], dtype: str) -> object:
    """BERTScore as the engine runs it, with nothing remembered."""
    _load_encoder.cache_clear()
    metric = parse_metric(f"bertscore(layer={LAYER},idf=none,long=truncate,dtype={dtype})")
    return np.concatenate([metric.score(pairs[i : i + 256]) for i in range(0, len(pairs), 256)])


def peer(pairs: Sequence[Example]) -> object:
    """bert-score on the same pairs."""
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=str(locate().folder), num_layers=LAYER, batch_size=64, device="cpu")
    given = scorer.score([one.summary for one in pairs], [one.references[0] for one in pairs])
    return np.stack([column.numpy() for column in given], axis=1)


def bare(texts: Sequence[str], dtype: str) -> object:
    """The encoder's forward pass on distinct texts, sorted by length."""
    import torch
    from transformers import AutoModel

    model = AutoModel.from_pretrained(str(locate().folder), dtype=getattr(torch, dtype)).eval()
    ids = [one.ids for one in load_encoder(long="truncate").tokens(texts)]
    with torch.inference_mode():
        for batch in split_into_batches([len(one) for one in ids], BATCH_TOKENS):
            longest = len(ids[batch[0]])
            padded, mask = np.zeros((2, len(batch), longest), dtype=np.int64)
            for row, i in enumerate(batch):
                padded[row, : len(ids[i])] = ids[i]
                mask[row, : len(ids[i])] = 1
            model(input_ids=torch.from_numpy(padded), attention_mask=torch.from_numpy(mask))
    return None


if __name__ == "__main__":
    main()
