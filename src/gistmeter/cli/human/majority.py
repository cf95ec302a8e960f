"""`gistmeter human majority`: who disagrees with the majority, and judgments without them."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output as out
from gistmeter.cli.human import options as h


def majority(
    file: h.RatingFile,
    human: h.HumanNames = None,
    fields: o.FieldMap = None,
    threshold: Annotated[float, typer.Option(help="The share of items to agree on, from 0 to 1.")] = 0.5,
    fewest: Annotated[int, typer.Option(min=1, help="Raters of fewer items are not measured.")] = 10,
    output: h.JudgmentsOutput = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How often each rater is with the majority of the others. With -o, the judgments without those who seldom are."""
    from gistmeter.human import drop_disagreeing

    out.check_judgments_file(output)
    result = drop_disagreeing(h.open_ratings(file, fields), threshold=threshold, fewest=fewest, aspects=human)
    out.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    out.write_judgments(result.judgments, output)
