"""What a metric measures, as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.insight.shares import CategoryShares


def categories_sheet(shares: CategoryShares) -> Sheet:
    """The share of each category of words in a score: Tables 3 and 4 of Deutsch (2022)."""
    references = "the first reference" if shares.reference == "first" else "all references"
    metrics = dict.fromkeys(row.metric for row in shares.rows)
    if set(metrics) <= set(shares.on_documents):
        references = "the document"
    elif shares.on_documents:
        references += f" ({', '.join(shares.on_documents)}: the document)"
    caption = (
        f"The share of each score that comes from matches between words of a category, against {references}: mean over "
        "summaries, 95% bootstrap interval over documents. Categories overlap."
    )
    if {"topic", "information"} <= {row.category for row in shares.rows}:
        caption += (
            " Topic, Information and Stop words are unions of categories; Information is who did what: verbs together "
            "with their subjects and objects."
        )
    else:
        caption += " The last rows are types: unions of their categories."
    if any("published" in row for row in shares.records()):
        caption += " published: Deutsch (2022), Tables 3 and 4, with other models and parsers."
    return Sheet.of(shares.records(), caption=caption, notes=shares.notes, **shares.details())
