"""ESTIME as published, word for word and one masked copy at a time: the oracle of the tests, the peer of the bench.

It shares nothing with `gistmeter.metrics.masked.estime` but the weights. `python -m bench.plain_estime` times both.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("OMP_NUM_THREADS", "1")

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from gistmeter import Example

    States = Callable[[list[int]], NDArray]
    """Token ids of a sequence, special ones included, to the states of a layer."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A token of the summary that the document has too: s(i), the best other product, and how many beat s(i)."""

    position: int
    own: float
    best: float
    winners: int

    @property
    def alarm(self) -> bool:
        return self.best > self.own


@dataclass(frozen=True, slots=True)
class Plain:
    """How to read: the special ids around a text, the mask, and the numbers of section 2."""

    states: States
    head: Sequence[int]
    tail: Sequence[int]
    mask: int
    distance: int = 8
    window: int = 450
    margin: int = 50

    def estime(
        self, summary: Sequence[int], document: Sequence[int], theirs: list[NDArray] | None = None
    ) -> list[Checked]:
        """Equations 1 to 3, token by token; `theirs` are the document's embeddings when they are known already."""
        theirs = self.embeddings(document) if theirs is None else theirs
        mine = self.embeddings(summary)
        found = []
        for i, token in enumerate(summary):
            if token not in document:
                continue
            products = [float(mine[i] @ other) for other in theirs]
            own = max(p for p, other in zip(products, document, strict=True) if other == token)
            others = [p for p, other in zip(products, document, strict=True) if other != token]
            found.append(Checked(i, own, max(others, default=float("-inf")), sum(p > own for p in others)))
        return found

    def embeddings(self, tokens: Sequence[int]) -> list[NDArray]:
        """The embedding of each token, taken where it is masked."""
        found: dict[int, NDArray] = {}
        start = 0
        while len(found) < len(tokens):
            end = min(start + self.window, len(tokens))
            first = start if start == 0 else start + self.margin
            last = end if end == len(tokens) else end - self.margin
            left = [i for i in range(first, last) if i not in found]
            for shift in range(min(self.distance, len(left))):
                masked = left[shift :: self.distance]
                inside = [self.mask if start + k in masked else t for k, t in enumerate(tokens[start:end])]
                states = self.states([*self.head, *inside, *self.tail])
                for i in masked:
                    found[i] = states[len(self.head) + i - start]
            start = max(0, min(start + self.window - 2 * self.margin, len(tokens) - self.window))
        return [found[i] for i in range(len(tokens))]


def embedded(layer: int) -> tuple[Plain, Callable[[str], list[int]]]:
    """The plain algorithm on the embedded masked-word model, as transformers runs it, and its tokenizer."""
    import torch
    import transformers

    from gistmeter.models.masked_words.model import WEIGHTS
    from gistmeter.models.runtime.adapters import merge_masked_words, read_adapter
    from gistmeter.models.runtime.load import quiet_loading
    from gistmeter.models.runtime.locate import locate

    base = locate()
    with quiet_loading():
        network = transformers.AutoModelForMaskedLM.from_pretrained(base.folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(base.folder)
    merge_masked_words(network, read_adapter(WEIGHTS, base=base), mask_id=tokenizer.mask_token_id)
    encoder = network.base_model
    encoder.encoder.layer = encoder.encoder.layer[:layer]

    def states(ids: list[int]) -> NDArray:
        with torch.inference_mode():
            return encoder(torch.tensor([ids])).last_hidden_state[0].numpy()

    reader = Plain(states, [tokenizer.cls_token_id], [tokenizer.sep_token_id], tokenizer.mask_token_id)
    return reader, lambda text: tokenizer.encode(text, add_special_tokens=False, verbose=False)


def compare(examples: Sequence[Example]) -> list[str]:
    """CPU seconds for the same summaries, and how many times those of gistmeter.

    The plain algorithm is timed twice: reading the document anew for each summary, and once for all its summaries.
    """
    import torch

    from gistmeter.metrics.masked.estime import Estime
    from gistmeter.metrics.masked.masking import Masking
    from gistmeter.models.masked_words.model import load_masked_words

    torch.set_num_threads(1)
    metric, model = Estime(), load_masked_words()
    layer = int(metric.facts()["layer"])
    reader, tokens = embedded(layer)
    texts = dict.fromkeys(text for one in examples for text in (one.document or "", one.summary))
    copies = [copy.ids for text in model.tokens(list(texts)) for copy in Masking().make_copies(text, model.mask_id)]
    model.states(copies[:4], [layer])  # the first call sets things up

    def each_pair() -> list[int]:
        pairs = [(tokens(one.summary), tokens(one.document or "")) for one in examples]
        return [sum(token.alarm for token in reader.estime(*pair)) for pair in pairs]

    def each_document() -> list[int]:
        known = {
            text: reader.embeddings(tokens(text)) for text in dict.fromkeys(one.document or "" for one in examples)
        }
        return [
            sum(
                token.alarm
                for token in reader.estime(tokens(one.summary), tokens(one.document or ""), known[one.document or ""])
            )
            for one in examples
        ]

    mine, seconds = _timed(lambda: [int(count) for count in metric.score(examples)[:, 0]])
    _, bare = _timed(lambda: model.states(copies, [layer]))
    once, once_seconds = _timed(each_document)
    _, alone_seconds = _timed(each_pair)
    count = sum(map(len, copies))
    equal = sum(a == b for a, b in zip(mine, once, strict=True))
    return [
        f"ESTIME, {len(examples)} summaries, {count:,} tokens in masked copies; {equal} counts equal",
        f"gistmeter {seconds:.1f} s: {count / seconds:,.0f} tokens/s, {bare / seconds:.0%} of the bare encoder's speed",
        f"plain, the document read for each summary: {alone_seconds:.1f} s, {alone_seconds / seconds:.1f}x",
        f"plain, the document read once: {once_seconds:.1f} s, {once_seconds / seconds:.1f}x (goal 2x)",
    ]


def _timed(work: Callable[[], list]) -> tuple[list, float]:
    start = time.process_time()
    return work(), time.process_time() - start


def examples_to_time(documents: int = 3) -> list[Example]:
    """The summaries of some documents of SummEval, or the example run."""
    from gistmeter import Example
    from gistmeter.api import read_run
    from gistmeter.demo import demo_run
    from gistmeter.io.runs import read_records

    folder = Path(os.environ.get("GISTMETER_DATA", "../shared/data")) / "summeval"
    if not folder.is_dir():
        return list(read_run(demo_run()))
    texts = {one["doc_id"]: one["document"] for one in read_records(str(folder / "documents.jsonl.gz"))}
    chosen = set(list(texts)[:documents])
    return [
        Example(doc_id=one["doc_id"], system=one["system_id"], summary=one["summary"], document=texts[one["doc_id"]])
        for one in read_records(str(folder / "summeval.jsonl.gz"))
        if one["doc_id"] in chosen
    ]


if __name__ == "__main__":
    print("\n".join(compare(examples_to_time())))
