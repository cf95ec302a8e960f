"""Options that the commands of `gistmeter spans` and `gistmeter summarize` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli.door.files import WRITES_FILE

DocumentRun = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN...",
        help="Files of documents: .jsonl, .csv, .tsv, .parquet (.gz too), - for stdin; no summaries needed.",
    ),
]
SpanOutput = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the spans here, as JSON lines."), WRITES_FILE
]
SpanCount = Annotated[int, typer.Option("-k", min=1, metavar="K", help="How many spans of a document, at most.")]
MostSpans = Annotated[
    int | None,
    typer.Option(
        "-k", min=1, metavar="K", help="How many spans of a document, at most; default 20 if predicted, else all."
    ),
]
SpanSource = Annotated[
    str | None,
    typer.Option(
        "--spans", metavar="FILE", help="What to say: predicted (the default), silver (needs references), or a file."
    ),
]
