"""Names of metrics as people write them, from a table: ROUGE-1 for `rouge1.f1`, QAEval EM for `qaeval.em`."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gistmeter.errors import GistmeterError
from gistmeter.metrics.registry import list_entries, parse_metric
from gistmeter.metrics.spelling import add_quotes, parse_spelling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.metrics.metric import Metric

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_KNOWN_FOR = "f1"


@dataclass(frozen=True, slots=True)
class ScoreTitle:
    """What a score is called in a paper: its metric, which score of it, and settings that are not the default."""

    title: str
    short: str
    """The metric's title where there is little room."""
    score: str = ""
    settings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it in a line.

        >>> title_scores(["rouge2(stem=none).recall"])["rouge2(stem=none).recall"].text
        'ROUGE-2 R (stem=none)'
        """
        settings = f"({', '.join(self.settings)})" if self.settings else ""
        return " ".join(part for part in (self.title, self.score, settings) if part)


def title_scores(names: Iterable[str]) -> dict[str, ScoreTitle]:
    """Titles of those names that are scores of metrics; all that stand in one table are to be given together.

    Parameters
    ----------
    names
        Names such as `rouge2.f1`; others, such as those of aspects or of columns of other programs, get no title.

    >>> {name: title.text for name, title in title_scores(["rouge2.f1", "qaeval.em", "qaeval.f1", "coherence"]).items()}
    {'rouge2.f1': 'ROUGE-2', 'qaeval.em': 'QAEval EM', 'qaeval.f1': 'QAEval F1'}
    """
    scores: dict[str, tuple[str, str]] = {}
    for name in dict.fromkeys(names):
        label, _, score = name.rpartition(".")
        metric = _find_metric(label)
        if metric is not None and score in {column.name for column in metric.columns}:
            scores[name] = (label, score)
    labels = [label for label, _ in scores.values()]
    return {name: _title_score(label, score, alone=labels.count(label) == 1) for name, (label, score) in scores.items()}


def _title_score(label: str, score: str, *, alone: bool) -> ScoreTitle:
    metric = parse_metric(label)
    title, short = title_metric(metric.name)
    own = [column.name for column in metric.columns]
    known_for = score in (_KNOWN_FOR, metric.name) or len(own) == 1
    written = "" if alone and known_for else _read_titles()["scores"].get(score, score.replace("_", " "))
    return ScoreTitle(title=title, short=short, score=written, settings=_list_changed_settings(label))


def title_metric(name: str) -> tuple[str, str]:
    """A metric's title and its short title; its name, where the table has none.

    >>> title_metric("rouge1"), title_metric("lite2.5pyramid"), title_metric("mine")
    (('ROUGE-1', 'R-1'), ('Lite²·⁵Pyramid', 'Lite²·⁵P.'), ('mine', 'mine'))
    """
    for entry in list_entries():
        match = entry.pattern.match(name)
        titles = _read_titles()["metrics"].get(entry.template) if match else None
        if match and titles:
            fields = match.groupdict()
            fields |= {f"raised_{key}": value.translate(_RAISED) for key, value in fields.items()}
            title = titles["title"].format(**fields)
            return title, titles.get("short", titles["title"]).format(**fields)
    return name, name


@functools.lru_cache(maxsize=256)
def _find_metric(label: str) -> Metric | None:
    try:
        return parse_metric(label)
    except GistmeterError:
        return None


@functools.lru_cache(maxsize=256)
def _list_changed_settings(label: str) -> tuple[str, ...]:
    """The settings of a spelling that are no defaults, as they were written."""
    spelling = parse_spelling(label)
    plain = parse_metric(spelling.name)
    changed = []
    for key, value in spelling.settings.items():
        try:
            same = parse_metric(f"{spelling.name}({key}={value})") == plain
        except GistmeterError:  # a setting that goes with another alone
            same = False
        if not same:
            changed.append(f"{key}={add_quotes(value)}" if '"' in value else f"{key}={value}")
    return tuple(changed)


@functools.cache
def _read_titles() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files(__package__) / "titles.toml").read_text("utf-8"))
