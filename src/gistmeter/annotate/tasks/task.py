"""What a task is: what people are asked about the summaries of a run, and what their answers become.

A task is a small file in this folder with one subclass of `Task`, a line in `tasks/__init__.py`, and its words (title,
question, instructions, labels) in the files of `words`, one for each language. It says

- what it needs of a run (`needs`) and which items it makes (`make_items`),
- which controls go among them, and what is a right answer to one (`make_controls`, `check_control`),
- what a screen shows and asks (`make_blocks`): blocks know how to draw themselves and how to check an answer,
- what an answer says of the summary (`score_answer`), on which `scale`, and what that is for the whole study
  (`combine`, where a majority or a mean over several items is wanted),
- what else becomes of the answers (`products`, `make_product`): spans, units, answers to questions.

Everything else (order, pages, storage, quality control, export, report) is the same for all tasks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from gistmeter.annotate.forms import Question
from gistmeter.annotate.study import Item
from gistmeter.errors import DataError

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from gistmeter.annotate.forms import Block, Fields
    from gistmeter.example import Example
    from gistmeter.human.alpha import Measurement

Need = Literal["references", "document", "units"]
REFERENCE = "reference"
"""The system that judgments name where they are about documents and their references."""
Answer = dict[str, Any]
"""An answer as it is kept: JSON, by the names of the screen's questions."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one rater's answer, or several of them, say of one summary."""

    doc_id: str
    system: str
    aspect: str
    value: float
    rater: str = ""
    """Empty for the rater of the answer."""
    task: str = ""
    detail: bool = False
    """Whether it is a part of a judgment, such as the vote on a unit: raters are compared by these, where there are."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """A rater's answer to an item that is no control."""

    item: Item
    rater: str
    value: Answer


@dataclass(frozen=True, slots=True)
class LonePart:
    """What one of several raters made and nobody else did, such as a unit."""

    doc_id: str
    text: str
    rater: str


@dataclass(frozen=True, slots=True)
class MatchedAnswers:
    """How far raters made the same, where answers are texts of their own."""

    f1: float
    """Of two raters, over all pairs: twice what both made over all that they made."""
    items: int
    """Items with answers of two raters or more."""
    lone: tuple[LonePart, ...]


