"""The model card of a masked-word model, from the figures of its own training."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gistmeter.training.card import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.masked_words.training import Progress, Trained
    from gistmeter.training.sources.corpus import Corpus

_WHAT = """\
Which word stands under a mask: the parts that make the embedded encoder a masked-word model, for gistmeter's `estime`,
`blanc` and `gistmeter corrupt`. Updates of rank {rank} for all linear maps, the layer norms, the vector of the mask,
and a head tied to the input embeddings; merged into the encoder when it is loaded. Stored in half precision."""


def written_card(trained: Trained, corpus: Corpus, *, command: str, notes: Sequence[str] = ()) -> str:
    """The model card, in Markdown."""
    from gistmeter.training.masked_words.windows import LENGTHS, WORD_SHARE

    recipe, last = trained.recipe, trained.checks[-1]
    passages = Counter(passage.source for passage in corpus.passages)
    words: Counter[str] = Counter()
    for passage in corpus.passages:
        words[passage.source] += len(passage.text.split())
    made = (
        f"{last.step:,} steps of about {recipe.batch_tokens:,} tokens, {last.tokens:,} tokens in all, in "
        f"{last.seconds / 60:.0f} minutes on a CPU; {recipe.precision}, AdamW, rate {recipe.rate:g} after "
        f"{recipe.warm_up} steps of warm-up, down to nothing in a straight line, seed {recipe.seed}. Planned: "
        f"{', then '.join(f'{steps:,} steps from step {start:,} on' for start, steps in trained.plans)}. Windows of "
        f"{', '.join(f'{length} ({share:.0%})' for length, share in LENGTHS.items())} tokens; in half of them "
        f"{WORD_SHARE:.0%} of the words masked whole, in half single tokens 5 to 8 apart."
    )
    left_out = (
        f"Left out: {', '.join(f'{reason} {count:,}' for reason, count in corpus.left_out.items()) or 'nothing'} "
        "(records). Evaluation text is what shares a run of ten words with a text that gistmeter is evaluated on."
    )
    held_out = (
        "How often the best word for a mask is the right one, every eighth token masked, in windows of 256 tokens: of "
        f"the {recipe.held_out:.0%} of passages held out, {trained.held_out['news']:,} tokens of {recipe.news} and "
        f"{trained.held_out['rest']:,} of the rest."
    )
    by_words = sorted(passages, key=lambda source: -words[source])
    parts = [
        f"# {trained.file.stem}",
        _WHAT.format(rank=recipe.rank),
        f"## Made by\n\n```\n{command}\n```\n\n{made}",
        "## Learned from\n\n"
        + table(
            ("source", "passages", "words", "repeated"),
            [(one, f"{passages[one]:,}", f"{words[one]:,}", str(recipe.repeats.get(one, 1))) for one in by_words],
        ),
        left_out,
        *notes,
        f"## Held-out figures\n\n{held_out}\n\n"
        + table(("step", "tokens", "loss", recipe.news, "rest"), [_check(check) for check in trained.checks]),
    ]
    return "\n\n".join(parts) + "\n"


def _check(check: Progress) -> Sequence[str]:
    shares = ("" if share is None else f"{share:.3f}" for share in (check.news_accuracy, check.accuracy))
    return (f"{check.step:,}", f"{check.tokens:,}", f"{check.loss:.3f}", *shares)
