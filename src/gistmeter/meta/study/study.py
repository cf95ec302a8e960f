"""Study: scores and judgments of the same summaries, each a table (systems x documents), joined by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.arguments import check_methods
from gistmeter.errors import DataError, suggestion
from gistmeter.io.score_files.names import find_name, with_short_names
from gistmeter.judgments import choose_aspect
from gistmeter.meta.study.directions import check_directions, stated_directions
from gistmeter.meta.study.joining import split_columns
from gistmeter.meta.study.labels import check_labels
from gistmeter.meta.study.matrix_file import read_matrix_file, refuse_repeated
from gistmeter.meta.study.tables import fill_table, number_table, select_cells
from gistmeter.metrics.column_names import find_columns, find_direction
from gistmeter.wording import note_left_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.io.runs import Run
    from gistmeter.judgments import Judgments
    from gistmeter.meta.options import CorrelationOptions
    from gistmeter.meta.study.labels import LabelTable, NameLabels
    from gistmeter.scores import Better, Scores


@check_methods
@dataclass(frozen=True)
class Study(Mapping[str, "FloatArray"]):
    """Named tables (systems x documents, NaN = missing) of the same systems and documents.

    A study is a mapping from names to tables: `study["rouge2.recall"]`. Some of the names are metrics, some are
    aspects that people judged. `Study.join` makes one from scores and judgments, `Study.read` from a matrix file,
    and `open_study` from whatever there is.

    Parameters
    ----------
    systems, documents
        The names of the rows and of the columns of every table.
    tables
        The tables by name.
    aspects
        Which of the names are judgments of people; the others are metrics.
    better
        Which way is good, for the names of which that is stated: `higher`, `lower` or `neither`. A name of gistmeter's
        registry has its own direction, any other is taken as higher is better.
    notes
        What a reader should know, such as what joining left out.
    run
        Where the texts of the summaries are, if the scores were computed from a run.
    judgments
        The judgments of single raters behind the aspects, if they are known.
    groups
        The language, subset or type of system of each summary: a table of labels for each field. See `with_groups`.

    Examples
    --------
    >>> study = Study(
    ...     systems=("a", "b"),
    ...     documents=("d1",),
    ...     tables={"rouge2": np.array([[0.1], [0.2]]), "rated": np.array([[1.0], [3.0]])},
    ...     aspects=("rated",),
    ... )
    >>> study.metrics, study["rouge2"].shape
    (('rouge2',), (2, 1))
    """

    systems: tuple[str, ...]
    documents: tuple[str, ...]
    tables: Mapping[str, FloatArray]
    aspects: tuple[str, ...] = ()
    better: Mapping[str, Better] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    run: Run | None = field(default=None, repr=False, compare=False)
    judgments: Judgments | None = field(default=None, repr=False, compare=False)
    groups: Mapping[str, LabelTable] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, name: str) -> FloatArray:
        self._check_name(name)
        return self.tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __contains__(self, name: object) -> bool:
        return name in self.tables

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names that are not judgments."""
        return tuple(name for name in self.tables if name not in self.aspects)

    def has_direction(self, name: str) -> bool:
        """Whether it is stated which way is good for a table, or its name is that of a metric of the registry."""
        return name in self.better or (name not in self.aspects and find_direction(name) is not None)

    def direction(self, name: str) -> Better:
        """Which way is good for a table: as stated, as the registry says, or else `higher`.

        >>> study = Study.from_tables({"js": [[0.1], [0.2]], "errors": [[1], [3]]}, aspects=["errors"])
        >>> study.direction("js"), study.direction("errors")
        ('lower', 'higher')
        """
        self._check_name(name)
        if name in self.better:
            return self.better[name]
        return (None if name in self.aspects else find_direction(name)) or "higher"

    def with_directions(self, *, lower: Sequence[str] = (), higher: Sequence[str] = ()) -> Study:
        """The same study, with these scores or aspects as lower, or higher, is better."""
        better = stated_directions(self.better, lower=lower, higher=higher, resolve=self.resolve)
        return replace(self, better=better) if lower or higher else self

    def with_groups(self, groups: Mapping[str, NameLabels]) -> Study:
        """The same study, with the groups of its documents or systems: field -> name -> group, or field -> list."""
        labels = check_labels(groups, self.systems, self.documents, "the study")
        return replace(self, groups={**self.groups, **labels})

    def oriented(self, name: str) -> FloatArray:
        """A table turned so that more is better; where neither way is good, as it is.

        >>> study = Study.from_tables({"js": [[0.1], [0.2]], "rated": [[3], [1]]}, aspects=["rated"])
        >>> study.oriented("js").tolist()
        [[-0.1], [-0.2]]
        """
        return -self[name] if self.direction(name) == "lower" else self[name]

    def sign_toward(
        self, name: str, aspect: str, options: CorrelationOptions, *, table: FloatArray | None = None
    ) -> float:
        """1 or -1: what a metric is multiplied by to be compared with people.

        -1 where lower is better. Where neither is, it is the sign of the correlation of metric and aspect. `table`
        stands in for the metric's own.
        """
        if "neither" not in (self.direction(name), self.direction(aspect)):
            return -1.0 if self.direction(name) == "lower" else 1.0
        own = self[name] if table is None else table
        return -1.0 if stats.correlate(own, self.oriented(aspect), **options.keywords()).value < 0 else 1.0

    def oriented_toward(self, name: str, aspect: str, options: CorrelationOptions) -> FloatArray:
        """A metric's table turned so that more is better; where neither way is good, so that it goes with people."""
        return self[name] if self.sign_toward(name, aspect, options) > 0 else -self[name]

    def choose_aspect(self, name: str | None = None) -> str:
        """The name of a judgment: the one asked for, or without a name the only one there is.

        Raises
        ------
        ArgumentError
            There are several, and no name was given.
        DataError
            There is no such judgment.
        """
        return choose_aspect(self.aspects, name)

    def choose_metrics(self, names: Sequence[str] = ()) -> tuple[str, ...]:
        """The names asked for, which may be groups (`rouge`) or judgments too, or without names all metrics.

        Raises
        ------
        DataError
            There is no score or aspect of that name.
        """
        columns = [column for name in names for column in find_columns(name, self.tables) or [name]]
        return tuple(map(self.resolve, columns)) or self.metrics

    def resolve(self, name: str) -> str:
        """The whole name of a score or aspect: `rouge1` or `rouge1.f1` may stand for `rouge1(stem=none).f1`.

        Raises
        ------
        DataError
            There is no score or aspect of that name, or several may be meant.
        """
        resolved = find_name(name, self.tables)
        if resolved is None:
            self._check_name(name)
        return resolved or name

    def _check_name(self, name: str) -> None:
        if name not in self.tables:
            hint, names = suggestion(name, with_short_names(self.tables)), ", ".join(self.tables)
            raise DataError(f"there is no score or aspect {name!r}{hint} (there is {names})")

    @classmethod
    def from_tables(
        cls,
        tables: Mapping[str, ArrayLike],
        *,
        aspects: Sequence[str],
        systems: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        better: Better | Mapping[str, Better] | None = None,
        groups: Mapping[str, NameLabels] | None = None,
    ) -> Study:
        """A study from tables in memory.

        Parameters
        ----------
        tables
            The tables by name, each systems x documents, all of one size, NaN where a score is missing.
        aspects
            Which of the names are judgments of people.
        systems, documents
            Their names; without them they are `system 1`, `system 2` ... and `document 1`, `document 2` ...
        better
            Which way is good: `higher`, `lower` or `neither`, for all tables, or a mapping from names to these.
        groups
            The groups of documents or systems, field by field: see `with_groups`.

        Raises
        ------
        DataError
            There is no table, a table has another size, or an aspect or a name in `better` is not among the tables.

        Examples
        --------
        >>> tables = {"rouge2": [[0.1, 0.4], [0.2, 0.3]], "rated": [[1, 4], [3, 3]]}
        >>> study = Study.from_tables(tables, aspects=["rated"])
        >>> study.systems, study["rated"].shape
        (('system 1', 'system 2'), (2, 2))
        """
        if not isinstance(tables, Mapping) or not tables:
            raise DataError("a study has at least one table: a mapping from names to tables")
        for names, what in ((aspects, "aspects"), (systems, "systems"), (documents, "documents")):
            if isinstance(names, str) or not hasattr(names or (), "__len__"):
                raise DataError(f"`{what}` is a list of names, not {names!r}")
        label, first = next(iter(tables.items()))
        shape = np.shape(np.asarray(first))
        if len(shape) != 2:
            raise DataError(f"{label} is not a table of systems x documents")
        row_names = systems if systems is not None else [f"system {number + 1}" for number in range(shape[0])]
        column_names = documents if documents is not None else [f"document {number + 1}" for number in range(shape[1])]
        refuse_repeated(list(map(str, row_names)), "system", "the study")
        refuse_repeated(list(map(str, column_names)), "document", "the study")
        size = len(row_names), len(column_names)
        number_tables = {name: number_table(table, name, size) for name, table in tables.items()}
        unknown = [name for name in aspects if name not in tables]
        if unknown:
            raise DataError(f"the aspect {unknown[0]!r} is not among the tables: {', '.join(tables)}")
        directions = check_directions(better or {}, tables, "the study")
        return cls(
            systems=tuple(row_names),
            documents=tuple(column_names),
            tables=number_tables,
            aspects=tuple(aspects),
            better=directions,
            groups=check_labels(groups or {}, row_names, column_names, "the study"),
        )

    @classmethod
    def read(cls, path: str | Path) -> Study:
        """A matrix file: JSON with `systems`, `documents`, `scores` (name -> systems x documents) and `human`.

        `better` may say which way is good: `"higher"`, `"lower"` or `"neither"` for all, or for each name of a mapping.
        `groups` may say which group each document or system is in, as for `with_groups`.

        Raises
        ------
        DataError
            The file is not JSON, lacks one of the fields, names a system or a document twice, or a table has another
            size or cells that are no numbers.
        """
        file = str(path)
        content = read_matrix_file(file)
        return cls(
            systems=content.systems,
            documents=content.documents,
            tables=content.tables,
            aspects=content.aspects,
            better=check_directions(content.better, content.tables, file),
            groups=check_labels(content.groups, content.systems, content.documents, file),
        )

    @classmethod
    def join(cls, scores: Scores, judgments: Judgments, *, run: Run | None = None) -> Study:
        """Scores and judgments of the same summaries, matched by the names of system and document.

        Only systems and documents that have scores as well as judgments are kept, in the order of the scores; `notes`
        says what was left out. The judgment of a summary is the released average, or else the mean over raters.
        Columns of whole systems, and counts that they are computed from, have no table and are left out.

        Parameters
        ----------
        scores
            The scores of the summaries.
        judgments
            What people said of them.
        run
            Where the texts of the summaries are, to be kept in the study.

        Raises
        ------
        DataError
            Scores and judgments have no system or no document in common.
        """
        names, counts = split_columns(scores)
        score_tables = {name: scores.matrix(name) for name in names}
        means_by_aspect = {aspect: judgments.means(aspect) for aspect in judgments.aspects}
        judged_systems = {system for means in means_by_aspect.values() for system in means["system"].unique()}
        judged_documents = {doc_id for means in means_by_aspect.values() for doc_id in means["doc_id"].unique()}
        systems = tuple(system for system in scores.systems if system in judged_systems)
        documents = tuple(doc_id for doc_id in scores.documents if doc_id in judged_documents)
        if not systems or not documents:
            raise DataError(
                "scores and judgments share no " + ("system" if not systems else "document") + ": do their names match?"
            )
        tables = {name: select_cells(table, systems, documents) for name, table in score_tables.items()}
        for aspect, means in means_by_aspect.items():
            tables[aspect] = fill_table(means.select("system", "doc_id", "value").iter_rows(), systems, documents)
        unlike_aspects = tuple(name for name in score_tables if name not in means_by_aspect)
        notes = (
            *scores.note_unmatched(judged_systems, judged_documents),
            *note_left_out("score", score_tables, unlike_aspects, "with the name of a judgment"),
            *note_left_out("column", counts, (), "of counts that scores are computed from"),
        )
        better = {
            column.name: column.better
            for column in scores.columns
            if column.has_direction and column.name in unlike_aspects
        }
        return cls(
            systems=systems,
            documents=documents,
            tables=tables,
            aspects=tuple(means_by_aspect),
            better=better,
            notes=notes,
            run=run,
            judgments=judgments,
        )
