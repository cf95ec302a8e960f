"""The model card of a regression of S3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.training.card import Card, table
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.s3.recipe import S3Recipe
    from gistmeter.training.s3.result import TrainedS3

_ABOUT = (
    "Predicts what people say of a summary from its overlap with references: nine measures in a ridge regression, "
    "after S3 (Peyrard, Botschen and Gurevych, 2017), a support vector regression that learned from TAC 2008 and 2009."
)


def s3_card(
    trained: TrainedS3, recipe: S3Recipe, aspects: Sequence[str], *, command: str, notes: Sequence[str]
) -> Card:
    """What the regression is, what it learned from, how it was made and how good it is."""
    learned = ", ".join(
        f"{row.group} ({row.summaries} summaries, {aspect})"
        for row, aspect in zip(trained.figures, aspects, strict=True)
    )
    rows = [(row.group, row.system, row.summary, row.across, row.rouge) for row in trained.figures]
    measured = (
        f"{recipe.folds} folds of documents. Pearson's r with people over the means of systems, and within documents "
        "(their mean); `across` is by a regression that learned from the other sets alone, `ROUGE-1` is the "
        "recall of ROUGE-1."
    )
    weighed = table(("measure", "coefficient"), [(name, value) for name, value in trained.coefficients.items()])
    return Card(
        title="S3: a learned score of summaries, English",
        about=[_ABOUT, "Coefficients of the standardised measures:", weighed],
        command=command or "gistmeter train s3",
        recipe=[f"{describe_recipe(recipe)}; judgments of each set scaled to 0 to 1"],
        data=[f"{learned}."],
        licences=notes,
        figures=[measured, table(("set", "system", "summary", "across", "ROUGE-1"), rows)],
    )
