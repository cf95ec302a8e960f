"""`assert_summary`: a summary is good enough by the scores named, or the test fails and says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def assert_summary(
    summary: str,
    *,
    document: str | None = None,
    documents: str | Sequence[str] = (),
    references: str | Sequence[str] = (),
    language: str = "en",
    at_least: Mapping[str, float] | None = None,
    at_most: Mapping[str, float] | None = None,
    **thresholds: float,
) -> dict[str, float]:
    """Fail unless a summary is good enough by the scores named; gives the scores.

    A metric without a column stands for its main one: `rouge2` is `rouge2.f1`.

    Parameters
    ----------
    summary
        The text.
    document, documents
        What was summarised: one text, or several.
    references
        One reference or several.
    language
        Of all texts, as a code such as `en`.
    at_least, at_most
        Limits by the name of a score as `gistmeter score` writes it, such as `{"rouge2(stem=none).f1": 0.3}`; where
        lower values are better, the limit is one of `at_most`.
    **thresholds
        Limits at least reached, by name with two underscores for the point: `faithfulness=0.6`, `rouge2__recall=0.3`.

    Returns
    -------
    dict of str to float
        The scores by name.

    Raises
    ------
    AssertionError
        A score is missing or beyond its limit. The message has scores and limits, evidence, and the weakest sentence.
    ArgumentError
        No limit is given, one is no number, or a score without that direction is to be reached.
    MetricError, DataError
        There is no such metric or score, or it needs a text that is not given.

    Examples
    --------
    >>> assert_summary("The cat sat.", references="The cat sat down.", rouge1__f1=0.8)
    {'rouge1.f1': 0.8571428571428571}
    >>> assert_summary("A dog sat.", references="The cat sat down.", rouge1__f1=0.8)
    Traceback (most recent call last):
    AssertionError: the summary fails by 1 of 1 scores
      rouge1.f1  0.286  must be at least 0.8
    ...
    """
    __tracebackhide__ = True  # pytest shows the line of the test, not those of gistmeter
    from gistmeter.testing.failure import describe_failure
    from gistmeter.testing.limits import read_limits, score_limits

    limits = read_limits(thresholds, at_least or {}, at_most or {})
    scored = score_limits(
        limits, summary=summary, document=document, documents=documents, references=references, language=language
    )
    if scored.failed:
        raise AssertionError(describe_failure(scored))
    return scored.values
