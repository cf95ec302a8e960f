"""What the name of a column says: which metric it is of, which way is good, which columns somebody means."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from gistmeter.errors import GistmeterError, MetricError
from gistmeter.io.score_files.names import find_name
from gistmeter.metrics.registry import expand_group, parse_metric, respell_metric

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.metrics.metric import Better


def find_columns(name: str, columns: Iterable[str]) -> list[str]:
    """The columns that a name stands for: one, or those of a group of metrics; none if there is none.

    >>> find_columns("ROUGE", ["rouge1.recall", "rouge1.f1", "rouge2.f1", "bleu.bleu"])
    ['rouge1.f1', 'rouge2.f1']
    >>> find_columns("chrF++", ["chrf(word_order=2).chrf"]), find_columns("rouge.recall", ["rouge1.recall"])
    (['chrf(word_order=2).chrf'], ['rouge1.recall'])
    """
    given = tuple(columns)
    whole = find_name(name, given)
    if whole is not None:
        return [whole]
    meant = _spell_out(name)
    if not meant:
        label, _, short = name.rpartition(".")
        meant = [f"{metric}.{short}" for metric in _spell_out(label)]
    return [column for column in (find_name(metric, given) for metric in meant) if column is not None]


def _spell_out(name: str) -> list[str]:
    """The metrics that a group, or a name in another spelling, stands for."""
    try:
        return expand_group(name) or [text for text in [respell_metric(name)] if text != name]
    except MetricError:
        return []


@functools.cache
def find_direction(name: str) -> Better | None:
    """Which way is good for a score of that name, a metric's column or a metric; None if no metric is called so.

    Of a metric's columns, the one of its own name, else f1, else the first speaks for it.

    >>> find_direction("js.divergence"), find_direction("rouge2"), find_direction("length.words")
    ('lower', 'higher', 'neither')
    >>> find_direction("human fluency") is None
    True
    """
    label, _, short = name.rpartition(".")
    for spelling, wanted in ((label, (short,)), (name, (name.partition("(")[0], "f1"))):
        try:
            columns = parse_metric(spelling).columns
        except GistmeterError:
            continue
        by_name = {column.name: column.better for column in columns}
        stated = next((by_name[column] for column in wanted if column in by_name), None)
        if stated is not None or spelling == name:
            return stated or columns[0].better
    return None


@functools.cache
def is_reference_free(name: str, signature: str) -> bool | None:
    """Whether the metric's column of that name looks at no reference; None if no metric has that name and signature.

    >>> is_reference_free("js.divergence", "js|order:1|v:0"), is_reference_free("rouge2.f1", "rouge2|v:0")
    (True, False)
    >>> is_reference_free("js.divergence", "mine|v:0") is None
    True
    """
    label, _, short = name.rpartition(".")
    try:
        metric = parse_metric(label)
    except GistmeterError:
        return None
    is_same = short in [column.name for column in metric.columns] and signature.partition("|")[0] == metric.name
    return metric.is_reference_free(short) if is_same else None


def is_part(name: str) -> bool:
    """Whether a column of that name holds counts that a metric of whole systems adds up, and no score.

    >>> is_part("bleu.correct_1"), is_part("bleu.bleu")
    (True, False)
    """
    label, _, short = name.rpartition(".")
    try:
        return short in parse_metric(label).parts
    except GistmeterError:
        return False
