"""ESTIME: how many words of a summary its document would put another word in the place of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import MetricError, suggestion
from gistmeter.evidence import Evidence
from gistmeter.linguistics.parser import parser
from gistmeter.metrics.masked.alarms import alarm_panes, alarm_table, find_alarms
from gistmeter.metrics.masked.masking import Masking, masked_reader
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.models.encoder.encoder import Dtype, check_language
from gistmeter.models.masked_words.model import masked_identity
from gistmeter.models.runtime.locate import EMBEDDED_NAME
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.masked.alarms import Alarms
    from gistmeter.metrics.masked.masking import MaskedReader
    from gistmeter.models.runtime.states import Encoded

EMBEDDED_LAYER = 4
"""Chosen on SummEval, the same summaries that the docs report: layers 3 and 4 are level there, 5 and 6 below."""

_RELATIVE_LAYER = 7 / 8
"""Where the correlations of the paper peak: layer 21 of 24."""

_PARTS_OF_SPEECH = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
    "SYM", "VERB", "X",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estime(Metric):
    """Alarms: tokens of the summary whose context fits another token of the document better than their own.

    Every token of summary and document is masked (one in `distance` at a time, in windows of `window` tokens with
    `margin` of them as context), and its state at `layer` is what the context says of it. A token of the summary is
    checked when the document has it too. It raises an alarm when some other token of the document is nearer, by
    scalar product (`normalise=yes`: by cosine), than all occurrences of the token itself. `unseen=alarm` counts
    tokens that the document does not have as alarms; the paper passes over them. `exclude=DET+PUNCT` leaves parts of
    speech out of both texts.

    Missing (NaN) when no token can be checked. Several documents count as one text. Without a `layer`, the one
    that fits best is taken: 4 of the 6 of the embedded model, for others the one at 7/8 of the depth, as in the
    paper (21 of 24).
    """

    model: str = EMBEDDED
    layer: int | None = None
    normalise: bool = False
    unseen: Literal["skip", "alarm"] = "skip"
    exclude: str = "none"
    distance: int = 8
    window: int = 450
    margin: int = 50
    dtype: Dtype = "fp32"

    name = "estime"
    paper = "Vasilyev and Bohannon (2021), ESTIME: Estimation of Summary-to-Text Inconsistency by Mismatched Embeddings"
    needs = frozenset[Need]({"document"})
    columns = (
        Column("alarms", "tokens whose context fits another token of the document better (N_a)", "lower"),
        Column("rate", "alarms by the number of tokens checked", "lower"),
        Column("winners", "tokens of the document that fit better, over all tokens of the summary (N_w)", "lower"),
    )
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"masked-words", "parser"})

    def __post_init__(self) -> None:
        check_choices(self)
        self._masking.check(self.name)
        if self.layer is not None and self.layer < 1:
            raise MetricError(f"estime cannot have layer={self.layer}: below layer 1 a masked word has no context")
        for tag in self._excluded:
            if tag not in _PARTS_OF_SPEECH:
                hint = suggestion(tag, _PARTS_OF_SPEECH)
                raise MetricError(
                    f"estime cannot exclude {tag!r}{hint} (parts of speech: {', '.join(_PARTS_OF_SPEECH)})"
                )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Alarms, alarms by token and winners of each example."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        for row, read in enumerate(self._read(examples)):
            checked, alarmed = self._counted(read.alarms)
            if checked.any():
                alarms = alarmed.sum()
                scores[row] = alarms, alarms / checked.sum(), read.alarms.winners[read.alarms.checked].sum()
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the parser that finds parts of speech in it."""
        code = language_code(example.language)
        if not self._excluded:
            return {"language": code}
        found = parser(language=code)
        return {"language": code, "parser": f"{found.name}-{found.version}-{found.digest}"}

    def facts(self) -> Mapping[str, str]:
        """The model, a digest of its weights and the layer taken."""
        found = masked_identity(self.model)
        return {"model": found.name, "weights": found.digest, "layer": str(self._layer())}

    def explain(self, example: Example) -> Evidence:
        """The alarmed words, and what the document has in their place."""
        (read,) = self._read([example])
        checked, alarmed = self._counted(read.alarms)
        unseen = int((read.alarms.kept & ~read.alarms.checked).sum())
        raised = f"{alarmed.sum()} alarm{'' if alarmed.sum() == 1 else 's'} among {checked.sum()}"
        headline = f"{raised} checked tokens; the document lacks {unseen} more"
        if self.unseen == "alarm":
            headline = f"{raised} tokens, of which the document lacks {unseen}"
        return Evidence(
            metric=self.spelling,
            headline=headline,
            panes=alarm_panes(read.summary, read.document, read.alarms, alarmed),
            table=alarm_table(read.summary, read.document, read.alarms, alarmed),
        )

    @property
    def _masking(self) -> Masking:
        return Masking(self.distance, self.window, self.margin)

    @property
    def _excluded(self) -> frozenset[str]:
        return frozenset() if self.exclude == "none" else frozenset(self.exclude.split("+"))

    def _reader(self) -> MaskedReader:
        return masked_reader(self.model, dtype=self.dtype, masking=self._masking)

    def _layer(self) -> int:
        """The layer asked for, or the one that is best for the model."""
        if self.layer is not None:
            return self.layer
        if self.model in (EMBEDDED, EMBEDDED_NAME):
            return EMBEDDED_LAYER
        return max(1, round(self._reader().model.depth * _RELATIVE_LAYER))

    def _read(self, examples: Sequence[Example]) -> Iterator[_Read]:
        """What each summary looks like beside its document, all of them read at once."""
        for example in examples:
            check_language(self.model, example.language, self.name)
        layer = self._layer()
        documents = [example.document or "" for example in examples]
        summaries = [example.summary for example in examples]
        texts = self._reader().read([*documents, *summaries], [layer])
        keeps = self._kept(texts, [example.language for example in examples] * 2)
        for row in range(len(examples)):
            summary, document = texts[row + len(examples)], texts[row]
            alarms = find_alarms(
                summary,
                document,
                layer=layer,
                normalise=self.normalise,
                kept=keeps[row + len(examples)],
                pool=keeps[row],
            )
            yield _Read(summary, document, alarms)

    def _kept(self, texts: Sequence[Encoded], languages: Sequence[str]) -> list[BoolArray | None]:
        """Which tokens of each text are of no excluded part of speech (None: all)."""
        if not self._excluded:
            return [None] * len(texts)
        kept: dict[tuple[str, str], BoolArray] = {}
        for language in dict.fromkeys(languages):
            some = {text.text: text for text, spoken in zip(texts, languages, strict=True) if spoken == language}
            for text, parsed in zip(some, parser(language=language).docs(list(some)), strict=True):
                letters = np.ones(len(text) + 1, dtype=np.bool_)
                for word in parsed:
                    if word.pos_ in self._excluded:
                        letters[word.idx : word.idx + len(word)] = False
                kept[language, text] = letters[some[text].starts]
        return [kept[language, text.text] for text, language in zip(texts, languages, strict=True)]

    def _counted(self, alarms: Alarms) -> tuple[BoolArray, BoolArray]:
        """The tokens that count, and those of them that raise an alarm."""
        if self.unseen == "skip" or not len(alarms.pool):
            return alarms.checked, alarms.alarmed
        return alarms.kept, alarms.alarmed | (alarms.kept & ~alarms.checked)


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """A summary and its document as the model reads them, and the alarms between them."""

    summary: Encoded
    document: Encoded
    alarms: Alarms
