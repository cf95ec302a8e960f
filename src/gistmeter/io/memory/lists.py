"""Lists that belong together: item i of the predictions, the references and the documents is of document i."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.memory.given import GivenRecords
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_SYSTEM = "system"
"""The system of records in memory that name none."""


def align_lists(
    predictions: Iterable[Any] | Mapping[str, Iterable[Any]],
    references: Iterable[Any] | None = None,
    documents: Iterable[Any] | None = None,
) -> GivenRecords:
    """Summaries, their references and documents as records; a mapping has the summaries of several systems.

    A member of `references` or `documents` is a text, or a list of several texts. Lists of unequal length are refused.

    >>> [record["references"] for record in align_lists(["It rained.", "Snow."], ["Rain.", ["Snow fell.", "Snow."]])]
    ['Rain.', ['Snow fell.', 'Snow.']]
    """
    by_system = dict(predictions) if isinstance(predictions, Mapping) else {DEFAULT_SYSTEM: predictions}
    summaries = {system: _take_list(texts, _name_list(system, predictions)) for system, texts in by_system.items()}
    if not any(summaries.values()):
        raise DataError("`predictions` is empty: there is nothing to score")
    first = next(iter(summaries))
    others = {
        name: _take_list(given, f"`{name}`")
        for name, given in (("references", references), ("documents", documents))
        if given is not None
    }
    expected = len(summaries[first])
    lists = {**{_name_list(system, predictions): texts for system, texts in summaries.items()}}
    lists |= {f"`{name}`": texts for name, texts in others.items()}
    for name, texts in lists.items():
        if len(texts) != expected:
            raise DataError(
                f"{_name_list(first, predictions)} has {format_count(expected, 'item')} and {name} has {len(texts)}: "
                f"item i of each belongs to document i{_hint_order(texts, expected)}"
            )
    records = [
        {
            "doc_id": str(position + 1),
            "system": system,
            "summary": text,
            **{name: texts_of_all[position] for name, texts_of_all in others.items()},
        }
        for system, texts in summaries.items()
        for position, text in enumerate(texts)
    ]
    return GivenRecords(records, "`predictions`", "item")


def _take_list(given: Any, name: str) -> list[Any]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise DataError(f"{name} is a list of texts, not {type(given).__name__}")
    return list(given)


def _name_list(system: str, predictions: object) -> str:
    return f"`predictions[{system!r}]`" if isinstance(predictions, Mapping) else "`predictions`"


def _hint_order(texts: Sequence[Any], expected: int) -> str:
    """That a list has a list for each reference, as sacreBLEU takes them, where it does."""
    if texts and all(isinstance(member, list | tuple) and len(member) == expected for member in texts):
        return "; here each list is of one reference of all documents: give list(zip(*references))"
    return ""
