"""Files of probes: JSON lines, of which the first says what was probed and each other one is a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json_lines
from gistmeter.probe.headed_file import HeadedFile
from gistmeter.probe.results import Probe, ProbedDocument

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gistmeter.io.json_lines import NumberedRecord

PROBE_FILE = HeadedFile(
    mark="gistmeter_probe",
    result=Probe,
    rows="documents",
    row=ProbedDocument,
    content="a probe",
    row_content="probed document",
    form="a probe is JSON lines",
    writers="`gistmeter probe optimise` and `rerank` write",
)


def check_probe_path(path: str | Path, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse a file that no probe can be written to, or that is an input, before any long work."""
    PROBE_FILE.check_path(path, inputs)


def write_probe(probe: Probe, path: str | Path) -> int:
    """Write a probe; says how many documents it has.

    Parameters
    ----------
    probe
        What `optimise`, `rerank` or `direct` found.
    path
        A file of JSON lines.

    Raises
    ------
    DataError
        It cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from gistmeter.probe import optimise, read_probe
    >>> run = [{"summary": "It rained.", "document": "It rained a lot. It was cold. The rain fell on Rome."}]
    >>> probe = optimise(run, "js", sentences=1)
    >>> with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
    ...     write_probe(probe, file.name), read_probe(file.name) == probe
    (1, True)
    """
    return PROBE_FILE.write(probe, path)


def read_probe(path: str | Path) -> Probe:
    """A probe from the file that it was written to.

    Parameters
    ----------
    path
        A file that `write_probe` or a command wrote.

    Raises
    ------
    DataError
        It cannot be read, or is no file of a probe.

    Examples
    --------
    >>> read_probe("nowhere.jsonl")
    Traceback (most recent call last):
    gistmeter.errors.DataError: cannot read nowhere.jsonl: there is no such file
    """
    return parse_probe(read_json_lines(path), path)


def parse_probe(lines: Iterable[NumberedRecord], path: str | Path) -> Probe:
    """A probe from the lines of its file; `path` is its name, for errors."""
    probe = PROBE_FILE.parse(lines, path)
    if not probe.documents:
        raise DataError(f"{path} has no documents: the probe found nothing")
    return probe
