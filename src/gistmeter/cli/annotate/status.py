"""`gistmeter annotate status`: how far a study is."""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli.annotate.options import StudyFolder, open_store, show_study


def status(
    study: StudyFolder,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How far a study is: people, assignments that passed and failed, time, and agreement so far."""
    from gistmeter.annotate import measure_progress

    show_study(measure_progress(open_store(study)), latex=latex, html=html, markdown=markdown, json=json)
