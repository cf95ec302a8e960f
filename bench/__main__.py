"""`python -m bench`: ratios against the peers, the gain of two workers, and the start of the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("OMP_NUM_THREADS", "1")

from bench import resampling
from bench.pairs import timed_pairs
from gistmeter.metrics import parse_metric, parse_metrics
from gistmeter.text import stems
from gistmeter.text.encode import get_lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter import Example

ROUNDS = 3
PLAIN = "tokenizer=rouge155,stem=none"


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: CPU seconds of a peer and of gistmeter for the same pairs."""

    what: str
    peer: float
    mine: float
    goal: str = ""

    def __str__(self) -> str:
        goal = f"  (goal {self.goal})" if self.goal else ""
        return f"| {self.what} | {self.peer:.2f} s | {self.mine:.3f} s | {self.peer / self.mine:.0f}x{goal} |"


def main() -> None:
    """Print the tables."""
    name, pairs = timed_pairs()
    score_with("rouge1,rouge2,rouge3,rouge4,rougeL,rougeLsum,rougeW,rougeS4,rougeSU4", pairs[:10])  # compile first
    print(f"{len(pairs)} pairs of {name}; CPU seconds on one core, the best of {ROUNDS} interleaved rounds;")
    print("gistmeter starts each round with nothing remembered.\n")
    print("| what | peer | gistmeter | ratio |\n| --- | --- | --- | --- |")
    for row in comparisons(pairs):
        print(row, flush=True)
    print()
    workers(pairs)
    cold_start()
    print()
    resampling.main()


def comparisons(pairs: Sequence[Example]) -> list[Row]:
    """ROUGE against rouge-score and rouge-metric, BLEU and chrF against sacrebleu called pair by pair."""
    from rouge_metric import PyRouge
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu import sentence_bleu, sentence_chrf

    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    summaries, references = [one.summary for one in pairs], [one.references[0] for one in pairs]

    def rouge_score(stemmed: bool) -> Callable[[], object]:
        scorer = RougeScorer(kinds, use_stemmer=stemmed)
        return lambda: [scorer.score(r, s) for r, s in zip(references, summaries, strict=True)]

    def rouge_metric() -> object:
        scorer = PyRouge(rouge_n=(1, 2, 3, 4), rouge_w=True, rouge_s=True, rouge_su=True, skip_gap=4, mode="individual")
        tokens = re.compile("[a-z0-9]+")
        return scorer.evaluate(
            summaries, [[one] for one in references], tokenizer=lambda text: tokens.findall(text.lower())
        )

    def ours(spellings: str) -> Callable[[], object]:
        return lambda: score_with(spellings, pairs)

    def spelled(stem: str) -> str:
        lines = {"rougeLsum": ",sentences=newline"}
        return ",".join(f"{kind}(tokenizer=rouge155,stem={stem}{lines.get(kind, '')})" for kind in kinds)

    many = ",".join(f"rouge{n}({PLAIN})" for n in (1, 2, 3, 4, "S4", "SU4"))
    many += f",rougeLsum({PLAIN},sentences=newline),rougeW({PLAIN},sentences=newline)"
    cases: list[tuple[str, Callable[[], object], Callable[[], object], str]] = [
        ("1/2/L/Lsum with stemmer: rouge-score", rouge_score(True), ours(spelled("porter")), "20x"),
        ("1/2/L/Lsum: rouge-score", rouge_score(False), ours(spelled("none")), ""),
        ("1-4/L/W/S4/SU4: rouge-metric", rouge_metric, ours(many), "10x"),
        (
            "BLEU: sacrebleu",
            lambda: [sentence_bleu(s, [r]) for s, r in zip(summaries, references, strict=True)],
            ours("bleu"),
            "",
        ),
        (
            "chrF: sacrebleu",
            lambda: [sentence_chrf(s, [r]) for s, r in zip(summaries, references, strict=True)],
            ours("chrf"),
            "",
        ),
    ]
    return [Row(what, *interleaved(peer, mine), goal) for what, peer, mine, goal in cases]


def score_with(spellings: str, pairs: Sequence[Example]) -> object:
    """Score as the engine does, in batches, remembering nothing from before."""
    get_lexicon.cache_clear()
    stems._stem_porter.cache_clear()
    stems._stem_wordnet.cache_clear()
    metrics = parse_metrics(spellings).values()
    return [one.score(pairs[i : i + 512]) for i in range(0, len(pairs), 512) for one in metrics]


def interleaved(peer: Callable[[], object], mine: Callable[[], object]) -> tuple[float, float]:
    """The best CPU time of each, taken in turns so that a busy machine hurts both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for run, taken in zip((peer, mine), times, strict=True):
            start = time.process_time()
            run()
            taken.append(time.process_time() - start)
    return min(times[0]), min(times[1])


def workers(pairs: Sequence[Example]) -> None:
    """Wall time of a long run with one worker and with two, starting the processes included."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run.jsonl"
        write_repeated(run, pairs, 200_000)
        taken = {}
        for count in (1, 2, 1, 2):
            start = time.perf_counter()
            command = [
                sys.executable,
                "-m",
                "gistmeter",
                "score",
                str(run),
                "-m",
                "rouge1,rouge2,rougeL,rougeLsum",
            ]
            subprocess.run(
                [
                    *command,
                    "-m",
                    "rouge1,rouge2,rougeL,rougeLsum",
                    "--no-cache",
                    "-o",
                    f"{folder}/s.parquet",
                    "--workers",
                    str(count),
                ],
                check=True,
                capture_output=True,
            )
            taken[count] = min(taken.get(count, 1e9), time.perf_counter() - start)
    print(f"200,000 pairs from a file: {taken[1]:.1f} s with one worker, {taken[2]:.1f} s with two:", end=" ")
    print(f"{taken[1] / taken[2]:.2f}x (goal 1.7x), {200_000 / taken[1]:,.0f} pairs a second with one")


def write_repeated(path: Path, pairs: Sequence[Example], rows: int) -> None:
    """A run of many rows: the same pairs again under other names, each text made its own by a number."""
    with path.open("w", encoding="utf-8") as stream:
        for i in range(rows):
            one = pairs[i % len(pairs)]
            record = {
                "doc_id": str(i),
                "system": "s",
                "summary": f"{one.summary} n{i}",
                "references": [f"{one.references[0]} n{i}"],
            }
            stream.write(json.dumps(record) + "\n")


def cold_start() -> None:
    """One pair from the command line, once compiled code is on disk."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "one.jsonl"
        run.write_text('{"doc_id": "1", "summary": "The cat sat.", "reference": "A cat sat down."}\n')
        taken = []
        for _ in range(4):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-m", "gistmeter", "score", str(run)], check=True, capture_output=True)
            taken.append(time.perf_counter() - start)
    print(f"one pair from a cold start of the command line: {min(taken[1:]):.2f} s (goal 1.5 s)")
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import gistmeter"], check=True)
    bare = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    print(f"import gistmeter: {2 * bare - start - time.perf_counter():.2f} s more than starting Python (goal 0.3 s)")


if __name__ == "__main__":
    parse_metric("rouge1")
    main()
