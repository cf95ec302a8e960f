"""`gistmeter human gold`: one sampled vote as gold, beside the gold from all raters."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.arguments import MOST_DRAWS
from gistmeter.cli import options as o
from gistmeter.cli import output as out
from gistmeter.cli.human import options as h


def gold(
    file: h.RatingFile,
    human: h.HumanNames = None,
    fields: o.FieldMap = None,
    rounds: Annotated[int, typer.Option(min=1, max=MOST_DRAWS, help="How many times raters are drawn.")] = 3,
    seed: o.Seed = 0,
    output: h.JudgmentsOutput = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Gold from one rater drawn for each item. With -o, a file of golds for `meta correlate --human "sample 1"`."""
    from gistmeter.human import sample_gold

    out.check_judgments_file(output)
    result = sample_gold(h.open_ratings(file, fields), aspects=human, rounds=rounds, seed=seed)
    out.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    out.write_judgments(result.judgments, output)
