"""STS-score: stretches of summary and reference compared by their meaning (FFCI, section 2.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.grouping import by_language
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.references import PairCounts, ReferencePolicy, combine, harmonic, own_position
from gistmeter.models.encoder.encoder import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import SentenceRule, resolve_rule, sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.models.sentence_vectors.vectors import SentenceEncoder

    Vectors = Mapping[str, NDArray[np.float32]]

Segment = Literal["edu", "sentence", "document"]
_AT_ONCE = 1024
"""Segments encoded in one go, so that the states of a very long document never stand in memory together."""


@dataclass(frozen=True, slots=True)
class Sts(Metric):
    """Segments of the summary and of the reference, each with the one that is nearest in meaning.

    Nearness is the cosine of sentence vectors. Precision is the mean over the summary's segments of the best cosine
    with a segment of the reference, recall the same the other way round. A segment is a sentence, the whole text
    (`document`), or an elementary discourse unit (`edu`: a clause; in English only, elsewhere a sentence).

    The embedded sentence vectors are all-MiniLM-L6-v2's for English and the multilingual Universal Sentence Encoder's
    for other languages, so scores of different languages are not to be compared. `sentences`: `newline` takes lines,
    `split` the sentence splitter, `auto` the lines of a text that has several and else the splitter.

    With several references precision, recall and F are averaged over them; `references` says otherwise, as for ROUGE
    (`average`: precision and recall are averaged, and F is made of these).

    A summary without words scores 0. A reference without words is left out; with no other the score is missing (NaN).

    >>> from gistmeter.example import Example
    >>> one = Example(doc_id="d", system="s", summary="A dog barked.", references="A dog barked.\\nIt rained.")
    >>> Sts().score([one]).round(2)
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

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F of each example."""
        scores = np.full((len(examples), 3), np.nan)
        for code, rows in by_language(examples).items():
            scores[rows] = self._score_language(code, [examples[row] for row in rows])
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the segments and the model that follow from it."""
        code = language_code(example.language)
        encoder = self._encoder(code)
        segment = self._segment(code)
        found = {"language": code, "model": encoder.name, "segment": segment, "weights": encoder.digest}
        if segment == "sentence":
            rules = {resolve_rule(self.sentences, text) for text in (example.summary, *example.references)}
            found["sentences"] = "+".join(sorted(rules))
        return found

    def facts(self) -> Mapping[str, str]:
        """Digests of what makes vectors and segments, for all languages it reads."""
        from gistmeter.models.sentence_vectors.vectors import weights_digest

        facts = {"weights": weights_digest(self.model)}
        if self.segment == "edu":
            from gistmeter.linguistics.edus.segmenter import segmenter_identity

            facts["segmenter"] = segmenter_identity()
        return facts

    def explain(self, example: Example) -> Evidence:
        """Each segment of the summary with the segment of the reference that is nearest to it."""
        code = language_code(example.language)
        alone = [replace(example, references=(reference,)) for reference in example.references]
        chosen = int(np.argmax(np.nan_to_num(self.score(alone)[:, 2], nan=-1)))
        reference = example.references[chosen]
        cut = self._cut([example.summary, reference], code)
        mine, theirs = cut[example.summary], cut[reference]
        which = f"reference {chosen + 1} of {len(alone)}, the best match" if len(alone) > 1 else "reference"
        if not mine or not theirs:
            panes = (Pane("summary", example.summary), Pane(which, reference))
            return Evidence(self.spelling, "nothing to compare: one of the texts has no words", panes)
        near = _cosines(self._vectors([*mine, *theirs], code), mine, theirs)
        best = near.argmax(axis=1)
        values = near.max(axis=1)
        kind = "text" if (what := self._segment(code)) == "document" else what
        nearest = [[i] for i in range(len(mine))]
        notes = [f"nearest: “{shortened(theirs[best[i]])}”, cosine {values[i]:.3f}" for i in range(len(mine))]
        back = [f"nearest: “{shortened(mine[i])}”, cosine {near[i, j]:.3f}" for j, i in enumerate(near.argmax(axis=0))]
        return Evidence(
            metric=self.spelling,
            headline=(
                f"the {len(mine)} {_plural(kind, len(mine))} of the summary: mean cosine {values.mean():.3f} with the "
                f"nearest of the reference; the {len(theirs)} of the reference: {near.max(axis=0).mean():.3f}"
            ),
            panes=(
                Pane("summary", example.summary, places(example.summary, mine, nearest, notes)),
                Pane(which, reference, places(reference, theirs, _nearest_to(near), back)),
            ),
            table=Table(
                (f"{kind} of the summary", "cosine", "nearest in the reference"),
                tuple((mine[i], f"{values[i]:.3f}", theirs[best[i]]) for i in map(int, np.argsort(values))),
                f"{_plural(kind, 2)} of the summary",
            ),
        )

    def _score_language(self, code: str, examples: Sequence[Example]) -> FloatArray:
        pairs = [(example.summary, reference) for example in examples for reference in example.references]
        cut = self._cut([text for pair in pairs for text in pair], code)
        vectors = self._vectors([segment for segments in cut.values() for segment in segments], code)
        found = np.zeros((len(pairs), 2))
        usable = np.zeros(len(pairs), dtype=bool)
        for row, (summary, reference) in enumerate(pairs):
            mine, theirs = cut[summary], cut[reference]
            usable[row] = bool(theirs)
            if mine and theirs:
                near = _cosines(vectors, mine, theirs)
                found[row] = near.max(axis=1).mean(), near.max(axis=0).mean()
        return combine(
            # Precision and recall come as they are: with one comparison for each pair, their sums over pairs
            # divided by the number of comparisons are means.
            PairCounts(np.ones(len(pairs)), found[:, 0], found[:, 1], usable),
            np.cumsum([0, *(len(example.references) for example in examples)], dtype=np.int64),
            self.references,
            f_of=harmonic,
            ratio=lambda comparisons, total: np.divide(
                total, comparisons, out=np.zeros_like(total), where=comparisons > 0
            ),
            is_own=[own_position(example.summary, example.references) for example in examples],
        )

    def _segment(self, code: str) -> Segment:
        """What a segment is in a language."""
        return "sentence" if self.segment == "edu" and code != "en" else self.segment

    def _cut(self, texts: Iterable[str], code: str) -> dict[str, list[str]]:
        """The segments of each distinct text that have a word."""
        wanted = list(dict.fromkeys(texts))
        kind = self._segment(code)
        if kind == "edu":
            from gistmeter.linguistics.edus.segmenter import segment

            spans = segment(wanted, code)
            found = [[text[start:end] for start, end in ones] for text, ones in zip(wanted, spans, strict=True)]
        elif kind == "sentence":
            found = [sentences(text, resolve_rule(self.sentences, text), code) for text in wanted]
        else:
            found = [[text.strip()] for text in wanted]
        kept = ([one for one in segments if has_words(one)] for segments in found)
        return dict(zip(wanted, kept, strict=True))

    def _encoder(self, code: str) -> SentenceEncoder:
        from gistmeter.models.sentence_vectors.vectors import sentence_encoder

        return sentence_encoder(self.model, language=code, dtype=self.dtype)

    def _vectors(self, segments: Sequence[str], code: str) -> Vectors:
        """The vector of each distinct segment."""
        wanted = list(dict.fromkeys(segments))
        if not wanted:  # nothing to load a model for
            return {}
        encoder = self._encoder(code)
        vectors: dict[str, NDArray[np.float32]] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            vectors.update(zip(some, encoder.vectors(some), strict=True))
        return vectors


