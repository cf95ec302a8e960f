"""ESTIME: for how many words of a summary its document would rather have another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from gistmeter.errors import MetricError, suggestion
from gistmeter.evidence import Evidence
from gistmeter.linguistics.parser import load_parser
from gistmeter.metrics.masked.alarms import find_alarms
from gistmeter.metrics.masked.evidence import mark_alarms, tabulate_alarms
from gistmeter.metrics.masked.masking import Masking, load_masked_reader
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.masked_words.model import masked_words_identity
from gistmeter.models.runtime.load import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
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

    Every token of summary and document is masked (one in `distance` at a time, in windows of `window` tokens of which
    `margin` are context), and its state at `layer` is what the context tells about it. A token of the summary is
    checked if the document has the same token. It raises an alarm if another token of the document is nearer, by scalar
    product (`normalise=yes`: by cosine), than every occurrence of the token itself. `unseen=alarm` also counts tokens
    that the document does not have as alarms; the paper skips them. `exclude=DET+PUNCT` leaves parts of speech out of
    both texts.

    Without a `layer` the best one is taken: 4 of 6 for the embedded model, for others the one at 7/8 of the depth, as
    in the paper (21 of 24). Several documents count as one text. Missing (NaN) when no token can be checked.
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
        for row, comparison in enumerate(self._compare(examples)):
            alarms = comparison.alarms
            counted, alarmed = self._count_tokens(alarms)
            if counted.any():
                count = alarmed.sum()
                scores[row] = count, count / counted.sum(), alarms.winners[alarms.checked].sum()
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the parser that finds parts of speech in it."""
        code = language_code(example.language)
        if not self._excluded:
            return {"language": code}
        pipeline = load_parser(language=code)
        return {"language": code, "parser": f"{pipeline.name}-{pipeline.version}-{pipeline.digest}"}

    def facts(self) -> Mapping[str, str]:
        """The model, a digest of its weights and the layer taken."""
        identity = masked_words_identity(self.model)
        return {"model": identity.name, "weights": identity.digest, "layer": str(self._choose_layer())}

    def explain(self, example: Example) -> Evidence:
        """The alarmed words, and what the document has instead of them."""
        (comparison,) = self._compare([example])
        counted, alarmed = self._count_tokens(comparison.alarms)
        unseen = int((comparison.alarms.included & ~comparison.alarms.checked).sum())
        raised = f"{alarmed.sum()} alarm{'' if alarmed.sum() == 1 else 's'} among {counted.sum()}"
        headline = f"{raised} checked tokens; the document lacks {unseen} more"
        if self.unseen == "alarm":
            headline = f"{raised} tokens, of which the document lacks {unseen}"
        return Evidence(
            metric=self.spelling,
            headline=headline,
            blocks=(*mark_alarms(*comparison, alarmed), tabulate_alarms(*comparison, alarmed)),
        )

    @property
    def _masking(self) -> Masking:
        return Masking(self.distance, self.window, self.margin)

    @property
    def _excluded(self) -> frozenset[str]:
        return frozenset() if self.exclude == "none" else frozenset(self.exclude.split("+"))

    def _load_reader(self) -> MaskedReader:
        return load_masked_reader(self.model, dtype=self.dtype, masking=self._masking)

    def _choose_layer(self) -> int:
        """The layer asked for, or the one that is best for the model."""
        if self.layer is not None:
            return self.layer
        if self.model in (EMBEDDED, EMBEDDED_NAME):
            return EMBEDDED_LAYER
        return max(1, round(self._load_reader().model.depth * _RELATIVE_LAYER))

    def _compare(self, examples: Sequence[Example]) -> Iterator[_Comparison]:
        """The alarms of each summary in its document; all texts are read at once."""
        for example in examples:
            check_language(self.model, example.language, self.name)
        layer = self._choose_layer()
        documents = [example.document or "" for example in examples]
        summaries = [example.summary for example in examples]
        texts = self._load_reader().read([*documents, *summaries], [layer])
        included = self._include_tokens(texts, [example.language for example in examples] * 2)
        for row in range(len(examples)):
            summary, document = texts[row + len(examples)], texts[row]
            alarms = find_alarms(
                summary,
                document,
                layer=layer,
                normalise=self.normalise,
                included=included[row + len(examples)],
                pool=included[row],
            )
            yield _Comparison(summary, document, alarms)

    def _include_tokens(self, texts: Sequence[Encoded], languages: Sequence[str]) -> list[BoolArray | None]:
        """Which tokens of each text are of no excluded part of speech (None: all)."""
        if not self._excluded:
            return [None] * len(texts)
        included: dict[tuple[str, str], BoolArray] = {}
        for language in dict.fromkeys(languages):
            encoded_by_text = {
                encoded.text: encoded for encoded, code in zip(texts, languages, strict=True) if code == language
            }
            docs = load_parser(language=language).parse(list(encoded_by_text))
            for (text, encoded), doc in zip(encoded_by_text.items(), docs, strict=True):
                by_character = np.ones(len(text) + 1, dtype=np.bool_)
                for word in doc:
                    if word.pos_ in self._excluded:
                        by_character[word.idx : word.idx + len(word)] = False
                included[language, text] = by_character[encoded.starts]
        return [included[language, encoded.text] for encoded, language in zip(texts, languages, strict=True)]

    def _count_tokens(self, alarms: Alarms) -> tuple[BoolArray, BoolArray]:
        """The tokens that count, and those of them that raise an alarm."""
        if self.unseen == "skip" or not len(alarms.pool):
            return alarms.checked, alarms.alarmed
        return alarms.included, alarms.alarmed | (alarms.included & ~alarms.checked)


class _Comparison(NamedTuple):
    """A summary and its document as the model reads them, and the alarms between them."""

    summary: Encoded
    document: Encoded
    alarms: Alarms
