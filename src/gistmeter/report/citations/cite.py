"""What to cite for scores: their signatures, and the papers of their metrics as BibTeX."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gistmeter.metrics.registry import BUILT_IN
from gistmeter.scores import Scores, ScoresLike
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

# Where a signature names a metric: at its start, and as the setting of another.
_NAMED = re.compile(r"(?:^|(?:metrics?|faithfulness|focus|coverage|coherence)[:=])([\w.]+)")
_TOOL = "gistmeter"


@dataclass(frozen=True, slots=True)
class Citations:
    """Signatures by score, and BibTeX entries by key."""

    signatures: dict[str, str]
    entries: dict[str, str]
    unpublished: dict[str, str]
    """Metrics without a paper of their own, each with what it is."""

    @property
    def bibtex(self) -> str:
        """All entries, as a .bib file has them."""
        return "\n\n".join(self.entries.values()) + "\n"


def cite(scores: ScoresLike) -> Citations:
    """What to cite for a table of scores.

    Parameters
    ----------
    scores
        The scores, the file that they are in, or a frame.

    Returns
    -------
    Citations
        The signature of every metric, which belongs into a paper or its appendix, and BibTeX of what was used.

    >>> import gistmeter as gm
    >>> run = [gm.Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))]
    >>> cited = cite(gm.score(run, "rouge2", cache=False))
    >>> list(cited.entries), list(cited.signatures)
    (['gistmeter', 'lin2004rouge'], ['rouge2'])
    """
    table = Scores.of(scores)
    signatures = {column.metric or column.name: column.signature for column in table.columns}
    templates = {template for signature in signatures.values() for template in _find_templates(signature)}
    papers = {key: paper for key, paper in _read_table("papers").items() if templates & set(paper["metrics"])}
    entries = {_TOOL: _tool_entry(), **{key: _format_entry(key, paper) for key, paper in papers.items()}}
    unpublished = {name: about for name, about in _read_table("unpublished").items() if name in templates}
    return Citations(signatures=signatures, entries=entries, unpublished=unpublished)


def _find_templates(signature: str) -> Iterable[str]:
    """The registered names of the metrics that a signature speaks of."""
    for name in _NAMED.findall(signature):
        yield from (entry.template for entry in BUILT_IN if entry.pattern.match(name))


@cache
def _read_table(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))


def _format_entry(key: str, paper: dict[str, Any]) -> str:
    fields = {name: value for name, value in paper.items() if name not in ("metrics", "kind")}
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{paper['kind']}{{{key},\n{lines}}}"


def _tool_entry() -> str:
    fields = {
        "title": f"{{{_TOOL}}}: measure text summaries, and measure the measures",
        "author": "{The gistmeter developers}",
        "note": f"Version {__version__}",
        "year": "2026",
    }
    return _format_entry(_TOOL, {"kind": "misc", **fields})
