"""Settings that name files, one or several."""

from __future__ import annotations

import os

from gistmeter.errors import MetricError

FileNames = tuple[str, ...] | str | None
"""One file or several; in a spelling with plus signs between them: `people=ann.csv+bob.csv`."""

SEVERAL_FILES = "a file, several with + between, or none"
"""What such a setting takes, in words."""


def list_files(files: object, metric: str, setting: str) -> tuple[str, ...] | None:
    """The files that a setting names, from a text, a path or several of them; None where it names none.

    >>> list_files("ann.csv", "qaeval", "people"), list_files(None, "qaeval", "people")
    (('ann.csv',), None)
    """
    if files is None:
        return None
    members = list(files) if isinstance(files, tuple | list) else [files]
    if not all(isinstance(member, str | os.PathLike) for member in members):
        raise MetricError(f"{metric} cannot have {setting}={files!r}: it takes the name of a file, or several names")
    names = [str(member) for member in members]
    if not names or not all(name.strip() for name in names):
        raise MetricError(
            f"{metric} cannot have {setting}={'+'.join(names)}: a file has no name there (several files have one plus "
            'sign between them; a name with a plus sign or a comma stands in double quotes: "a+b.csv")'
        )
    return tuple(dict.fromkeys(names))
