"""Matrices: scores and judgments of the same summaries, each as systems x documents, joined by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from gistmeter.errors import DataError, suggestion
from gistmeter.io.files import kind_of, open_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.judgments import Judgments
    from gistmeter.scores import Scores


_MOST_NAMED = 5


@dataclass(frozen=True)
class Matrices(Mapping[str, "FloatArray"]):
    """Named matrices (systems x documents, NaN = missing) over the same systems and documents.

    `human` names those that are judgments; the others are metrics. `notes` tells what was left out when joining.

    >>> two = Matrices(("a", "b"), ("d1",), {"rouge2": np.array([[0.1], [0.2]]), "rated": np.array([[1.0], [3.0]])},
    ...                human=("rated",))
    >>> two.metrics, two["rouge2"].shape
    (('rouge2',), (2, 1))
    """

    systems: tuple[str, ...]
    documents: tuple[str, ...]
    tables: Mapping[str, FloatArray]
    human: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> FloatArray:
        if name not in self.tables:
            known = ", ".join(self.tables)
            raise DataError(f"there is no score or aspect {name!r}{suggestion(name, self.tables)} (there is {known})")
        return self.tables[name]

    def __iter__(self) -> Any:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __contains__(self, name: object) -> bool:
        return name in self.tables

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names that are not judgments."""
        return tuple(name for name in self.tables if name not in self.human)

    def judged(self, name: str | None = None) -> str:
        """The judgment of that name; without a name the only one there is."""
        if name is None:
            if len(self.human) == 1:
                return self.human[0]
            raise DataError(f"say which judgment to compare with: {', '.join(self.human) or 'there is none'}")
        if name not in self.human:
            hint = suggestion(name, self.human)
            raise DataError(f"there is no judgment {name!r}{hint} (there is {', '.join(self.human) or 'none'})")
        return name

    @classmethod
    def read(cls, path: str | Path) -> Matrices:
        """A matrix file: JSON with `systems`, `documents`, `scores` (name -> systems x documents) and `human`."""
        file = str(path)
        with open_bytes(file) as stream:
            try:
                decoded = msgspec.json.decode(stream.read())
            except (msgspec.DecodeError, UnicodeDecodeError, OSError, EOFError) as error:
                raise DataError(f"{file} is not a matrix file: {error}") from None
        if not is_matrix(decoded):
            raise DataError(f"{file} is not a matrix file: it lacks `systems`, `documents` or `scores`")
        systems, documents = tuple(map(str, decoded["systems"])), tuple(map(str, decoded["documents"]))
        values = {}
        for name, rows in decoded["scores"].items():
            try:
                values[name] = np.array(rows, dtype=float)
            except (TypeError, ValueError):
                raise DataError(f"{name} in {file} is not a table of numbers") from None
            if values[name].shape != (len(systems), len(documents)):
                found = " x ".join(map(str, values[name].shape))
                raise DataError(
                    f"{name} in {file} is {found}, but there are {len(systems)} systems and {len(documents)} documents"
                )
        human = tuple(decoded.get("human") or ())
        unknown = [name for name in human if name not in values]
        if unknown:
            raise DataError(f"{file} names {unknown[0]!r} as human, but has no such scores")
        return cls(systems, documents, values, human)

    @classmethod
    def join(cls, scores: Scores, judgments: Judgments) -> Matrices:
        """Scores and judgments of the same summaries, matched by the names of system and document."""
        tables = {column.name: scores.matrix(column.name) for column in scores.columns if not column.parts}
        judged = {aspect: judgments.means(aspect) for aspect in judgments.aspects}
        judged_systems = {system for table in judged.values() for system in table["system"].unique()}
        judged_documents = {doc_id for table in judged.values() for doc_id in table["doc_id"].unique()}
        systems = tuple(system for system in scores.systems if system in judged_systems)
        documents = tuple(doc_id for doc_id in scores.documents if doc_id in judged_documents)
        if not systems or not documents:
            raise DataError(
                "scores and judgments share no " + ("system" if not systems else "document") + ": do their names match?"
            )
        values = {name: _restricted(table, systems, documents) for name, table in tables.items()}
        rows = {system: i for i, system in enumerate(systems)}
        places = {doc_id: i for i, doc_id in enumerate(documents)}
        for aspect, table in judged.items():
            matrix = np.full((len(systems), len(documents)), np.nan)
            for doc_id, system, value in table.iter_rows():
                if system in rows and doc_id in places:
                    matrix[rows[system], places[doc_id]] = value
            values[aspect] = matrix
        notes = (
            *_left_out("systems", scores.systems, systems, "without judgments"),
            *_left_out("documents", scores.documents, documents, "without judgments"),
            *_left_out("judged systems", sorted(judged_systems), systems, "without scores"),
            *_left_out("judged documents", sorted(judged_documents), documents, "without scores"),
        )
        return cls(systems, documents, values, tuple(judged), notes)


def is_matrix(decoded: Any) -> bool:
    """Whether decoded JSON is a matrix file."""
    return isinstance(decoded, dict) and {"systems", "documents", "scores"} <= decoded.keys()


def is_matrix_file(path: str | Path) -> bool:
    """Whether a path names a matrix file: JSON, one object, with systems and scores near its start."""
    if kind_of(str(path)) != ".json":
        return False
    with open_bytes(str(path)) as stream:
        start = stream.read(1 << 16)
    return start.lstrip().startswith(b"{") and b'"systems"' in start


def _restricted(table: Any, systems: tuple[str, ...], documents: tuple[str, ...]) -> FloatArray:
    rows = [table.systems.index(system) for system in systems]
    wanted = set(documents)
    places = [i for i, doc_id in enumerate(table.documents) if doc_id in wanted]
    return np.asarray(table.values[np.ix_(rows, places)])


def _left_out(what: str, before: Any, after: tuple[str, ...], why: str) -> tuple[str, ...]:
    kept = set(after)
    lost = [name for name in before if name not in kept]
    if not lost:
        return ()
    named = ", ".join(lost[:_MOST_NAMED]) + (" ..." if len(lost) > _MOST_NAMED else "")
    return (f"left out {len(lost)} {what} {why}: {named}",)
