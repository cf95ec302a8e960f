"""Licences: from which texts weights may be learned that are shipped, and how many there are under each.

Annotated corpora state the licence of every text, and one that does not is refused (`allows_weights`). Records of plain
text are refused when they are marked non-commercial or say that their licence is not stated (`licence_problem`); named
sets of pairs and questions have a table of licences of their own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from gistmeter.errors import DataError
from gistmeter.training.card import table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Text = TypeVar("Text")

NOT_STATED = "not stated"
NON_COMMERCIAL = "non-commercial licence"


@dataclass(frozen=True, slots=True)
class Licensed(Generic[Text]):
    """Texts that may be learned from, those that may not, and how many there are under each licence."""

    allowed: tuple[Text, ...]
    refused: tuple[Text, ...]
    licences: Mapping[str, int]
    left_out: Mapping[str, int]

    def describe(self, unit: str) -> list[str]:
        """What a model card says of the licences: those of texts learned from, and those left out."""
        learned = ", ".join(f"{name} ({count})" for name, count in sorted(self.licences.items()))
        left_out = ", ".join(f"{count} {name}" for name, count in sorted(self.left_out.items())) or "none"
        return [
            f"Licences of the texts ({unit}): {learned}. Some may be CC BY-SA: see NOTICE.",
            f"Left out for their licence ({unit}): {left_out}.",
        ]


def read_licence(record: Mapping[str, Any]) -> str:
    """The licence that a record states; one marked `nc` says so.

    >>> read_licence({"licence": "CC BY 4.0", "nc": True}), read_licence({})
    ('CC BY 4.0 (NC)', 'not stated')
    """
    licence = str(record.get("licence", NOT_STATED))
    return f"{licence} (NC)" if record.get("nc") and "NC" not in licence else licence


def allows_weights(licence: str) -> bool:
    """Whether a licence is stated and allows commercial use and changes.

    >>> names = ("CC BY 4.0", "CC BY-SA 3.0", "CC BY-NC-SA 4.0", "not stated in LICENSE.txt", "")
    >>> [allows_weights(name) for name in names]
    [True, True, False, False, False]
    """
    words = licence.replace("-", " ").replace("(", " ").replace(")", " ").split()
    return bool(words) and "NC" not in words and "ND" not in words and words[0] in {"CC", "CC0", "MIT", "Apache"}


def select_licensed(
    texts: Sequence[Text], licence_of: Callable[[Text], str], label: Callable[[Text], str] | None = None
) -> Licensed[Text]:
    """Sort texts by whether weights may be learned from them; `label` names those allowed, by default their licence."""
    allowed = tuple(text for text in texts if allows_weights(licence_of(text)))
    refused = tuple(text for text in texts if not allows_weights(licence_of(text)))
    return Licensed(
        allowed=allowed,
        refused=refused,
        licences=Counter(map(label or licence_of, allowed)),
        left_out=Counter(map(licence_of, refused)),
    )


def licence_problem(record: Mapping[str, Any], source: Mapping[str, Any] | None = None) -> str | None:
    """Why weights learned from a record may not be shipped, if so; `source` is what is known of its set.

    >>> licence_problem({"nc": True}), licence_problem({"licence": "CC BY 4.0"}), licence_problem({}, {"nc": True})
    ('non-commercial licence', None, 'non-commercial licence')
    """
    if record.get("nc") or (source or {}).get("nc"):
        return NON_COMMERCIAL
    return "no licence stated" if str(record.get("licence", "")).startswith(NOT_STATED) else None


def check_set(
    name: str, sets: Mapping[str, Mapping[str, Any]], record: Mapping[str, Any], *, position: str, table_file: str
) -> None:
    """Refuse a record of a set that the table of licences does not have, unless the record states a licence itself.

    >>> check_set("mine", {}, {"licence": "own"}, position="line 1 of mine.jsonl", table_file="entailment/sets.toml")
    >>> check_set("mine", {}, {}, position="line 1 of mine.jsonl", table_file="entailment/sets.toml")
    Traceback (most recent call last):
    gistmeter.errors.DataError: line 1 of mine.jsonl is of the set 'mine', whose licence entailment/sets.toml does not \
give: say it in each record, such as "licence": "own"
    """
    if name not in sets and not str(record.get("licence") or "").strip():
        raise DataError(
            f"{position} is of the set {name!r}, whose licence {table_file} does not give: say it in each record, "
            'such as "licence": "own"'
        )


def set_table(counts: Mapping[str, int], sets: Mapping[str, Mapping[str, Any]], *, unit: str) -> str:
    """How much was learned from each named set, with its licence and citation, for a model card."""
    rows = []
    for name in sorted(counts):
        facts = sets.get(name, {"licence": "as its records state", "citation": "not given"})
        rows.append((name, f"{counts[name]:,}", facts["licence"], facts["citation"]))
    return table(("set", unit, "licence", "citation"), rows)
