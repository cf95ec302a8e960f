"""What a meta-evaluation looks at: scores and judgments from whichever files the user has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError
from gistmeter.io.aliases import ALIASES
from gistmeter.io.runs import Run, open_run, read_records
from gistmeter.judgments import MEAN_RATER, Judgments
from gistmeter.meta.study import Matrices, is_matrix_file
from gistmeter.metrics.overlap.rouge import RougeN
from gistmeter.metrics.registry import parse_metric, parse_metrics
from gistmeter.scores import Scores
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def open_matrices(
    file: str | Path,
    *,
    judgments: str | Path | None = None,
    columns: Sequence[str] = (),
    language: str | None = None,
    units: Sequence[str] = (),
) -> Matrices:
    """Scores and judgments of the same summaries, from

    - a matrix file (JSON with systems, documents, scores, human);
    - a file of scores, with `judgments`: a run whose records carry `human`, or a long table of judgments;
    - a run whose records carry `human`; then `columns` (such as `rouge2.recall`) are scored first, with the content
      units of the files `units` where its records have none.
    """
    path = Path(file)
    if units and (is_matrix_file(path) or not is_run(path)):
        raise DataError(f"{file} is not a run: --units go with summaries that are still to be scored")
    if is_matrix_file(path):
        if judgments is not None:
            raise DataError(f"{file} is a matrix file and has its judgments in it: leave --judgments out")
        return Matrices.read(path)
    if is_run(path):
        if not columns:
            raise DataError(f"{file} is a run: say which scores to compute, for example --metric rouge2.recall")
        scores = _scored(open_run([path], language=language, units=units), columns)
        return Matrices.join(scores, Judgments.read(judgments or path))
    if judgments is None:
        raise DataError(f"{file} has scores only: say where people's judgments are with --judgments")
    return Matrices.join(Scores.read(path), Judgments.read(judgments))


def reference_matrices(
    file: str | Path, column: str, *, language: str | None = None, units: Sequence[str] = ()
) -> tuple[Matrices, NDArray[np.float64]]:
    """A run's judgments, and one score against each single reference (systems x documents x references)."""
    examples = list(open_run([file], language=language, units=units).examples())
    most = max((len(example.references) for example in examples), default=0)
    if most < 2:
        raise DataError(f"{file} has one reference for each document: there is nothing to compare by their number")
    judged = Judgments.read(file)
    base: Matrices | None = None
    tables = []
    for place in range(most):
        some = [
            replace(example, references=example.references[place : place + 1])
            for example in examples
            if len(example.references) > place
        ]
        joined = Matrices.join(_scored(Run(memory=some), [column]), judged)
        base = base or joined
        table = np.full((len(base.systems), len(base.documents)), np.nan)
        rows = [base.systems.index(system) for system in joined.systems]
        places = [base.documents.index(doc_id) for doc_id in joined.documents]
        table[np.ix_(rows, places)] = joined[column]
        tables.append(table)
    if base is None:
        raise DataError(f"there are no summaries in {file}")
    return base, np.stack(tables, axis=-1)


def is_run(path: Path) -> bool:
    """Whether a file holds summaries (rather than scores of them)."""
    first = next(read_records(str(path)), None)
    if not isinstance(first, dict):
        raise DataError(f"there is nothing in {path}, or it is not a file of records")
    return any(name in first for name in ALIASES["summary"])


def _scored(run: Run, columns: Sequence[str]) -> Scores:
    labels = dict.fromkeys(column.rpartition(".")[0] or column for column in columns)
    return score_in_memory(run, parse_metrics(list(labels)))


@dataclass(frozen=True, slots=True, eq=False)
class ThinnedRouge:
    """ROUGE-1 of a share of the tokens of each summary (the thesis' R_k), mean over references."""

    matches: stats.TokenMatches
    variant: Literal["precision", "recall", "f1"]

    @property
    def whole(self) -> NDArray[np.float64]:
        """With all tokens."""
        return stats.thinned_rouge(self.matches, 1.0, variant=self.variant)

    def version(self, share: float, rng: np.random.Generator) -> NDArray[np.float64]:
        """With a share of them, drawn anew."""
        return stats.thinned_rouge(self.matches, share, variant=self.variant, rng=rng)


def thinned_versions(file: str | Path, column: str, matrices: Matrices) -> ThinnedRouge | None:
    """Worse versions of a rouge1 score, if the file is a run, whose texts they need; else None."""
    label, _, variant = column.rpartition(".")
    path = Path(file)
    if is_matrix_file(path) or not is_run(path) or not label.startswith("rouge1"):
        return None
    metric = parse_metric(label)
    if not isinstance(metric, RougeN):
        return None
    rows = {system: i for i, system in enumerate(matrices.systems)}
    places = {doc_id: i for i, doc_id in enumerate(matrices.documents)}
    summaries: list[list[list[str] | None]] = [[None] * len(places) for _ in rows]
    references: list[list[list[str]]] = [[] for _ in places]
    for example in open_run([path]).examples():
        if example.system in rows and example.doc_id in places:
            analysis = metric.analysis(example.language)
            summaries[rows[example.system]][places[example.doc_id]] = analysis.tokens(example.summary)
            references[places[example.doc_id]] = [analysis.tokens(text) for text in example.references]
    return ThinnedRouge(stats.TokenMatches.of(summaries, references), variant)  # type: ignore[arg-type]


def rating_array(file: str | Path, aspect: str) -> NDArray[np.float64]:
    """One aspect's single ratings as systems x documents x raters, NaN where a rater did not rate."""
    table = Judgments.read(file).table
    rows = table.filter((table["aspect"] == aspect) & (table["rater"] != MEAN_RATER))
    if rows.is_empty():
        raise DataError(f"{file} has no single raters' values of {aspect!r} (only averages, or none)")
    axes = [
        {name: i for i, name in enumerate(rows[column].unique(maintain_order=True))}
        for column in ("system", "doc_id", "rater")
    ]
    array = np.full([len(axis) for axis in axes], np.nan)
    for system, doc_id, rater, value in rows.select("system", "doc_id", "rater", "value").iter_rows():
        array[axes[0][system], axes[1][doc_id], axes[2][rater]] = value
    return array
