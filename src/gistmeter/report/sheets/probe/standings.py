"""What a metric likes best, beside the systems and the references, as a sheet."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from gistmeter.probe.search.scoring import DEFAULT_SHORTLIST
from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.sheet import Sheet
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.probe import PickedAspect, Probe

_METHODS = {
    "optimise": "sentences of the document chosen for this score",
    "rerank": "the summary of a pool with the best score",
    "direct": "what the metric's own generator writes",
}

_SETTINGS = {
    "search": "{} search",
    "sentences": "at most {} sentences",
    "words": "at most {} words",
    "first_words": "from the first {} words",
    "beam": "beam of {}",
    "shortlist": "shortlist of {}",
    "pool": "pool: {}",
}

_UNSAID = {
    *((name, "any") for name in ("sentences", "words", "first_words")),
    ("shortlist", str(DEFAULT_SHORTLIST)),  # most metrics do not estimate, and have none
}
"""Settings that a caption leaves out."""


def probe_sheet(probe: Probe, judged: Sequence[PickedAspect] = ()) -> Sheet:
    """A row for the summaries found, the references and each system, the best first; `judged` is for JSON."""
    settings = describe_settings(probe)
    caption = (
        f"Mean {probe.name} {ARROWS[probe.better]} and number of words over "
        f"{format_count(len(probe.documents), 'document')}, the best first. (optimised): {_METHODS[probe.method]}"
        f"{f' ({settings})' if settings else ''}; (reference): the first one that people wrote."
    )
    more = {"judged": [asdict(row) for row in judged]} if judged else {}
    return Sheet.of(probe.records(), caption=caption, notes=probe.notes, **probe.details(), **more)


def describe_settings(probe: Probe) -> str:
    """How a probe looked for its summaries, in words."""
    return ", ".join(_describe_setting(*each) for each in probe.settings.items() if each not in _UNSAID)


def _describe_setting(name: str, value: str) -> str:
    """A setting in words.

    >>> _describe_setting("search", "greedy"), _describe_setting("sentences", "1"), _describe_setting("model", "bart")
    ('greedy search', 'at most 1 sentence', 'model bart')
    """
    words = _SETTINGS.get(name, f"{name} {{}}").format(value)
    return words.removesuffix("s") if value == "1" else words
