"""Pictures of results in files: what `gistmeter.write_figure` draws. Charts are registered where they are made."""

from __future__ import annotations

from pathlib import Path

from gistmeter.arguments import check_arguments
from gistmeter.report import figures, insight_charts  # noqa: F401  (its pictures are registered)
from gistmeter.report.meta_charts import chart
from gistmeter.result import Result  # noqa: TC001  (arguments are checked against annotations)


@check_arguments
def write_figure(result: Result, path: str | Path) -> None:
    """Draw the picture of an answer of `gistmeter.meta` or `gistmeter.insight`.

    Parameters
    ----------
    result
        What such a function gave: `meta.interval(...)`, for example, or `insight.categories(...)`.
    path
        Where to write it: `.svg`, `.png`, `.pdf`, or a self-contained `.html`.

    Raises
    ------
    ArgumentTypeError
        There is no picture of such a result.
    DataError
        The name of the file says no such format.
    MissingExtraError
        The packages that draw are not installed (`gistmeter[figures]`).

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from gistmeter import meta
    >>> study = meta.Study.from_tables({"rouge2": [[1], [2], [4]], "rated": [[1], [3], [5]]}, aspects=["rated"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_figure(meta.matrix(study, metrics=["rouge2", "rated"], level="system"), Path(folder) / "matrix.svg")
    ...     (Path(folder) / "matrix.svg").read_text("utf-8").startswith("<svg")
    True
    """
    figures.write_figure(chart(result), Path(path))