def places(
    text: str, segments: Sequence[str], groups: Iterable[Sequence[int]], notes: Iterable[str]
) -> tuple[Mark, ...]:
    """Marks for segments of a text that stand in it one after the other; one without groups is not marked.

    >>> places("It rained. A lot.", ["It rained.", "A lot."], [[], [3, 1]], ["", "0.512"])
    (Mark(start=11, end=17, group=3, also=(1,), note='0.512'),)
    """
    marks = []
    at = 0
    for segment, its, note in zip(segments, groups, notes, strict=True):
        start = text.find(segment, at)
        if start < 0:  # the splitter changed it
            continue
        at = start + len(segment)
        if its:
            marks.append(Mark(start, at, its[0], tuple(its[1:]), note))
    return tuple(marks)


def shortened(text: str, most: int = 60) -> str:
    """The beginning of a text, for a note.

    >>> shortened("It rained a lot.", 10)
    'It rained…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rpartition(' ')[0] or line[:most]}…"


def _cosines(vectors: Vectors, mine: Sequence[str], theirs: Sequence[str]) -> NDArray[np.float32]:
    """The cosine of each segment of the one text with each of the other."""
    return np.asarray(np.stack([vectors[one] for one in mine]) @ np.stack([vectors[one] for one in theirs]).T)


def _nearest_to(near: NDArray[np.float32]) -> list[list[int]]:
    """For each segment of the reference, the summary's segments that it is the nearest of: the strongest first."""
    groups: list[list[int]] = [[] for _ in range(near.shape[1])]
    for mine in np.argsort(-near.max(axis=1), kind="stable"):
        groups[int(near[mine].argmax())].append(int(mine))
    return groups


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
