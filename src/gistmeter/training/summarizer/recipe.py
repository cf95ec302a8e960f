"""The recipe of the summarizer that says what is marked."""

from dataclasses import dataclass

from gistmeter.training.loop.recipe import LoopRecipe
from gistmeter.training.recipe import TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizerData(TrainingData):
    """What the summarizer learns from."""

    model: str = required("The model to fine-tune, such as facebook/bart-large, or a folder.", metavar="NAME")
    data: tuple[str, ...] = required("Documents with references; repeat for more.", metavar="RUN")
    spans: tuple[str, ...] = required("Their silver spans, from `gistmeter spans label`; repeat.", metavar="FILE")
    validation: tuple[str, ...] = setting(
        (), "Documents with references to choose by, with their spans among those; repeat.", metavar="RUN"
    )
    documents: tuple[str, ...] = setting((), "File with the documents, joined by doc_id.", metavar="FILE")
    references: tuple[str, ...] = setting((), "File with the references, joined by doc_id.", metavar="FILE")
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose documents are not learned from; repeat.", metavar="FILE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizerRecipe(LoopRecipe):
    """How the summarizer is learned; the defaults are those of the thesis (B.2)."""

    rate: float = setting(3e-5, "Learning rate.", low=1e-7, high=0.1)
    epochs: float = setting(5.0, "How often the examples are read.", low=0.001)
    batch: int = setting(16, "Examples to a step.", low=1)
    warm_up: float = setting(0.06, "Share of steps until the full rate.", low=0, high=1)
    augment: str = setting(
        "", "`sentences` drops reference sentences without a span, `prefixes` adds first sentences; with a comma both."
    )
    noise: float = setting(
        0.0, "Share of the silver spans that is left out, at random (Deutsch, 2022, Table 16).", low=0, high=0.95
    )


ROLE = TrainingRole(
    name="summarizer",
    about="Teach a sequence-to-sequence model to write summaries that say what is marked, for `summarize --model`.",
    data=SummarizerData,
    recipe=SummarizerRecipe,
)
