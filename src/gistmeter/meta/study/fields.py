"""Fields to group a study by, read from whatever its scores and judgments came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.io.fields import FIELD_NAMES, map_record
from gistmeter.io.files import file_stem
from gistmeter.io.records import read_records
from gistmeter.meta.study.labels import read_labels
from gistmeter.meta.study.matrix_file import is_matrix_file
from gistmeter.meta.study.study import Study
from gistmeter.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gistmeter.judgments import Judgments
    from gistmeter.meta.study.labels import NameLabels

    LabelSource = Study | Scores | Judgments | str | Path | None


def add_groups(
    study: Study,
    sources: Iterable[LabelSource],
    *,
    fields: Sequence[str] = (),
    groups: Mapping[str, NameLabels] | None = None,
    mapped: Mapping[str, str] | None = None,
) -> Study:
    """The study with the groups of its summaries in these fields.

    Those that `groups` states, or that the study has already, are taken; the others are looked up in the records that
    scores and judgments came from, in which `mapped` fields are in columns of other names.

    Raises
    ------
    DataError
        A field is in none of the sources.
    """
    study = study.with_groups(groups) if groups else study
    missing = [field for field in fields if field not in study.groups]
    if not missing:
        return study
    records = [pair for source in sources for pair in open_records(source, mapped)]
    labels = read_labels(missing, study.systems, study.documents, records)
    return replace(study, groups={**study.groups, **labels})


def open_records(
    source: LabelSource, mapped: Mapping[str, str] | None = None
) -> Iterator[tuple[str, Iterable[Mapping[str, Any]]]]:
    """The names of a source's files and their records; judgments in memory and matrix files have none."""
    if isinstance(source, Study):
        run = source.run
        if run is not None and run.files:
            yield from ((file, _read_named_records(file, run.origin.fields)) for file in run.files)
        elif run is not None and isinstance(run.memory, Sequence):
            yield "the run", [asdict(example) for example in run.memory]
    elif isinstance(source, Scores):
        yield "the scores", source.table.iter_rows(named=True)
    elif isinstance(source, str | Path) and not is_matrix_file(source):
        yield str(source), _read_named_records(str(source), mapped or {})


def _read_named_records(file: str, mapped: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """The records of a file; a summary without document or system gets the names that it has as part of a run.

    A column that is mapped to a field stands under its own name, too.
    """
    for position, columns in enumerate(read_records(file), start=1):
        record = {**columns, **map_record({**columns}, mapped)} if mapped else columns
        if any(name in record for name in FIELD_NAMES["summary"]):
            unnamed = {
                field: name
                for field, name in (("doc_id", str(position)), ("system", file_stem(file)))
                if all(record.get(alias) is None for alias in FIELD_NAMES[field])
            }
            yield {**record, **unnamed}
        else:
            yield record
