"""`gistmeter report`: one HTML file that opens anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import READS, WRITES_FILE
from gistmeter.cli.run_files import NO_FILES, RunAgain, RunFiles, take_run_files


@take_run_files
def report(
    scores: o.ScoreFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write it."), WRITES_FILE] = Path(
        "report.html"
    ),
    run: RunAgain = None,
    files: RunFiles = NO_FILES,
    lower: o.Lower = None,
    higher: o.Higher = None,
    probes: Annotated[
        list[Path] | None,
        typer.Option(
            "--probe",
            metavar="FILE",
            help="What `probe` commands wrote; default SCORES.probe*.jsonl beside the scores; repeat for more.",
        ),
        READS,
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the report.")] = "gistmeter report",
    evidence: Annotated[int, typer.Option(min=0, help="For how many summaries to include evidence.")] = 1000,
    categories: Annotated[
        bool, typer.Option("--categories", help="Show which kinds of words match, by a parser of English.")
    ] = False,
    seed: o.Seed = 0,
    trust_origin: o.TrustOrigin = False,
    allow_models: o.AllowModels = False,
    no_cache: o.NoCache = False,
) -> None:
    """Write a self-contained HTML report: leaderboard, distributions, documents, evidence, signatures.

    A file of scores may be anybody's: what it names outside its folder and this one is read with --trust-origin, models
    and files in the names of scores with --allow-models. Nothing is fetched.
    """
    from gistmeter import api
    from gistmeter.io.atomic import check_writable

    check_writable(output)
    written = api.report_scores(
        scores,
        output,
        moved=files.list_moved(run),
        title=title,
        lower=lower or (),
        higher=higher or (),
        evidence_rows=evidence,
        seed=seed,
        trust_origin=trust_origin,
        allow_models=allow_models,
        cache=not no_cache,
        probes=probes or None,
        categories=categories,
    )
    for note in written.notes:
        o.say(o.use_flags(note))
    o.say(f"report: {written.path}")
