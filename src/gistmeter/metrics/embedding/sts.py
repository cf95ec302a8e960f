"""STS-score: stretches of summary and reference compared by their meaning (FFCI, section 2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.marks import mark_segments, shorten
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.references import (
    PairCounts,
    ReferencePolicy,
    combine_references,
    find_own_reference,
    harmonic_mean,
)
from gistmeter.metrics.scored import score_each_reference, score_once, split_references
from gistmeter.models.runtime.load import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import SentenceRule, resolve_sentence_rule, split_sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.models.sentence_vectors.vectors import SentenceEncoder

    Vectors = Mapping[str, NDArray[np.float32]]

Segment = Literal["edu", "sentence", "document"]
BATCH_SEGMENTS = 1024
"""Segments encoded together, so that the states of a very long document are never all in memory."""


@dataclass(frozen=True, slots=True)
class Sts(Metric):
    """Segments of the summary and of the reference, each with the segment that is nearest in meaning.

    Nearness is the cosine of sentence vectors. Precision is the mean, over the summary's segments, of the best cosine
    with a segment of the reference; recall is the mean over the reference's segments. A segment is a sentence, the
    whole text (`document`), or an elementary discourse unit (`edu`: a clause; in English only, elsewhere a sentence).

    The embedded sentence vectors are those of all-MiniLM-L6-v2 for English and of the multilingual Universal Sentence
    Encoder for other languages, so do not compare scores of different languages. `sentences` says how texts are split:
    `newline` at line ends, `split` by the sentence splitter, `auto` at line ends if the text has several lines and by
    the splitter otherwise.

    With several references precision, recall and F are averaged over them; `references` can say otherwise, as for ROUGE
    (`average`: precision and recall are averaged, and F is computed from the averages).

    A summary without words scores 0. A reference without words is left out; without any other reference the score is
    missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="A dog barked.", references="A dog barked.\\nIt rained.")
    >>> Sts().score([example]).round(2)
    array([[1.  , 0.63, 0.77]])
    """

    segment: Segment = "sentence"
    model: str = "embedded"
    references: ReferencePolicy = "mean"
    sentences: SentenceRule = "auto"
    dtype: Dtype = "fp32"

    name = "sts"
    paper = "Koto, Baldwin and Lau (2022), FFCI, section 2.4"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"sentences", "sentences-multilingual", "parser", "edus"})
    needs = frozenset[Need]({"references"})
    columns = (
        Column("precision", "mean over the summary's segments of the best cosine with one of the reference"),
        Column("recall", "mean over the reference's segments of the best cosine with one of the summary"),
        Column("f1", "harmonic mean of the two"),
    )

    def __post_init__(self) -> None:
        check_choices(self)

    @property
    def leaves_own_reference_out(self) -> bool:
        """Whether references are left out in turn."""
        return self.references == "jackknife"

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F of each example."""
        scores = np.full((len(examples), 3), np.nan)
        for code, rows in group_by_language(examples).items():
            scores[rows] = self._score_language(code, [examples[row] for row in rows])
        return scores

    def check_language(self, code: str) -> None:
        """Refuse a language that the sentence encoder does not read."""
        from gistmeter.models.sentence_vectors.vectors import check_sentence_language

        check_sentence_language(self.model, code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the segments and the model that follow from it."""
        code = language_code(example.language)
        encoder = self._load_encoder(code)
        segment = self._resolve_segment(code)
        traits = {"language": code, "model": encoder.name, "segment": segment, "weights": encoder.digest}
        if segment == "sentence":
            rules = {resolve_sentence_rule(self.sentences, text) for text in (example.summary, *example.references)}
            traits["sentences"] = "+".join(sorted(rules))
        return traits

    def facts(self) -> Mapping[str, str]:
        """Digests of what makes vectors and segments, for all languages it reads."""
        from gistmeter.models.sentence_vectors.vectors import weights_digest

        facts = {"weights": weights_digest(self.model)}
        if self.segment == "edu":
            from gistmeter.linguistics.edus.segmenter import segmenter_identity

            facts["segmenter"] = segmenter_identity()
        return facts

    def prepare_explanations(self, examples: Sequence[Example]) -> None:
        """Score the references one by one, all together."""
        score_each_reference(self, examples)

    def explain(self, example: Example) -> Evidence:
        """Each segment of the summary with the segment of the reference that is nearest to it."""
        code = language_code(example.language)
        alone = split_references(example)
        chosen = int(np.argmax(np.nan_to_num(score_once(self, alone)[:, 2], nan=-1))) if len(alone) > 1 else 0
        reference = example.references[chosen]
        segments_of = self._split_texts([example.summary, reference], code)
        summary_segments, reference_segments = segments_of[example.summary], segments_of[reference]
        title = f"reference {chosen + 1} of {len(alone)}, the best match" if len(alone) > 1 else "reference"
        if not summary_segments or not reference_segments:
            panes = (Pane("summary", example.summary), Pane(title, reference))
            return Evidence(self.spelling, "nothing to compare: one of the texts has no words", panes)
        vectors = self._encode_segments([*summary_segments, *reference_segments], code)
        cosines = _compute_cosines(vectors, summary_segments, reference_segments)
        nearest_reference, nearest_summary = cosines.argmax(axis=1), cosines.argmax(axis=0)
        best = cosines.max(axis=1)
        kind = "text" if (segment := self._resolve_segment(code)) == "document" else segment
        count = len(summary_segments)
        summary_notes = [
            f"nearest: “{shorten(reference_segments[nearest_reference[i]])}”, cosine {best[i]:.3f}"
            for i in range(count)
        ]
        reference_notes = [
            f"nearest: “{shorten(summary_segments[i])}”, cosine {cosines[i, j]:.3f}"
            for j, i in enumerate(nearest_summary)
        ]
        return Evidence(
            metric=self.spelling,
            headline=(
                f"the {count} {_pluralize(kind, count)} of the summary: mean cosine {best.mean():.3f} with the "
                f"nearest of the reference; the {len(reference_segments)} of the reference: "
                f"{cosines.max(axis=0).mean():.3f}"
            ),
            blocks=(
                Pane(
                    "summary",
                    example.summary,
                    mark_segments(example.summary, summary_segments, [[i] for i in range(count)], summary_notes),
                ),
                Pane(
                    title,
                    reference,
                    mark_segments(reference, reference_segments, _group_by_nearest(cosines), reference_notes),
                ),
                Table(
                    (f"{kind} of the summary", "cosine", "nearest in the reference"),
                    tuple(
                        (summary_segments[i], f"{best[i]:.3f}", reference_segments[nearest_reference[i]])
                        for i in map(int, np.argsort(best))
                    ),
                    f"{_pluralize(kind, 2)} of the summary",
                ),
            ),
        )

    def _score_language(self, code: str, examples: Sequence[Example]) -> FloatArray:
        pairs = [(example.summary, reference) for example in examples for reference in example.references]
        segments_of = self._split_texts([text for pair in pairs for text in pair], code)
        vectors = self._encode_segments([segment for segments in segments_of.values() for segment in segments], code)
        pair_scores = np.zeros((len(pairs), 2))
        usable = np.zeros(len(pairs), dtype=bool)
        for row, (summary, reference) in enumerate(pairs):
            summary_segments, reference_segments = segments_of[summary], segments_of[reference]
            usable[row] = bool(reference_segments)
            if summary_segments and reference_segments:
                cosines = _compute_cosines(vectors, summary_segments, reference_segments)
                pair_scores[row] = cosines.max(axis=1).mean(), cosines.max(axis=0).mean()
        return combine_references(
            # Precision and recall come as they are: with one comparison for each pair, their sums over pairs
            # divided by the number of comparisons are means.
            PairCounts(
                matches=np.ones(len(pairs)), in_summary=pair_scores[:, 0], in_reference=pair_scores[:, 1], usable=usable
            ),
            np.cumsum([0, *(len(example.references) for example in examples)], dtype=np.int64),
            self.references,
            f_of=harmonic_mean,
            ratio=lambda comparisons, total: np.divide(
                total, comparisons, out=np.zeros_like(total), where=comparisons > 0
            ),
            own_references=[find_own_reference(example.summary, example.references) for example in examples],
        )

    def _resolve_segment(self, code: str) -> Segment:
        """What a segment is in a language."""
        return "sentence" if self.segment == "edu" and code != "en" else self.segment

    def _split_texts(self, texts: Iterable[str], code: str) -> dict[str, list[str]]:
        """The segments of each distinct text, those without a word left out."""
        distinct = list(dict.fromkeys(texts))
        kind = self._resolve_segment(code)
        if kind == "edu":
            from gistmeter.linguistics.edus.segmenter import segment

            spans_of_texts = segment(distinct, code)
            segments = [
                [text[start:end] for start, end in spans] for text, spans in zip(distinct, spans_of_texts, strict=True)
            ]
        elif kind == "sentence":
            segments = [split_sentences(text, resolve_sentence_rule(self.sentences, text), code) for text in distinct]
        else:
            segments = [[text.strip()] for text in distinct]
        return {text: list(filter(has_words, of_text)) for text, of_text in zip(distinct, segments, strict=True)}

    def _load_encoder(self, code: str) -> SentenceEncoder:
        from gistmeter.models.sentence_vectors.vectors import load_sentence_encoder

        return load_sentence_encoder(self.model, language=code, dtype=self.dtype)

    def _encode_segments(self, segments: Sequence[str], code: str) -> Vectors:
        """The vector of each distinct segment."""
        distinct = list(dict.fromkeys(segments))
        if not distinct:  # nothing to load a model for
            return {}
        encoder = self._load_encoder(code)
        vectors: dict[str, NDArray[np.float32]] = {}
        for start in range(0, len(distinct), BATCH_SEGMENTS):
            batch = distinct[start : start + BATCH_SEGMENTS]
            vectors.update(zip(batch, encoder.vectors(batch), strict=True))
        return vectors


def _compute_cosines(vectors: Vectors, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float32]:
    """The cosine of each segment of a text (rows) with each of another (columns)."""
    left_vectors = np.stack([vectors[segment] for segment in left])
    right_vectors = np.stack([vectors[segment] for segment in right])
    return np.asarray(left_vectors @ right_vectors.T)


def _group_by_nearest(cosines: NDArray[np.float32]) -> list[list[int]]:
    """For each segment of the reference the summary's segments that it is the nearest to, the strongest first."""
    groups: list[list[int]] = [[] for _ in range(cosines.shape[1])]
    for row in np.argsort(-cosines.max(axis=1), kind="stable"):
        groups[int(cosines[row].argmax())].append(int(row))
    return groups


def _pluralize(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
