"""Reports: scores as one HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError
from gistmeter.io.atomic import check_output
from gistmeter.models.runtime.settings import current_settings, use_settings
from gistmeter.probe.findings import choose_readable, gather_findings, list_files_beside, read_finding
from gistmeter.ranking.rank import rank
from gistmeter.report.page.explain import describe_outside, list_labels
from gistmeter.report.page.marking import link_pages, list_pages_beside
from gistmeter.scores import Scores, ScoresLike
from gistmeter.scoring.answer_store import use_cached_answers
from gistmeter.scoring.contents import UNCHECKED, check_contents
from gistmeter.scoring.inputs import as_run, find_scored_run, label_metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.io.score_files.origin import Origin
    from gistmeter.ranking.rank import Ranking
    from gistmeter.scoring.inputs import Metrics, RunLike


def write_report(
    scores: ScoresLike,
    path: str | Path,
    *,
    run: RunLike | None = None,
    ranking: Ranking | None = None,
    metrics: Metrics | None = None,
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
    title: str = "gistmeter report",
    evidence_rows: int = 1000,
    seed: int = 0,
    allow_models: bool = False,
    cache: bool = True,
    probes: Sequence[str | Path] = (),
    pages: Sequence[str | Path] = (),
    categories: bool = False,
) -> None:
    """Write one self-contained HTML file: leaderboard, distributions, documents, and evidence where texts are known.

    A note on the page says how many explanations are missing and why.

    Parameters
    ----------
    scores
        What to report, or the file that it is in.
    path
        Where to write the page.
    run
        The summaries that were scored, for texts and evidence; without it the page has numbers only.
    ranking
        The ranking to show, if there is one already; by default the systems are ranked here.
    metrics
        The metrics that scored, as `fit_metrics` fitted them to the run; by default they are made again from the
        names of the scores.
    lower, higher
        The names of scores whose lower (or higher) values are better, for the ranking that is made here.
    title
        The title of the page.
    evidence_rows
        For how many summaries to include evidence, at most.
    seed
        Of the ranking that is made here.
    allow_models
        Whether the names of scores that were read from a file may name models and files to be loaded for evidence.
        Scores that were computed here may, and so may `metrics`, which alone can fetch a model.
    cache
        Whether metrics that ask questions look in the score cache for the answers that scoring kept there.
    probes
        Files that `gistmeter probe` commands wrote, which are shown with their verdicts.
    pages
        Pages of marks (`gistmeter summarize --page`) to link.
    categories
        Whether the evidence also says which kinds of words match (nouns, stop words, who did what), in English.

    Raises
    ------
    ArgumentError
        If `evidence_rows` is negative.
    DataError
        If the page cannot be written there, the run cannot be read, or its texts have changed since they were scored.
    """
    from gistmeter.report.page.html import write_html

    if evidence_rows < 0:
        raise ArgumentError(f"`evidence_rows` is 0 or more, not {evidence_rows}")
    scores = Scores.of(scores)
    opened = None if run is None else as_run(run).rereadable()
    if opened is not None:
        check_contents(scores, opened.examples(), whole=opened.origin.has_same_names(scores.origin))
    named = metrics is not None or scores.file is None or allow_models
    runtime = None if metrics is not None else current_settings().override(offline=True)
    own_file = () if scores.file is None else (str(scores.file),)
    check_output(path, (*own_file, *(() if opened is None else opened.input_files), *probes, *pages))
    with use_cached_answers(cache), use_settings(runtime):
        write_html(
            scores,
            rank(scores, lower=lower, higher=higher, seed=seed) if ranking is None else ranking,
            Path(path),
            examples=() if opened is None else opened.examples(),
            metrics=None if metrics is None else label_metrics(metrics),
            title=title,
            evidence_rows=evidence_rows,
            allow_models=named,
            probes=gather_findings([read_finding(file) for file in probes]),
            marking_pages=link_pages(pages, path),
            categories=categories,
        )


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """A report that was written, and what its reader should know."""

    path: Path
    notes: tuple[str, ...] = ()
    """What the page lacks, and how to get it."""


def report_scores(
    scores: ScoresLike,
    path: str | Path,
    *,
    run: RunLike | None = None,
    moved: Origin | None = None,
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
    title: str = "gistmeter report",
    evidence_rows: int = 1000,
    seed: int = 0,
    trust_origin: bool = False,
    allow_models: bool = False,
    cache: bool = True,
    probes: Sequence[str | Path] | None = None,
    pages: Sequence[str | Path] | None = None,
    categories: bool = False,
) -> WrittenReport:
    """Write the report of scores, with the texts of the files that they were computed from where those are there.

    Parameters
    ----------
    scores
        The scores, the file that they are in, or a frame.
    path
        Where to write the page.
    run
        The summaries that were scored; by default the files that the scores name.
    moved
        Files of the run that are elsewhere now.
    trust_origin
        Whether scores that were read from a file may name files outside its folder and the working directory.
    lower, higher, title, evidence_rows, seed, allow_models, cache, categories
        As for `write_report`.
    probes
        Files that `gistmeter probe` commands wrote; by default those that lie beside the file of scores and are called
        as it, such as `scores.probe-js.jsonl` beside `scores.parquet`.
    pages
        Pages of marks (`gistmeter summarize --page`) to link; by default those that lie beside the file of scores and
        are called as it, such as `scores.marks.html` beside `scores.parquet`.

    Returns
    -------
    Where the page is, and a note where it has no texts.

    Raises
    ------
    ArgumentError
        If `evidence_rows` is negative.
    DataError
        If the scores or the run cannot be read, the page cannot be written there, or texts of the run have changed
        since they were scored.

    >>> import tempfile
    >>> from gistmeter.api import score
    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report_scores(score([example], "rouge1"), Path(folder, "report.html")).notes
    ('the report has no texts and no evidence: the scores do not say where they came from; give `run=`',)
    """
    table = Scores.of(scores)
    check_output(path, [*([scores] if isinstance(scores, (str, Path)) else []), *table.origin.all_files])
    notes: tuple[str, ...] = ()
    if run is None:
        scored_run = find_scored_run(table, moved=moved, trust_origin=trust_origin)
        run = scored_run.run
        absence = scored_run.describe_absence()
        notes = () if absence is None else (f"the report has no texts and no evidence: {absence}",)
    if probes is None:
        beside = choose_readable(() if table.file is None else list_files_beside(table.file))
        probes, notes = beside.files, (*notes, *beside.notes)
    if pages is None:
        pages = () if table.file is None else list_pages_beside(table.file)
    write_report(
        table,
        path,
        run=run,
        lower=lower,
        higher=higher,
        title=title,
        evidence_rows=evidence_rows,
        seed=seed,
        allow_models=allow_models,
        cache=cache,
        probes=probes,
        pages=pages,
        categories=categories,
    )
    if run is not None and table.contents is None and table.columns and table.columns[0].stated:
        notes += (UNCHECKED,)
    if run is not None and table.file is not None and not allow_models:
        notes += tuple(describe_outside(list_labels(table.columns)))
    return WrittenReport(Path(path), notes)
