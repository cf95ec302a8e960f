"""PyrEval: a pyramid that a machine builds from the references, and what of it the summary states."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.evidence import Evidence, Table
from gistmeter.metrics.clauses.building import BuiltUnit, assign_segments, build_units, sum_heaviest
from gistmeter.metrics.clauses.segments import SegmentKind, cut_texts
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.metrics.settings import Share  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.models.runtime.load import Dtype  # noqa: TC001
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.clauses.building import Assigned

_MOST_TEXTS = 4096


class CutText(NamedTuple):
    """The segments of a text, and a vector for each."""

    segments: tuple[str, ...]
    vectors: FloatArray


class Pyramid(NamedTuple):
    """What a machine built of the references, and what the summary states of it."""

    references: tuple[CutText, ...]
    units: list[BuiltUnit]
    assigned: list[Assigned]
    summary: CutText

    @property
    def scores(self) -> tuple[float, float, float, float]:
        """Comprehensive, quality, coverage and raw."""
        weights = [unit.weight for unit in self.units]
        raw = float(sum(weights[match.unit] for match in self.assigned))
        usual = float(np.mean([len(reference.segments) for reference in self.references]))
        possible = sum_heaviest(weights, len(self.summary.segments))
        quality = raw / possible if possible else 0.0
        coverage = min(raw / sum_heaviest(weights, usual), 1.0)
        return (quality + coverage) / 2, quality, coverage, raw


@dataclass(frozen=True, slots=True)
class PyrEval(Metric):
    """PyrEval (Gao et al., 2019): a pyramid built from the references by machine, and the share that a summary states.

    Texts are cut into clauses, one for each verb, by the embedded parser; clauses have vectors (the embedded sentence
    encoder, where the authors' are WTMF). Clauses of different references that are alike by `least` make a unit, which
    weighs as many references as state it. The summary's clauses are assigned to units, each once, so that the weight
    is greatest. `raw` is that weight, `quality` divides it by the most that as many clauses can weigh, `coverage` by
    the most that a reference's number of clauses can (1 at most), and `comprehensive` is the mean of the two. `least`
    was chosen on every tenth document of REALSumm.

    `segments=triples` takes triples of subject, verb and argument in place of clauses: `-m peak` is that, in the manner
    of PEAK (Yang et al., 2016). With one reference all units weigh 1, which the authors' program does not take.

    English only. A summary without clauses scores 0; without any in the references the scores are missing (NaN).
    """

    segments: SegmentKind = "clauses"
    least: Share = 0.6
    model: str = "embedded"
    dtype: Dtype = "fp32"

    name = "pyreval"
    paper: ClassVar[str] = "Gao, Sun and Passonneau (2019), Automated Pyramid Summarization Evaluation"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"parser", "sentences"})
    missing = "no reference has a clause"
    needs = frozenset[Need]({"references"})
    columns = (
        Column("comprehensive", "mean of quality and coverage"),
        Column("quality", "weight of the stated units by the most that as many clauses can weigh"),
        Column("coverage", "weight of the stated units by the most that a reference's number of clauses can weigh"),
        Column("raw", "weight of the units of the references that the summary states"),
    )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Comprehensive, quality, coverage and raw score of each summary."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        cut = self._cut([text for example in examples for text in (example.summary, *example.references)])
        for row, example in enumerate(examples):
            pyramid = self._build(example, cut)
            if pyramid is not None:
                scores[row] = pyramid.scores
        return scores

    def check_language(self, code: str) -> None:
        """Refuse other languages than English: clauses are cut by the English parser."""
        if code != "en":
            raise DataError(f"pyreval reads English only, not language {code!r}")

    def facts(self) -> Mapping[str, str]:
        """The parser and the model of vectors."""
        from gistmeter.linguistics.parser import load_parser
        from gistmeter.linguistics.roles import RULES_VERSION
        from gistmeter.models.runtime.locate import locate

        parser = load_parser()
        return {
            "digest": locate(self.model).digest,
            "parser": f"{parser.name}-{parser.version}-{parser.digest}",
            "roles": RULES_VERSION,
        }

    def explain(self, example: Example) -> Evidence | None:
        """The pyramid that was built, the heaviest units first, and the clauses of the summary that state them."""
        pyramid = self._build(example, self._cut([example.summary, *example.references]))
        if pyramid is None:
            return None
        stated = {match.unit: match for match in pyramid.assigned}
        rows = tuple(
            (
                " / ".join(pyramid.references[number].segments[position] for number, position in unit.members),
                str(unit.weight),
                pyramid.summary.segments[stated[at].segment] if at in stated else "-",
                f"{stated[at].similarity:.2f}" if at in stated else "-",
            )
            for at, unit in enumerate(pyramid.units)
        )
        used = {match.segment for match in pyramid.assigned}
        rest = tuple((text,) for at, text in enumerate(pyramid.summary.segments) if at not in used)
        comprehensive, quality, coverage, raw = pyramid.scores
        headline = (
            f"{len(stated)} of {format_count(len(pyramid.units), 'unit')} stated, weight {raw:g}: "
            f"quality {quality:.3f}, coverage {coverage:.3f}, comprehensive {comprehensive:.3f}"
        )
        tables = [Table(("unit", "weight", "stated as", "cosine"), rows, "units of the references")]
        if rest:
            tables.append(Table(("clause",), rest, "clauses of the summary that state no unit"))
        return Evidence(metric=self.spelling, headline=headline, blocks=tuple(tables))

    def _build(self, example: Example, cut: Mapping[str, CutText]) -> Pyramid | None:
        references = tuple(cut[text] for text in example.references if cut[text].segments)
        if not references:
            return None
        vectors = np.concatenate([reference.vectors for reference in references])
        numbers = [number for number, reference in enumerate(references) for _ in reference.segments]
        units = build_units(vectors @ vectors.T, numbers, self.least)
        summary = cut[example.summary]
        starts = np.cumsum([0, *(len(reference.segments) for reference in references)])
        # A segment is as alike to a unit as to the mean of its segments.
        centres = np.array(
            [vectors[[starts[number] + at for number, at in unit.members]].mean(axis=0) for unit in units]
        )
        centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-12)
        similarities = summary.vectors @ centres.T if summary.segments else np.zeros((0, len(units)))
        assigned = assign_segments(similarities, [unit.weight for unit in units], self.least)
        return Pyramid(references=references, units=units, assigned=assigned, summary=summary)

    def _cut(self, texts: Sequence[str]) -> dict[str, CutText]:
        return _CUT.read(list(dict.fromkeys(texts)), self)


class _CutTexts:
    """Segments and vectors of texts, remembered because many systems are compared with the same references."""

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[str, str, str, str], CutText] = OrderedDict()

    def read(self, texts: Sequence[str], metric: PyrEval) -> dict[str, CutText]:
        """The segments of each text with their vectors; those of new texts are made together."""
        from gistmeter.models.sentence_vectors.vectors import load_sentence_encoder

        keys = {text: (text, metric.segments, metric.model, metric.dtype) for text in texts}
        cut_by_text = {text: self._texts[key] for text, key in keys.items() if key in self._texts}
        new = [text for text in texts if text not in cut_by_text]
        segments = cut_texts(new, metric.segments)
        encoder = load_sentence_encoder(metric.model, dtype=metric.dtype)
        vectors = encoder.vectors([segment for of_text in segments for segment in of_text])
        ends = np.cumsum([len(of_text) for of_text in segments])
        for text, of_text, end in zip(new, segments, ends, strict=True):
            rows = np.asarray(vectors[end - len(of_text) : end], dtype=np.float64)
            cut_by_text[text] = self._texts[keys[text]] = CutText(tuple(of_text), rows)
        while len(self._texts) > _MOST_TEXTS:
            self._texts.popitem(last=False)
        return cut_by_text


_CUT = _CutTexts()
