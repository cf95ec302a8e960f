"""ESTIME: for how many words of a summary its document would rather have another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

import numpy as np

from gistmeter.errors import MetricError, suggestion
from gistmeter.evidence import Evidence
from gistmeter.linguistics.parser import load_parser
from gistmeter.metrics.masked.alarms import find_alarms
from gistmeter.metrics.masked.evidence import RaisedAlarms, align_alarms, mark_alarms, tabulate_alarms
from gistmeter.metrics.masked.extracts import AlarmExtracts
from gistmeter.metrics.masked.masking import Masking, load_masked_reader
from gistmeter.metrics.masked.whole_words import load_word_reader
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.settings import Layer, Within
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.masked_words.model import masked_words_identity
from gistmeter.models.runtime.load import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.models.runtime.locate import EMBEDDED_NAME
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.metrics.extracts import ExtractScorer
    from gistmeter.metrics.masked.alarms import Alarms
    from gistmeter.metrics.masked.masking import MaskedReader
    from gistmeter.metrics.masked.whole_words import WordPieces
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

    `mask=tokens` follows the paper's text, `mask=words` the program that its authors released: texts are normalised
    (NFKD) and cut into Treebank words; all pieces of a word are masked together and its first piece is compared; a word
    is checked if the document has it in the same spelling, capitals included; `distance` is counted in words; of the
    summary only checked words are masked; `exclude` takes words out of the document, and from the summary those that
    it then lacks.

    Without a `layer` the best one is taken: 4 of 6 for the embedded model, for others the one at 7/8 of the depth, as
    in the paper (21 of 24). Several documents count as one text. Missing (NaN) when no token can be checked.
    """

    model: str = EMBEDDED
    layer: Layer | None = None
    mask: Literal["tokens", "words"] = "tokens"
    normalise: bool = False
    unseen: Literal["skip", "alarm"] = "skip"
    exclude: str = "none"
    distance: Annotated[int, Within(1, 100_000)] = 8
    window: Annotated[int, Within(1, 100_000)] = 450
    margin: Annotated[int, Within(0, 100_000)] = 50
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
        return self.score_layers(examples, [self._choose_layer()])[:, 0]

    def score_layers(self, examples: Sequence[Example], layers: Sequence[int]) -> FloatArray:
        """The scores of each example (first axis) by each layer (second axis); the texts are read once for all."""
        scores = np.full((len(examples), len(layers), len(self.columns)), np.nan)
        for row, reading in enumerate(self._read(examples, layers)):
            for column, layer in enumerate(layers):
                alarms = self._find_alarms(reading, layer)
                counted, alarmed = self._count_tokens(alarms)
                if counted.any():
                    count = alarmed.sum()
                    scores[row, column] = count, count / counted.sum(), alarms.winners[alarms.checked].sum()
        return scores

    def read_extracts(self, example: Example, sentences: Sequence[str]) -> ExtractScorer:
        """Estimates: the alarms and tokens of sentences that are read alone, added up."""
        layer = self._choose_layer()
        rows = []
        for reading in self._read([replace(example, summary=text) for text in sentences], [layer]):
            alarms = self._find_alarms(reading, layer)
            counted, alarmed = self._count_tokens(alarms)
            rows.append((alarmed.sum(), counted.sum(), alarms.winners[alarms.checked].sum()))
        return AlarmExtracts(np.array(rows, dtype=float).reshape(-1, 3))

    def check_language(self, code: str) -> None:
        """Refuse a language that the model does not read."""
        check_language(self.model, code, self.name)

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
        layer = self._choose_layer()
        (reading,) = self._read([example], [layer])
        alarms = self._find_alarms(reading, layer)
        counted, alarmed = self._count_tokens(alarms)
        unseen = int((alarms.included & ~alarms.checked).sum())
        raised = f"{alarmed.sum()} alarm{'' if alarmed.sum() == 1 else 's'} among {counted.sum()}"
        headline = f"{raised} checked {self.mask}; the document lacks {unseen} more"
        if self.unseen == "alarm":
            headline = f"{raised} {self.mask}, of which the document lacks {unseen}"
        alignment = align_alarms(reading.summary, reading.document, alarms)
        unmatched = np.flatnonzero(alarmed & ~alarms.checked).tolist()
        compared = RaisedAlarms(alignment, alarms, tuple(unmatched))
        return Evidence(
            metric=self.spelling, headline=headline, blocks=(*mark_alarms(compared), tabulate_alarms(compared))
        )

    def align(self, examples: Sequence[Example]) -> list[tuple[Alignment, ...]]:
        """Every alarmed token with the token of the document that fits better, each counting 1: what N_a adds up.

        Tokens that the document does not have (`unseen=alarm`) have no partner, and so no edge.
        """
        layer = self._choose_layer()
        return [
            (align_alarms(reading.summary, reading.document, self._find_alarms(reading, layer)),)
            for reading in self._read(examples, [layer])
        ]

    @property
    def depth(self) -> int:
        """How many layers the model has."""
        return self._load_reader().model.depth

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
        return max(1, round(self.depth * _RELATIVE_LAYER))

    def _read(self, examples: Sequence[Example], layers: Sequence[int]) -> list[_Reading]:
        """Each summary and its document as the model reads them; all texts are read at once."""
        for example in examples:
            check_language(self.model, example.language, self.name)
        return self._read_tokens(examples, layers) if self.mask == "tokens" else self._read_words(examples, layers)

    def _read_tokens(self, examples: Sequence[Example], layers: Sequence[int]) -> list[_Reading]:
        texts = [example.document or "" for example in examples] + [example.summary for example in examples]
        encoded = self._load_reader().read(texts, layers)
        included = self._include_tokens(encoded, [example.language for example in examples] * 2)
        return [
            _Reading(
                summary=encoded[row + len(examples)],
                document=encoded[row],
                included=included[row + len(examples)],
                pool=included[row],
            )
            for row in range(len(examples))
        ]

    def _read_words(self, examples: Sequence[Example], layers: Sequence[int]) -> list[_Reading]:
        """As the released program does: words of the summary are asked for among those of the document that count."""
        reader = load_word_reader(self.model, dtype=self.dtype, masking=self._masking)
        languages = [language_code(example.language) for example in examples]
        pairs = list(zip(examples, languages, strict=True))
        documents = [reader.split(example.document or "", language) for example, language in pairs]
        summaries = [reader.split(example.summary, language) for example, language in pairs]
        unexcluded = self._include_tokens([*documents, *summaries], languages * 2)
        pools, shared, included = [], [], []
        for row, (document, summary) in enumerate(zip(documents, summaries, strict=True)):
            in_document, in_summary = unexcluded[row], unexcluded[row + len(examples)]
            pool = document.readable if in_document is None else document.readable & in_document
            spellings = {document.spellings[word] for word in np.flatnonzero(pool)}
            pools.append(pool)
            shared.append(np.array([word in spellings for word in summary.spellings], dtype=np.bool_))
            included.append(summary.readable if in_summary is None else summary.readable & (in_summary | shared[row]))
        encoded = reader.read([*documents, *summaries], [*pools, *shared], layers)
        return [
            _Reading(
                summary=encoded[row + len(examples)],
                document=encoded[row],
                included=included[row],
                pool=pools[row],
                shared=shared[row],
            )
            for row in range(len(examples))
        ]

    def _find_alarms(self, reading: _Reading, layer: int) -> Alarms:
        return find_alarms(
            reading.summary,
            reading.document,
            layer=layer,
            normalise=self.normalise,
            included=reading.included,
            pool=reading.pool,
            shared=reading.shared,
        )

    def _include_tokens(
        self, texts: Sequence[Encoded | WordPieces], languages: Sequence[str]
    ) -> list[BoolArray | None]:
        """Which tokens or words of each text are of no excluded part of speech (None: all)."""
        if not self._excluded:
            return [None] * len(texts)
        included: dict[tuple[str, str], BoolArray] = {}
        for language in dict.fromkeys(languages):
            starts_by_text = {
                encoded.text: encoded.starts for encoded, code in zip(texts, languages, strict=True) if code == language
            }
            docs = load_parser(language=language).parse(list(starts_by_text))
            for (text, starts), doc in zip(starts_by_text.items(), docs, strict=True):
                by_character = np.ones(len(text) + 1, dtype=np.bool_)
                for word in doc:
                    if word.pos_ in self._excluded:
                        by_character[word.idx : word.idx + len(word)] = False
                included[language, text] = by_character[starts]
        return [included[language, encoded.text] for encoded, language in zip(texts, languages, strict=True)]

    def _count_tokens(self, alarms: Alarms) -> tuple[BoolArray, BoolArray]:
        """The tokens that count, and those of them that raise an alarm."""
        if self.unseen == "skip" or not len(alarms.pool):
            return alarms.checked, alarms.alarmed
        return alarms.included, alarms.alarmed | (alarms.included & ~alarms.checked)


class _Reading(NamedTuple):
    """A summary and its document as the model reads them, and which of their tokens (or words) are compared."""

    summary: Encoded
    document: Encoded
    included: BoolArray | None
    """Those of the summary that count; None: all."""
    pool: BoolArray | None
    """Those of the document that they are compared with; None: all."""
    shared: BoolArray | None = None
    """Those of the summary that the document has; None: equal tokens say so."""
