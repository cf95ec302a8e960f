"""The model card of a masked-word model, from the figures of its own training."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from gistmeter.training.card import EVALUATION_TEXT, Card, describe_left_out, table
from gistmeter.training.masked_words.windows import WINDOW_SHARES, WORD_SHARE
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.masked_words.recipe import MaskedWordsRecipe
    from gistmeter.training.masked_words.result import TrainedMaskedWords

_ABOUT = """\
Which word stands under a mask: the parts that make the embedded encoder a masked-word model, for gistmeter's `estime`,
`blanc` and `gistmeter corrupt`. Updates of rank {rank} for all linear maps, the layer norms, the vector of the mask,
and a head tied to the input embeddings; merged into the encoder when it is loaded. Stored in half precision."""


def masked_words_card(
    trained: TrainedMaskedWords, recipe: MaskedWordsRecipe, *, command: str, notes: Sequence[str]
) -> Card:
    """What the model is, what it learned from, how it was made and how good it is."""
    passages = Counter(passage.source for passage in trained.corpus.passages)
    words: Counter[str] = Counter()
    for passage in trained.corpus.passages:
        words[passage.source] += len(passage.text.split())
    lengths = ", ".join(f"{length} ({share:.0%})" for length, share in WINDOW_SHARES.items())
    windows = (
        f"Windows of {lengths} tokens; in half of them {WORD_SHARE:.0%} of the words masked whole, in half single "
        "tokens 5 to 8 apart."
    )
    held_out = (
        "How often the best word for a mask is the right one, every eighth token masked, in windows of 256 tokens: of "
        f"the {recipe.held_out:.0%} of passages held out, {trained.held_out['news']:,} tokens of {recipe.news} and "
        f"{trained.held_out['rest']:,} of the rest."
    )
    sources = [
        (source, f"{passages[source]:,}", f"{words[source]:,}", str(recipe.repeats.get(source, 1)))
        for source in sorted(passages, key=lambda source: -words[source])
    ]
    checks: list[tuple[str | float, ...]] = [
        (
            f"{check.step:,}",
            f"{check.tokens:,}",
            check.loss,
            *((check.figures or {}).get(name, math.nan) for name in ("news", "rest")),
        )
        for check in trained.run.checks
    ]
    return Card(
        title=trained.file.stem,
        about=[_ABOUT.format(rank=recipe.rank)],
        command=command or "gistmeter train masked-words",
        recipe=[trained.run.describe(f"about {recipe.batch_tokens:,} tokens"), describe_recipe(recipe), windows],
        data=[
            table(("source", "passages", "words", "repeated"), sources),
            f"{describe_left_out(trained.corpus.left_out, unit='records')} {EVALUATION_TEXT}",
        ],
        licences=notes,
        figures=[held_out, table(("step", "tokens", "loss", recipe.news, "rest"), checks)],
    )
