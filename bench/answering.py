"""Speed of answering: questions a second, against a plain loop of transformers with the same weights.

`python -m bench.answering`. One core, CPU seconds, the rounds interleaved, loading left out. References ask; each
reference and each summary answers, as for `qags(aspect=coverage)`. The plain loop reads one question at a time, in the
order of the data and as often as it stands there, through the same merged model as transformers runs it.
"""

from __future__ import annotations

import os
import sys
import time
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, cast

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GISTMETER_THREADS", "1")

import numpy as np

from bench.pairs import timed_pairs
from gistmeter.models.answering.answerer import WEIGHTS, load_answerer
from gistmeter.models.answering.spans import choose_answer, find_best_spans
from gistmeter.models.asking.asker import load_asker
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.pair_classifier import load_merged_encoder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.models.answering.answerer import SpanAnswerer
    from gistmeter.models.answering.spans import Answer

    Pairs = Sequence[tuple[str, str]]

ROUNDS = 2
SYSTEMS = 5


class Plain(NamedTuple):
    """The merged model and its head, for a loop over questions."""

    answerer: SpanAnswerer
    model: Any
    weight: Any
    bias: Any

    def answers(self, pairs: Pairs) -> list[Answer]:
        """An answer for each pair, one forward pass for each window."""
        import torch

        found = []
        with torch.inference_mode():
            for question, text in pairs:
                (tokens,) = self.answerer._tokenizer.questions([(question, text)])
                spans = []
                for part in self.answerer._windows(tokens):
                    ids, types = (torch.from_numpy(one)[None] for one in (part.ids, part.types))
                    states = self.model(input_ids=ids, token_type_ids=types).last_hidden_state[0]
                    logits = (states @ self.weight.T + self.bias).double().numpy()
                    rows = logits[np.concatenate([[part.null], part.hypothesis])]
                    spans.append((find_best_spans(rows[:, 0], rows[:, 1]), part.offsets))
                found.append(choose_answer(text, spans, self.answerer.threshold))
        return found


def main(most: int = 600) -> None:
    """Print the table."""
    pairs = _asked(most)
    ours = cast("SpanAnswerer", load_answerer())
    runs: dict[str, Callable[[Pairs], list[Answer]]] = {
        "transformers, one question at a time": _plain(ours).answers,
        "gistmeter": ours.answers,
    }
    for run in runs.values():
        run(pairs[:2])  # what is loaded late is loaded now
    taken, answers = dict.fromkeys(runs, np.inf), {}
    for _ in range(ROUNDS):
        for what, run in runs.items():
            start = time.process_time()
            answers[what] = run(pairs)
            taken[what] = min(taken[what], time.process_time() - start)
    print(f"{len(pairs)} questions, {len(set(pairs))} distinct; one core, the best of {ROUNDS} interleaved rounds\n")
    print("| what | tokens read | CPU seconds | questions/s | ratio |\n| --- | --- | --- | --- | --- |")
    first = next(iter(taken.values()))
    for what, seconds in taken.items():
        count = _tokens(ours, list(set(pairs)) if what == "gistmeter" else pairs)
        print(f"| {what} | {count:,} | {seconds:.1f} | {len(pairs) / seconds:.0f} | {first / seconds:.1f}x |")
    one, other = answers.values()
    same = sum((a.start, a.end, a.answered) == (b.start, b.end, b.answered) for a, b in zip(one, other, strict=True))
    away = max(abs(a.null - b.null) for a, b in zip(one, other, strict=True))
    print(f"\n{same} of {len(pairs)} answers are the same; the probability of none differs by {away:.0e} at most")


def _plain(answerer: SpanAnswerer) -> Plain:
    model, head = load_merged_encoder(locate(), WEIGHTS, dtype="fp32", device="cpu")
    return Plain(answerer, model, head["head.out.weight"], head["head.out.bias"])


def _tokens(answerer: SpanAnswerer, pairs: Pairs) -> int:
    found = answerer._tokenizer.questions(pairs)
    return sum(len(part.ids) for one in found for part in answerer._windows(one))


def _asked(most: int) -> list[tuple[str, str]]:
    """Questions of references to each of them and to summaries of a few systems, in the order of the data."""
    _, run = timed_pairs()
    systems = sorted({one.system for one in run})[:SYSTEMS]
    documents: dict[str, list[str]] = {}
    for one in run:
        if one.system in systems:
            documents.setdefault(one.references[0], []).append(one.summary)
    found: list[tuple[str, str]] = []
    for reference, summaries in islice(documents.items(), most):
        (questions,) = load_asker().questions([reference])
        for summary in summaries:
            found += [(question.text, text) for question in questions for text in (reference, summary)]
        if len(found) >= most:
            break
    return found[:most]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
