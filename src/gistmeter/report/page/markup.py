"""Markdown and LaTeX: how any text or number is written so that it shows as it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LATEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    '"': "\\textquotedbl{}",
    "−": "$-$",
    "–": "--",
    "↑": "$\\uparrow$",
    "↓": "$\\downarrow$",
}


def markdown_row(cells: Sequence[str]) -> str:
    """One row of a Markdown table, its cells already escaped."""
    return f"| {' | '.join(cells)} |"


def markdown_text(text: str) -> str:
    """A text that Markdown shows as it is; a line break would end a table's row."""
    return re.sub(r"([\\`*_{}<>#|~&]|\[(?![0-9+−]))", r"\\\1", " ".join(text.split()))


def latex_text(text: str) -> str:
    """A text that LaTeX shows as it is."""
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def latex_table(
    *, header: Sequence[str], rows: Iterable[Sequence[str]], caption: str, comments: Iterable[str] = ()
) -> str:
    """A booktabs table; header and cells are already LaTeX, caption and comments are plain text."""
    lines = [
        *(f"% {' '.join(comment.split())}" for comment in comments),
        "\\begin{table}",
        "  \\centering",
        f"  \\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
        "    \\toprule",
        f"    {' & '.join(header)} \\\\",
        "    \\midrule",
        # A row that begins with [ or * would be read as an argument of the line break before it.
        *(f"    {'{}' if row[0].startswith(('[', '*')) else ''}{' & '.join(row)} \\\\" for row in rows),
        "    \\bottomrule",
        "  \\end{tabular}",
        f"  \\caption{{{latex_text(caption)}}}",
        "\\end{table}",
    ]
    return "\n".join(lines)