class Task(ABC):
    """What people are asked about summaries. Subclasses set the fields and write the methods below."""

    name: ClassVar[str]
    needs: ClassVar[tuple[Need, ...]] = ()
    asks_about: ClassVar[str] = "summaries"
    """What an item is made of, for the sentence where a run has nothing of the kind."""
    scale: ClassVar[str]
    """The scale of the judgments, such as `0-100`."""
    measurement: ClassVar[Measurement] = "interval"
    """What differences between answers mean, for Krippendorff's alpha."""
    across_aspects: ClassVar[bool] = False
    """Whether z-scores are made over all aspects of a rater together, as one question was asked."""
    item_seconds: ClassVar[float]
    """What an item takes a careful reader, for the plan."""
    least_seconds: ClassVar[float]
    """What it takes at least: an assignment that was faster on average is not usable."""
    by_document: ClassVar[bool] = False
    """Whether items are about documents, one summary of each standing for all."""
    usual_raters: ClassVar[int] = 3
    """How many people answer each item, where a study does not say."""
    control_share: ClassVar[float] = 0.0
    """Controls among the items of an assignment."""
    products: ClassVar[tuple[str, ...]] = ()
    """What `gistmeter annotate export --as` can write beside judgments, such as `spans`."""
    shows_parts: ClassVar[bool] = True
    """Whether the report shows single parts of judgments on which raters differ, such as units, or whole summaries."""
    gives_judgments: ClassVar[bool] = True
    """Whether answers say something of summaries; if not, a product is all that is exported."""

    def read_source(self, files: Sequence[str], language: str | None) -> list[Example] | None:
        """What the study is made from, where that is another kind of file than a run; None for a run."""
        return None

    def note_examples(self, examples: Sequence[Example]) -> tuple[str, ...]:
        """What the person who designs a study of these should know; nothing by default."""
        return ()

    @abstractmethod
    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """The items to be judged. Their ids are given later."""

    @abstractmethod
    def make_blocks(self, item: Item) -> list[Block]:
        """What the screen of an item shows and asks, from top to bottom."""

    @abstractmethod
    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """What an answer says of the summaries it is about."""

    def make_controls(
        self, batch: Sequence[Item], judged: Sequence[Item], count: int, rng: random.Random
    ) -> list[Item]:
        """So many controls for a batch, made from its items or from all that are judged; none by default."""
        return []

    def check_control(self, control: Item, answer: Answer, answers: Mapping[str, Answer]) -> bool:
        """Whether the answer to a control is right; `answers` are the rater's own, by item."""
        return True

    def parse_answer(self, item: Item, fields: Fields) -> Answer:
        """The answer that a browser sent; raises AnswerError where it cannot be kept."""
        questions = [block for block in self.make_blocks(item) if isinstance(block, Question)]
        return {question.name: question.parse_fields(fields) for question in questions}

    def combine(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        """The judgments of the whole study, each with its rater: as they are, unless a task says otherwise."""
        return list(judgments)

    def match_answers(self, given: Sequence[GivenAnswer]) -> MatchedAnswers | None:
        """How far raters made the same, where their answers are texts; None where judgments say it, or nobody did."""
        return None

    def describe_part(self, item: Item, aspect: str) -> str:
        """What the part of a judgment of this name is about, such as the words of a unit; empty for the whole."""
        return ""

    def read_reason(self, answer: Answer) -> str:
        """What a rater wrote to say why; empty where the task asks for none."""
        return ""

    def describe_answer(self, item: Item, answer: Answer) -> str:
        """What stands beside the number of an answer in the report: why it was given, unless a task has more to say."""
        return self.read_reason(answer)

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """The records of a product, from the answers of all raters whose work can be used."""
        raise NotImplementedError

    def check_example(self, example: Example) -> None:
        """Refuse a summary that the task cannot ask about."""
        for need in self.needs:
            if not getattr(example, need):
                raise DataError(f"the task {self.name} shows `{need}`, but {example.name} has none; {_REMEDIES[need]}")


def first_of_each_document(examples: Sequence[Example]) -> list[Example]:
    """One summary of each document, where the task is about the document or its references."""
    chosen: dict[str, Example] = {}
    for example in examples:
        chosen.setdefault(example.doc_id, example)
    return list(chosen.values())


def make_item(example: Example, aspect: str, **shown: Any) -> Item:
    """An item about one summary, without its id, which is given later."""
    summary = {"doc_id": example.doc_id, "system": example.system, "language": example.language}
    return Item(id="", aspect=aspect, shown=shown, **summary)


def judge_parts(doc_id: str, system: str, *, aspect: str, part: str, votes: Sequence[int]) -> list[Judgment]:
    """The share of a rater's votes that are yes, and each vote as a part of it, such as `unit 1`.

    >>> [(each.aspect, each.value) for each in judge_parts("d", "lead", aspect="found", part="unit", votes=[1, 0])]
    [('found', 0.5), ('unit 1', 1.0), ('unit 2', 0.0)]
    """
    share = Judgment(doc_id, system, aspect=aspect, value=sum(votes) / len(votes))
    parts = [
        Judgment(doc_id, system, aspect=f"{part} {number}", value=float(vote), detail=True)
        for number, vote in enumerate(votes, start=1)
    ]
    return [share, *parts]


_REMEDIES = {
    "references": "put them in the run, or join them with --reference-file",
    "document": "put it in the run, or join it with --document-file",
    "units": "put them in the run, or join them with --unit-file (`gistmeter units extract` makes units)",
}
