"""Training a summarizer to say what is marked: fine-tuning on silver spans (Deutsch, 2022, sections 6.3.2 and 6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.io.runs import open_run
from gistmeter.summarize.documents import collect_sources
from gistmeter.summarize.span_files import read_all_spans
from gistmeter.training.card import Card
from gistmeter.training.loop.check import tell_check
from gistmeter.training.progress import SILENCE
from gistmeter.training.recipe import describe_recipe
from gistmeter.training.result import Trained, output_folder
from gistmeter.training.sources.evaluated import collect_runs, shares_run
from gistmeter.training.summarizer.examples import make_examples, parse_augmentation
from gistmeter.training.summarizer.network import ROUGE_2, SummarizerTraining, count_cut_marks, load_learner
from gistmeter.training.summarizer.recipe import SummarizerRecipe
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.summarize.documents import Source
    from gistmeter.summarize.spans import DocumentSpans
    from gistmeter.training.progress import Progress
    from gistmeter.training.summarizer.examples import MarkedExample
    from gistmeter.training.summarizer.recipe import SummarizerData


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedSummarizer(Trained):
    """A fine-tuned summarizer: its folder, what it learned from, and its best check."""

    examples: int
    refused: int
    """Documents left out as evaluation data."""

    unused: int
    """Documents without a reference, without silver spans, or of whose reference the augmentation left nothing."""

    cut_marks: int
    """Marks of the examples that stand after what the model reads of a document."""

    rouge2: float | None
    """The best ROUGE-2 F1 on validation documents; None where there are none."""

    def summary(self) -> str:
        """What a training tells at its end."""
        chosen = "" if self.rouge2 is None else f"ROUGE-2 {self.rouge2:.3f} on validation documents, "
        return (
            f"{self.file}: {chosen}{self.examples:,} examples. {self.describe_left_out()} Card: {self.card}; "
            f"`gistmeter summarize RUN --model {self.file}` uses it"
        )

    def describe_left_out(self) -> str:
        """What was not learned from."""
        return (
            f"Left out: {self.refused:,} documents as evaluation data, {self.unused:,} without a reference or silver "
            f"spans, {self.cut_marks:,} marks after what the model reads of a document."
        )


def train_summarizer(
    out: str | Path,
    data: SummarizerData,
    *,
    recipe: SummarizerRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedSummarizer:
    """Make examples with marks, fine-tune the model (or go on), keep the best by ROUGE-2, write its card."""
    recipe = recipe or SummarizerRecipe()
    augment = parse_augmentation(recipe.augment)
    sources = _collect(data.data, data)
    refused = collect_runs(data.without)
    learned_from = [source for source in sources if not shares_run(source.document, refused)]
    spans = read_all_spans(data.spans)
    examples = make_examples(learned_from, spans, augment=augment, noise=recipe.noise, seed=recipe.seed)
    if not examples:
        raise DataError(
            f"there is nothing to learn from: of {len(sources)} documents {len(sources) - len(learned_from)} are "
            "evaluation data, and no other has both a reference and silver spans"
        )
    validation = _make_validation(data, spans, learned_from)
    folder = output_folder(out)
    learner = load_learner(data.model)
    training = SummarizerTraining(learner, examples, validation, folder, recipe=recipe)
    run = training.run(lambda check: tell_check(progress, check))
    best = max((check.figures[ROUGE_2] for check in run.checks if check.figures), default=None)
    trained = TrainedSummarizer(
        file=run.file,
        card=folder / "card.md",
        examples=len(examples),
        refused=len(sources) - len(learned_from),
        unused=len(learned_from) - len({example.doc_id for example in examples}),
        cut_marks=sum(count_cut_marks(learner, example) for example in examples),
        rouge2=best,
    )
    _make_card(trained, data, recipe, command=command, run=run.describe(f"{recipe.batch} examples")).write(trained.card)
    return trained


def _make_validation(
    data: SummarizerData, spans: Sequence[DocumentSpans], learned_from: Sequence[Source]
) -> list[MarkedExample]:
    """The examples to choose by; a document among them that cannot be one, or that is learned from, is refused."""
    if not data.validation:
        return []
    sources = _collect(data.validation, data)
    labelled = {document.doc_id for document in spans}
    learned = {source.document for source in learned_from}
    faults = {
        "has no silver spans: label it, too": [source.doc_id for source in sources if source.doc_id not in labelled],
        "has no reference": [source.doc_id for source in sources if not source.references],
        "is learned from as well": [source.doc_id for source in sources if source.document in learned],
    }
    for fault, names in faults.items():
        if names:
            raise DataError(f"weights are chosen by validation documents, but {join_names(names)} {fault}")
    return make_examples(sources, spans)


def _collect(files: Sequence[str], data: SummarizerData) -> list[Source]:
    return collect_sources(open_run(list(files), documents=list(data.documents), references=list(data.references)))


def _make_card(
    trained: TrainedSummarizer, data: SummarizerData, recipe: SummarizerRecipe, *, command: str, run: str
) -> Card:
    figures = [] if trained.rouge2 is None else [f"ROUGE-2 F1 on validation documents: {trained.rouge2:.3f}."]
    return Card(
        title=f"{data.model}, taught to say what is marked",
        about=["A sequence-to-sequence model that writes summaries of documents with marked spans (SpanSum)."],
        command=command or "gistmeter train summarizer",
        recipe=[describe_recipe(recipe), run],
        data=[f"{trained.examples:,} examples. " + trained.describe_left_out()],
        licences=data.notes,
        figures=figures,
    )
